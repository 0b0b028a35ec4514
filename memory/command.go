package memory

import (
	"context"
	"fmt"
	"slices"
)

// CommandAnswer answers one command a person gave.
type CommandAnswer struct {
	Persona string
	InboxID int64
	Room    Room
	// Key is the answer's idempotency key.
	Key  string
	Text string
	// Via is what the channel wants back with it, see channels.Message.
	Via string
	// Memories, Beliefs and Loops are those the text shows: forgotten before it is sent, they take it with them.
	Memories, Beliefs, Loops []int64
}

// AnswerCommand queues the answer and marks the command as dealt with, in one transaction. Neither the command nor its
// answer becomes a message or a memory.
func (s *Store) AnswerCommand(ctx context.Context, a CommandAnswer) error {
	return s.write(ctx, fmt.Sprintf("answer command %s", a.Key), func(tx *conn) error { return tx.answerCommand(a) })
}

func (c *conn) answerCommand(a CommandAnswer) error {
	id, err := c.enqueue(a.Persona, a.Room.ID, 0, Reply{Key: a.Key, Text: a.Text, Via: a.Via})
	if err != nil {
		return err
	}
	shown, err := c.memoriesShown(a)
	if err != nil {
		return err
	}
	rows := make([][]any, len(shown))
	for i, memory := range shown {
		rows[i] = []any{id, memory}
	}
	if err := c.insertRows("outbox_sources (outbox_id, memory_id)", rows); err != nil {
		return fmt.Errorf("keep what it shows: %w", err)
	}
	return c.inboxDone(a.InboxID)
}

// memoriesShown are the memories an answer shows, those its beliefs and loops rest on among them, each once.
func (c *conn) memoriesShown(a CommandAnswer) ([]int64, error) {
	beliefs, args := list(a.Beliefs)
	loops, loopArgs := list(a.Loops)
	under, err := collect[int64](c.rows(`SELECT DISTINCT s.memory_id FROM memory_sources s
		WHERE s.message_id IN (SELECT message_id FROM belief_evidence WHERE belief_id IN `+beliefs+`
			UNION SELECT message_id FROM open_loop_sources WHERE loop_id IN `+loops+`)`,
		slices.Concat(args, loopArgs)...))(scanID)
	return distinct(slices.Concat(a.Memories, under)), err
}
