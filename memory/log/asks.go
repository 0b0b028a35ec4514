package log

import (
	"context"
	"fmt"
	"time"

	"familiar/memory/internal/db"
	"familiar/memory/model"
)

// Ask is a question that is put with buttons.
type Ask struct {
	// OutboxID is the text that puts it, Key the text's key: what a pressed button names.
	OutboxID int64
	Key      string
	Persona  string
	// Room is where it is put. Only its ID and address are set.
	Room model.Room
	// Person is who is asked.
	Person int64
	// Language is the tag of the language of the buttons.
	Language string
	Expires  time.Time
	// ShownAs is what the network calls the message with the buttons, "" before it is sent.
	ShownAs string
}

// insertAsk stores the question that a queued text puts.
func insertAsk(tx *db.Tx, outbox int64, a model.Ask) error {
	_, err := tx.Exec(`INSERT INTO asks (outbox_id, person_id, language, expires_at) VALUES (?, ?, ?, ?)`, outbox, a.Person, a.Language, db.Millis(a.Expires))
	return err
}

const selectAsk = `SELECT o.id, o.key, o.persona, r.id, r.channel, r.room, r.thread, a.person_id, a.language, a.expires_at, a.shown_as
	FROM asks a JOIN outbox o ON o.id = a.outbox_id JOIN rooms r ON r.id = o.room_id `

func scanAsk(row db.Scanner) (a Ask, err error) {
	err = row.Scan(&a.OutboxID, &a.Key, &a.Persona, &a.Room.ID, &a.Room.Channel, &a.Room.Room.ID, &a.Room.Thread, &a.Person, &a.Language,
		db.IntoTime(&a.Expires), &a.ShownAs)
	return a, err
}

// Ask returns the question that the text with a key puts. It fails with ErrNotFound if there is none, or none any more.
func (s *Store) Ask(ctx context.Context, key string) (a Ask, err error) {
	err = s.db.ReadOne(ctx, "look for a question", func(tx *db.Tx) error {
		a, err = db.One(tx.QueryRow(selectAsk+`WHERE o.key = ?`, key), scanAsk)
		return err
	})
	return a, err
}

// ShownAsks returns the questions whose buttons are shown.
func (s *Store) ShownAsks(ctx context.Context) (all []Ask, err error) {
	err = s.db.ReadOne(ctx, "list the questions with buttons", func(tx *db.Tx) error {
		all, err = db.Collect[Ask](tx.Query(selectAsk + `WHERE a.shown_as <> '' ORDER BY o.id`))(scanAsk)
		return err
	})
	return all, err
}

// DropAsk forgets a question with buttons: a press of them does not count any more.
func (s *Store) DropAsk(ctx context.Context, outbox int64) error {
	return s.db.Write(ctx, fmt.Sprintf("drop the question of outbox row %d", outbox), func(tx *db.Tx) error {
		_, err := tx.Exec(`DELETE FROM asks WHERE outbox_id = ?`, outbox)
		return err
	})
}
