// Package virtual provides a simulated environment for a persona: a clock that is set by hand, and a network without
// other users.
package virtual

import (
	"sync"
	"time"
)

// Clock is a clock that only moves when Pass is called. It is safe for concurrent use.
type Clock struct {
	mu sync.Mutex
	at time.Time
}

// NewClock returns a clock that shows t. All its times are in the zone of t.
func NewClock(t time.Time) *Clock { return &Clock{at: t} }

// Now returns the clock's time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

// Pass moves the clock forward to t. It never moves it back.
func (c *Clock) Pass(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if t.After(c.at) {
		c.at = t.In(c.at.Location())
	}
}
