package log

import (
	"context"
	"fmt"
	"strings"
	"time"

	"familiar/memory/internal/db"
	"familiar/memory/internal/secret"
	"familiar/memory/model"
)

// OutboxEntry is a reply or a proactive message on its way to the network.
type OutboxEntry struct {
	ID int64
	// Persona says the text.
	Persona string
	// Room is the destination. Only its ID, address and person are set.
	Room model.Room
	// Key is the idempotency key of the whole text.
	Key     string
	Text    string
	ReplyTo string
	// ReplyData is what the channel needs for its reply.
	ReplyData string
	// ChunksSent is the number of chunks that the network has accepted. The next attempt continues after them.
	ChunksSent int
	// Attempts is the number of failed attempts.
	Attempts int
	// MaybeShown reports that the outcome of an attempt at the next chunk is unknown.
	MaybeShown bool
	// MessageID is the persona's message with this text, 0 if there is none.
	MessageID int64
	// Spoken reports that the text is to be sent as a voice message.
	Spoken bool
	// Asks reports that it puts a question with buttons: see Ask.
	Asks bool
	// ProactiveSubject is the subject of a proactive message, "" for an answer.
	ProactiveSubject string
	// NotBefore is when the next attempt is due, zero for immediately.
	NotBefore time.Time
	LastError string
	Created   time.Time
	// Died is when it became a dead letter, zero if it never did. Dropped is when the operator dropped it, zero if they did not.
	Died, Dropped time.Time
	// Sent is when the network had accepted all of it, zero before.
	Sent time.Time

	dead bool // it was given up, and not queued again
}

// OutboxState is what became of a text.
type OutboxState string

// The states of texts.
const (
	Waiting    OutboxState = "waiting"
	Sent       OutboxState = "sent"
	DeadLetter OutboxState = "dead"
	Dropped    OutboxState = "dropped"
)

// State returns what became of the text.
func (o OutboxEntry) State() OutboxState {
	switch {
	case !o.Dropped.IsZero():
		return Dropped
	case o.dead:
		return DeadLetter
	case !o.Sent.IsZero():
		return Sent
	}
	return Waiting
}

// Enqueue queues a text for a room in the running transaction and returns its ID. Queueing a key twice is an error. The
// text of a stored message is not copied: the entry refers to the message, so forgetting the message deletes the text
// here too. Secrets in it are redacted, those of a one-time link once it is sent: the answer to a command may repeat them.
func Enqueue(tx *db.Tx, persona string, roomID, messageID int64, r model.Reply) (int64, error) {
	if messageID != 0 {
		r.Text = ""
	}
	if !r.OneTime {
		r.Text = Redact(r.Text)
	}
	id, err := tx.Insert(`INSERT INTO outbox
		(persona, room_id, message_id, key, text, reply_to, via, status, created_at, spoken, asks)
		VALUES (?, ?, ?, ?, ?, ?, ?, 'pending', ?, ?, ?)`,
		persona, roomID, db.NullID(messageID), r.Key, r.Text, r.ReplyTo, r.ReplyData, tx.NowMillis(), r.Spoken, r.Ask != nil)
	if err == nil && r.Ask != nil {
		err = insertAsk(tx, id, *r.Ask)
	}
	return id, err
}

// Tell queues a text for a room that answers no message and is no part of the talk. It fails if key was used before.
func (s *Store) Tell(ctx context.Context, persona string, room model.Room, key, text string) error {
	return s.db.Write(ctx, fmt.Sprintf("tell room %d something", room.ID), func(tx *db.Tx) error {
		_, err := Enqueue(tx, persona, room.ID, 0, model.Reply{Key: key, Text: text})
		return err
	})
}

const outboxColumns = `SELECT o.id, o.room_id, r.channel, r.room, r.thread, r.person_id, o.key,
	coalesce((SELECT m.text FROM messages m WHERE m.id = o.message_id), o.text), o.reply_to, o.via, o.chunks_sent, o.attempts,
	o.message_id, coalesce((SELECT min(d.subject) FROM unasked_decisions d WHERE d.message_id = o.message_id), ''), o.not_before,
	o.last_error, o.created_at, o.died_at, o.dropped_at, o.sent_at, o.status = 'dead', o.persona, o.spoken, o.asks`

// columns are the scan targets for outboxColumns.
func (o *OutboxEntry) columns() []any {
	return []any{
		&o.ID, &o.Room.ID, &o.Room.Channel, &o.Room.Room.ID, &o.Room.Thread, db.IntoID(&o.Room.PersonID), &o.Key, &o.Text,
		&o.ReplyTo, &o.ReplyData, &o.ChunksSent, &o.Attempts, db.IntoID(&o.MessageID), &o.ProactiveSubject, db.IntoTime(&o.NotBefore), &o.LastError, db.IntoTime(&o.Created),
		db.IntoTime(&o.Died), db.IntoTime(&o.Dropped), db.IntoTime(&o.Sent), &o.dead, &o.Persona, &o.Spoken, &o.Asks,
	}
}

// NextOutbox returns the oldest pending text of a persona in a room, whether it is due or not; with "" that of any persona.
// Later texts wait behind it, so that the order is kept. It fails with ErrNotFound if none is pending.
func (s *Store) NextOutbox(ctx context.Context, persona string, room int64) (o OutboxEntry, err error) {
	err = s.db.ReadOne(ctx, fmt.Sprintf("read the next text for room %d", room), func(tx *db.Tx) error {
		o, err = db.One(tx.QueryRow(outboxColumns+` FROM outbox o JOIN rooms r ON r.id = o.room_id
			WHERE o.room_id = ?1 AND o.status = 'pending' AND (?2 = '' OR o.persona = ?2) ORDER BY o.id LIMIT 1`, room, persona), scanOutbox)
		return err
	})
	return o, err
}

// Queue is a room to which texts are sent.
type Queue struct {
	// Room has its ID, address and person.
	Room model.Room
	// Waiting reports that texts wait there, of any persona.
	Waiting bool
}

// ReadQueue reads a room's queue in the running transaction.
func ReadQueue(tx *db.Tx, room int64) (Queue, error) {
	return db.One(tx.QueryRow(`SELECT r.id, r.channel, r.room, r.thread, r.person_id,
		EXISTS (SELECT 1 FROM outbox o WHERE o.room_id = r.id AND o.status = 'pending') FROM rooms r WHERE r.id = ?`, room), func(row db.Scanner) (q Queue, err error) {
		err = row.Scan(&q.Room.ID, &q.Room.Channel, &q.Room.Room.ID, &q.Room.Thread, db.IntoID(&q.Room.PersonID), &q.Waiting)
		return q, err
	})
}

// OutboxRooms returns the rooms with pending texts of a persona by ID; with "" those of all personas. Only their IDs and addresses are set.
func (s *Store) OutboxRooms(ctx context.Context, persona string) (rooms []model.Room, err error) {
	err = s.db.Read(ctx, "list rooms with texts from "+persona, func(tx *db.Tx) error {
		rooms, err = db.Collect[model.Room](tx.Query(`SELECT r.id, r.channel, r.room, r.thread FROM rooms r WHERE r.id IN
			(SELECT o.room_id FROM outbox o WHERE o.status = 'pending' AND (?1 = '' OR o.persona = ?1)) ORDER BY r.id`, persona))(
			func(row db.Scanner) (r model.Room, err error) {
				err = row.Scan(&r.ID, &r.Channel, &r.Room.ID, &r.Thread)
				return r, err
			})
		return err
	})
	return rooms, err
}

func scanOutbox(row db.Scanner) (o OutboxEntry, err error) {
	err = row.Scan(o.columns()...)
	o.MaybeShown = strings.HasPrefix(o.LastError, maybeShown)
	return o, err
}

// OutboxOf returns the entries of messages that are still kept, in no order.
func OutboxOf(tx *db.Tx, messages []int64) ([]OutboxEntry, error) {
	in, args := db.Placeholders(messages)
	return db.Collect[OutboxEntry](tx.Query(outboxColumns+` FROM outbox o JOIN rooms r ON r.id = o.room_id
		WHERE o.message_id IN `+in, args...))(scanOutbox)
}

// OutboxCounts are the numbers of pending and dead texts on a channel.
type OutboxCounts struct{ Unsent, Dead int }

// CountOutbox counts persona's pending and dead texts by channel.
func (s *Store) CountOutbox(ctx context.Context, persona string) (map[string]OutboxCounts, error) {
	all := map[string]OutboxCounts{}
	err := s.db.ReadOne(ctx, "count pending texts of "+persona, func(tx *db.Tx) error {
		_, err := db.Collect[string](tx.Query(`SELECT r.channel, count(*) FILTER (WHERE o.status = 'pending'),
				count(*) FILTER (WHERE o.status = 'dead' AND o.dropped_at IS NULL)
			FROM outbox o JOIN rooms r ON r.id = o.room_id WHERE o.status <> 'sent' AND o.persona = ? GROUP BY r.channel`, persona))(
			func(row db.Scanner) (channel string, err error) {
				var l OutboxCounts
				err = row.Scan(&channel, &l.Unsent, &l.Dead)
				all[channel] = l
				return channel, err
			})
		return err
	})
	return all, err
}

// SentChunk is a chunk that the network has accepted.
type SentChunk struct {
	// Index counts the chunks of a text from 0. Last marks the last one.
	Index int
	Last  bool
	// ID is the network's ID of the chunk, empty if it gives none.
	ID string
	// Asked reports that the chunk is shown with the buttons of the question that the text puts.
	Asked bool
}

// MarkChunkSent records that the network has accepted the next chunk of a pending text, and its ID. The last chunk
// marks the text as sent, and its one-time link is redacted. Like all changes to an outbox entry, it fails with ErrNotFound if the
// text is not pending.
func (s *Store) MarkChunkSent(ctx context.Context, o OutboxEntry, sent SentChunk) error {
	return s.changePending(ctx, o.ID, "record a sent chunk of", func(tx *db.Tx, gone error) error {
		if err := markChunk(tx, o, sent, gone); err != nil || sent.ID == "" {
			return err
		}
		if sent.Asked {
			if _, err := tx.Exec(`UPDATE asks SET shown_as = ? WHERE outbox_id = ?`, sent.ID, o.ID); err != nil {
				return err
			}
		}
		_, err := tx.Exec(`INSERT INTO sent_as (message_id, external_id, chunk)
			SELECT message_id, ?, ? FROM outbox WHERE id = ? AND message_id IS NOT NULL ON CONFLICT DO NOTHING`, sent.ID, sent.Index, o.ID)
		return err
	})
}

func markChunk(tx *db.Tx, o OutboxEntry, sent SentChunk, gone error) error {
	if !sent.Last {
		return tx.Expect(1, gone, `UPDATE outbox SET chunks_sent = ?, last_error = replace(last_error, ?, '')
			WHERE id = ? AND status = 'pending'`, sent.Index+1, maybeShown, o.ID)
	}
	err := tx.Expect(1, gone, `UPDATE outbox SET status = 'sent', chunks_sent = ?, sent_at = ?, via = '', last_error = ''
		WHERE id = ? AND status = 'pending'`, sent.Index+1, tx.NowMillis(), o.ID)
	if err == nil && strings.Contains(o.Text, secret.Prefix) {
		_, err = tx.Exec(`UPDATE outbox SET text = ? WHERE id = ? AND message_id IS NULL`, Redact(o.Text), o.ID)
	}
	return err
}

// OutboxText returns the whole text queued under key now or within the last two weeks. It fails with ErrNotFound if the
// text is no longer kept or was forgotten.
func (s *Store) OutboxText(ctx context.Context, key string) (text string, err error) {
	err = s.db.ReadOne(ctx, "read a sent text", func(tx *db.Tx) error {
		text, err = db.One(tx.QueryRow(`SELECT coalesce((SELECT m.text FROM messages m WHERE m.id = o.message_id), o.text)
			FROM outbox o WHERE o.key = ?`, key), db.ScanText)
		if err == nil && text == "" {
			err = db.ErrNotFound
		}
		return err
	})
	return text, err
}

// maybeShown begins the last error of a text whose next chunk may already be shown, until that chunk is confirmed: later
// failures keep it.
const maybeShown = "may have been shown; "

// FailedAttempt is a failed attempt at the next chunk of a text.
type FailedAttempt struct {
	Cause string
	// MaybeShown reports that the outcome is unknown: the network may have shown the chunk.
	MaybeShown bool
	// NotBefore is when the text is due again.
	NotBefore time.Time
}

// MarkOutboxFailed records a failed attempt at a pending text.
func (s *Store) MarkOutboxFailed(ctx context.Context, id int64, f FailedAttempt) error {
	return s.changePending(ctx, id, "record a failed attempt at", func(tx *db.Tx, gone error) error {
		return tx.Expect(1, gone, `UPDATE outbox SET attempts = attempts + 1, not_before = ?,
			last_error = CASE WHEN ? = 1 OR instr(last_error, ?) = 1 THEN ? ELSE '' END || ? WHERE id = ? AND status = 'pending'`,
			db.Millis(f.NotBefore), f.MaybeShown, maybeShown, maybeShown, Redact(model.CleanText(f.Cause)), id)
	})
}

// changePending has change change one pending text, or fail with gone.
func (s *Store) changePending(ctx context.Context, id int64, act string, change func(tx *db.Tx, gone error) error) error {
	gone := fmt.Errorf("pending outbox row %d: %w", id, db.ErrNotFound)
	return s.db.Write(ctx, fmt.Sprintf("%s outbox row %d", act, id), func(tx *db.Tx) error { return change(tx, gone) })
}
