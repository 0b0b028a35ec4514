package telegram

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"familiar/channels"
	"familiar/internal/sleep"
)

// Rate allows Events, at least 1, in any period Per; any number if Per is 0.
type Rate struct {
	Events int
	Per    time.Duration
}

// Pace sets a bot's rate limits: overall, per chat, and additionally per group. Edits count as messages.
type Pace struct{ Overall, Chat, Group Rate }

// DefaultPace holds Telegram's limits.
var DefaultPace = Pace{Overall: Rate{30, time.Second}, Chat: Rate{1, time.Second}, Group: Rate{20, time.Minute}}

// Unlimited is for a server without limits.
var Unlimited = Pace{Overall: Rate{Events: 1}, Chat: Rate{Events: 1}, Group: Rate{Events: 1}}

const (
	directPreviewGap = time.Second     // minimum time between two edits of a preview in a direct chat
	groupPreviewGap  = 3 * time.Second // the same in groups
)

// previewGap returns the minimum time between two previews in chat.
func previewGap(chat int64) time.Duration {
	if chat < 0 {
		return groupPreviewGap
	}
	return directPreviewGap
}

// maxWait is how long a send waits for its turn. A send that must wait longer returns an error with the time, so that a
// busy chat does not block others.
const maxWait = 2 * time.Second

// pacer enforces the rate limits, per chat and overall, and the waits the network asked for.
type pacer struct {
	now  func() time.Time
	pace Pace

	mu    sync.Mutex
	all   track
	chats map[int64]*chatPace
	// pruned is when idle chats were last removed.
	pruned time.Time
}

// chatPace is the state of one chat.
type chatPace struct {
	tracks []track
	// hold is until when the network wants no messages.
	hold time.Time
}

func newPacer(pace Pace, now func() time.Time) *pacer {
	return &pacer{now: now, pace: pace, all: track{Rate: pace.Overall}, chats: make(map[int64]*chatPace)}
}

// wait waits until a message may be sent to chat. Its error is a *channels.SendError with the time to retry, or the
// error of ctx.
func (p *pacer) wait(ctx context.Context, chat int64) error {
	pause := p.reserve(chat, maxWait)
	if pause > maxWait {
		return &channels.SendError{
			Kind: channels.RateLimited, RetryAfter: pause, Err: fmt.Errorf("rate limit of chat %d reached", chat),
		}
	}
	if !sleep.For(ctx, pause) {
		return ctx.Err()
	}
	return nil
}

// previewReserve is how many events a preview leaves for messages.
const previewReserve = 5

// tryPreview takes the present moment for a preview if it may be sent to chat now, gap has passed since the last event,
// and enough events are left for messages.
func (p *pacer) tryPreview(chat int64, gap time.Duration) bool {
	p.mu.Lock()
	last := p.chat(chat).tracks[0].last()
	p.mu.Unlock()
	return p.now().Sub(last) >= gap && p.take(chat, 0, previewReserve) <= 0
}

// reserve takes the next free moment for chat and returns how far off it is. A moment farther off than limit is not
// taken.
func (p *pacer) reserve(chat int64, limit time.Duration) time.Duration { return p.take(chat, limit, 0) }

func (p *pacer) take(chat int64, limit time.Duration, leave int) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	p.prune(now)
	c := p.chat(chat)
	at := latest(now, c.hold, p.all.free(leave))
	for i := range c.tracks {
		at = latest(at, c.tracks[i].free(leave))
	}
	if at.Sub(now) > limit {
		return at.Sub(now)
	}
	p.all.add(at)
	for i := range c.tracks {
		c.tracks[i].add(at)
	}
	return at.Sub(now)
}

// hold blocks chat for d, as the network asked.
func (p *pacer) hold(chat int64, d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := p.chat(chat)
	c.hold = latest(c.hold, p.now().Add(d))
}

// held reports whether the network blocked chat.
func (p *pacer) held(chat int64) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.chat(chat).hold.After(p.now())
}

func (p *pacer) chat(id int64) *chatPace {
	c, ok := p.chats[id]
	if !ok {
		c = &chatPace{tracks: []track{{Rate: p.pace.Chat}}}
		if id < 0 {
			c.tracks = append(c.tracks, track{Rate: p.pace.Group})
		}
		p.chats[id] = c
	}
	return c
}

// prune removes idle chats from time to time.
func (p *pacer) prune(now time.Time) {
	idle := max(p.pace.Chat.Per, p.pace.Group.Per, time.Minute)
	if now.Sub(p.pruned) < idle {
		return
	}
	p.pruned = now
	for id, c := range p.chats {
		if now.Sub(c.tracks[0].last()) > idle && now.After(c.hold) {
			delete(p.chats, id)
		}
	}
}

// track holds the times of the latest events, past or reserved, in order.
type track struct {
	Rate
	at []time.Time
}

// free returns when the next event may happen that leaves some events for others.
func (t *track) free(leave int) time.Time {
	n := t.Events
	if n > leave {
		n -= leave
	}
	if len(t.at) < n {
		return time.Time{}
	}
	return t.at[len(t.at)-n].Add(t.Per)
}

func (t *track) last() time.Time {
	if len(t.at) == 0 {
		return time.Time{}
	}
	return t.at[len(t.at)-1]
}

func (t *track) add(at time.Time) {
	i, _ := slices.BinarySearchFunc(t.at, at, time.Time.Compare)
	t.at = slices.Insert(t.at, i, at)
	if extra := len(t.at) - t.Events; extra > 0 {
		t.at = slices.Delete(t.at, 0, extra)
	}
}

func latest(times ...time.Time) time.Time { return slices.MaxFunc(times, time.Time.Compare) }
