// Package watches has the verbs on the session files of other programs: `familiar capture` and `familiar watch`.
package watches

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"familiar/config"
	"familiar/internal/app"
	"familiar/internal/cli"
	"familiar/memory"
	"familiar/memory/log"
	"familiar/persona/card"
	"familiar/persona/follow"
	"familiar/persona/imports"
)

// NewWatch returns the verb `familiar watch`.
func NewWatch(inv *cli.Invocation) *cobra.Command {
	return cli.Group("watch", "Follow the session files of other programs",
		"Follow directories in which other programs write sessions, such as Claude Code and Codex: what is said there is remembered\n"+
			"as by `familiar capture`, while the files grow. `familiar run` follows them all the time; a new watch is noticed within\n"+
			"seconds. Where nothing runs, `familiar watch once` reads what is new. How far each file was read is kept in the database.",
		newAdd(inv), newList(inv), newRemove(inv), newOnce(inv), newRun(inv))
}

// watchRow is one watch in a list.
type watchRow struct {
	ID      int64     `json:"id"`
	Dir     string    `json:"dir" show:"below"`
	Format  string    `json:"format"`
	Pattern string    `json:"pattern"`
	Person  string    `json:"person"`
	Persona string    `json:"persona"`
	Files   int       `json:"files"`
	Stored  int       `json:"messages"`
	Latest  time.Time `json:"latest,omitzero"`
	Problem string    `json:"problem,omitempty" show:"below"`
}

func newAdd(inv *cli.Invocation) *cobra.Command {
	var as, key, pattern string
	format := cli.Choice{Of: imports.SessionFormats()}
	cmd := &cobra.Command{
		Use: "add DIR", Short: "Follow the session files in a directory and below it",
		Long: "Follow the session files in a directory and below it, also in folders that are added later. Links are not followed.\n\n" +
			formatsHelp + "\nFiles that exist are read too, each once.",
		Example: "  familiar watch add ~/.claude/projects --format claude-code --as Ann\n" +
			"  familiar watch add ~/notes/talks --format markdown --pattern 'talk-*.md'",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if format.Value == "" {
				return cli.Usage(cmd, fmt.Errorf("name the format of the files with --format: %s", strings.Join(format.Of, ", ")))
			}
			pattern = cmp.Or(pattern, imports.SessionPattern(format.Value))
			if _, err := path.Match(pattern, ""); err != nil {
				return cli.Usage(cmd, fmt.Errorf("--pattern %q: %w", pattern, err))
			}
			dir, err := directory(args[0])
			if err != nil {
				return err
			}
			return inv.EnsureStore(cmd.Context(), func(cfg *config.Config, store *memory.Store) error {
				_, src, err := sourceOf(cmd.Context(), inv, cfg, store, key, as)
				if err != nil {
					return err
				}
				w := log.Watch{Persona: src.Persona, PersonID: src.PersonID, Account: src.Author.Handle, Dir: dir, Format: format.Value, Pattern: pattern}
				if w.ID, err = store.Log.AddWatch(cmd.Context(), w); err != nil {
					return err
				}
				if !app.IsServed(cfg.Home.Lock()) {
					inv.Note("nothing serves this home: `familiar run` follows the directory, `familiar watch once` reads it now")
				}
				return cli.RenderDone(inv, newRow(w, src.Author.Name), "watch %d follows %s", w.ID, dir)
			})
		},
	}
	cli.ChoiceFlag(cmd, &format, "format", "the format of the files")
	asFlag(cmd, &as)
	cli.PersonaFlag(cmd, inv, &key, "the `KEY` of the persona that remembers (default: the configured one)")
	cmd.Flags().StringVar(&pattern, "pattern", "", "the `GLOB` that names of files match, or with a slash in it their paths below DIR (default: as the program names them)")
	return cmd
}

// directory returns the absolute path of a directory without links.
func directory(name string) (string, error) {
	dir, err := filepath.Abs(name)
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return "", fmt.Errorf("follow %s: %w", name, err)
	}
	if info, err := os.Stat(dir); err != nil {
		return "", fmt.Errorf("follow %s: %w", name, err)
	} else if !info.IsDir() {
		return "", fmt.Errorf("follow %s: it is a file: use `familiar capture`, or name its directory with --pattern", name)
	}
	return dir, nil
}

func newRow(w log.Watch, person string) watchRow {
	return watchRow{ID: w.ID, Dir: w.Dir, Format: w.Format, Pattern: w.Pattern, Person: person, Persona: w.Persona}
}

func newList(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List what is followed and how far it was read", Args: cobra.NoArgs,
		RunE: inv.OnStore(func(cmd *cobra.Command, _ []string, cfg *config.Config, store *memory.Store) error {
			rows, err := list(cmd.Context(), cfg, store)
			if err != nil {
				return err
			}
			return cli.Render(inv, rows)
		}),
	}
}

// list returns the watches with what was read for each.
func list(ctx context.Context, cfg *config.Config, store *memory.Store) (rows []watchRow, err error) {
	all, err := store.Log.Watches(ctx)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	marks, err := store.Log.Watermarks(ctx, true)
	if err != nil {
		return nil, err
	}
	for _, w := range all {
		person, err := store.Log.Person(ctx, w.PersonID)
		if err != nil {
			return nil, err
		}
		r := newRow(w, person.Name)
		if _, err := os.ReadDir(w.Dir); err != nil {
			r.Problem = err.Error()
		}
		for _, m := range marks {
			if !follow.Follows(w, m) {
				continue
			}
			r.Files, r.Stored = r.Files+1, r.Stored+m.Messages
			r.Problem = cmp.Or(r.Problem, m.Problem)
			if m.Read.After(r.Latest) {
				r.Latest = cli.InZone(m.Read, cfg)
			}
		}
		rows = append(rows, r)
	}
	return rows, nil
}

func newRemove(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "remove ID", Short: "Follow a directory no more",
		Long: "Follow a directory no more. What was remembered stays; following the directory again continues where it ended.",
		Args: cobra.ExactArgs(1),
		RunE: inv.OnStore(func(cmd *cobra.Command, args []string, _ *config.Config, store *memory.Store) error {
			id, err := strconv.ParseInt(args[0], 10, 64)
			if err != nil {
				return cli.Usage(cmd, fmt.Errorf("%q is no number of a watch: `familiar watch list` shows them", args[0]))
			}
			if err := store.Log.RemoveWatch(cmd.Context(), id); errors.Is(err, memory.ErrNotFound) {
				return fmt.Errorf("watch %d: %w; `familiar watch list` shows all", id, err)
			} else if err != nil {
				return err
			}
			return cli.RenderDone(inv, map[string]int64{"removed": id}, "watch %d is removed", id)
		}),
	}
}

// appOf returns the app of a home with a persona, on an open store.
func appOf(inv *cli.Invocation, cfg *config.Config, store *memory.Store, key string) (*app.App, error) {
	c, err := card.LoadCard(cfg.Home.Personas(), key)
	if err != nil {
		return nil, err
	}
	return app.ForStore(cfg, c, store, inv.Now), nil
}

// endSessions ends the sessions of a persona that are over, unless a serving process does.
func endSessions(ctx context.Context, inv *cli.Invocation, a *app.App, key string) error {
	if app.IsServed(a.Config.Home.Lock()) {
		return nil
	}
	own, err := appOf(inv, a.Config, a.Store, key)
	if err != nil {
		return err
	}
	_, err = own.Engine(own.Settings()).Sessions().CloseIdleOnce(ctx, 0, inv.Now())
	return err
}
