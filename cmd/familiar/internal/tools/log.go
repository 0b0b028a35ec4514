package tools

import (
	"time"

	"github.com/spf13/cobra"

	"familiar/cmd/familiar/internal/find"
	"familiar/config"
	"familiar/internal/cli"
	"familiar/memory"
	"familiar/memory/toolcall"
)

// callRow is one call in the log.
type callRow struct {
	ID      int64     `json:"id"`
	At      time.Time `json:"at"`
	Persona string    `json:"persona"`
	Person  string    `json:"person"`
	Room    string    `json:"room"`
	Tool    string    `json:"tool"`
	// Within is the call of delegate whose helper made this one.
	Within  int64  `json:"within,omitempty"`
	Gate    string `json:"gate"`
	Outcome string `json:"outcome"`
	// Took is in seconds, Tokens is what the result took of the prompt and what models used for it.
	Took      float64 `json:"seconds"`
	Tokens    int     `json:"tokens"`
	Reason    string  `json:"reason,omitempty" show:"below"`
	Arguments string  `json:"arguments,omitempty" show:"below"`
}

// logRows is how many calls are listed unless --limit says otherwise.
const logRows = 50

func newToolLog(inv *cli.Invocation) *cobra.Command {
	var key, who, name string
	limit := cli.Count(logRows)
	cmd := &cobra.Command{
		Use: "log", Short: "List the calls that models asked for", Args: cobra.NoArgs,
		Long: "List the calls of tools that models asked for, the latest first: those that were made and those that were refused. Arguments\n" +
			"are shown without secrets and cut. Calls are kept for 90 days; those of a person who is erased go with them.",
		Example: "  familiar tool log\n  familiar tool log --person Ana --tool web_fetch",
		RunE: inv.OnStore(func(cmd *cobra.Command, _ []string, cfg *config.Config, store *memory.Store) error {
			person, err := find.PersonID(cmd.Context(), store, cfg.Persona, who)
			if err != nil {
				return err
			}
			calls, err := store.ToolCalls.List(cmd.Context(), toolcall.Filter{Persona: key, Person: person, Tool: name, Limit: int(limit)})
			if err != nil {
				return err
			}
			rows, err := callRows(cmd, cfg, store, calls)
			if err != nil {
				return err
			}
			return cli.Render(inv, rows)
		}),
	}
	cli.PersonaFlag(cmd, inv, &key, "only calls of the persona with this `KEY`")
	find.PersonFlag(cmd, &who, "only calls for one person")
	cmd.Flags().StringVar(&name, "tool", "", "only calls of the tool with this `NAME`")
	cmd.Flags().Var(&limit, "limit", "maximum number of rows")
	return cmd
}

// callRows names the people and rooms of calls.
func callRows(cmd *cobra.Command, cfg *config.Config, store *memory.Store, calls []toolcall.Call) (rows []callRow, err error) {
	rooms, err := store.Log.Rooms(cmd.Context())
	if err != nil {
		return nil, err
	}
	roomNames := make(map[int64]string, len(rooms))
	for _, r := range rooms {
		roomNames[r.ID] = find.RoomName(r)
	}
	people, err := store.Log.People(cmd.Context())
	if err != nil {
		return nil, err
	}
	names := make(map[int64]string, len(people))
	for _, p := range people {
		names[p.ID] = p.Name
	}
	for _, c := range calls {
		rows = append(rows, callRow{
			ID: c.ID, At: cli.InZone(c.At, cfg), Persona: c.Persona, Person: names[c.Person], Room: roomNames[c.Room], Tool: c.Tool, Within: c.Parent, Gate: c.Gate,
			Outcome: string(c.Outcome), Took: cli.Round(c.Took.Seconds()), Tokens: c.Tokens, Reason: c.Reason, Arguments: c.Arguments,
		})
	}
	return rows, nil
}
