package memory

import (
	"context"
	"fmt"
	"slices"
)

const messageColumns = `SELECT m.id, m.room_id, m.session_id, m.person_id, coalesce(p.name, m.persona), m.external_id, m.text, m.at
	FROM messages m LEFT JOIN people p ON p.id = m.person_id`

func scanMessage(row scanner) (m Message, err error) {
	err = row.Scan(&m.ID, &m.RoomID, &m.SessionID, intoID(&m.PersonID), &m.Name, &m.ExternalID, &m.Text, intoTime(&m.At))
	return m, err
}

// Recent is the latest talk in the room being spoken in, the persona's own words included, oldest first. What was
// forgotten and what had no text is left out; 50 messages when limit is 0. The persona's Name is its key.
func (s *Store) Recent(ctx context.Context, h Hearing, limit int) (messages []Message, err error) {
	err = s.read(ctx, "read the recent talk", func(tx *conn) error {
		messages, err = collect[Message](tx.rows(messageColumns+`
			WHERE m.persona = ? AND m.room_id = ? AND m.text <> '' ORDER BY m.id DESC LIMIT ?`,
			h.persona, h.room.ID, limitOr(limit, 50)))(scanMessage)
		return err
	})
	slices.Reverse(messages)
	return messages, err
}

// Message is one message whatever room it was said in: for operators and jobs. ErrNotFound when there is none.
func (s *Store) Message(ctx context.Context, id int64) (m Message, err error) {
	err = s.read(ctx, fmt.Sprintf("read message %d", id), func(tx *conn) error {
		m, err = one(tx.row(messageColumns+` WHERE m.id = ?`, id), scanMessage)
		return err
	})
	return m, err
}
