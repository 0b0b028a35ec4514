package memory

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"familiar/memory/understand"
)

// Unanswered is a question that a session left: one of a person's that the persona could not answer, or one of the
// persona's that the person did not.
type Unanswered struct {
	PersonID int64
	// MessageID is the message that asks, Text the question.
	MessageID int64
	Text      string
	At        time.Time
}

const (
	// openQuestions is how many questions are left open with a person in an audience: whoever is left with more is not
	// waiting for an answer.
	openQuestions = 5
	// questionLasts is how long a question is of interest.
	questionLasts = 90 * 24 * time.Hour
)

// leaveUnanswered leaves questions open, each once, as far as their messages still hold a text.
func (c *conn) leaveUnanswered(s Session, a Audience, run int64, questions []Unanswered) error {
	for _, q := range questions {
		if err := c.leaveQuestion(s, a, run, q); err != nil {
			return fmt.Errorf("leave the question in message %d open: %w", q.MessageID, err)
		}
	}
	return nil
}

func (c *conn) leaveQuestion(s Session, a Audience, run int64, q Unanswered) error {
	text, err := one(c.row(`SELECT text FROM messages WHERE id = ? AND session_id = ?`, q.MessageID, s.ID), scanText)
	if err != nil || !strings.Contains(text, q.Text) {
		return err // forgotten or changed since it was read
	}
	cl := AttributedClaim{
		Claim: understand.Claim{Kind: LoopQuestion, Value: q.Text}, AuthorID: q.PersonID, MessageID: q.MessageID, At: q.At,
	}
	open, err := c.openLoops(s.Persona, a, cl)
	if err != nil {
		return err
	}
	open = slices.DeleteFunc(open, func(l Loop) bool { return q.At.Sub(l.Created) > questionLasts })
	known := slices.ContainsFunc(open, func(l Loop) bool { return foldValue(l.Text) == foldValue(q.Text) })
	if known || len(open) >= openQuestions {
		return nil
	}
	return c.insertLoop(s.Persona, a, cl, loopSource{message: q.MessageID, at: q.At, jobRun: run})
}
