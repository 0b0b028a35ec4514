// Package gate decides what of that which channels hear reaches the persona: who may talk with it, in which groups it
// hears and answers, and how often. The decisions are pure; Gate stands between a channel and whoever accepts messages.
package gate

import (
	"slices"
	"time"

	"familiar/channels"
)

// Direct says who may talk with the persona alone.
type Direct string

// The ways to meet people in direct rooms.
const (
	Pairing   Direct = "pairing" // strangers are told a code that the operator can approve
	AllowList Direct = "allow"   // strangers are met with silence
	Anyone    Direct = "open"
	Nobody    Direct = "off"
)

// Mode says what the persona does in a group.
type Mode string

// The modes, from the least to the most that is heard.
const (
	Disabled Mode = "disabled" // nothing is heard
	Mention  Mode = "mention"  // what is addressed to the persona is heard and answered, nothing else is
	Listen   Mode = "listen"   // everything is heard and remembered, nothing answered
	Open     Mode = "open"     // everything is heard and remembered, what is addressed to the persona answered
)

// Group is the policy of one group.
type Group struct {
	Mode Mode
	// Members are the accounts that are heard there, by their stable ids; nil is everybody in the group, an empty list
	// nobody.
	Members []string
	// Daily is how often the persona answers there in a day, DailyEach how often one person; 0 is no limit.
	Daily, DailyEach int
}

func (g Group) capped() bool { return g.Daily > 0 || g.DailyEach > 0 }

// Policy is that of one channel. The zero Policy lets nobody in.
type Policy struct {
	Direct Direct
	// Notice is what a stranger is told, with CodePlace where their code stands and MinutesPlace where it says for how many
	// minutes it is good; "" is DefaultNotice.
	Notice string
	// Allow are the accounts that may talk in direct rooms, by their stable ids, beside those the operator approved.
	Allow []string
	// Bots says that other bots are heard; otherwise they never are.
	Bots bool
	// Groups are the policies of groups by Room.ID, Default that of all others.
	Groups  map[string]Group
	Default Group
	// MaxAge is how old a message may be and still be answered: what is older is heard as context. 0 is no limit.
	MaxAge time.Duration
}

// group is the policy of a group.
func (p Policy) group(room channels.Room) Group {
	if g, ok := p.Groups[room.ID]; ok {
		return g
	}
	return p.Default
}

// Facts are what a decision rests on beside the policy.
type Facts struct {
	Message channels.Message
	Now     time.Time
	// Approved says that the operator let the author in. It counts in direct rooms alone.
	Approved bool
	// Known says that something is kept of the room.
	Known bool
	// Answered is how often the persona has answered in the group today, AnsweredThem how often the author.
	Answered, AnsweredAuthor int
	// OverBudget says that the author is a bot that has talked too much.
	OverBudget bool
}

// Verdict is what becomes of a message.
type Verdict int

// The verdicts.
const (
	// Ignore keeps nothing of it, but that a group spoke in which nothing is heard.
	Ignore Verdict = iota
	// Pair keeps nothing of it and tells the author a code.
	Pair
	// Observe keeps it and answers nothing.
	Observe
	// Pass changes nothing about it.
	Pass
)

// String names the verdict for logs.
func (v Verdict) String() string { return [...]string{"ignore", "pair", "hear", "pass"}[v] }

// Judge decides what becomes of a message.
//
// What is taken back or moved is let through wherever something is kept, whoever may talk there by now: it adds nothing.
// An edit or a reaction passes where its author may talk; that it is about something kept is for the record to say.
func (p Policy) Judge(f Facts) Verdict {
	m := f.Message
	switch {
	case m.Action == channels.Delete || m.Action == channels.Move:
		if f.Known {
			return Pass
		}
		return Ignore
	case m.Author.Bot && !p.Bots:
		return Ignore
	case m.Direct:
		return p.direct(f)
	}
	return p.inGroup(f)
}

// direct judges what is said to the persona alone.
func (p Policy) direct(f Facts) Verdict {
	m := f.Message
	switch {
	case p.Direct == Anyone || (p.asks() && (f.Approved || lists(p.Allow, m.Author))):
		return p.answer(f)
	case p.Direct == Pairing && m.Action == channels.Post && !m.Author.Bot && !p.stale(f):
		return Pair
	}
	return Ignore
}

// asks says that it depends on the author whether they may talk.
func (p Policy) asks() bool { return p.Direct == Pairing || p.Direct == AllowList }

// lists says that one of the author's stable ids is among ids.
func lists(ids []string, a channels.Author) bool {
	return slices.Contains(ids, a.Handle.ID) || a.Alias != "" && slices.Contains(ids, a.Alias)
}

// inGroup judges what is said in a group.
func (p Policy) inGroup(f Facts) Verdict {
	m, g := f.Message, p.group(f.Message.Room)
	if m.Arrival || (g.Members != nil && !lists(g.Members, m.Author)) {
		return Ignore
	}
	switch g.Mode {
	case Mention:
		if m.Action == channels.Post && !m.Addressed {
			return Ignore
		}
	case Listen:
		return hear(m)
	case Open:
	default:
		return Ignore
	}
	if _, _, command := m.Command(); !command && g.spent(f) {
		return Observe
	}
	return p.answer(f)
}

// spent says that the group, or the author in it, has had the answers of the day. Commands are no answers of the
// persona's and do not count.
func (g Group) spent(f Facts) bool {
	return g.Daily > 0 && f.Answered >= g.Daily || g.DailyEach > 0 && f.AnsweredAuthor >= g.DailyEach
}

// answer lets through what may be answered: not what is old, and not a bot that talks too much. An old command is still
// obeyed: nobody wants to have asked for forgetting in vain.
func (p Policy) answer(f Facts) Verdict {
	_, _, command := f.Message.Command()
	if f.OverBudget || p.stale(f) && !command {
		return hear(f.Message)
	}
	return Pass
}

// stale says that a message was said too long ago to be answered.
func (p Policy) stale(f Facts) bool { return p.MaxAge > 0 && f.Now.Sub(f.Message.At) > p.MaxAge }

// hear keeps what is said. A command that is not obeyed is nothing that was said, nor is an old arrival.
func hear(m channels.Message) Verdict {
	if _, _, command := m.Command(); command || m.Arrival {
		return Ignore
	}
	return Observe
}
