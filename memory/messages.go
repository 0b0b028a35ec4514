package memory

import (
	"context"
	"slices"
)

const messageColumns = `SELECT m.id, m.room_id, m.session_id, m.person_id, coalesce(p.name, m.persona), m.external_id, m.text, m.at
	FROM messages m LEFT JOIN people p ON p.id = m.person_id`

func scanMessage(row scanner) (m Message, err error) {
	err = row.Scan(&m.ID, &m.RoomID, &m.SessionID, intoID(&m.PersonID), &m.Name, &m.ExternalID, &m.Text, intoTime(&m.At))
	return m, err
}

// MemoriesOf are the memories made of messages, in their order; what has none is left out.
func (s *Store) MemoriesOf(ctx context.Context, messages []int64) (memories []int64, err error) {
	err = s.read(ctx, "find what is remembered of messages", func(tx *conn) error {
		in, args := list(messages)
		memories, err = collect[int64](tx.rows(`SELECT s.memory_id FROM memory_sources s JOIN memories m ON m.id = s.memory_id
			WHERE m.origin = 'said' AND s.message_id IN `+in+` ORDER BY s.message_id`, args...))(scanID)
		return err
	})
	return memories, err
}

// Messages are the messages of ids that are on record, oldest first, wherever they were said: for operators.
func (s *Store) Messages(ctx context.Context, ids []int64) (messages []Message, err error) {
	err = s.read(ctx, "read messages", func(tx *conn) error {
		for chunk := range slices.Chunk(distinct(ids), maxList) {
			in, args := list(chunk)
			some, err := collect[Message](tx.rows(messageColumns+` WHERE m.id IN `+in+` ORDER BY m.id`, args...))(scanMessage)
			if err != nil {
				return err
			}
			messages = append(messages, some...)
		}
		return nil
	})
	return messages, err
}
