package telegram

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"familiar/channels"
)

// Rate allows Events, at least 1, in any stretch of Per; any number when Per is 0.
type Rate struct {
	Events int
	Per    time.Duration
}

// Pace is how much a network lets a bot say: altogether, in each chat, and in each chat of several people besides. Edits
// count as messages do.
type Pace struct{ Overall, Chat, Group Rate }

// DefaultPace is the pace of Telegram.
var DefaultPace = Pace{Overall: Rate{30, time.Second}, Chat: Rate{1, time.Second}, Group: Rate{20, time.Minute}}

// Unlimited is that of a server without limits.
var Unlimited = Pace{Overall: Rate{Events: 1}, Chat: Rate{Events: 1}, Group: Rate{Events: 1}}

const (
	livelyDM  = time.Second     // between two edits of a preview
	livelyAll = 3 * time.Second // the same where many read
)

// patience is how long a send waits for its turn here. What must wait longer is told to come back, so that a crowded
// chat takes no place from the others.
const patience = 2 * time.Second

// pacer keeps the bot within the network's limits: each chat by itself, all together, and what the network asked for.
type pacer struct {
	now  func() time.Time
	pace Pace

	mu    sync.Mutex
	all   track
	chats map[int64]*chatPace
	// swept is when chats was last rid of those that are quiet.
	swept time.Time
}

// chatPace is what is known of one chat.
type chatPace struct {
	tracks []track
	// hold is until when the network wants nothing said.
	hold time.Time
}

func newPacer(pace Pace, now func() time.Time) *pacer {
	return &pacer{now: now, pace: pace, all: track{Rate: pace.Overall}, chats: make(map[int64]*chatPace)}
}

// wait waits until something may be said in chat. Its error is a *channels.SendError that says when to come back, or
// that of ctx.
func (p *pacer) wait(ctx context.Context, chat int64) error {
	pause := p.book(chat, patience)
	if pause > patience {
		return &channels.SendError{
			Kind: channels.RateLimited, RetryAfter: pause, Err: fmt.Errorf("say no more in chat %d for now", chat),
		}
	}
	if !sleep(ctx, pause) {
		return ctx.Err()
	}
	return nil
}

// spare is how many of several allowed events a preview leaves for what must be said.
const spare = 5

// free takes this moment for a preview, if it may be shown in chat now, gap has passed since anything was, and enough
// is left for what must be said.
func (p *pacer) free(chat int64, gap time.Duration) bool {
	p.mu.Lock()
	last := p.chat(chat).tracks[0].last()
	p.mu.Unlock()
	return p.now().Sub(last) >= gap && p.take(chat, 0, spare) <= 0
}

// book takes the next moment at which something may be said in chat and says how far off it is. One that is farther than
// limit is not taken.
func (p *pacer) book(chat int64, limit time.Duration) time.Duration { return p.take(chat, limit, 0) }

func (p *pacer) take(chat int64, limit time.Duration, leave int) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	p.sweep(now)
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

// hold lets nothing be said in chat for d, because the network asked for it.
func (p *pacer) hold(chat int64, d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := p.chat(chat)
	c.hold = latest(c.hold, p.now().Add(d))
}

// held says that the network wants nothing said in chat.
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

// sweep forgets chats that nothing holds back any more, now and then.
func (p *pacer) sweep(now time.Time) {
	quiet := max(p.pace.Chat.Per, p.pace.Group.Per, time.Minute)
	if now.Sub(p.swept) < quiet {
		return
	}
	p.swept = now
	for id, c := range p.chats {
		if now.Sub(c.tracks[0].last()) > quiet && now.After(c.hold) {
			delete(p.chats, id)
		}
	}
}

// track is when the latest events happened, or will, in order.
type track struct {
	Rate
	at []time.Time
}

// free is when the next event may happen that leaves some of several to others.
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
