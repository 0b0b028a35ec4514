package watches

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"familiar/channels/console"
	"familiar/cmd/familiar/internal/find"
	"familiar/config"
	"familiar/internal/app"
	"familiar/internal/cli"
	"familiar/internal/plainfile"
	"familiar/memory"
	"familiar/persona/follow"
	"familiar/persona/imports"
)

// captureOptions are the flags of the verb.
type captureOptions struct {
	path, as, persona string
	format            cli.Choice
	hook              bool
}

// anyFormat is the format that stands for finding out.
const anyFormat = "auto"

// formatsHelp describes the formats of session files.
const formatsHelp = "  claude-code  sessions of Claude Code, ~/.claude/projects/*/*.jsonl\n" +
	"  codex        rollouts of Codex, ~/.codex/sessions/**/rollout-*.jsonl\n" +
	"  openai       JSON Lines with {\"messages\": […]} or one message each\n" +
	"  jsonl        JSON Lines with one message each: role, content, and perhaps timestamp and id, or similar names\n" +
	"  markdown     headings like \"## User\" and \"## Assistant\", or \"**User:**\"\n"

// NewCapture returns the verb `familiar capture`.
func NewCapture(inv *cli.Invocation) *cobra.Command {
	o := captureOptions{format: cli.Choice{Value: anyFormat, Of: append([]string{anyFormat}, imports.SessionFormats()...)}}
	cmd := &cobra.Command{
		Use: "capture [FILE|-]", Short: "Remember what was said in a session of another program",
		Long: "Remember what was said in a session file of another program, or in one on standard input:\n\n" + formatsHelp +
			"\nEach session becomes a conversation of its own between one person (--as) and the persona. What the person said is\n" +
			"remembered like anything they say here; what the assistant said is kept, but proves nothing. Calls of tools, their results,\n" +
			"thoughts, pictures and what the program added are left out, and secrets are redacted. Capturing a file again adds only\n" +
			"what is new. It works while `familiar run` serves the home.\n\n" +
			"With --hook it reads what Claude Code passes to a hook on standard input and captures the session that it names, without\n" +
			"output: `familiar plugin claude-code` writes such hooks. `familiar watch` follows whole directories.",
		Example: "  familiar capture --as Ann ~/.claude/projects/-home-ann-garden/0b5c.jsonl\n" +
			"  familiar capture --as Ann --format markdown - < talk.md",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case o.hook && len(args) > 0:
				return cli.Usage(cmd, errors.New("with --hook the file is named on standard input"))
			case !o.hook && len(args) == 0:
				return cli.Usage(cmd, errors.New("name a file, or - for standard input"))
			case len(args) > 0:
				o.path = args[0]
			}
			return inv.EnsureStore(cmd.Context(), func(cfg *config.Config, store *memory.Store) error {
				return capture(cmd.Context(), inv, cfg, store, o)
			})
		},
	}
	cli.ChoiceFlag(cmd, &o.format, "format", "the format of the session")
	asFlag(cmd, &o.as)
	cli.PersonaFlag(cmd, inv, &o.persona, "the `KEY` of the persona that remembers (default: the configured one)")
	cmd.Flags().BoolVar(&o.hook, "hook", false, "capture the session that Claude Code names on standard input")
	return cmd
}

func asFlag(cmd *cobra.Command, as *string) {
	cmd.Flags().StringVar(as, "as", "", "the `PERSON` who talks in the sessions: a name, number or account (default: you)")
}

// capture reads one session.
func capture(ctx context.Context, inv *cli.Invocation, cfg *config.Config, store *memory.Store, o captureOptions) error {
	if o.hook {
		path, err := hookedSession(inv.In)
		if err != nil || path == "" {
			return err
		}
		o.path, o.format.Value = path, "claude-code"
	}
	a, src, err := sourceOf(ctx, inv, cfg, store, o.persona, o.as)
	if err != nil {
		return err
	}
	done, err := captureFrom(ctx, inv, a, src, o)
	if o.hook && errors.Is(err, fs.ErrNotExist) {
		return nil // nothing was written yet
	}
	if err != nil {
		return fmt.Errorf("capture %s: %w", o.path, err)
	}
	if err := endSessions(ctx, inv, a, src.Persona); err != nil || o.hook {
		return err
	}
	return cli.Render(inv, rows(o.path, done))
}

// sourceOf returns the app of the home, and who talks with whom.
func sourceOf(ctx context.Context, inv *cli.Invocation, cfg *config.Config, store *memory.Store, key, as string) (*app.App, follow.Source, error) {
	a, err := appOf(inv, cfg, store, cmp.Or(key, cfg.Persona))
	if err != nil {
		return nil, follow.Source{}, err
	}
	who, err := find.Participant(ctx, store, a.Card.Key, cmp.Or(strings.TrimSpace(as), console.DefaultName), inv.Now())
	return a, follow.Source{Persona: a.Card.Key, PersonID: who.Person.ID, Author: who.Author}, err
}

// captureFrom reads the file or the stream.
func captureFrom(ctx context.Context, inv *cli.Invocation, a *app.App, src follow.Source, o captureOptions) (done follow.Result, err error) {
	reader := a.SessionReader()
	src.Format = o.format.Value
	if o.path == "-" {
		in := bufio.NewReaderSize(inv.In, sniffed)
		if src.Format == anyFormat {
			head, err := in.Peek(sniffed)
			if err != nil && !errors.Is(err, io.EOF) {
				return done, err
			}
			if src.Format, err = imports.DetectSession(head, inv.Now()); err != nil {
				return done, err
			}
		}
		done, err = reader.Stream(ctx, src, in)
	} else {
		if src.Format == anyFormat {
			if src.Format, err = formatOf(o.path, inv); err != nil {
				return done, err
			}
		}
		done, err = reader.File(ctx, src, o.path, true)
	}
	if err == nil && done.Found == 0 && done.Skipped[imports.Unreadable] > 0 {
		err = fmt.Errorf("no line of it is one of a %s session: is it the right --format?", src.Format)
	}
	return done, err
}

// sniffed is how much of a session its format is found from, in bytes.
const sniffed = 1 << 20

// formatOf finds the format of a file.
func formatOf(path string, inv *cli.Invocation) (string, error) {
	f, err := plainfile.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close() //nolint:errcheck // only read
	head, err := io.ReadAll(io.LimitReader(f, sniffed))
	if err != nil {
		return "", err
	}
	return imports.DetectSession(head, inv.Now())
}

// maxHook bounds what a hook is passed, in bytes.
const maxHook = 16 << 20

// hookedSession returns the path that Claude Code passes to a hook, "" if there is no session.
func hookedSession(in io.Reader) (string, error) {
	var hook struct {
		Path string `json:"transcript_path"`
	}
	if err := json.NewDecoder(io.LimitReader(in, maxHook)).Decode(&hook); err != nil {
		return "", fmt.Errorf("read what the hook was passed on standard input: it is not what Claude Code passes: %w", err)
	}
	if hook.Path != "" && !filepath.IsAbs(hook.Path) {
		return "", fmt.Errorf("the hook was passed the path %q, which is not absolute", hook.Path)
	}
	return hook.Path, nil
}

// row is one line about what was read.
type row struct {
	What  string `json:"what"`
	Found int    `json:"found"`
	New   int    `json:"new"`
	About string `json:"about,omitempty"`
}

// rows describes what was read, with what was left out.
func rows(what string, r follow.Result) []row {
	all := []row{{What: "messages", Found: r.Found, New: r.New, About: what}}
	for _, reason := range slices.Sorted(maps.Keys(r.Skipped)) {
		all = append(all, row{What: "left out", Found: r.Skipped[reason], About: reason})
	}
	return all
}
