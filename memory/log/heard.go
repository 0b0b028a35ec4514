package log

import (
	"context"
	"encoding/json"
	"fmt"

	"familiar/channels"
	"familiar/memory/internal/db"
)

// SetHearing stores what became of the recording at a place in a message, with its words, for all personas for which the message is still
// pending. It does nothing where the message was changed meanwhile: then it has another recording, or none. The words are stored
// without the secrets in them, as if they had been written.
func (s *Store) SetHearing(ctx context.Context, said channels.Message, place int, h channels.Hearing, words string) error {
	return s.db.Write(ctx, "store what is said in message "+said.ID, func(tx *db.Tx) error {
		rows, err := pendingCopies(tx, said)
		if err != nil {
			return err
		}
		for _, row := range rows {
			if !sameRecording(row.Message, said, place) {
				continue
			}
			payload, err := EncodePayload(row.Message.WithSpeech(place, h, words))
			if err != nil {
				return fmt.Errorf("inbox row %d: %w", row.ID, err)
			}
			if _, err := tx.Exec(`UPDATE inbox SET payload = ? WHERE id = ? AND status = 'pending'`, payload, row.ID); err != nil {
				return err
			}
		}
		return nil
	})
}

// AwaitsReply reports whether a persona for which a message is pending is to answer it.
func (s *Store) AwaitsReply(ctx context.Context, m channels.Message) (awaits bool, err error) {
	err = s.db.Read(ctx, "find who answers message "+m.ID, func(tx *db.Tx) error {
		rows, err := pendingCopies(tx, m)
		for _, row := range rows {
			awaits = awaits || row.Message.Addressed
		}
		return err
	})
	return awaits, err
}

// pendingCopies returns a message as all personas have it for which it is pending.
func pendingCopies(tx *db.Tx, m channels.Message) ([]InboxEntry, error) {
	return db.Collect[InboxEntry](tx.Query(`SELECT id, payload FROM inbox
		WHERE status = 'pending' AND channel = ? AND room = ? AND thread = ? AND event_id = ?`,
		m.Room.Channel, m.Room.ID, m.Room.Thread, m.ID))(func(row db.Scanner) (h InboxEntry, err error) {
		if err = row.Scan(&h.ID, &h.payload); err == nil {
			err = json.Unmarshal(h.payload, &h.Message)
		}
		return h, err
	})
}

// sameRecording reports whether a and b have the same recording at a place, and nobody has listened to that of a.
func sameRecording(a, b channels.Message, place int) bool {
	return place < len(a.Attachments) && a.Attachments[place].Hearing == channels.Unheard &&
		a.Attachments[place].Ref == b.Attachments[place].Ref && a.Attachments[place].Path == b.Attachments[place].Path
}
