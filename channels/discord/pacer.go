package discord

import (
	"sync"
	"time"
)

// pacer lets something happen in each channel no oftener than every so often.
type pacer struct {
	every time.Duration
	now   func() time.Time
	mu    sync.Mutex
	last  map[string]time.Time
}

func newPacer(every time.Duration, now func() time.Time) *pacer {
	return &pacer{every: every, now: now, last: make(map[string]time.Time)}
}

// pass says that it may happen now, and counts it.
func (p *pacer) pass(channel string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	if since := now.Sub(p.last[channel]); since >= 0 && since < p.every {
		return false
	}
	p.last[channel] = now
	return true
}

// clear lets it happen again at once.
func (p *pacer) clear(channel string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.last, channel)
}
