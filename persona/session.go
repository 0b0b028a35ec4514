package persona

import (
	"context"
	"errors"
	"fmt"
	"time"

	"familiar/memory"
	"familiar/memory/lifecycle"
	"familiar/memory/model"
	"familiar/persona/mind"
)

// thread finds the running talk of the room: the session the turn continues, or none when the silence before it was
// too long. The session that fell silent is ended by CloseIdleOnce, so that nobody waits for it here.
func (e *Engine) thread(ctx context.Context, t *turn) error {
	last, err := e.Store.Turns.LatestSession(ctx, e.Card.Key, t.room.ID)
	if err != nil && !errors.Is(err, memory.ErrNotFound) {
		return err
	}
	if t.since = t.now; t.unasked() != "" || !continues(last, t.pending[0].Message.At, e.Settings.SessionGap) {
		return e.broughtUp(ctx, t)
	}
	t.session, t.since = last.ID, last.Started
	if t.recent, err = e.Store.Recall.Recent(ctx, t.hearing, e.Settings.RecentMessages); err != nil {
		return err
	}
	if last.Messages > mind.KeptMessages {
		t.episodes, err = e.Store.Turns.Episodes(ctx, t.hearing, t.session)
	}
	return err
}

// continues says that something said at belongs to session s.
func continues(s model.Session, at time.Time, gap time.Duration) bool {
	return s.ID != 0 && s.Ended.IsZero() && at.Sub(s.Last).Abs() <= gap
}

// SessionsClosed is what one run of CloseIdleOnce did.
type SessionsClosed struct {
	Sessions int `json:"sessions"`
	// Words are the summaries and moments kept.
	Words lifecycle.Outcome `json:"words"`
}

func (r *SessionsClosed) add(more SessionsClosed) {
	r.Sessions += more.Sessions
	r.Words.Add(more.Words)
}

// String says it in words, for the ledger.
func (r SessionsClosed) String() string {
	if r.Words.Memories == 0 && len(r.Words.Rejected) == 0 {
		return fmt.Sprintf("closed %d sessions", r.Sessions)
	}
	return fmt.Sprintf("closed %d sessions: %s", r.Sessions, r.Words)
}

// closeAtOnce bounds how many sessions are read and ended at a time.
const closeAtOnce = 25

// CloseIdleOnce ends every session whose room has been silent for longer than the session gap at now, those idle longest
// first: see endSessions. What it puts into words carries run, the job's run in the ledger, 0 for none. It asks no model:
// that is RefineOnce's.
func (e *Engine) CloseIdleOnce(ctx context.Context, run int64, now time.Time) (done SessionsClosed, err error) {
	for {
		idle, err := e.Store.Turns.IdleSessions(ctx, e.Card.Key, now.Add(-e.Settings.SessionGap), closeAtOnce)
		if err != nil || len(idle) == 0 {
			return done, err
		}
		more, err := e.endSessions(ctx, idle, run)
		done.add(more)
		if err != nil {
			return done, err
		}
	}
}
