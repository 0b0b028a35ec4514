package log

import (
	"context"
	"slices"

	"familiar/memory/internal/db"
	"familiar/memory/model"
)

const SelectMessages = `SELECT m.id, m.room_id, m.session_id, m.person_id, coalesce(p.name, m.persona), m.external_id, m.text, m.at
	FROM messages m LEFT JOIN people p ON p.id = m.person_id`

func ScanMessage(row db.Scanner) (m model.Message, err error) {
	err = row.Scan(&m.ID, &m.RoomID, &m.SessionID, db.IntoID(&m.PersonID), &m.Name, &m.ExternalID, &m.Text, db.IntoTime(&m.At))
	return m, err
}

// MemoriesFromMessages are the memories made of messages, in their order; what has none is left out.
func (s *Store) MemoriesFromMessages(ctx context.Context, messages []int64) (memories []int64, err error) {
	err = s.db.Read(ctx, "find what is remembered of messages", func(tx *db.Tx) error {
		in, args := db.Placeholders(messages)
		memories, err = db.Collect[int64](tx.Query(`SELECT s.memory_id FROM memory_sources s JOIN memories m ON m.id = s.memory_id
			WHERE m.origin = 'said' AND s.message_id IN `+in+` ORDER BY s.message_id`, args...))(db.ScanID)
		return err
	})
	return memories, err
}

// Messages are the messages of ids that are on record, oldest first, wherever they were said: for operators.
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
