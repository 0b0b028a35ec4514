package discordtest

import (
	"net/http"
	"strings"
	"sync"
	"time"
)

// Fault makes REST calls fail.
type Fault struct {
	// On selects calls whose "METHOD /path" contains it.
	On string
	// Exact requires On to be the whole "METHOD /path".
	Exact bool
	// Skip is how many calls succeed first, Times how many fail after that, 0 for all.
	Skip, Times int
	// Status is the HTTP error to return, Code Discord's error code. A 429 also returns RetryAfter, and Global makes it
	// a global limit.
	Status, Code int
	RetryAfter   time.Duration
	Global       bool
	// DropBefore closes the connection before the call has any effect, DropAfter after the effect and before the
	// response.
	DropBefore, DropAfter bool
	// Hold delays the call until the channel is closed, before the call has any effect.
	Hold <-chan struct{}
	// HoldAfter blocks the caller until it gives up, after the call has taken effect.
	HoldAfter bool
	// OnWait is called, if set, when Hold or HoldAfter start to wait.
	OnWait func()
	// Garble returns a body that is not JSON, after the call has taken effect.
	Garble bool
	used   int
}

// calls are the REST calls: the faults that they meet, and those that were received.
type calls struct {
	mu       sync.Mutex
	faults   []*Fault
	requests []Request
}

// AddFault adds a fault.
func (c *calls) AddFault(f Fault) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.faults = append(c.faults, &f)
}

// ClearFaults removes all faults.
func (c *calls) ClearFaults() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.faults = nil
}

func (c *calls) fault(r *http.Request) Fault {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, f := range c.faults {
		if f.matches(r.Method+" "+r.URL.Path) && (f.Times == 0 || f.used < f.Skip+f.Times) {
			if f.used++; f.used > f.Skip {
				return *f
			}
		}
	}
	return Fault{}
}

// faulty records the call and passes it to next, unless a fault applies.
func (c *calls) faulty(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		entry, err := readEntry(r)
		if err != nil {
			return // the caller gave up
		}
		f := c.fault(r)
		if f.Hold != nil {
			f.strike()
			select {
			case <-f.Hold:
			case <-r.Context().Done():
				return
			}
		}
		answer := newAnswer()
		switch {
		case f.DropBefore:
		case f.Status == http.StatusTooManyRequests:
			tooMany(answer, f.RetryAfter, f.Global)
		case f.Status != 0:
			fail(answer, f.Status, f.Code, "fault injected by the test")
		default:
			next.ServeHTTP(answer, r)
		}
		dropped := f.DropBefore || f.DropAfter || f.HoldAfter
		if !dropped {
			entry.Status = answer.status
		}
		c.mu.Lock()
		c.requests = append(c.requests, entry)
		c.mu.Unlock()
		switch {
		case f.HoldAfter:
			f.strike()
			<-r.Context().Done()
			panic(http.ErrAbortHandler)
		case dropped:
			panic(http.ErrAbortHandler)
		case f.Garble:
			answer.body.Reset()
			answer.body.WriteString("<html>")
		}
		answer.send(w)
	})
}

// matches reports whether f applies to call.
func (f *Fault) matches(call string) bool {
	return f.Exact && call == f.On || !f.Exact && strings.Contains(call, f.On)
}

func (f *Fault) strike() {
	if f.OnWait != nil {
		f.OnWait()
	}
}
