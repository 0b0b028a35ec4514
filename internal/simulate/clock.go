package simulate

import (
	"sync/atomic"
	"time"
)

// clock is time that passes when it is told to. It is safe for concurrent use.
type clock struct {
	zone *time.Location
	at   atomic.Int64 // nanoseconds since 1970
}

func newClock(t time.Time) *clock {
	c := &clock{zone: t.Location()}
	c.at.Store(t.UnixNano())
	return c
}

func (c *clock) now() time.Time { return time.Unix(0, c.at.Load()).In(c.zone) }

// pass lets time pass until t; it never runs back.
func (c *clock) pass(t time.Time) {
	if n := t.UnixNano(); n > c.at.Load() {
		c.at.Store(n)
	}
}
