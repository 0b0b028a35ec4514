package gate

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"time"

	"familiar/channels"
)

// Gate filters what channels receive before it is accepted. It stores nothing itself.
type Gate struct {
	// Policies are by channel name. Messages of a channel without a policy, such as the terminal, pass unchecked.
	Policies map[string]Policy
	Lookup   Lookup
	// Random is the source of pairing codes.
	Random io.Reader
	Now    func() time.Time
	// ForAdults reports whether the persona that a message is for is for adults. It is asked only where such a persona may
	// not talk. Nil means it is for everyone.
	ForAdults func(ctx context.Context, m channels.Message) (bool, error)
	// NoReply tells a waiting channel that a message gets no reply.
	NoReply func(m channels.Message)
	// BurnCodes makes link codes invalid that an ignored message shows in a group. Nil means there are no codes.
	BurnCodes func(ctx context.Context, m channels.Message) error
	// Zone is the time zone of the days that daily caps count.
	Zone *time.Location
	Log  *slog.Logger

	bots    Budget
	ignored ignoredCounts
}

// Lookup holds the queries and writes the gate needs from the store.
type Lookup struct {
	// Approved reports whether the operator approved an account.
	Approved func(ctx context.Context, h channels.Handle) (bool, error)
	// Known reports whether anything is stored about a room.
	Known func(ctx context.Context, room channels.Room) (bool, error)
	// Answered counts the replies in a group since a time: all of them, and those to the account's person.
	Answered func(ctx context.Context, room channels.Room, h channels.Handle, since time.Time) (all, theirs int, err error)
	// Pair stores that the author of m was given code and queues text for the room, both or neither. It does nothing if
	// the author already has a code or too many codes are pending.
	Pair func(ctx context.Context, m channels.Message, code, text string) error
	// Paused reports whether the author of a message asked not to be listened to there. Nil means nobody did.
	Paused func(ctx context.Context, m channels.Message) (bool, error)
	// IgnoredGroup records how many messages were sent in an ignored group. It records neither content nor authors. Nil
	// records nothing.
	IgnoredGroup func(ctx context.Context, group channels.Room, title string, times int) error
}

// Around wraps accept with the gate. Like accept, it returns nil once the message is handled for good, including when
// it is ignored.
func (g *Gate) Around(accept channels.Accept) channels.Accept {
	return func(ctx context.Context, m channels.Message) error {
		p, judged := g.Policies[m.Room.Channel]
		if !judged {
			return accept(ctx, m)
		}
		facts, err := g.facts(ctx, p, m)
		if err != nil {
			return fmt.Errorf("check whether to accept a message on %s: %w", m.Room.Channel, err)
		}
		verdict := p.Judge(facts)
		// Log neither author nor room: on some networks their ids are phone numbers.
		g.Log.Debug("judged a message", "channel", m.Room.Channel, "direct", m.Direct, "verdict", verdict)
		switch verdict {
		case Ignore:
			if g.BurnCodes != nil && !m.Direct {
				if err := g.BurnCodes(ctx, m); err != nil {
					return err
				}
			}
			g.noteIgnored(ctx, p, m)
			g.NoReply(m)
			return nil
		case Pair:
			return g.sendCode(ctx, p, m)
		case Observe:
			m.Addressed = false
		}
		return accept(ctx, m)
	}
}

// Allows reports whether m would be stored, for channels that must fetch something before they pass a message on. It
// changes nothing. If the lookup fails, it returns false.
func (g *Gate) Allows(ctx context.Context, m channels.Message) bool {
	p, judged := g.Policies[m.Room.Channel]
	if !judged {
		return true
	}
	facts, err := g.facts(ctx, p, m)
	if err != nil {
		g.Log.Warn("check whether to accept a message", "channel", m.Room.Channel, "error", err)
		return false
	}
	verdict := p.Judge(facts)
	return verdict == Observe || verdict == Pass
}

// facts looks up what the verdict on m depends on, and nothing else.
func (g *Gate) facts(ctx context.Context, p Policy, m channels.Message) (f Facts, err error) {
	f = Facts{Message: m, Now: g.Now()}
	switch {
	case m.Action == channels.Delete || m.Action == channels.Move:
		f.Known, err = g.Lookup.Known(ctx, m.Room)
		return f, err
	case m.Author.Bot && p.Bots && m.Addressed:
		f.OverBudget = !g.bots.Spend(m, f.Now)
	}
	if g.ForAdults != nil && !p.AllowsAdults(m) {
		if f.Adult, err = g.ForAdults(ctx, m); err != nil || f.Adult {
			return f, err
		}
	}
	if g.Lookup.Paused != nil {
		if f.Paused, err = g.Lookup.Paused(ctx, m); err != nil || f.Paused {
			return f, err
		}
	}
	group := p.group(m.Room)
	switch {
	case m.Direct && m.Admitted:
		f.Approved = true
	case m.Direct && p.checksAuthor() && !includes(p.Allow, m.Author):
		f.Approved, err = g.approved(ctx, m.Author)
	case !m.Direct && m.Addressed && group.capped():
		f.Answered, f.AnsweredAuthor, err = g.Lookup.Answered(ctx, m.Room, m.Author.Handle, midnight(f.Now.In(g.Zone)))
	}
	return f, err
}

// approved reports whether the operator approved the author, under either of their ids.
func (g *Gate) approved(ctx context.Context, a channels.Author) (bool, error) {
	yes, err := g.Lookup.Approved(ctx, a.Handle)
	if err == nil && !yes && a.Alias != "" {
		yes, err = g.Lookup.Approved(ctx, channels.Handle{Channel: a.Handle.Channel, ID: a.Alias})
	}
	return yes, err
}

// midnight returns the start of t's day.
func midnight(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, t.Location())
}

// sendCode gives a stranger a pairing code.
func (g *Gate) sendCode(ctx context.Context, p Policy, m channels.Message) error {
	code, err := NewCode(g.Random)
	if err == nil {
		err = g.Lookup.Pair(ctx, m, code, p.notice(code))
	}
	if err != nil {
		return fmt.Errorf("send a pairing code on %s: %w", m.Room.Channel, err)
	}
	return nil
}
