package memory

import (
	"context"
	"fmt"
)

// CommandAnswer answers one command a person gave.
type CommandAnswer struct {
	Persona string
	InboxID int64
	Room    Room
	// Key is the answer's idempotency key.
	Key  string
	Text string
}

// AnswerCommand queues the answer and marks the command as dealt with, in one transaction. Neither the command nor its
// answer becomes a message or a memory.
func (s *Store) AnswerCommand(ctx context.Context, a CommandAnswer) error {
	return s.write(ctx, fmt.Sprintf("answer command %s", a.Key), func(tx *conn) error {
		if _, err := tx.enqueue(a.Persona, a.Room.ID, 0, a.Key, a.Text, ""); err != nil {
			return err
		}
		return tx.inboxDone(a.InboxID)
	})
}
