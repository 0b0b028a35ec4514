package toolcall

import (
	"context"
	"errors"
	"fmt"
	"time"

	"familiar/memory/internal/db"
	"familiar/memory/log"
)

// The outcomes of calls that need a yes.
const (
	// Waiting calls were put to the person. Declined ones got a no, Dropped ones another message, Expired ones none in time.
	Waiting  Outcome = "waiting"
	Declined Outcome = "declined"
	Dropped  Outcome = "dropped"
	Expired  Outcome = "expired"
)

// Question is a call that waits for the yes of the person for whom it would be made.
type Question struct {
	Call Call
	// Day is the day that the call counts for.
	Day string
	// Input is the arguments, exactly as the person was told of them.
	Input   string
	Expires time.Time
	// Turn is the key of the turn that takes the answer, "" while nobody answered; Result what the call brought in it.
	Turn, Result string
}

// ErrSecret reports arguments that hold a secret: they cannot wait in the database.
var ErrSecret = errors.New("the arguments hold a secret, which is not kept: do without it")

// CheckInput fails with ErrSecret if a question cannot keep its arguments.
func CheckInput(input string) error {
	if log.Redact(input) != input {
		return ErrSecret
	}
	return nil
}

// Ask stores a question in the running transaction, with the turn that puts it. Older ones of the person in the room are dropped.
func Ask(tx *db.Tx, q Question) error {
	if _, err := tx.Exec(`UPDATE tool_calls SET outcome = ? WHERE outcome = ? AND persona = ? AND room_id = ? AND person_id = ?`,
		Dropped, Waiting, q.Call.Persona, q.Call.Room, q.Call.Person); err != nil {
		return err
	}
	if _, err := tx.Exec(`DELETE FROM tool_questions WHERE turn = '' AND call_id IN (SELECT id FROM tool_calls WHERE outcome = ?)`, Dropped); err != nil {
		return err
	}
	q.Call.Outcome = Waiting
	id, err := insert(tx, q.Call, q.Day)
	if err != nil {
		return err
	}
	_, err = tx.Exec(`INSERT INTO tool_questions (call_id, input, expires_at) VALUES (?, ?, ?)`, id, q.Input, db.Millis(q.Expires))
	return err
}

// Open returns the question that waits for a person in a room, or that the turn with this key has begun to answer. It fails
// with memory.ErrNotFound if there is none.
func (s *Store) Open(ctx context.Context, persona string, person, room int64, turn string) (q Question, err error) {
	err = s.db.ReadOne(ctx, "look for a call that waits for a yes", func(tx *db.Tx) error {
		q, err = db.One(tx.QueryRow(selectQuestion+` WHERE c.persona = ? AND c.person_id = ? AND c.room_id = ? AND q.turn IN ('', ?) ORDER BY c.id DESC LIMIT 1`,
			persona, person, room, turn), scanQuestion)
		return err
	})
	return q, err
}

const selectQuestion = `SELECT c.id, c.persona, c.person_id, c.room_id, c.turn, c.tool, c.gate, c.outcome, c.reason, c.at, c.day, q.input, q.expires_at, q.turn, q.result
	FROM tool_questions q JOIN tool_calls c ON c.id = q.call_id`

func scanQuestion(row db.Scanner) (q Question, err error) {
	c := &q.Call
	err = row.Scan(&c.ID, &c.Persona, &c.Person, &c.Room, &c.Turn, &c.Tool, &c.Gate, &c.Outcome, &c.Reason, db.IntoTime(&c.At), &q.Day, &q.Input,
		db.IntoTime(&q.Expires), &q.Turn, &q.Result)
	return q, err
}

// Waits reports whether the question that the turn with this key put waits for its answer.
func (s *Store) Waits(ctx context.Context, turn string) (waits bool, err error) {
	err = s.db.ReadOne(ctx, "look whether a call waits for a yes", func(tx *db.Tx) error {
		return tx.QueryRow(`SELECT EXISTS (SELECT 1 FROM tool_calls c JOIN tool_questions q ON q.call_id = c.id
			WHERE c.turn = ? AND c.outcome = ? AND q.turn = '')`, turn, Waiting).Scan(&waits)
	})
	return waits, err
}

// Drop ends a question without an answer.
func (s *Store) Drop(ctx context.Context, call int64) error {
	return s.db.Write(ctx, fmt.Sprintf("drop the question of call %d", call), func(tx *db.Tx) error {
		if _, err := tx.Exec(`UPDATE tool_calls SET outcome = ? WHERE id = ? AND outcome = ?`, Dropped, call, Waiting); err != nil {
			return err
		}
		return Answered(tx, call)
	})
}

// Answer records the answer of the person in the turn with this key, before the call is made, and returns the question as it
// stands then: Running means that the call is to be made now, and reserves what it may take. Any other outcome is the end of
// it: Declined, Expired, Refused by a cap or, with a reason in c in place of a yes, for that; or, if the turn was taken before,
// what became of it then, Unknown if it was broken off.
func (s *Store) Answer(ctx context.Context, call int64, turn string, yes bool, c Call, day string, caps Caps) (q Question, err error) {
	err = s.db.Write(ctx, fmt.Sprintf("record the answer about call %d", call), func(tx *db.Tx) (err error) {
		if q, err = db.One(tx.QueryRow(selectQuestion+` WHERE c.id = ?`, call), scanQuestion); err != nil {
			return err
		}
		switch {
		case q.Turn == turn && q.Call.Outcome == Running:
			q.Call.Outcome = Unknown
		case q.Turn != "":
			return nil
		case !yes && c.Reason != "":
			q.Call.Outcome, q.Call.Reason = Refused, c.Reason
		case !yes:
			q.Call.Outcome = Declined
		case !q.Expires.After(c.At):
			q.Call.Outcome = Expired
		default:
			q.Call.Outcome = Running
			c.Persona, c.Person, c.Room = q.Call.Persona, q.Call.Person, q.Call.Room
			refused, err := checkCaps(tx, c, day, caps)
			if err != nil {
				return err
			}
			if refused != nil {
				q.Call.Outcome, q.Call.Reason, c.Took, c.Tokens = Refused, refused.Error(), 0, 0
			}
		}
		if q.Call.Outcome != Running {
			c.Took, c.Tokens = 0, 0
		}
		if _, err = tx.Exec(`UPDATE tool_calls SET outcome = ?, reason = ?, day = ?, took_ms = ?, tokens = ? WHERE id = ?`,
			q.Call.Outcome, q.Call.Reason, day, c.Took.Milliseconds(), c.Tokens, call); err != nil {
			return err
		}
		q.Turn = turn
		_, err = tx.Exec(`UPDATE tool_questions SET turn = ? WHERE call_id = ?`, turn, call)
		return err
	})
	return q, err
}

// Finish records what became of a call that Answer let run, with what the model is told of it.
func (s *Store) Finish(ctx context.Context, c Call, told string) error {
	return s.db.Write(ctx, fmt.Sprintf("record the end of call %d", c.ID), func(tx *db.Tx) error {
		if _, err := tx.Exec(`UPDATE tool_calls SET outcome = ?, reason = ?, took_ms = ?, tokens = ? WHERE id = ?`,
			c.Outcome, cut(log.Redact(c.Reason), maxReason), c.Took.Milliseconds(), c.Tokens, c.ID); err != nil {
			return err
		}
		_, err := tx.Exec(`UPDATE tool_questions SET result = ? WHERE call_id = ?`, log.Redact(told), c.ID)
		return err
	})
}

// Answered removes a question in the running transaction: the turn that tells of it is recorded.
func Answered(tx *db.Tx, call int64) error {
	if _, err := tx.Exec(`DELETE FROM tool_questions WHERE call_id = ?`, call); err != nil {
		return err
	}
	return tx.MarkErased()
}
