// Package reminder keeps what people asked to be reminded of, until it was said.
package reminder

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"familiar/channels"
	"familiar/memory/internal/db"
	"familiar/memory/log"
	"familiar/memory/model"
)

// What one person may have waiting.
const (
	// MaxWaiting is how many reminders of one person may wait.
	MaxWaiting = 100
	// MaxRunes is how long the text of one may be, in characters.
	MaxRunes = 500
)

// Errors that callers check with errors.Is.
var (
	ErrTooMany = fmt.Errorf("more than %d reminders of one person would wait", MaxWaiting)
	ErrTooLong = fmt.Errorf("the text of a reminder is longer than %d characters", MaxRunes)
	ErrEmpty   = errors.New("a reminder needs a text")
)

// Store keeps reminders.
type Store struct{ db *db.DB }

// New returns the reminders in d.
func New(d *db.DB) *Store { return &Store{db: d} }

// Reminder is something to be said at a time.
type Reminder struct {
	ID      int64
	Persona string
	Person  int64
	Room    model.Room
	// Message is the message that asked for it, 0 for a command.
	Message int64
	Text    string
	Due     time.Time
	// Wall reports that a date or a time of day was named.
	Wall    bool
	Created time.Time
}

// Add stores a reminder and queues the answer to the command that asked for it, which is made from its number. It fails with
// ErrTooMany, ErrTooLong or ErrEmpty, and then stores nothing.
func (s *Store) Add(ctx context.Context, r Reminder, answer func(id int64) log.CommandAnswer) error {
	return s.db.Write(ctx, fmt.Sprintf("store a reminder of person %d", r.Person), func(tx *db.Tx) error {
		id, err := Insert(tx, r)
		if err != nil {
			return err
		}
		return log.AnswerCommand(tx, answer(id))
	})
}

// Put is Add without an answer. It returns the number of the reminder.
func (s *Store) Put(ctx context.Context, r Reminder) (id int64, err error) {
	err = s.db.Write(ctx, fmt.Sprintf("store a reminder of person %d", r.Person), func(tx *db.Tx) error {
		id, err = Insert(tx, r)
		return err
	})
	return id, err
}

// Insert is Add in the running transaction, without an answer.
func Insert(tx *db.Tx, r Reminder) (int64, error) {
	switch {
	case r.Text == "":
		return 0, ErrEmpty
	case utf8.RuneCountInString(r.Text) > MaxRunes:
		return 0, ErrTooLong
	}
	waiting, err := db.One(tx.QueryRow(`SELECT count(*) FROM reminders WHERE person_id = ?`, r.Person), db.ScanID)
	if err != nil {
		return 0, err
	}
	if waiting >= MaxWaiting {
		return 0, ErrTooMany
	}
	return tx.Insert(`INSERT INTO reminders (persona, person_id, room_id, message_id, text, due_at, wall, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		r.Persona, r.Person, r.Room.ID, db.NullID(r.Message), log.Redact(r.Text), db.Millis(r.Due), r.Wall, tx.NowMillis())
}

const selectReminders = `SELECT n.id, n.persona, n.person_id, n.message_id, n.text, n.due_at, n.wall, n.created_at,
	r.id, r.channel, r.room, r.thread, r.direct, r.person_id, r.title FROM reminders n JOIN rooms r ON r.id = n.room_id`

func scan(row db.Scanner) (r Reminder, err error) {
	err = row.Scan(&r.ID, &r.Persona, &r.Person, db.IntoID(&r.Message), &r.Text, db.IntoTime(&r.Due), &r.Wall, db.IntoTime(&r.Created),
		&r.Room.ID, &r.Room.Channel, &r.Room.Room.ID, &r.Room.Thread, &r.Room.Direct, db.IntoID(&r.Room.PersonID), &r.Room.Title)
	return r, err
}

// Waiting returns a person's reminders, the next first.
func (s *Store) Waiting(ctx context.Context, persona string, person int64) (all []Reminder, err error) {
	err = s.db.ReadOne(ctx, fmt.Sprintf("list the reminders of person %d", person), func(tx *db.Tx) error {
		all, err = db.Collect[Reminder](tx.Query(selectReminders+` WHERE n.persona = ? AND n.person_id = ? ORDER BY n.due_at, n.id`, persona, person))(scan)
		return err
	})
	return all, err
}

// Drop is Cancel, asked for by a command of the person, and the answer to the command, in one transaction.
func (s *Store) Drop(ctx context.Context, persona string, person, id int64, answer func(Reminder) log.CommandAnswer) error {
	return s.db.Write(ctx, fmt.Sprintf("drop reminder %d", id), func(tx *db.Tx) error {
		r, err := cancel(tx, persona, person, id)
		if err != nil {
			return err
		}
		return log.AnswerCommand(tx, answer(r))
	})
}

// Cancel removes a person's reminder and returns it. It fails with ErrNotFound if the person has none with that number.
func (s *Store) Cancel(ctx context.Context, persona string, person, id int64) (r Reminder, err error) {
	err = s.db.Write(ctx, fmt.Sprintf("drop reminder %d", id), func(tx *db.Tx) error {
		r, err = cancel(tx, persona, person, id)
		return err
	})
	return r, err
}

func cancel(tx *db.Tx, persona string, person, id int64) (Reminder, error) {
	r, err := db.One(tx.QueryRow(selectReminders+` WHERE n.persona = ? AND n.person_id = ? AND n.id = ?`, persona, person, id), scan)
	if err != nil {
		return Reminder{}, err
	}
	return r, remove(tx, id)
}

func remove(tx *db.Tx, id int64) error {
	if _, err := tx.Exec(`DELETE FROM reminders WHERE id = ?`, id); err != nil {
		return err
	}
	return tx.MarkErased()
}

// Due returns the reminders of persona whose time has come in the rooms that are reached, the oldest first, and when the
// next is due, zero if none waits.
func (s *Store) Due(ctx context.Context, persona string, now time.Time, reached func(channels.Room) bool) (due []Reminder, next time.Time, err error) {
	err = s.db.ReadOne(ctx, "look for due reminders", func(tx *db.Tx) error {
		due, err = db.Collect[Reminder](tx.Query(selectReminders+` WHERE n.persona = ? AND n.due_at <= ? ORDER BY n.due_at, n.id`,
			persona, db.Millis(now)))(scan)
		if err != nil {
			return err
		}
		due = slices.DeleteFunc(due, func(r Reminder) bool { return !reached(r.Room.Room) })
		return tx.QueryRow(`SELECT min(due_at) FROM reminders WHERE persona = ? AND due_at > ?`, persona, db.Millis(now)).Scan(db.IntoTime(&next))
	})
	return due, next, err
}

// Say queues a reminder's text and removes the reminder, in one transaction: it is said once, whatever happens. It does
// nothing if the reminder was said or dropped meanwhile.
func (s *Store) Say(ctx context.Context, r Reminder, text string) error {
	return s.db.Write(ctx, fmt.Sprintf("say reminder %d", r.ID), func(tx *db.Tx) error {
		n, err := tx.Affect(`DELETE FROM reminders WHERE id = ?`, r.ID)
		if err != nil || n == 0 {
			return err
		}
		_, err = log.Enqueue(tx, r.Persona, r.Room.ID, 0, model.Reply{Key: fmt.Sprintf("reminder-%d-%d", r.ID, r.Created.UnixMilli()), Text: text})
		return err
	})
}
