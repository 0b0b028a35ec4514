package telegram

import (
	"context"
	"time"

	"familiar/internal/sleep"
)

// pollFloor is the shortest time from one poll to the next, except after updates, for a server that does not hold polls
// and for calls that end a pause.
const pollFloor = time.Second

// rest is a pause of the polling loop.
type rest struct {
	pause time.Duration
	// wakes reports that a successful call ends the pause: the network is back.
	wakes bool
}

// wait takes a rest and reports whether ctx is still active.
func (p *poller) wait(ctx context.Context, r rest) bool {
	if !r.wakes {
		return sleep.For(ctx, r.pause)
	}
	select {
	case <-p.api.answered: // before the failure
	default:
	}
	first := min(r.pause, pollFloor)
	if !sleep.For(ctx, first) {
		return false
	}
	select {
	case <-p.api.answered:
	case <-time.After(r.pause - first):
	case <-ctx.Done():
		return false
	}
	return true
}

// floor waits until an empty poll that asked at a time to be held may be followed by another.
func (p *poller) floor(ctx context.Context, asked time.Time) {
	took := max(p.host.Now().Sub(asked), 0) // negative if the clock was set back
	sleep.For(ctx, pollFloor-took)
}
