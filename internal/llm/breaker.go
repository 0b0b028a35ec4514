package llm

import (
	"context"
	"sync"
	"time"
)

const (
	// breakAfter is how many requests in a row must fail until a provider is left alone.
	breakAfter = 3
	// firstProbe is the wait before it is asked again. It doubles with each failure up to lastProbe.
	firstProbe = 5 * time.Second
	lastProbe  = 30 * time.Second
)

// breaker is the circuit breaker of one account. After breakAfter failures in a row it is open: calls fail at once, but
// for one after each wait, the probe, which finds out whether the provider has recovered. The next wait begins when a probe
// is sent, so that one that hangs does not hide the recovery from others. (sony/gobreaker has one fixed wait and reads
// the clock itself.)
type breaker struct {
	now func() time.Time

	mu       sync.Mutex
	failures int
	last     *Error
	// pause is the current wait and until its end; pause is 0 while the breaker is closed.
	pause time.Duration
	until time.Time
	// opens are called when the breaker opens.
	opens map[*func()]struct{}
}

// check returns why a call would be refused now, nil if it would not.
func (b *breaker) check() *Error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.refusal()
}

// enter asks to make a request. probe reports that it is the one that finds out about the recovery.
func (b *breaker) enter() (probe bool, refused *Error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if refused := b.refusal(); refused != nil || b.pause == 0 {
		return false, refused
	}
	b.wait(min(2*b.pause, lastProbe))
	return true, nil
}

// refusal is check with the lock held.
func (b *breaker) refusal() *Error {
	left := b.until.Sub(b.now())
	if b.pause == 0 || left <= 0 {
		return nil
	}
	return &Error{Kind: Open, Provider: b.last.Provider, RetryAfter: left, Last: b.last}
}

func (b *breaker) wait(pause time.Duration) { b.pause, b.until = pause, b.now().Add(pause) }

// untilOpen returns a context that also ends when the breaker opens, and what releases it. If the breaker is open
// already, it is ctx: whoever is let through then is the probe.
func (b *breaker) untilOpen(ctx context.Context) (context.Context, func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.pause > 0 {
		return ctx, func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	stop := func() { cancel() }
	if b.opens == nil {
		b.opens = make(map[*func()]struct{})
	}
	b.opens[&stop] = struct{}{}
	return ctx, func() {
		cancel()
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.opens, &stop)
	}
}

// leave reports the outcome of a request, nil for an answer.
func (b *breaker) leave(probe bool, fault *Error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case fault != nil && fault.Kind == Canceled:
		if probe {
			b.until = b.now() // it says nothing about the provider: the next call is the probe
		}
		return
	case fault == nil || !fault.counts():
		b.failures, b.pause, b.last = 0, 0, nil
		return
	}
	b.failures++
	b.last = fault
	if b.failures >= breakAfter && b.pause == 0 {
		b.wait(firstProbe)
		for stop := range b.opens {
			(*stop)()
		}
	}
	if asked := b.now().Add(min(fault.RetryAfter, lastProbe)); b.pause > 0 && asked.After(b.until) {
		b.until = asked
	}
}

// counts reports whether the failure is one of the provider rather than of one request.
func (e *Error) counts() bool {
	switch e.Kind {
	case Server, Timeout, RateLimited, Auth:
		return true
	}
	return false
}
