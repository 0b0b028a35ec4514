package log

import (
	"context"
	"fmt"
	"time"

	"familiar/memory/internal/db"
	"familiar/memory/model"
)

// Out is one reply, or one thing a job wants said, on its way to the network.
type OutboxEntry struct {
	ID int64
	// Room is where it is to be said; only its ID, its address and its person are filled.
	Room model.Room
	// Key is the idempotency key of the whole text.
	Key     string
	Text    string
	ReplyTo string
	// ReplyData is what the channel wants back with it.
	ReplyData string
	// ChunksSent says how many of the chunks the network has taken; the next attempt goes on after them.
	ChunksSent int
	// Attempts failed so far.
	Attempts int
	// MessageID is the message it says, 0 when it is none of the persona's messages.
	MessageID int64
	// ProactiveSubject is what it brings up of the persona's own accord, "" when somebody waits for it.
	ProactiveSubject string
	// NotBefore is when it is due, zero for at once.
	NotBefore time.Time
	LastError string
	Created   time.Time
}

// enqueue adds a text to be said in a room, in the running transaction. A key that was queued before is an error. The
// text of a message is not kept twice: the row takes it from there, and so what is forgotten there is forgotten here.
func Enqueue(tx *db.Tx, persona string, roomID, messageID int64, r model.Reply) (int64, error) {
	if messageID != 0 {
		r.Text = ""
	}
	return tx.Insert(`INSERT INTO outbox
		(persona, room_id, message_id, key, text, reply_to, via, status, created_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, 'pending', ?)`,
		persona, roomID, db.NullID(messageID), r.Key, r.Text, r.ReplyTo, r.ReplyData, tx.NowMillis())
}

const outboxColumns = `SELECT o.id, o.room_id, r.channel, r.room, r.thread, r.person_id, o.key,
	coalesce((SELECT m.text FROM messages m WHERE m.id = o.message_id), o.text), o.reply_to, o.via, o.chunks_sent, o.attempts,
	o.message_id, coalesce((SELECT d.subject FROM unasked_decisions d WHERE d.message_id = o.message_id), ''), o.not_before,
	o.last_error, o.created_at`

// columns are where outColumns are scanned into.
func (o *OutboxEntry) columns() []any {
	return []any{
		&o.ID, &o.Room.ID, &o.Room.Channel, &o.Room.Room.ID, &o.Room.Thread, db.IntoID(&o.Room.PersonID), &o.Key, &o.Text,
		&o.ReplyTo, &o.ReplyData, &o.ChunksSent, &o.Attempts, db.IntoID(&o.MessageID), &o.ProactiveSubject, db.IntoTime(&o.NotBefore), &o.LastError, db.IntoTime(&o.Created),
	}
}

// FirstOut returns the text whose turn it is in a room: the oldest pending one, due or not. What was queued later waits
// behind it, so that nothing is said out of order. ErrNotFound when none waits.
func (s *Store) NextOutbox(ctx context.Context, persona string, room int64) (o OutboxEntry, err error) {
	err = s.db.ReadOne(ctx, fmt.Sprintf("read what waits to be said in room %d", room), func(tx *db.Tx) error {
		o, err = db.One(tx.QueryRow(outboxColumns+` FROM outbox o JOIN rooms r ON r.id = o.room_id
			WHERE o.room_id = ? AND o.status = 'pending' AND o.persona = ? ORDER BY o.id LIMIT 1`, room, persona), scanOutbox)
		return err
	})
	return o, err
}

// OutboxRooms returns the rooms in which something waits to be said, in ascending order of their ids. Only their ids
// and their addresses are filled.
func (s *Store) OutboxRooms(ctx context.Context, persona string) (rooms []model.Room, err error) {
	err = s.db.Read(ctx, "read where "+persona+" has something to say", func(tx *db.Tx) error {
		rooms, err = db.Collect[model.Room](tx.Query(`SELECT r.id, r.channel, r.room, r.thread FROM rooms r WHERE r.id IN
			(SELECT o.room_id FROM outbox o WHERE o.status = 'pending' AND o.persona = ?) ORDER BY r.id`, persona))(
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
	return o, err
}

// DeadLetters returns what could not be said, oldest first.
func (s *Store) DeadLetters(ctx context.Context, persona string) (dead []OutboxEntry, err error) {
	err = s.db.Read(ctx, "read the dead letters of "+persona, func(tx *db.Tx) error {
		dead, err = db.Collect[OutboxEntry](tx.Query(outboxColumns+` FROM outbox o JOIN rooms r ON r.id = o.room_id
			WHERE o.status = 'dead' AND o.persona = ? ORDER BY o.id`, persona))(scanOutbox)
		return err
	})
	return dead, err
}

// OutboxCounts counts what is to be said on a channel: Unsent still is, Dead could not be.
type OutboxCounts struct{ Unsent, Dead int }

// CountOutbox counts by channel what persona has to say and what could not be said.
func (s *Store) CountOutbox(ctx context.Context, persona string) (map[string]OutboxCounts, error) {
	all := map[string]OutboxCounts{}
	err := s.db.ReadOne(ctx, "count what "+persona+" has to say", func(tx *db.Tx) error {
		_, err := db.Collect[string](tx.Query(`SELECT r.channel, sum(o.status = 'pending'), sum(o.status = 'dead')
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

// SentChunk is a chunk that a network has taken.
type SentChunk struct {
	// Index counts the chunks of a text from 0; Last says that it is the last.
	Index int
	Last  bool
	// ID is the network's id of it, empty when it gives none.
	ID string
}

// MarkChunkSent notes that the network has taken the next chunk of a pending text, and what it calls it; with the last one
// the text is sent. Every change to a text on its way fails with ErrNotFound when it is not pending.
func (s *Store) MarkChunkSent(ctx context.Context, id int64, sent SentChunk) error {
	return s.changePending(ctx, id, "note a sent chunk of", func(tx *db.Tx) (n int64, err error) {
		if sent.Last {
			n, err = tx.Affect(`UPDATE outbox SET status = 'sent', chunks_sent = ?, sent_at = ?, via = '', last_error = '' WHERE id = ? AND status = 'pending'`,
				sent.Index+1, tx.NowMillis(), id)
		} else {
			n, err = tx.Affect(`UPDATE outbox SET chunks_sent = ? WHERE id = ? AND status = 'pending'`, sent.Index+1, id)
		}
		if err != nil || n == 0 || sent.ID == "" {
			return n, err
		}
		_, err = tx.Exec(`INSERT INTO sent_as (message_id, external_id, chunk)
			SELECT message_id, ?, ? FROM outbox WHERE id = ? AND message_id IS NOT NULL ON CONFLICT DO NOTHING`, sent.ID, sent.Index, id)
		return n, err
	})
}

// OutboxText is the whole text that is, or within the last two weeks was, on its way under key. ErrNotFound when it is
// kept no longer, or forgotten.
func (s *Store) OutboxText(ctx context.Context, key string) (text string, err error) {
	err = s.db.ReadOne(ctx, "read what was sent", func(tx *db.Tx) error {
		text, err = db.One(tx.QueryRow(`SELECT coalesce((SELECT m.text FROM messages m WHERE m.id = o.message_id), o.text)
			FROM outbox o WHERE o.key = ?`, key), db.ScanText)
		if err == nil && text == "" {
			err = db.ErrNotFound
		}
		return err
	})
	return text, err
}

// OutFailed notes a failed attempt and its cause; the text is due again at notBefore.
func (s *Store) MarkOutboxFailed(ctx context.Context, id int64, cause string, notBefore time.Time) error {
	return s.changePending(ctx, id, "note a failed sending of", func(tx *db.Tx) (int64, error) {
		return tx.Affect(`UPDATE outbox SET attempts = attempts + 1, last_error = ?, not_before = ?
			WHERE id = ? AND status = 'pending'`, model.CleanText(cause), db.Millis(notBefore), id)
	})
}

// OutDead gives a text up for good: it lets the room's next one pass and is found among the dead letters. A reply is
// still read in its message there; the answer to a command is let go of, as the person can ask again.
func (s *Store) MarkOutboxDead(ctx context.Context, id int64, cause string) error {
	return s.changePending(ctx, id, "give up", func(tx *db.Tx) (int64, error) {
		return tx.Affect(`UPDATE outbox SET status = 'dead', attempts = attempts + 1, text = '', via = '', last_error = ?
			WHERE id = ? AND status = 'pending'`, model.CleanText(cause), id)
	})
}

func (s *Store) changePending(ctx context.Context, id int64, act string, change func(tx *db.Tx) (int64, error)) error {
	return s.db.Write(ctx, fmt.Sprintf("%s outbox row %d", act, id), func(tx *db.Tx) error {
		n, err := change(tx)
		if err == nil && n == 0 {
			err = fmt.Errorf("pending outbox row %d: %w", id, db.ErrNotFound)
		}
		return err
	})
}
