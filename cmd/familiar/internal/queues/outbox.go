// Package queues has the verbs on what waits or did not get through: `familiar outbox` and `familiar inbox`.
package queues

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"familiar/cmd/familiar/internal/find"
	"familiar/config"
	"familiar/internal/app"
	"familiar/internal/cli"
	"familiar/memory"
	"familiar/memory/log"
	"familiar/persona"
)

// NewOutbox returns the verb `familiar outbox`.
func NewOutbox(inv *cli.Invocation) *cobra.Command {
	return cli.Group("outbox", "Show what was not sent, and send dead letters again or drop them",
		"Show the replies that wait to be sent and the dead letters: those that a network refused, that failed for a day, or of\n"+
			"which nobody knows whether they were shown. The person is told at the start of the persona's next reply that an answer\n"+
			"may not have arrived.", newOutboxList(inv), newOutboxShow(inv), newOutboxResend(inv), newOutboxDrop(inv))
}

// outboxRow is one unsent text in a list.
type outboxRow struct {
	ID int64 `json:"id"`
	// State is waiting, dead or dropped.
	State   string    `json:"state"`
	Room    string    `json:"room"`
	Persona string    `json:"persona"`
	Queued  time.Time `json:"queued"`
	// Died is when it was given up.
	Died     time.Time `json:"died,omitzero"`
	Attempts int       `json:"attempts"`
	Reason   string    `json:"reason" show:"below"`
}

// outboxDetail is one text with everything known of it.
type outboxDetail struct {
	outboxRow
	// Chunks is how many parts the network accepted.
	Chunks  int       `json:"parts_sent"`
	Sent    time.Time `json:"sent,omitzero"`
	Dropped time.Time `json:"dropped_by_operator,omitzero"`
	// About is the subject of a message that the persona sent first.
	About   string `json:"about,omitempty"`
	Message int64  `json:"message,omitempty"`
	Text    string `json:"text"`
}

func newOutboxRow(cfg *config.Config, rooms find.RoomNames, o log.OutboxEntry) outboxRow {
	return outboxRow{
		ID: o.ID, State: string(o.State()), Room: rooms.Of(o.Room), Persona: o.Persona, Queued: cli.InZone(o.Created, cfg), Died: cli.InZone(o.Died, cfg),
		Attempts: o.Attempts, Reason: o.LastError,
	}
}

func newOutboxList(inv *cli.Invocation) *cobra.Command {
	dead, key := false, ""
	cmd := &cobra.Command{
		Use: "list", Short: "List what was not sent, oldest first", Args: cobra.NoArgs,
		Long:    "List what was not sent by the personas that are served, oldest first.",
		Example: "  familiar outbox list\n  familiar outbox list --dead",
		RunE: inv.OnStore(func(cmd *cobra.Command, _ []string, cfg *config.Config, store *memory.Store) error {
			read := store.Log.Unsent
			if dead {
				read = store.Log.DeadLetters
			}
			letters, err := unsentOf(cmd.Context(), cfg, key, read)
			if err != nil {
				return err
			}
			rooms, err := find.ReadRoomNames(cmd.Context(), store)
			if err != nil {
				return err
			}
			return cli.RenderEach(inv, letters, func(o log.OutboxEntry) outboxRow { return newOutboxRow(cfg, rooms, o) })
		}),
	}
	cmd.Flags().BoolVar(&dead, "dead", false, "only dead letters")
	cli.PersonaFlag(cmd, inv, &key, "only those of the persona with this `KEY`, served or not")
	return cmd
}

// unsentOf reads texts of the persona with that key, or of all that are served, oldest first.
func unsentOf(ctx context.Context, cfg *config.Config, key string, read func(context.Context, string) ([]log.OutboxEntry, error)) ([]log.OutboxEntry, error) {
	if key != "" {
		return read(ctx, key)
	}
	all, err := cli.OfServed(ctx, cfg, read)
	slices.SortFunc(all, func(a, b log.OutboxEntry) int { return cmp.Compare(a.ID, b.ID) })
	return all, err
}

func newOutboxShow(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "show NUMBER", Short: "Show a text and why it was not sent", Args: cobra.ExactArgs(1),
		RunE: onRow(inv, func(ctx context.Context, cfg *config.Config, store *memory.Store, id int64) error {
			o, err := store.Log.Outbox(ctx, id)
			if err != nil {
				return err
			}
			rooms, err := find.ReadRoomNames(ctx, store)
			if err != nil {
				return err
			}
			return cli.RenderOne(inv, outboxDetail{
				outboxRow: newOutboxRow(cfg, rooms, o), Chunks: o.ChunksSent, Sent: cli.InZone(o.Sent, cfg), Dropped: cli.InZone(o.Dropped, cfg),
				About: o.ProactiveSubject, Message: o.MessageID, Text: o.Text,
			})
		}),
	}
}

func newOutboxResend(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "resend NUMBER", Short: "Send a dead letter again", Args: cobra.ExactArgs(1),
		Long: "Queue a dead letter again, also while the bot runs. Parts that the network accepted are not repeated. A part of which\n" +
			"nobody knows whether it was shown may be shown twice on networks without idempotency keys, such as Telegram.",
		Example: "  familiar outbox resend 12",
		RunE: onRow(inv, func(ctx context.Context, cfg *config.Config, store *memory.Store, id int64) error {
			if _, err := store.Log.ResendOutbox(ctx, id); err != nil {
				return err
			}
			return sayQueued(inv, cfg, id, "sent")
		}),
	}
}

func newOutboxDrop(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "drop NUMBER", Short: "Drop a dead letter for good", Args: cobra.ExactArgs(1),
		Long: "Drop a dead letter for good. Its text is deleted, here and in the persona's memory, and the person is not told. The row\n" +
			"says for a month that it was dropped.",
		RunE: onRow(inv, func(ctx context.Context, _ *config.Config, store *memory.Store, id int64) error {
			if err := store.Eraser.DropLetter(ctx, id); err != nil {
				return err
			}
			return sayChanged(inv, id, "dropped", "%d is dropped", id)
		}),
	}
}

// onRow is the RunE of a verb that works on the row whose number is its argument.
func onRow(inv *cli.Invocation, do func(ctx context.Context, cfg *config.Config, store *memory.Store, id int64) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		id, err := cli.ParseID(cmd, args[0])
		if err != nil {
			return err
		}
		return cli.WithListHint(cmd, inv.WithStore(cmd.Context(), func(cfg *config.Config, store *memory.Store) error {
			return do(cmd.Context(), cfg, store, id)
		}))
	}
}

// sayQueued says when a row that was queued again is sent, or answered.
func sayQueued(inv *cli.Invocation, cfg *config.Config, id int64, done string) error {
	if app.IsServed(cfg.Home.Lock()) {
		return sayChanged(inv, id, "queued", "%d is queued again; the running bot takes it up within %d seconds", id, int(persona.QueueCheck.Seconds()))
	}
	return sayChanged(inv, id, "queued", "%d is queued again; it is %s when the bot is started", id, done)
}

// sayChanged says what became of a row.
func sayChanged(inv *cli.Invocation, id int64, state, format string, args ...any) error {
	return cli.RenderDone(inv, struct {
		ID    int64  `json:"id"`
		State string `json:"state"`
	}{id, state}, format, args...)
}
