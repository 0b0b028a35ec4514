package dashboard

import (
	"errors"
	"time"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"familiar/config"
	"familiar/internal/cli"
	"familiar/memory"
	"familiar/memory/login"
)

// sessionRow is one browser that is signed in.
type sessionRow struct {
	ID   int64  `json:"id"`
	Role string `json:"role"`
	// Person is whose page it shows, "" for the dashboard.
	Person   string    `json:"person,omitempty"`
	Persona  string    `json:"persona,omitempty"`
	Browser  string    `json:"browser"`
	Created  time.Time `json:"created"`
	LastUsed time.Time `json:"last_used"`
	Expires  time.Time `json:"expires"`
}

func newSessions(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "sessions", Aliases: []string{"list"}, Short: "List the browsers that are signed in to the dashboard", Args: cobra.NoArgs,
		RunE: inv.OnNewStore(func(cmd *cobra.Command, _ []string, cfg *config.Config, store *memory.Store) error {
			all, err := store.Logins.List(cmd.Context())
			if err != nil {
				return err
			}
			var rows []sessionRow
			for _, s := range all {
				row := sessionRow{
					ID: s.ID, Role: string(s.Role), Persona: s.Persona, Browser: s.Browser,
					Created: cli.InZone(s.Created, cfg), LastUsed: cli.InZone(s.LastUsed, cfg), Expires: cli.InZone(s.Expires, cfg),
				}
				if s.Role == login.Person {
					p, err := store.Log.Person(cmd.Context(), s.PersonID)
					if err != nil && !errors.Is(err, memory.ErrNotFound) { // erased meanwhile
						return err
					}
					row.Person = p.Name
				}
				rows = append(rows, row)
			}
			return cli.Render(inv, rows)
		}),
	}
}

// endedRow says how many browsers were signed out.
type endedRow struct {
	Ended int `json:"ended"`
}

func newEnd(inv *cli.Invocation) *cobra.Command {
	var all bool
	cmd := &cobra.Command{
		Use: "end [NUMBER]", Short: "Sign a browser out, or all of them", Args: cobra.MaximumNArgs(1),
		Long: "Sign a browser out, by the number that `familiar dashboard sessions` shows, or all of them. What a page shows is not updated\n" +
			"any more within seconds, and its next request is refused. With --all, links that were not used yet stop working too.",
		RunE: inv.OnNewStore(func(cmd *cobra.Command, args []string, _ *config.Config, store *memory.Store) error {
			if all == (len(args) > 0) {
				return cli.Usage(cmd, errors.New("name one number, or --all"))
			}
			if all {
				n, err := store.Logins.EndAll(cmd.Context())
				if err != nil {
					return err
				}
				return cli.RenderDone(inv, endedRow{n}, "%s signed out.", english.Plural(n, "browser was", "browsers were"))
			}
			id, err := cli.ParseID(cmd, args[0])
			if err != nil {
				return err
			}
			if _, err := store.Logins.End(cmd.Context(), id); err != nil {
				return cli.WithListHint(cmd, err)
			}
			return cli.RenderDone(inv, endedRow{1}, "Browser %d was signed out.", id)
		}),
	}
	cmd.Flags().BoolVar(&all, "all", false, "sign all browsers out, and make unused links invalid")
	return cmd
}
