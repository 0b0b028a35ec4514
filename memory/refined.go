package memory

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

const (
	// refineWithin is how long after its end a session is worth reading again: later the talk has moved on, and a model
	// that failed for a week is not coming back for it.
	refineWithin = 7 * 24 * time.Hour
	// routine is the class of sessions in which nothing happened worth a second reading.
	routine = "routine"
)

// SessionRefined is what the second reading of an ended session found.
type SessionRefined struct {
	ID int64
	// Claims and Summary are as in SessionEnd.
	Claims  []AttributedClaim
	Summary *NewMemory
	// JobRun is the run of the job that read it, 0 for none.
	JobRun int64
}

// UnrefinedSessions are persona's sessions that ended within the last week and were not read a second time, though
// they were more than routine: the longest ago first, 100 when limit is 0.
func (s *Store) UnrefinedSessions(ctx context.Context, persona string, limit int) (sessions []Session, err error) {
	err = s.read(ctx, "list sessions to be read again", func(tx *conn) error {
		sessions, err = collect[Session](tx.rows(sessionColumns+` WHERE s.persona = ? AND s.ended_at IS NOT NULL AND s.refined_at IS NULL
			AND s.ended_at > ? AND s.class <> ? ORDER BY s.ended_at, s.id LIMIT ? + 0`,
			persona, ms(tx.now.Add(-refineWithin)), routine, limitOr(limit, 100)))(scanSession)
		return err
	})
	return sessions, err
}

// RefineSession stores what a second reading of an ended session found, in one transaction. What was forgotten since the
// session was read is not learned, as in EndSession. It fails with ErrAlreadyDone when the session was read a second
// time before, with ErrNotFound when there is none, and refuses one that has not ended.
func (s *Store) RefineSession(ctx context.Context, r SessionRefined) error {
	return s.write(ctx, fmt.Sprintf("refine session %d", r.ID), func(tx *conn) error {
		session, err := tx.session(r.ID)
		if err != nil {
			return err
		}
		if session.Ended.IsZero() {
			return errors.New("it has not ended: end it first")
		}
		if err := tx.noteRefined(r.ID); err != nil {
			return err
		}
		summary, claims := r.stamped()
		return tx.learnFromSession(session, summary, claims)
	})
}

// stamped is what was found with the run that found it, so that a run can be shown and taken back as a whole.
func (r SessionRefined) stamped() (*NewMemory, []AttributedClaim) {
	claims := slices.Clone(r.Claims)
	for i := range claims {
		claims[i].JobRun = r.JobRun
	}
	if r.Summary == nil {
		return nil, claims
	}
	summary := *r.Summary
	summary.JobRun = r.JobRun
	return &summary, claims
}

func (c *conn) noteRefined(session int64) error {
	n, err := c.affect(`UPDATE sessions SET refined_at = ? WHERE id = ? AND refined_at IS NULL`, c.nowMS(), session)
	if err == nil && n == 0 {
		err = ErrAlreadyDone
	}
	return err
}

// learnFromSession stores what a session as a whole taught, as far as what it was learned from is still there.
func (c *conn) learnFromSession(session Session, summary *NewMemory, claims []AttributedClaim) error {
	room, err := c.roomByID(session.RoomID)
	if err != nil {
		return err
	}
	if summary != nil {
		if err := c.rememberSummary(session, room, *summary); err != nil {
			return fmt.Errorf("its summary: %w", err)
		}
	}
	var proven []AttributedClaim
	for _, cl := range claims {
		ok, err := c.proves(session, cl)
		if err != nil {
			return err
		}
		if ok {
			proven = append(proven, cl)
		}
	}
	_, err = c.takeIn(session.Persona, room, proven)
	return err
}

// rememberSummary remembers a summary unless one of the messages it sums up was forgotten.
func (c *conn) rememberSummary(session Session, room Room, n NewMemory) error {
	for _, source := range n.Sources {
		text, err := one(c.row(`SELECT text FROM messages WHERE id = ?`, source), scanText)
		if err != nil {
			return fmt.Errorf("source message %d: %w", source, err)
		}
		if text == "" {
			return nil
		}
	}
	n.Persona, n.Audience, n.SessionID, n.Origin = session.Persona, room.Audience(), session.ID, Inferred
	_, err := c.remember(n)
	return err
}

// proves says that the claim's message still holds its quote, white space aside. A claim that no message of the session
// by its author can be the evidence of is an error.
func (c *conn) proves(session Session, cl AttributedClaim) (bool, error) {
	m, err := one(c.row(messageColumns+` WHERE m.id = ?`, cl.MessageID), scanMessage)
	if err != nil {
		return false, fmt.Errorf("a claim's message %d: %w", cl.MessageID, err)
	}
	if m.SessionID != session.ID || m.PersonID != cl.AuthorID || m.PersonID == 0 {
		return false, fmt.Errorf("a claim of person %d rests on message %d, which is not theirs in session %d", cl.AuthorID, m.ID, session.ID)
	}
	quote := singleSpaced(cl.Quote)
	return quote != "" && strings.Contains(singleSpaced(m.Text), quote), nil
}

// singleSpaced is a text with its white space single. A prompt shows line ends as "⏎", and so does a quote from it.
func singleSpaced(text string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(text, "⏎", " ")), " ")
}
