// Package virtual is a world to play a persona in: a clock that shows what it is told, and a network nobody else is on.
package virtual

import (
	"sync"
	"time"
)

// Clock is time that passes when it is told to. It is safe for concurrent use.
type Clock struct {
	mu sync.Mutex
	at time.Time
}

// NewClock is a clock that shows t, and whatever it shows in the zone of t.
func NewClock(t time.Time) *Clock { return &Clock{at: t} }

// Now is what the clock shows.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

// Pass lets time pass until t; it never runs back.
func (c *Clock) Pass(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if t.After(c.at) {
		c.at = t.In(c.at.Location())
	}
}
