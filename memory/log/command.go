package log

import (
	"context"
	"fmt"
	"slices"

	"familiar/memory/internal/db"
	"familiar/memory/model"
)

// CommandAnswer is the answer to a person's command.
type CommandAnswer struct {
	Persona string
	InboxID int64
	Room    model.Room
	// Key is the answer's idempotency key.
	Key  string
	Text string
	// OneTime reports that Text has a one-time link, which is redacted once it is sent.
	OneTime bool
	// ReplyData is what the channel needs for its reply; see channels.Message.
	ReplyData string
	// Ask is the question that it puts with buttons, nil for none.
	Ask *model.Ask
	// Memories, Beliefs and Loops are the IDs that the text shows. Forgetting one of them before the answer is sent
	// deletes the answer too.
	Memories, Beliefs, Loops []int64
}

// AnswerCommand queues the answer and marks the command as done in one transaction. Neither the command nor its answer
// becomes a message or a memory.
func (s *Store) AnswerCommand(ctx context.Context, a CommandAnswer) error {
	return s.db.Write(ctx, fmt.Sprintf("answer command %s", a.Key), func(tx *db.Tx) error { return AnswerCommand(tx, a) })
}

// DismissCommand marks a command that gets no answer as done. It fails with ErrNotFound if the command is not pending.
func (s *Store) DismissCommand(ctx context.Context, inbox int64) error {
	return s.db.Write(ctx, fmt.Sprintf("dismiss command %d", inbox), func(tx *db.Tx) error { return MarkInboxDone(tx, inbox) })
}

// AnswerCommand is Store.AnswerCommand in the running transaction.
func AnswerCommand(tx *db.Tx, a CommandAnswer) error {
	id, err := Enqueue(tx, a.Persona, a.Room.ID, 0, model.Reply{Key: a.Key, Text: a.Text, ReplyData: a.ReplyData, Ask: a.Ask, OneTime: a.OneTime})
	if err != nil {
		return err
	}
	shown, err := shownMemories(tx, a)
	if err != nil {
		return err
	}
	rows := make([][]any, len(shown))
	for i, memory := range shown {
		rows[i] = []any{id, memory}
	}
	if err := tx.InsertRows("outbox_sources (outbox_id, memory_id)", rows); err != nil {
		return fmt.Errorf("store the memories shown: %w", err)
	}
	return MarkInboxDone(tx, a.InboxID)
}

// shownMemories returns the memories that an answer shows, including those that its beliefs and loops are based on,
// without duplicates.
func shownMemories(tx *db.Tx, a CommandAnswer) ([]int64, error) {
	beliefs, args := db.Placeholders(a.Beliefs)
	loops, loopArgs := db.Placeholders(a.Loops)
	under, err := db.Collect[int64](tx.Query(`SELECT DISTINCT s.memory_id FROM memory_sources s
		WHERE s.message_id IN (SELECT message_id FROM belief_evidence WHERE belief_id IN `+beliefs+`
			UNION SELECT message_id FROM open_loop_sources WHERE loop_id IN `+loops+`)`,
		slices.Concat(args, loopArgs)...))(db.ScanID)
	return db.Distinct(slices.Concat(a.Memories, under)), err
}
