// Package imports has the verbs that bring in what other programs recorded: `familiar import` and `familiar replay`.
package imports

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"familiar/channels/console"
	"familiar/config"
	"familiar/internal/cli"
	"familiar/memory/log"
	"familiar/persona/card"
	"familiar/persona/imports"
)

// importOptions are the flags of the import verb.
type importOptions struct {
	path, as, persona string
	format            cli.Choice
	yes, dry          bool
}

// anyFormat is the format that stands for finding out.
const anyFormat = "auto"

// NewImport returns the verb `familiar import`.
func NewImport(inv *cli.Invocation) *cobra.Command {
	o := importOptions{format: cli.Choice{Value: anyFormat, Of: append([]string{anyFormat}, imports.Formats()...)}}
	cmd := &cobra.Command{
		Use: "import PATH", Short: "Import conversations, characters and notes of other programs",
		Long: "Import what another program exported: a file, a zip archive as it was downloaded, or a directory. The format is detected:\n\n" +
			"  chatgpt      conversations.json of ChatGPT, also in its zip\n" +
			"  claude       conversations.json of Claude, also in its zip\n" +
			"  sillytavern  a chat of SillyTavern (.jsonl), or a directory of them\n" +
			"  characterai  a JSON export of Character.AI\n" +
			"  openclaw     a workspace of OpenClaw, with SOUL.md and MEMORY.md\n" +
			"  eliza        a character.json of elizaOS\n" +
			"  letta        an agent file (.af) of Letta\n\n" +
			"First it reads everything, shows what would be made and what is left out, and asks. Conversations become talk between one\n" +
			"person (--as) and the persona, at the times when they took place. The person's own words are remembered like anything\n" +
			"they say here; what the assistant said is kept, but proves nothing. A character becomes a persona file, unless there is\n" +
			"one with its key: nothing is overwritten. Notes become documents. Importing again adds only what is new, and continues\n" +
			"an import that was interrupted. Character cards are imported by `familiar persona import`.",
		Example: "  familiar import --dry-run chatgpt-export.zip\n" +
			"  familiar import --as Ann --yes chats/Vela.jsonl\n" +
			"  familiar import --as Ann --persona vela ~/.openclaw/workspace",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.path = args[0]
			if o.persona != "" && !card.ValidKey(o.persona) {
				return cli.Usage(cmd, fmt.Errorf("%q cannot be a persona's key: use a–z, 0–9 and -", o.persona))
			}
			if !o.yes && !o.dry && !inv.Interactive {
				return cli.Usage(cmd, errors.New("nobody can be asked here: look with --dry-run, then import with --yes"))
			}
			return runImport(cmd.Context(), inv, o)
		},
	}
	cli.ChoiceFlag(cmd, &o.format, "format", "the format of the file")
	cmd.Flags().StringVar(&o.as, "as", "", "the `PERSON` who had the conversations: a name, number or account (default: you)")
	cmd.Flags().StringVar(&o.persona, "persona", "", "the `KEY` of the persona that continues them (default: the character's, else the configured one)")
	cmd.Flags().BoolVarP(&o.yes, "yes", "y", false, "do not ask")
	cmd.Flags().BoolVar(&o.dry, "dry-run", false, "only show what would be made")
	return cmd
}

// importRow is one line of the plan or the result.
type importRow struct {
	What string `json:"what"`
	// Found is how many there are in the file, New how many of them were added.
	Found int    `json:"found"`
	New   int    `json:"new"`
	About string `json:"about,omitempty"`
}

// runImport plans, asks and imports.
func runImport(ctx context.Context, inv *cli.Invocation, o importOptions) error {
	cfg, err := inv.Config()
	if err != nil {
		return err
	}
	p := &importPlan{options: imports.Options{Now: inv.Now()}, path: o.path}
	if o.format.Value != anyFormat {
		p.options.Format = o.format.Value
	}
	if p.format, err = imports.Read(o.path, p.options, &p.Plan); err != nil {
		return err
	}
	if p.Conversations > 0 || p.Private > 0 {
		p.person = cmp.Or(strings.TrimSpace(o.as), console.DefaultName)
	}
	if err := p.choosePersona(cfg, o.persona); err != nil {
		return err
	}
	if o.dry {
		return cli.Render(inv, p.rows(nil))
	}
	if !o.yes {
		if err := p.ask(ctx, inv); err != nil {
			return err
		}
	}
	return p.apply(ctx, inv)
}

// importPlan is what an import is about to make.
type importPlan struct {
	imports.Plan
	options imports.Options
	path    string
	format  string
	// person is the name of the person whom conversations and private documents belong to, "" if there are none.
	person string
	// key is the persona. file is its new file, nil if it exists; rest is what of its description goes into a document.
	key  string
	file []byte
	rest string
}

// choosePersona decides which persona takes the import, and whether its file is to be written.
func (p *importPlan) choosePersona(cfg *config.Config, given string) (err error) {
	p.key = given
	if p.key == "" && len(p.Personas) > 0 {
		p.key = imports.Key(p.Personas[0].Name)
	}
	if p.key == "" {
		p.key = cfg.Persona
	}
	if len(p.Personas) == 0 {
		_, err = card.LoadCard(cfg.Home.Personas(), p.key)
		return err
	}
	file, rest, err := redacted(p.Personas[0]).File(p.key)
	if err != nil {
		return err
	}
	before, _, err := card.CardText(cfg.Home.Personas(), p.key)
	switch {
	case errors.Is(err, card.ErrNoCard):
		p.file = file
	case err != nil:
		return err
	case !bytes.Equal(before, file): // another character: what the rest says is not about them
		return nil
	}
	if p.rest = rest; rest != "" {
		p.Documents = append(p.Documents, p.aboutPersona())
	}
	return nil
}

// redacted returns a character without the secrets in its texts.
func redacted(c imports.Persona) imports.Persona {
	c.Name, c.Description, c.Voice = log.Redact(c.Name), log.Redact(c.Description), log.Redact(c.Voice)
	c.Examples = slices.Clone(c.Examples)
	for i, e := range c.Examples {
		c.Examples[i] = imports.Example{Person: log.Redact(e.Person), Persona: log.Redact(e.Persona)}
	}
	return c
}

// aboutPersona is the name of the document with what a persona file has no room for.
func (p *importPlan) aboutPersona() string { return "about " + p.Personas[0].Name }

// rows describes the plan, with what became of it.
func (p *importPlan) rows(done *importer) []importRow {
	if done == nil {
		done = &importer{}
	}
	var rows []importRow
	if len(p.Personas) > 0 {
		about := "the persona " + p.key + " exists: it is not changed"
		if p.file != nil {
			about = "personas/" + p.key + ".yaml: " + p.Personas[0].Name
		}
		rows = append(rows, importRow{What: "persona", Found: 1, New: done.personas, About: about})
	}
	if p.person != "" {
		rows = append(rows, importRow{What: "person", Found: 1, New: done.people, About: p.person})
	}
	if p.Conversations > 0 {
		span := p.First.Format("2 Jan 2006") + " to " + p.Last.Format("2 Jan 2006")
		rows = append(rows, importRow{What: "conversations", Found: p.Conversations, New: len(done.rooms), About: span},
			importRow{What: "messages", Found: p.Messages, New: done.messages, About: fmt.Sprintf("%d of them by the person, for %s", p.Messages-p.Own, p.key)})
	}
	if len(p.Documents) > 0 {
		rows = append(rows, importRow{What: "documents", Found: len(p.Documents), New: done.documents, About: clipList(p.Documents)})
	}
	for _, reason := range p.Reasons() {
		rows = append(rows, importRow{What: "left out", Found: p.Skipped[reason], About: reason})
	}
	return rows
}

// clipList joins a few names.
func clipList(names []string) string {
	const most = 5
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// ask shows the plan and asks whether to go on.
func (p *importPlan) ask(ctx context.Context, inv *cli.Invocation) error {
	if err := cli.Render(inv, p.rows(nil)); err != nil {
		return err
	}
	return cli.Confirm(ctx, inv, "Import this?")
}
