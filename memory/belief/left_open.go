package belief

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"familiar/memory/internal/db"
	"familiar/memory/model"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
)

// LeftOpen is something that a session left open with a person: a question that the persona could not answer or that the
// person did not answer, or a promise that the persona made.
type LeftOpen struct {
	// Kind is LoopQuestion or LoopPromise.
	Kind     string
	PersonID int64
	// MessageID is the message that contains it, Text its words.
	MessageID int64
	Text      string
	At        time.Time
	// DueFrom and DueUntil bound the time it names, zero if none.
	DueFrom, DueUntil time.Time
}

const (
	// maxLeftOpen is how many questions stay open with a person in an audience, maxPromises how many promises. A person with
	// more is not waiting for them.
	maxLeftOpen = 5
	maxPromises = 20
	// leftLifetime is how long they stay relevant.
	leftLifetime = 90 * 24 * time.Hour
)

// AddLeftOpen stores what a session left open without duplicates, if the messages still contain it.
func AddLeftOpen(tx *db.Tx, s model.Session, a model.Audience, run int64, all []LeftOpen) error {
	for _, o := range all {
		if err := addLeftOpen(tx, s, a, run, o); err != nil {
			return fmt.Errorf("store the %s in message %d: %w", o.Kind, o.MessageID, err)
		}
	}
	return nil
}

func addLeftOpen(tx *db.Tx, s model.Session, a model.Audience, run int64, o LeftOpen) error {
	text, err := db.One(tx.QueryRow(`SELECT text FROM messages WHERE id = ? AND session_id = ?`, o.MessageID, s.ID), db.ScanText)
	if err != nil || !strings.Contains(text, o.Text) {
		return err // forgotten or changed since it was read
	}
	open, err := loopsOfKind(tx, s.Persona, a, o.PersonID, o.Kind)
	if err != nil {
		return err
	}
	open = slices.DeleteFunc(open, func(l model.Loop) bool {
		return o.At.Sub(l.Created) > leftLifetime || o.Kind == LoopPromise && !l.Own
	})
	known := slices.ContainsFunc(open, func(l model.Loop) bool { return model.NormalizeValue(l.Text) == model.NormalizeValue(o.Text) })
	most := maxLeftOpen
	if o.Kind == LoopPromise {
		most = maxPromises
	}
	if known || len(open) >= most {
		return nil
	}
	return insertLoop(tx, s.Persona, a, AttributedClaim{
		Claim: understand.Claim{Kind: rel.Kind(o.Kind), Value: o.Text}, AuthorID: o.PersonID, MessageID: o.MessageID, At: o.At,
	}, loopSource{message: o.MessageID, at: o.At, dueFrom: o.DueFrom, dueUntil: o.DueUntil, jobRun: run})
}
