package memory

import "context"

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
