// Package toolcall keeps every call of a tool that a model asked for: what was asked, what the gate said, and what became of
// it. A call is recorded before it is made, so that caps hold and nothing is done twice after a crash.
package toolcall

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"familiar/memory/internal/db"
	"familiar/memory/log"
)

// Outcome is what became of a call.
type Outcome string

// The outcomes.
const (
	// Running calls are under way, or their process ended before it could tell: see Unknown.
	Running Outcome = "running"
	// Done calls returned a result, Failed ones an error or nothing in time.
	Done   Outcome = "done"
	Failed Outcome = "failed"
	// Refused calls were not made: the gate, the arguments or a cap said no.
	Refused Outcome = "refused"
	// Unknown calls may have changed something: they did not end in time, or their process ended before they did.
	Unknown Outcome = "unknown"
)

// Call is one call of a tool.
type Call struct {
	ID           int64
	Persona      string
	Person, Room int64
	// Turn is the key of the turn that the call was made for.
	Turn string
	// Parent is the call that a helper made it within, 0 for none.
	Parent int64
	Tool   string
	// Arguments are what the model wrote, redacted and cut to MaxArguments.
	Arguments string
	// Gate is what the gate said: allow, confirm or deny.
	Gate    string
	Outcome Outcome
	// Reason says why a call was refused or failed.
	Reason string
	// Free reports that no cap counts the call.
	Free bool
	At   time.Time
	// Took is how long it ran, Tokens what its result and the models of the tool took; while it runs, the most it may.
	Took   time.Duration
	Tokens int
}

// MaxArguments is how much of the arguments is kept, in characters.
const MaxArguments = 500

// maxReason is how much of a reason is kept, in characters.
const maxReason = 200

// Cap is a limit on one day; zero numbers are no limit.
type Cap struct {
	Calls   int
	Seconds int
	Tokens  int
}

// Caps are the limits on the calls for one person and in one room on one day.
type Caps struct{ Person, Room Cap }

// Errors that callers check with errors.Is.
var (
	// ErrCap reports that a call would exceed a cap. The error around it says which.
	ErrCap = errors.New("the limit of the day is reached")
	// ErrDone and ErrUnknown report that the turn, taken before, made the same call: it was done, or it is not known whether.
	ErrDone    = errors.New("this was done already: do not do it again")
	ErrUnknown = errors.New("it is not known whether this was done: say so, and do not do it again")
)

// Store keeps the calls.
type Store struct{ db *db.DB }

// New returns the calls in d.
func New(d *db.DB) *Store { return &Store{db: d} }

// Begin records a call that is about to be made, with what it may take at most, and returns its number. It fails with ErrCap
// if that would exceed a cap, and then records the refusal. once reports that the call must not be repeated: Begin fails with
// ErrDone or ErrUnknown if the same turn made it before.
func (s *Store) Begin(ctx context.Context, c Call, day string, caps Caps, once bool) (id int64, err error) {
	var refused error
	err = s.db.Write(ctx, "record a call of "+c.Tool, func(tx *db.Tx) (err error) {
		c.Outcome, c.Reason, refused = Running, "", nil
		if once {
			err = checkRepeated(tx, c)
		} else {
			err = endBrokenOff(tx, c)
		}
		if err != nil {
			return err
		}
		if !c.Free {
			if refused, err = checkCaps(tx, c, day, caps); err != nil {
				return err
			}
		}
		if refused != nil {
			c.Outcome, c.Reason, c.Took, c.Tokens = Refused, refused.Error(), 0, 0
		}
		id, err = insert(tx, c, day)
		return err
	})
	return id, errors.Join(err, refused)
}

// Record stores a call with its outcome at once.
func (s *Store) Record(ctx context.Context, c Call, day string) error {
	return s.db.Write(ctx, "record a call of "+c.Tool, func(tx *db.Tx) error {
		_, err := insert(tx, c, day)
		return err
	})
}

// End records what became of a call that Begin recorded.
func (s *Store) End(ctx context.Context, c Call) error {
	return s.db.Write(ctx, fmt.Sprintf("record the end of call %d", c.ID), func(tx *db.Tx) error {
		_, err := tx.Exec(`UPDATE tool_calls SET outcome = ?, reason = ?, took_ms = ?, tokens = ? WHERE id = ?`,
			c.Outcome, cut(log.Redact(c.Reason), maxReason), c.Took.Milliseconds(), c.Tokens, c.ID)
		return err
	})
}

func insert(tx *db.Tx, c Call, day string) (int64, error) {
	return tx.Insert(`INSERT INTO tool_calls (persona, person_id, room_id, turn, parent_id, tool, arguments, digest, gate, outcome, reason, free, day, at, took_ms, tokens)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		c.Persona, c.Person, c.Room, c.Turn, db.NullID(c.Parent), c.Tool, cut(log.Redact(c.Arguments), MaxArguments), digest(c.Arguments), c.Gate, c.Outcome,
		cut(log.Redact(c.Reason), maxReason), c.Free, day, db.Millis(c.At), c.Took.Milliseconds(), c.Tokens)
}

// brokenOff is why a call failed whose process ended.
const brokenOff = "it was broken off"

// endBrokenOff ends calls of a tool that the same turn began and that are under way no more, since a turn makes one call after
// another: its process ended. What they had reserved stays charged.
func endBrokenOff(tx *db.Tx, c Call) error {
	const end = `UPDATE tool_calls SET outcome = ?, reason = ? WHERE outcome = ? AND `
	ended, err := tx.Affect(end+`turn = ? AND persona = ? AND tool = ?`, Failed, brokenOff, Running, c.Turn, c.Persona, c.Tool)
	if err != nil || ended == 0 {
		return err
	}
	_, err = tx.Exec(end+`parent_id IN (SELECT id FROM tool_calls WHERE turn = ? AND persona = ? AND tool = ?)`,
		Failed, brokenOff, Running, c.Turn, c.Persona, c.Tool)
	return err
}

// checkRepeated looks for the same call of the same turn.
func checkRepeated(tx *db.Tx, c Call) error {
	before, err := db.One(tx.QueryRow(`SELECT outcome FROM tool_calls WHERE turn = ? AND persona = ? AND tool = ? AND digest = ? AND outcome IN (?, ?, ?)
		ORDER BY id DESC LIMIT 1`, c.Turn, c.Persona, c.Tool, digest(c.Arguments), Running, Done, Unknown), db.ScanText)
	switch {
	case errors.Is(err, db.ErrNotFound):
		return nil
	case err != nil:
		return err
	case Outcome(before) == Done:
		return ErrDone
	}
	_, err = tx.Exec(`UPDATE tool_calls SET outcome = ? WHERE turn = ? AND persona = ? AND tool = ? AND digest = ? AND outcome = ?`,
		Unknown, c.Turn, c.Persona, c.Tool, digest(c.Arguments), Running)
	return errors.Join(ErrUnknown, err)
}

// checkCaps returns which cap the call would exceed, nil for none.
func checkCaps(tx *db.Tx, c Call, day string, caps Caps) (reached, err error) {
	for _, of := range []struct {
		column, who string
		id          int64
		cap         Cap
	}{{"person_id", "for this person", c.Person, caps.Person}, {"room_id", "in this room", c.Room, caps.Room}} {
		if of.cap == (Cap{}) {
			continue
		}
		var calls, millis, tokens int64
		if err := tx.QueryRow(`SELECT count(*), coalesce(sum(CASE WHEN parent_id IS NULL THEN took_ms END), 0), coalesce(sum(tokens), 0) FROM tool_calls
			WHERE `+of.column+` = ? AND day = ? AND persona = ? AND free = 0 AND outcome <> ?`, of.id, day, c.Persona, Refused).Scan(&calls, &millis, &tokens); err != nil {
			return nil, err
		}
		took := c.Took
		if c.Parent != 0 {
			took = 0 // the time of the call around it counts
		}
		for _, l := range []struct {
			used, more, most int64
			what             string
		}{
			{calls, 1, int64(of.cap.Calls), "calls"},
			{millis, took.Milliseconds(), int64(of.cap.Seconds) * 1000, "seconds"},
			{tokens, int64(c.Tokens), int64(of.cap.Tokens), "tokens"},
		} {
			if l.most > 0 && l.used+l.more > l.most {
				return fmt.Errorf("%w: tools may take no more %s %s today", ErrCap, l.what, of.who), nil
			}
		}
	}
	return nil, nil
}

// digest returns a checksum of arguments.
func digest(arguments string) string {
	sum := sha256.Sum256([]byte(arguments))
	return hex.EncodeToString(sum[:16])
}

// cut shortens a text to a number of characters.
func cut(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most-1]) + "…"
}

// Of binds the calls of a recorded turn to one of its messages, so that they are found when it is forgotten.
func Of(tx *db.Tx, turn string, message int64) error {
	_, err := tx.Exec(`UPDATE tool_calls SET message_id = ? WHERE turn = ?`, db.NullID(message), turn)
	return err
}

// Prune removes a number of calls that were made before a time.
const Prune = `DELETE FROM tool_calls WHERE id IN (SELECT id FROM tool_calls WHERE at < ? LIMIT ? + 0)`

// Empty removes what the calls of turns say that heard one of the messages: those are forgotten.
func Empty(tx *db.Tx, messages []int64) error {
	in, args := db.Placeholders(messages)
	const emptied = `UPDATE tool_calls SET arguments = '', digest = '', reason = '', message_id = NULL WHERE message_id IN `
	const waiting = `DELETE FROM tool_questions WHERE call_id IN (SELECT id FROM tool_calls WHERE message_id IN `
	if _, err := tx.Exec(waiting+`(SELECT o.message_id FROM turn_heard h JOIN turn_heard o ON o.turn_id = h.turn_id WHERE h.message_id IN `+in+`))`, args...); err != nil {
		return err
	}
	if _, err := tx.Exec(emptied+`(SELECT o.message_id FROM turn_heard h JOIN turn_heard o ON o.turn_id = h.turn_id WHERE h.message_id IN `+in+`)`, args...); err != nil {
		return err
	}
	if _, err := tx.Exec(waiting+in+`)`, args...); err != nil {
		return err
	}
	_, err := tx.Exec(emptied+in, args...)
	return err
}
