package gate

import (
	"context"
	"sync"
	"time"

	"familiar/channels"
)

// IgnoresGroup says that nothing is heard in a group, whoever speaks.
func (p Policy) IgnoresGroup(group channels.Room) bool {
	switch p.group(group).Mode {
	case Mention, Listen, Open:
		return false
	}
	return true
}

// unheardEvery is how often it is noted of a group that it spoke: a busy one costs no write for each of its messages.
// unheardGroups is how many are counted in between.
const (
	unheardEvery  = time.Minute
	unheardGroups = 1000
)

// tally counts what groups say in which nothing is heard. The zero tally is ready.
type tally struct {
	mu     sync.Mutex
	groups map[channels.Room]*counted
}

// counted is how often a group has spoken since that was noted, and when it was.
type counted struct {
	times int
	noted time.Time
}

// count counts a message and returns how many there are to be noted now, 0 for none yet.
func (t *tally) count(group channels.Room, now time.Time) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.groups[group]
	if c == nil {
		if t.groups == nil || len(t.groups) >= unheardGroups {
			t.groups = map[channels.Room]*counted{}
		}
		c = &counted{}
		t.groups[group] = c
	}
	c.times++
	if now.Sub(c.noted) < unheardEvery {
		return 0
	}
	times := c.times
	c.times, c.noted = 0, now
	return times
}

// unheard notes that somebody spoke where nothing is heard, so that the operator finds the group. A note that cannot be
// kept is no reason to have the message delivered again.
func (g *Gate) unheard(ctx context.Context, p Policy, m channels.Message) {
	if g.Lookup.IgnoredGroup == nil || m.Direct || m.Action != channels.Post || m.Arrival || m.Author.Bot || !p.IgnoresGroup(m.Room) {
		return
	}
	group := channels.Room{Channel: m.Room.Channel, ID: m.Room.ID} // with all its threads
	times := g.silent.count(group, g.Now())
	if times == 0 {
		return
	}
	if err := g.Lookup.IgnoredGroup(ctx, group, m.RoomTitle, times); err != nil {
		g.Log.Warn("note a group that is not heard", "channel", group.Channel, "error", err)
	}
}
