package memories

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"familiar/cmd/familiar/internal/jobs"
	"familiar/internal/app"
	"familiar/internal/cli"
	"familiar/persona/session"
)

// filedRow is one item that a model read in a session.
type filedRow struct {
	Session  int64  `json:"session"`
	State    string `json:"state"`
	Relation string `json:"relation"`
	Value    string `json:"value"`
	Sentence string `json:"sentence,omitempty"`
	Quote    string `json:"quote"`
	Reason   string `json:"reason,omitempty"`
}

func newMemoryRefine(inv *cli.Invocation) *cobra.Command {
	var dry bool
	var only int64
	cmd := &cobra.Command{
		Use: "refine", Short: "Let the model read what was said and file it, as the job does", Args: cobra.NoArgs,
		Long: "Let the model read what nobody has read yet and file what people told, as the job refine does.\n\n" +
			"With --dry-run nothing is stored. Each item is shown as the model would file it: new, the same as or a change or the end\n" +
			"of something known, unconfirmed if only a first reading says so, or rejected, with the reason and the quote. The model is\n" +
			"asked, which costs tokens. With --session, one session is read from its beginning.",
		Example: "  familiar memory refine --dry-run --session 12",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !dry {
				if only != 0 {
					return errors.New("--session needs --dry-run: the job reads every session that is unread")
				}
				return jobs.Run(cmd.Context(), inv, "refine", "")
			}
			return previewRefine(cmd.Context(), inv, only)
		},
	}
	cli.DryRunFlag(cmd, &dry)
	cmd.Flags().Int64Var(&only, "session", 0, "read this `session`, whether it was read or not")
	return cmd
}

// previewRefine shows what the model would file of a session, of all unread ones for 0.
func previewRefine(ctx context.Context, inv *cli.Invocation, only int64) error {
	return cli.WithApp(ctx, inv, func(a *app.App) error {
		if a.Model == nil {
			return cli.NoneConfigured("memory refine", "a model")
		}
		sessions := []int64{only}
		if only == 0 {
			unread, err := a.Store.Turns.UnreadSessions(ctx, a.Card.Key, inv.Now(), 0)
			if err != nil {
				return err
			}
			sessions = sessions[:0]
			for _, s := range unread {
				sessions = append(sessions, s.ID)
			}
		}
		manager := a.Engine(a.Settings()).Sessions()
		rows := []filedRow{}
		for _, id := range sessions {
			items, err := manager.PreviewSession(ctx, id, only != 0)
			if err != nil {
				return err
			}
			for _, item := range items {
				rows = append(rows, newFiledRow(id, item))
			}
		}
		return cli.Render(inv, rows)
	})
}

func newFiledRow(id int64, item session.Item) filedRow {
	return filedRow{
		Session: id, State: item.State, Relation: item.Relation, Value: item.Value, Sentence: item.Sentence, Quote: item.Quote,
		Reason: item.Reason,
	}
}
