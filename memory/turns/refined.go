package turns

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"familiar/memory/belief"
	"familiar/memory/internal/db"
	"familiar/memory/lifecycle"
	"familiar/memory/log"
	"familiar/memory/model"
)

// Refinement is what a model read in a session, or in its unread part.
type Refinement struct {
	ID int64
	// From is the last message that was read before, To the last one that is read now; 0 leaves it as it is.
	From, To int64
	// Running reports that the session went on when it was read. It is then read again when it has ended.
	Running bool
	// Claims each come from a message of the session by its author.
	Claims []belief.AttributedClaim
	// Private are claims in the session, which is a group's, that change what their authors told in private.
	Private []PrivateClaims
	// Promises are what the persona promised in the session.
	Promises []belief.LeftOpen
	// Settled are earlier promises of the persona that the session replaced, kept or made pointless.
	Settled []SettledPromise
	// Summary is a new summary of the session, nil for none. It replaces the one made at the session's end, unless it
	// loses too much of that. Its audience, session and kind are set from the session.
	Summary *lifecycle.Inference
	// JobRun is the job run that read it, 0 for none. Claims and summary carry it, so that a run can be shown and
	// reverted as a whole.
	JobRun int64
}

// PrivateClaims are claims by a person that are heard in their direct rooms only.
type PrivateClaims struct {
	PersonID int64
	Claims   []belief.AttributedClaim
}

// SettledPromise is a promise of the persona that is no longer open.
type SettledPromise struct {
	// Loop is its open item, Message the message that says so.
	Loop, Message int64
}

// RefineSession stores what a model read in a session, in one transaction. What was forgotten since the session was read
// is not learned: a claim whose quote is no longer in its message is left out, and a summary that must not be stored
// counts as rejected. It fails with ErrAlreadyDone if the messages were read meanwhile and with ErrNotFound when there is
// no such session, and refuses one that has not ended unless it was read as running.
func (s *Store) RefineSession(ctx context.Context, r Refinement) (made lifecycle.InferResult, err error) {
	err = s.db.Write(ctx, fmt.Sprintf("refine session %d", r.ID), func(tx *db.Tx) error {
		session, err := readSession(tx, r.ID)
		if err != nil {
			return err
		}
		if session.Ended.IsZero() && !r.Running {
			return errors.New("the session has not ended: end it first")
		}
		if err := noteRead(tx, r); err != nil {
			return err
		}
		made = lifecycle.InferResult{}
		return learnFromSession(tx, session, r, &made)
	})
	s.read.forget()
	return made, err
}

// learnFromSession stores what a session taught, as far as its sources still exist.
func learnFromSession(tx *db.Tx, session model.Session, r Refinement, made *lifecycle.InferResult) error {
	room, err := log.RoomByID(tx, session.RoomID)
	if err != nil {
		return err
	}
	if r.Summary != nil {
		if err := rememberSummary(tx, session, room, r, made); err != nil {
			return fmt.Errorf("store its summary: %w", err)
		}
	}
	proven, err := provable(tx, session, r.Claims, r.JobRun)
	if err != nil {
		return err
	}
	in := TurnWriter{Tx: tx, Turn: Turn{Persona: session.Persona, Room: room}}
	if _, err := in.apply(proven); err != nil {
		return err
	}
	for _, p := range r.Private {
		if err := applyPrivate(tx, session, p, r.JobRun); err != nil {
			return fmt.Errorf("revise what person %d told in private: %w", p.PersonID, err)
		}
	}
	if err := belief.AddLeftOpen(tx, session, room.Audience(), r.JobRun, r.Promises); err != nil {
		return err
	}
	if err := settlePromises(tx, session, r); err != nil {
		return err
	}
	return linkRefined(tx, proven, r.JobRun)
}

// applyPrivate applies claims of a person to what they told in private.
func applyPrivate(tx *db.Tx, session model.Session, p PrivateClaims, run int64) error {
	proven, err := provable(tx, session, p.Claims, run)
	if err != nil {
		return err
	}
	for _, c := range proven {
		if c.AuthorID != p.PersonID {
			return fmt.Errorf("a private claim of person %d is by person %d", p.PersonID, c.AuthorID)
		}
	}
	in := TurnWriter{Tx: tx, Turn: Turn{Persona: session.Persona, Room: model.Room{Direct: true, PersonID: p.PersonID}}}
	_, err = in.apply(proven)
	return err
}

// settlePromises closes promises of the persona by messages of the session that still exist.
func settlePromises(tx *db.Tx, session model.Session, r Refinement) error {
	for _, s := range r.Settled {
		m, err := db.One(tx.QueryRow(log.SelectMessages+` WHERE m.id = ? AND m.session_id = ?`, s.Message, session.ID), log.ScanMessage)
		if errors.Is(err, db.ErrNotFound) {
			continue
		}
		if err != nil {
			return fmt.Errorf("message %d of a settled promise: %w", s.Message, err)
		}
		by := []model.TurnMessage{{Message: m.ID, Person: m.PersonID, At: m.At}}
		if err := belief.CloseLoops(tx, session.Persona, []int64{s.Loop}, by, r.JobRun); err != nil {
			return err
		}
	}
	return nil
}

// linkRefined adds edges from memories to those they contradict by claims found later, because Link has already read
// these memories.
func linkRefined(tx *db.Tx, claims []belief.AttributedClaim, run int64) error {
	messages := make([]int64, len(claims))
	for i, cl := range claims {
		messages[i] = cl.MessageID
	}
	against, err := lifecycle.ContradictingPairs(tx, messages)
	if err != nil {
		return err
	}
	_, err = lifecycle.AddEdges(tx, against, model.Contradicts, run)
	return err
}

// rememberSummary stores a summary in place of the one made at the session's end.
func rememberSummary(tx *db.Tx, session model.Session, room model.Room, r Refinement, made *lifecycle.InferResult) error {
	before, err := sessionTexts(tx, session.ID, model.Summary)
	if err != nil {
		return err
	}
	in := *r.Summary
	in.Kind = model.Summary
	if len(before) > 0 {
		in.Supersedes = before[0].ID
	}
	return saveInference(tx, session, room.Audience(), r.JobRun, in, made)
}

// provable returns the claims whose quotes still exist, with the run that found them.
func provable(tx *db.Tx, session model.Session, claims []belief.AttributedClaim, run int64) (proven []belief.AttributedClaim, err error) {
	for _, cl := range claims {
		ok, err := proves(tx, session, cl)
		if err != nil {
			return nil, err
		}
		if ok {
			cl.JobRun = run
			proven = append(proven, cl)
		}
	}
	return proven, nil
}

// proves reports whether the claim's message still contains its quote, ignoring white space. It fails for a claim that
// is not from a message of the session by its author.
func proves(tx *db.Tx, session model.Session, cl belief.AttributedClaim) (bool, error) {
	m, err := db.One(tx.QueryRow(log.SelectMessages+` WHERE m.id = ?`, cl.MessageID), log.ScanMessage)
	if err != nil {
		return false, fmt.Errorf("message %d of a claim: %w", cl.MessageID, err)
	}
	if m.SessionID != session.ID || m.PersonID != cl.AuthorID || m.PersonID == 0 {
		return false, fmt.Errorf("a claim of person %d rests on message %d, which is not a message of theirs in session %d", cl.AuthorID, m.ID, session.ID)
	}
	quote := singleSpaced(cl.Quote)
	return quote != "" && strings.Contains(singleSpaced(m.Text), quote), nil
}

// singleSpaced returns a text with each run of white space replaced by one space.
func singleSpaced(text string) string { return strings.Join(strings.Fields(text), " ") }
