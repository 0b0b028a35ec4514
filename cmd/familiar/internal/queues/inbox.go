package queues

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"familiar/cmd/familiar/internal/find"
	"familiar/config"
	"familiar/internal/cli"
	"familiar/memory"
	"familiar/memory/log"
)

// NewInbox returns the verb `familiar inbox`.
func NewInbox(inv *cli.Invocation) *cobra.Command {
	return cli.Group("inbox", "Show messages that could not be answered, and answer them after all or drop them",
		"Show the messages that were set aside because every attempt at an answer failed. The log has the errors. After an update,\n"+
			"they can be answered after all.", newInboxList(inv), newInboxRetry(inv), newInboxDrop(inv))
}

// inboxRow is one message that was set aside.
type inboxRow struct {
	ID       int64     `json:"id"`
	Room     string    `json:"room"`
	From     string    `json:"from"`
	Received time.Time `json:"received"`
	// Died is when it was set aside.
	Died     time.Time `json:"died"`
	Attempts int       `json:"attempts"`
	Text     string    `json:"text" show:"below"`
	Reason   string    `json:"reason" show:"below"`
}

func newInboxList(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the messages that were set aside, oldest first", Args: cobra.NoArgs,
		RunE: inv.OnStore(func(cmd *cobra.Command, _ []string, cfg *config.Config, store *memory.Store) error {
			dead, err := cli.OfServed(cmd.Context(), cfg, store.Log.DeadMessages)
			if err != nil {
				return err
			}
			rooms, err := find.ReadRoomNames(cmd.Context(), store)
			if err != nil {
				return err
			}
			return cli.RenderEach(inv, dead, func(d log.DeadMessage) inboxRow {
				return inboxRow{
					ID: d.ID, Room: rooms.At(d.Message.Room), From: d.Message.Author.Name, Received: cli.InZone(d.Received, cfg),
					Died: cli.InZone(d.Died, cfg), Attempts: d.Attempts, Text: d.Message.FullText(), Reason: d.LastError,
				}
			})
		}),
	}
}

func newInboxRetry(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "retry NUMBER", Short: "Answer a message after all", Args: cobra.ExactArgs(1),
		Long: "Queue a message again that was set aside, also while the bot runs. It is tried as often as a new one.",
		RunE: onRow(inv, func(ctx context.Context, cfg *config.Config, store *memory.Store, id int64) error {
			if err := store.Log.RetryInbox(ctx, id); err != nil {
				return err
			}
			return sayQueued(inv, cfg, id, "answered")
		}),
	}
}

func newInboxDrop(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "drop NUMBER", Short: "Drop a message that was set aside", Args: cobra.ExactArgs(1),
		Long: "Drop a message that was set aside. Its content is deleted, and it is never answered.",
		RunE: onRow(inv, func(ctx context.Context, _ *config.Config, store *memory.Store, id int64) error {
			if err := store.Log.DropInbox(ctx, id); err != nil {
				return err
			}
			return sayChanged(inv, id, "dropped", "%d is dropped", id)
		}),
	}
}
