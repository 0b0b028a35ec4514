package gate

import (
	"context"
	"sync"
	"time"

	"familiar/channels"
)

// IgnoresGroup reports whether all messages in a group are ignored, regardless of the author.
func (p Policy) IgnoresGroup(group channels.Room) bool {
	switch p.group(group).Mode {
	case Mention, Listen, Open:
		return false
	}
	return true
}

// ignoredInterval is the minimum time between two records about a group: a busy group must not cost a write per
// message. maxIgnoredGroups is how many groups are counted between records.
const (
	ignoredInterval  = time.Minute
	maxIgnoredGroups = 1000
)

// ignoredCounts counts the messages in ignored groups. The zero value is ready to use.
type ignoredCounts struct {
	mu     sync.Mutex
	groups map[channels.Room]*ignoredCount
}

// ignoredCount is the number of messages in a group since the last record, and the time of that record.
type ignoredCount struct {
	messages  int
	lastNoted time.Time
}

// count counts a message and returns the number of messages to record now, 0 for none yet.
func (t *ignoredCounts) count(group channels.Room, now time.Time) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.groups[group]
	if c == nil {
		if t.groups == nil || len(t.groups) >= maxIgnoredGroups {
			t.groups = map[channels.Room]*ignoredCount{}
		}
		c = &ignoredCount{}
		t.groups[group] = c
	}
	c.messages++
	if now.Sub(c.lastNoted) < ignoredInterval {
		return 0
	}
	times := c.messages
	c.messages, c.lastNoted = 0, now
	return times
}

// noteIgnored records that somebody wrote in an ignored group, so that the operator can find the group. A failed record
// must not cause a redelivery of the message.
func (g *Gate) noteIgnored(ctx context.Context, p Policy, m channels.Message) {
	if g.Lookup.IgnoredGroup == nil || m.Direct || m.Action != channels.Post || m.Arrival || m.Author.Bot || !p.IgnoresGroup(m.Room) {
		return
	}
	group := channels.Room{Channel: m.Room.Channel, ID: m.Room.ID} // all threads count together
	times := g.ignored.count(group, g.Now())
	if times == 0 {
		return
	}
	if err := g.Lookup.IgnoredGroup(ctx, group, m.RoomTitle, times); err != nil {
		g.Log.Warn("record an ignored group", "channel", group.Channel, "error", err)
	}
}
