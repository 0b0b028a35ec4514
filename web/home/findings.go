package home

import (
	"context"
	"sync"
	"time"
)

const (
	// fresh is how long findings are shown before they are looked for again.
	fresh = 5 * time.Minute
	// patience is how long a page waits for them. They appear on it as soon as they are there.
	patience = 25 * time.Millisecond
	// checkTimeout limits a look that nobody waits for.
	checkTimeout = time.Minute
)

// findings keeps what was found last, so that a page does not wait for checks.
type findings struct {
	mu      sync.Mutex
	last    found
	looking chan struct{} // closed when the look in progress ends, nil for none
}

// found is what was found, and when; at is zero before the first look.
type found struct {
	findings []Finding
	at       time.Time
}

// read returns what was found last. If that is old, it looks again, and waits a moment for the result.
func (f *findings) read(ctx context.Context, now time.Time, look func(context.Context) []Finding) found {
	if looking := f.begin(ctx, now, look); looking != nil {
		wait := time.NewTimer(patience)
		defer wait.Stop()
		select {
		case <-looking:
		case <-wait.C:
		case <-ctx.Done():
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.last
}

// begin looks again if what was found is old. It returns what is closed when the look in progress ends, nil if there is none.
func (f *findings) begin(ctx context.Context, now time.Time, look func(context.Context) []Finding) <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.looking != nil || !f.last.at.IsZero() && now.Sub(f.last.at) < fresh {
		return f.looking
	}
	done := make(chan struct{})
	f.looking = done
	go func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), checkTimeout)
		defer cancel()
		f.keep(found{look(ctx), now})
		close(done)
	}()
	return done
}

// renew looks now and keeps what it finds.
func (f *findings) renew(ctx context.Context, now time.Time, look func(context.Context) []Finding) []Finding {
	all := look(ctx)
	f.keep(found{all, now})
	return all
}

func (f *findings) keep(fresh found) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.last, f.looking = fresh, nil
}
