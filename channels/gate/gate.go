package gate

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"time"

	"familiar/channels"
)

// Gate stands between channels and who accepts what they hear. It keeps nothing itself.
type Gate struct {
	// Policies are by channel. A channel without one, such as the terminal, is not judged.
	Policies map[string]Policy
	Lookup   Lookup
	// Random is what codes are made of.
	Random io.Reader
	Now    func() time.Time
	// NoReply tells a channel that waits for it that a message gets no answer.
	NoReply func(m channels.Message)
	// Zone is that of the days caps are counted in.
	Zone *time.Location
	Log  *slog.Logger

	bots   Budget
	silent tally
}

// Lookup is what the gate looks up and has kept.
type Lookup struct {
	// Approved says that the operator let an account in.
	Approved func(ctx context.Context, h channels.Handle) (bool, error)
	// Known says that something is kept of a room.
	Known func(ctx context.Context, room channels.Room) (bool, error)
	// Answered counts the answers in a group since a moment: all, and those to the account's person.
	Answered func(ctx context.Context, room channels.Room, h channels.Handle, since time.Time) (all, theirs int, err error)
	// Pair keeps that the author of m was given code and has text said to them in the room, both or neither. It does
	// nothing where the author has a code, or too many have.
	Pair func(ctx context.Context, m channels.Message, code, text string) error
	// IgnoredGroup keeps that something was said so often in a group where nothing is heard, and nothing of what or by whom. Nil
	// keeps none of it.
	IgnoredGroup func(ctx context.Context, group channels.Room, title string, times int) error
}

// Around is accept behind the gate. Like accept it returns nil once the message is dealt with for good, which is also when
// nothing of it is to be kept.
func (g *Gate) Around(accept channels.Accept) channels.Accept {
	return func(ctx context.Context, m channels.Message) error {
		p, judged := g.Policies[m.Room.Channel]
		if !judged {
			return accept(ctx, m)
		}
		facts, err := g.facts(ctx, p, m)
		if err != nil {
			return fmt.Errorf("find out whether a message on %s is to be heard: %w", m.Room.Channel, err)
		}
		verdict := p.Judge(facts)
		// Neither who nor where: on some networks that is a telephone number.
		g.Log.Debug("judged a message", "channel", m.Room.Channel, "direct", m.Direct, "verdict", verdict)
		switch verdict {
		case Ignore:
			g.unheard(ctx, p, m)
			g.NoReply(m)
			return nil
		case Pair:
			return g.pair(ctx, p, m)
		case Observe:
			m.Addressed = false
		}
		return accept(ctx, m)
	}
}

// Allows says whether m would be kept, for channels that spend something on a message before they hand it over. It changes
// nothing; where it cannot find out, it says no.
func (g *Gate) Allows(ctx context.Context, m channels.Message) bool {
	p, judged := g.Policies[m.Room.Channel]
	if !judged {
		return true
	}
	facts, err := g.facts(ctx, p, m)
	if err != nil {
		g.Log.Warn("find out whether a message is to be heard", "channel", m.Room.Channel, "error", err)
		return false
	}
	verdict := p.Judge(facts)
	return verdict == Observe || verdict == Pass
}

// facts looks up what the verdict on m depends on, and no more.
func (g *Gate) facts(ctx context.Context, p Policy, m channels.Message) (f Facts, err error) {
	f = Facts{Message: m, Now: g.Now()}
	switch {
	case m.Action == channels.Delete || m.Action == channels.Move:
		f.Known, err = g.Lookup.Known(ctx, m.Room)
		return f, err
	case m.Author.Bot && p.Bots && m.Addressed:
		f.OverBudget = !g.bots.Spend(m, f.Now)
	}
	group := p.group(m.Room)
	switch {
	case m.Direct && p.asks() && !lists(p.Allow, m.Author):
		f.Approved, err = g.approved(ctx, m.Author)
	case !m.Direct && m.Addressed && group.capped():
		f.Answered, f.AnsweredAuthor, err = g.Lookup.Answered(ctx, m.Room, m.Author.Handle, midnight(f.Now.In(g.Zone)))
	}
	return f, err
}

// approved says that the operator let the author in, under either of their ids.
func (g *Gate) approved(ctx context.Context, a channels.Author) (bool, error) {
	yes, err := g.Lookup.Approved(ctx, a.Handle)
	if err == nil && !yes && a.Alias != "" {
		yes, err = g.Lookup.Approved(ctx, channels.Handle{Channel: a.Handle.Channel, ID: a.Alias})
	}
	return yes, err
}

// midnight is when t's day began.
func midnight(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, t.Location())
}

// pair tells a stranger a code.
func (g *Gate) pair(ctx context.Context, p Policy, m channels.Message) error {
	code, err := NewCode(g.Random)
	if err == nil {
		err = g.Lookup.Pair(ctx, m, code, p.notice(code))
	}
	if err != nil {
		return fmt.Errorf("answer a stranger on %s: %w", m.Room.Channel, err)
	}
	return nil
}
