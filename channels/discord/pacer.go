package discord

import (
	"sync"
	"time"
)

// pacer limits how often something happens in each channel.
type pacer struct {
	every time.Duration
	now   func() time.Time
	mu    sync.Mutex
	last  map[string]time.Time
}

func newPacer(every time.Duration, now func() time.Time) *pacer {
	return &pacer{every: every, now: now, last: make(map[string]time.Time)}
}

// allow reports whether it may happen now, and counts it.
func (p *pacer) allow(channel string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	if since := now.Sub(p.last[channel]); since >= 0 && since < p.every {
		return false
	}
	p.last[channel] = now
	return true
}

// reset allows it to happen again at once.
func (p *pacer) reset(channel string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.last, channel)
}
