package belief

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"familiar/memory/internal/db"
	"familiar/memory/model"
	"familiar/memory/understand"
)

// OpenQuestion is a question left open by a session: one that the persona could not answer, or one that the person did
// not answer.
type OpenQuestion struct {
	PersonID int64
	// MessageID is the message that contains the question, Text the question.
	MessageID int64
	Text      string
	At        time.Time
}

const (
	// maxOpenQuestions is how many questions stay open with a person in an audience. A person with more is not waiting
	// for an answer.
	maxOpenQuestions = 5
	// questionLifetime is how long a question stays relevant.
	questionLifetime = 90 * 24 * time.Hour
)

// AddQuestions stores open questions without duplicates, if their messages still contain them.
func AddQuestions(tx *db.Tx, s model.Session, a model.Audience, run int64, questions []OpenQuestion) error {
	for _, q := range questions {
		if err := addQuestion(tx, s, a, run, q); err != nil {
			return fmt.Errorf("store the question in message %d: %w", q.MessageID, err)
		}
	}
	return nil
}

func addQuestion(tx *db.Tx, s model.Session, a model.Audience, run int64, q OpenQuestion) error {
	text, err := db.One(tx.QueryRow(`SELECT text FROM messages WHERE id = ? AND session_id = ?`, q.MessageID, s.ID), db.ScanText)
	if err != nil || !strings.Contains(text, q.Text) {
		return err // forgotten or changed since it was read
	}
	cl := AttributedClaim{
		Claim: understand.Claim{Kind: LoopQuestion, Value: q.Text}, AuthorID: q.PersonID, MessageID: q.MessageID, At: q.At,
	}
	open, err := openLoops(tx, s.Persona, a, cl)
	if err != nil {
		return err
	}
	open = slices.DeleteFunc(open, func(l model.Loop) bool { return q.At.Sub(l.Created) > questionLifetime })
	known := slices.ContainsFunc(open, func(l model.Loop) bool { return model.NormalizeValue(l.Text) == model.NormalizeValue(q.Text) })
	if known || len(open) >= maxOpenQuestions {
		return nil
	}
	return insertLoop(tx, s.Persona, a, cl, loopSource{message: q.MessageID, at: q.At, jobRun: run})
}
