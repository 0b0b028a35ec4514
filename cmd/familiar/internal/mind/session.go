package mind

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"familiar/cmd/familiar/internal/find"
	"familiar/config"
	"familiar/internal/app"
	"familiar/internal/cli"
	"familiar/memory"
	"familiar/memory/model"
	"familiar/memory/turns"
	"familiar/persona/mind"
	"familiar/persona/session"
)

// NewSession returns the verb `familiar session`.
func NewSession(inv *cli.Invocation) *cobra.Command {
	return cli.Group("session", "Show the sessions of the conversations",
		"Show the sessions of the conversations. A session ends when its room has been silent for session.gap.", newSessionList(inv), newSessionShow(inv))
}

// sessionRow is one session in a list.
type sessionRow struct {
	ID           int64     `json:"id"`
	Parent       int64     `json:"parent,omitempty"`
	Room         string    `json:"room"`
	Started      time.Time `json:"started"`
	Ended        time.Time `json:"ended,omitzero"`
	Messages     int       `json:"messages"`
	Significance float64   `json:"significance"`
	Class        string    `json:"class,omitempty"`
}

func newSessionList(inv *cli.Invocation) *cobra.Command {
	limit := cli.Count(50)
	cmd := &cobra.Command{
		Use: "list", Short: "List sessions, newest first", Args: cobra.NoArgs,
		RunE: inv.OnStore(func(cmd *cobra.Command, _ []string, cfg *config.Config, store *memory.Store) error {
			sessions, err := store.Turns.Sessions(cmd.Context(), turns.SessionFilter{Persona: cfg.Persona, Limit: int(limit)})
			if err != nil {
				return err
			}
			rooms, err := store.Log.Rooms(cmd.Context())
			if err != nil {
				return err
			}
			names := make(map[int64]string, len(rooms))
			for _, r := range rooms {
				names[r.ID] = find.RoomName(r)
			}
			return cli.RenderEach(inv, sessions, func(s model.Session) sessionRow { return newSessionRow(cfg, s, names[s.RoomID]) })
		}),
	}
	cmd.Flags().Var(&limit, "limit", "maximum number of rows")
	return cmd
}

func newSessionRow(cfg *config.Config, s model.Session, room string) sessionRow {
	return sessionRow{
		ID: s.ID, Parent: s.ParentID, Room: room, Started: s.Started.In(cfg.Timezone.Location), Ended: cli.InZone(s.Ended, cfg),
		Messages: s.Messages, Significance: cli.Round(s.Significance), Class: s.Class,
	}
}

// messageRow is one message of a session.
type messageRow struct {
	ID   int64     `json:"id"`
	At   time.Time `json:"at"`
	Who  string    `json:"who"`
	Text string    `json:"text"`
	// Edited is when its text was last changed.
	Edited time.Time `json:"edited,omitzero"`
	// Fault is why the plain voice answered instead of the model.
	Fault string `json:"fault,omitempty"`
	// Usage is what models used for an answer.
	Usage []usedModel `json:"usage,omitempty" show:"below"`
}

func newSessionShow(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "show NUMBER", Short: "Show a session: its significance, its results and its messages", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			n, err := cli.ParseID(cmd, args[0])
			if err != nil {
				return err
			}
			return inv.WithStore(cmd.Context(), func(cfg *config.Config, store *memory.Store) error {
				session, err := store.Turns.Session(cmd.Context(), n)
				if err != nil {
					return cli.WithListHint(cmd, err)
				}
				messages, err := store.Turns.SessionMessages(cmd.Context(), n)
				if err != nil {
					return err
				}
				card, err := app.LoadCard(cfg)
				if err != nil {
					return err
				}
				faults, err := store.Turns.SessionFaults(cmd.Context(), n)
				if err != nil {
					return err
				}
				edits, err := store.Turns.SessionEdits(cmd.Context(), n)
				if err != nil {
					return err
				}
				used, err := store.Turns.SessionUsage(cmd.Context(), n)
				if err != nil {
					return err
				}
				rows := make([]messageRow, 0, len(messages))
				for _, m := range messages {
					who := m.Name
					if m.PersonID == 0 {
						who = card.Name
					}
					rows = append(rows, messageRow{ID: m.ID, At: m.At.In(cfg.Timezone.Location), Who: who, Text: m.Text, Edited: cli.InZone(edits[m.ID], cfg), Fault: faults[m.ID], Usage: usedModels(used[m.ID])})
				}
				detail, err := newSessionDetail(cmd.Context(), cfg, store, session, messages)
				if err != nil {
					return err
				}
				return renderSession(inv, detail, rows)
			})
		},
	}
}

// renderSession shows a session: one JSON object with --json, otherwise its details and then its messages.
func renderSession(inv *cli.Invocation, detail sessionDetail, rows []messageRow) error {
	if inv.JSON {
		return cli.WriteJSON(inv.Out, struct {
			sessionDetail
			Talk []messageRow `json:"talk"`
		}{detail, rows})
	}
	if err := cli.RenderOne(inv, detail); err != nil {
		return err
	}
	if _, err := fmt.Fprintln(inv.Out); err != nil {
		return err
	}
	return cli.Render(inv, rows)
}

// sessionDetail holds the significance of a session by part, and what the session left. The parts are computed from the
// current record.
type sessionDetail struct {
	sessionRow
	Relationship float64  `json:"relationship,omitempty"`
	Learning     float64  `json:"learning,omitempty"`
	Novelty      float64  `json:"novelty,omitempty"`
	Goal         float64  `json:"goal,omitempty"`
	Outcome      float64  `json:"outcome,omitempty"`
	Mood         string   `json:"mood,omitempty"`
	Valence      float64  `json:"valence,omitempty"`
	Energy       float64  `json:"energy,omitempty"`
	Milestones   []string `json:"milestones,omitempty"`
	Summary      string   `json:"summary,omitempty"`
	Moments      []string `json:"moments,omitempty"`
}

func newSessionDetail(ctx context.Context, cfg *config.Config, store *memory.Store, s model.Session, messages []model.Message) (d sessionDetail, err error) {
	room, err := store.Log.RoomByID(ctx, s.RoomID)
	if err != nil {
		return d, err
	}
	d.sessionRow = newSessionRow(cfg, s, find.RoomName(room))
	if s.Ended.IsZero() {
		return d, nil
	}
	tallies, err := store.Turns.Tally(ctx, s)
	if err != nil {
		return d, err
	}
	m := session.Meaning(messages, tallies)
	d.Relationship, d.Learning, d.Novelty = cli.Round(m.Relationship), cli.Round(m.Learning), cli.Round(m.Novelty)
	d.Goal, d.Outcome = cli.Round(m.Goal), cli.Round(m.Outcome)
	left, err := store.Turns.SessionTrace(ctx, s.ID)
	if err != nil {
		return d, err
	}
	for _, w := range left.Words {
		if w.Kind == model.Summary {
			d.Summary = w.Text
		} else {
			d.Moments = append(d.Moments, string(w.Kind)+": "+w.Text)
		}
	}
	for _, reached := range left.Milestones {
		d.Milestones = append(d.Milestones, reached.Kind)
	}
	if felt := left.Mood; !felt.At.IsZero() {
		d.Mood = mind.MoodWord(mind.Mood{Valence: felt.Valence, Energy: felt.Energy})
		d.Valence, d.Energy = cli.Round(felt.Valence), cli.Round(felt.Energy)
	}
	return d, nil
}
