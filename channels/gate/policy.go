// Package gate decides which messages reach the persona: who may talk to it directly, in which groups it listens and
// replies, and how often. The decisions are pure functions; Gate connects them to channels and the store.
package gate

import (
	"slices"
	"time"

	"familiar/channels"
)

// Direct says who may send the persona direct messages.
type Direct string

// The modes for direct rooms.
const (
	Pairing   Direct = "pairing" // strangers get a code that the operator can approve
	AllowList Direct = "allow"   // strangers get no reply
	Anyone    Direct = "open"
	Nobody    Direct = "off"
)

// Mode says what the persona does in a group.
type Mode string

// The modes, from the least to the most access.
const (
	Disabled Mode = "disabled" // everything is ignored
	Mention  Mode = "mention"  // messages addressed to the persona are stored and answered, others ignored
	Listen   Mode = "listen"   // everything is stored, nothing answered
	Open     Mode = "open"     // everything is stored, messages addressed to the persona are answered
)

// Group is the policy of one group.
type Group struct {
	Mode Mode
	// Members are the stable ids of the accounts that are accepted in the group. Nil means everybody in the group, an
	// empty list nobody.
	Members []string
	// Daily limits the persona's replies per day in the group, DailyEach those to one person; 0 is no limit.
	Daily, DailyEach int
	// Adult lets a persona for adults talk in the group.
	Adult bool
}

func (g Group) capped() bool { return g.Daily > 0 || g.DailyEach > 0 }

// Policy holds the rules of one channel. The zero Policy accepts nobody.
type Policy struct {
	Direct Direct
	// Notice is the text sent to strangers, with CodePlaceholder for the code and MinutesPlaceholder for its lifetime;
	// "" is DefaultNotice.
	Notice string
	// Allow lists the stable ids of accounts that may write in direct rooms, in addition to those the operator
	// approved.
	Allow []string
	// Bots allows messages from other bots; otherwise they are always ignored.
	Bots bool
	// Adult lets a persona for adults talk in direct rooms.
	Adult bool
	// Groups are the policies of groups by Room.ID, Default that of all other groups.
	Groups  map[string]Group
	Default Group
	// MaxAge is the maximum age of a message that gets a reply; older messages are stored as context. 0 is no limit.
	MaxAge time.Duration
}

// group returns the policy of a group.
func (p Policy) group(room channels.Room) Group {
	if g, ok := p.Groups[room.ID]; ok {
		return g
	}
	return p.Default
}

// Facts are what a verdict depends on besides the policy.
type Facts struct {
	Message channels.Message
	Now     time.Time
	// Approved reports that the operator approved the author. It counts only in direct rooms.
	Approved bool
	// Known reports that something is stored about the room.
	Known bool
	// Paused reports that the author asked not to be listened to, and that this is not one of the commands that still count.
	Paused bool
	// Answered counts today's replies in the group, AnsweredAuthor those to the author.
	Answered, AnsweredAuthor int
	// Adult reports that the persona is for adults.
	Adult bool
	// OverBudget reports that the author is a bot that has sent too many messages.
	OverBudget bool
}

// Verdict is what happens to a message.
type Verdict int

// The verdicts.
const (
	// Ignore stores nothing, except a count of messages in ignored groups.
	Ignore Verdict = iota
	// Pair stores nothing and sends the author a pairing code.
	Pair
	// Observe stores the message without a reply.
	Observe
	// Pass leaves the message unchanged.
	Pass
)

// String returns the verdict's name for logs.
func (v Verdict) String() string { return [...]string{"ignore", "pair", "hear", "pass"}[v] }

// Judge decides what happens to a message.
//
// Deletions and moves pass wherever something is stored, even if their author has lost access: they add nothing. Edits
// and reactions pass where their author may write; the store checks that their target exists.
func (p Policy) Judge(f Facts) Verdict {
	m := f.Message
	switch {
	case m.Action == channels.Delete || m.Action == channels.Move:
		if f.Known {
			return Pass
		}
		return Ignore
	case m.Author.Bot && !p.Bots, f.Paused, f.Adult && !p.AllowsAdults(m):
		return Ignore
	case m.Direct:
		return p.direct(f)
	}
	return p.inGroup(f)
}

// AllowsAdults reports whether a persona for adults may talk where m was written.
func (p Policy) AllowsAdults(m channels.Message) bool {
	if m.Direct {
		return p.Adult
	}
	return p.group(m.Room).Adult
}

// direct judges a direct message.
func (p Policy) direct(f Facts) Verdict {
	m := f.Message
	switch {
	case p.Direct == Anyone || (p.checksAuthor() && (f.Approved || includes(p.Allow, m.Author))):
		return p.answer(f)
	case p.Direct == Pairing && m.Action == channels.Post && !m.Author.Bot && !p.stale(f):
		return Pair
	}
	return Ignore
}

// checksAuthor reports whether access depends on the author.
func (p Policy) checksAuthor() bool { return p.Direct == Pairing || p.Direct == AllowList }

// includes reports whether one of the author's stable ids is in ids.
func includes(ids []string, a channels.Author) bool {
	return slices.Contains(ids, a.Handle.ID) || a.Alias != "" && slices.Contains(ids, a.Alias)
}

// inGroup judges a message in a group.
func (p Policy) inGroup(f Facts) Verdict {
	m, g := f.Message, p.group(f.Message.Room)
	if m.Arrival || (g.Members != nil && !includes(g.Members, m.Author)) {
		return Ignore
	}
	switch g.Mode {
	case Mention:
		if m.Action == channels.Post && !m.Addressed {
			return Ignore
		}
	case Listen:
		return observe(m)
	case Open:
	default:
		return Ignore
	}
	if _, _, command := m.Command(); !command && g.capReached(f) {
		return Observe
	}
	return p.answer(f)
}

// capReached reports whether the group, or the author in it, has reached the daily cap. Commands do not count: their
// output is not a reply by the persona.
func (g Group) capReached(f Facts) bool {
	return g.Daily > 0 && f.Answered >= g.Daily || g.DailyEach > 0 && f.AnsweredAuthor >= g.DailyEach
}

// answer passes messages that may get a reply, but not old ones and not those of a bot over its budget. An old command
// still runs: a request to forget must not be dropped.
func (p Policy) answer(f Facts) Verdict {
	_, _, command := f.Message.Command()
	if f.OverBudget || p.stale(f) && !command {
		return observe(f.Message)
	}
	return Pass
}

// stale reports whether a message is too old for a reply.
func (p Policy) stale(f Facts) bool { return p.MaxAge > 0 && f.Now.Sub(f.Message.At) > p.MaxAge }

// observe stores a message without a reply. Commands that are not run, and old arrivals, are ignored: they are not
// conversation.
func observe(m channels.Message) Verdict {
	if _, _, command := m.Command(); command || m.Arrival {
		return Ignore
	}
	return Observe
}
