package persona

import (
	"context"
	"errors"
	"fmt"
	"time"

	"familiar/memory"
	"familiar/memory/claim"
	"familiar/persona/mind"
)

// thread finds the running talk of the room: the session the turn continues, or none when the silence before it was
// too long. The session that fell silent is ended by CloseIdleOnce, so that nobody waits for it here.
func (e *Engine) thread(ctx context.Context, t *turn) error {
	last, err := e.Store.LatestSession(ctx, e.Card.Key, t.room.ID)
	if err != nil && !errors.Is(err, memory.ErrNotFound) {
		return err
	}
	if t.unasked() != "" || !continues(last, t.pending[0].Message.At, e.Settings.SessionGap) {
		return e.broughtUp(ctx, t)
	}
	t.session = last.ID
	t.recent, err = e.Store.Recent(ctx, t.hearing, e.Settings.RecentMessages)
	return err
}

// continues says that something said at belongs to session s.
func continues(s memory.Session, at time.Time, gap time.Duration) bool {
	return s.ID != 0 && s.Ended.IsZero() && at.Sub(s.Last).Abs() <= gap
}

// SessionsClosed is what one run of CloseIdleOnce did.
type SessionsClosed struct {
	Sessions int `json:"sessions"`
}

// String says it in words, for the ledger.
func (r SessionsClosed) String() string { return fmt.Sprintf("closed %d sessions", r.Sessions) }

// closeAtOnce bounds how many sessions are read at a time.
const closeAtOnce = 100

// CloseIdleOnce ends every session whose room has been silent for longer than the session gap at now: it scores the
// session and moves the relationships with those who spoke in it. It asks no model: that is RefineOnce's.
func (e *Engine) CloseIdleOnce(ctx context.Context, now time.Time) (done SessionsClosed, err error) {
	for {
		idle, err := e.Store.IdleSessions(ctx, e.Card.Key, now.Add(-e.Settings.SessionGap), closeAtOnce)
		if err != nil || len(idle) == 0 {
			return done, err
		}
		for _, s := range idle {
			if err := e.endSession(ctx, s); err != nil {
				return done, fmt.Errorf("end session %d: %w", s.ID, err)
			}
			done.Sessions++
		}
	}
}

// endSession ends one session. Ending one that has already ended changes nothing.
func (e *Engine) endSession(ctx context.Context, s memory.Session) error {
	messages, err := e.Store.SessionMessages(ctx, s.ID)
	if err != nil {
		return err
	}
	tallies, err := e.Store.Tally(ctx, s)
	if err != nil {
		return err
	}
	facts := sessionFacts(messages, tallies)
	meaning := mind.Weigh(total(facts, tallies[0]))
	end := memory.SessionEnd{
		ID: s.ID, At: s.Last, Significance: meaning.Overall, Class: meaning.Class,
		Relate: make(map[int64]func(memory.Relationship) memory.Relationship, len(facts)),
	}
	for person, f := range facts {
		end.Relate[person] = func(rel memory.Relationship) memory.Relationship {
			return mind.Ended(rel, f, s.Last.In(e.Settings.Zone))
		}
	}
	if err := e.Store.EndSession(ctx, end); err != nil && !errors.Is(err, memory.ErrAlreadyDone) {
		return err
	}
	return nil
}

// sessionFacts counts what each person brought to a session.
func sessionFacts(messages []memory.Message, tallies map[int64]memory.Tally) map[int64]mind.SessionFacts {
	facts := make(map[int64]mind.SessionFacts)
	before := ""
	for _, m := range messages {
		if m.PersonID == 0 {
			before = m.Text
			continue
		}
		reading := claim.Read(claim.Utterance{Text: m.Text, At: m.At, Before: before})
		facts[m.PersonID] = facts[m.PersonID].With(m.Text, reading)
		before = ""
	}
	for person, f := range facts {
		tally := tallies[person]
		f.NewTopics, f.Achieved = tally.NewTopics, tally.Achieved
		facts[person] = f
	}
	return facts
}

// total is everybody's facts together, for the session as a whole.
func total(facts map[int64]mind.SessionFacts, tally memory.Tally) (sum mind.SessionFacts) {
	for _, f := range facts {
		sum = sum.Plus(f)
	}
	sum.NewTopics, sum.Achieved = tally.NewTopics, tally.Achieved
	return sum
}
