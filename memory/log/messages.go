package log

import (
	"context"
	"slices"
	"time"

	"familiar/channels"
	"familiar/memory/internal/db"
	"familiar/memory/model"
)

// SelectMessages selects the columns that ScanMessage reads, from messages m.
const SelectMessages = `SELECT m.id, m.room_id, m.session_id, m.person_id, coalesce(p.name, m.persona), m.external_id, m.text, m.at,
	m.analysis, m.analysis_version
	FROM messages m LEFT JOIN people p ON p.id = m.person_id`

// ScanMessage scans a row of SelectMessages.
func ScanMessage(row db.Scanner) (m model.Message, err error) {
	err = row.Scan(&m.ID, &m.RoomID, &m.SessionID, db.IntoID(&m.PersonID), &m.Name, &m.ExternalID, &m.Text, db.IntoTime(&m.At),
		&m.Stored.JSON, &m.Stored.Version)
	return m, err
}

// MemoriesFromMessages returns the IDs of the memories made from messages, in the order of the message IDs. Messages
// without a memory are left out.
func (s *Store) MemoriesFromMessages(ctx context.Context, messages []int64) (memories []int64, err error) {
	err = s.db.Read(ctx, "find the memories of messages", func(tx *db.Tx) error {
		memories, err = MemoriesFromMessages(tx, messages)
		return err
	})
	return memories, err
}

// MemoriesFromMessages is Store.MemoriesFromMessages within a transaction.
func MemoriesFromMessages(tx *db.Tx, messages []int64) ([]int64, error) {
	in, args := db.Placeholders(messages)
	return db.Collect[int64](tx.Query(`SELECT s.memory_id FROM memory_sources s JOIN memories m ON m.id = s.memory_id
		WHERE m.origin = 'said' AND s.message_id IN `+in+` ORDER BY s.message_id, s.memory_id`, args...))(db.ScanID)
}

// Messages returns the stored messages with these IDs from any room, oldest first. It is for operators.
func (s *Store) Messages(ctx context.Context, ids []int64) (messages []model.Message, err error) {
	err = s.db.Read(ctx, "read messages", func(tx *db.Tx) error {
		for chunk := range slices.Chunk(db.Distinct(ids), db.MaxArgs) {
			in, args := db.Placeholders(chunk)
			some, err := db.Collect[model.Message](tx.Query(SelectMessages+` WHERE m.id IN `+in+` ORDER BY m.id`, args...))(ScanMessage)
			if err != nil {
				return err
			}
			messages = append(messages, some...)
		}
		return nil
	})
	return messages, err
}

// Known returns which of these network ids the messages of a room have, those that were forgotten included.
func (s *Store) Known(ctx context.Context, persona string, room channels.Room, ids []string) (known map[string]bool, err error) {
	known = make(map[string]bool, len(ids))
	err = s.db.Read(ctx, "find known messages in "+room.Channel, func(tx *db.Tx) error {
		for chunk := range slices.Chunk(ids, db.MaxArgs) {
			in, args := db.Placeholders(chunk)
			found, err := db.Collect[string](tx.Query(`SELECT m.external_id FROM messages m JOIN rooms r ON r.id = m.room_id
				WHERE m.persona = ? AND r.channel = ? AND r.room = ? AND r.thread = ? AND m.external_id IN `+in,
				append([]any{persona, room.Channel, room.ID, room.Thread}, args...)...))(db.ScanText)
			if err != nil {
				return err
			}
			for _, id := range found {
				known[id] = true
			}
		}
		return nil
	})
	return known, err
}

// CountAnswers counts persona's answers in a group since a time, in all its threads: to all people, and to the person
// who owns the handle. A person who is waiting for an answer counts as one answer, so that many people who ask at once
// do not all get the day's last answer. Answers to commands do not count.
func (s *Store) CountAnswers(ctx context.Context, persona string, room channels.Room, h channels.Handle, since time.Time) (all, theirs int, err error) {
	err = s.db.Read(ctx, "count answers on "+room.Channel, func(tx *db.Tx) error {
		if err := tx.QueryRow(`SELECT count(*), count(CASE WHEN EXISTS (SELECT 1 FROM handles h
				WHERE h.channel = ? AND h.handle = ? AND h.person_id = t.person_id) THEN 1 END)
			FROM rooms r JOIN sessions s ON s.persona = ? AND s.room_id = r.id AND s.last_at >= ?
			JOIN messages m ON m.session_id = s.id AND m.person_id IS NULL AND m.at >= ?
			JOIN turns t ON t.reply_id = m.id
			WHERE r.channel = ? AND r.room = ?`,
			h.Channel, h.ID, persona, db.Millis(since), db.Millis(since), room.Channel, room.ID).Scan(&all, &theirs); err != nil {
			return err
		}
		var waiting, waits int
		err := tx.QueryRow(`SELECT count(DISTINCT author_handle), count(DISTINCT CASE WHEN author_handle = ? THEN 1 END) FROM inbox
			WHERE status = 'pending' AND persona = ? AND channel = ? AND room = ?`, h.ID, persona, room.Channel, room.ID).Scan(&waiting, &waits)
		all, theirs = all+waiting, theirs+waits
		return err
	})
	return all, theirs, err
}
