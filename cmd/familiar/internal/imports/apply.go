package imports

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"familiar/channels"
	"familiar/cmd/familiar/internal/find"
	"familiar/config"
	"familiar/internal/app"
	"familiar/internal/cli"
	"familiar/internal/plainfile"
	"familiar/memory/model"
	"familiar/memory/transfer"
	"familiar/persona"
	"familiar/persona/card"
	"familiar/persona/follow"
	"familiar/persona/imports"
)

// importer stores what an import finds. It is a sink: everything is read a second time, so that the size of a file does not
// matter. Each call is stored in transactions of its own, and stored again without effect.
type importer struct {
	ctx    context.Context // of the import: the importer lives as long
	app    *app.App
	engine *persona.Engine
	plan   *importPlan
	person model.Person
	author channels.Author

	personas, people, messages, documents int

	rooms map[string]bool
}

// apply stores the plan and shows the result.
func (p *importPlan) apply(ctx context.Context, inv *cli.Invocation) (err error) {
	cfg, err := inv.Config()
	if err != nil {
		return err
	}
	to := &importer{ctx: ctx, plan: p, rooms: map[string]bool{}}
	if err := to.writePersona(cfg); err != nil {
		return err
	}
	used := *cfg
	used.Persona, used.OnlyPersona, inv.Loaded = p.key, true, &used
	if to.app, err = inv.OpenApp(ctx, "import", cli.NewLog(inv.Errs, &used, inv.JSON)); err != nil {
		return errors.Join(err, to.unwritePersona(cfg))
	}
	defer func() { err = errors.Join(err, to.app.Close()) }()
	to.engine = to.app.Engine(to.app.Settings())
	if err := to.findPerson(p.person); err != nil {
		return errors.Join(err, to.unwritePersona(cfg))
	}
	if err := to.run(); err != nil {
		return fmt.Errorf("%w\n%d messages and %d documents were stored before; the same command continues there", err, to.messages, to.documents)
	}
	if p.key != cfg.Persona {
		inv.Note("talk with %s: familiar chat --persona %s", to.app.Card.Name, p.key)
	}
	return cli.Render(inv, p.rows(to))
}

// run reads the input again and ends the sessions in it.
func (to *importer) run() error {
	if _, err := imports.Read(to.plan.path, to.plan.options, to); err != nil {
		return err
	}
	if to.plan.rest != "" {
		if err := to.Document(imports.Document{Name: to.plan.aboutPersona(), Text: to.plan.rest, Markdown: true}); err != nil {
			return err
		}
	}
	_, err := to.engine.Sessions().CloseIdleOnce(to.ctx, 0, to.app.Now())
	return err
}

// writePersona writes the file of a new persona.
func (to *importer) writePersona(cfg *config.Config) error {
	if to.plan.file == nil {
		return nil
	}
	if err := cfg.Home.Create(); err != nil {
		return err
	}
	err := plainfile.WriteNew(card.CardFile(cfg.Home.Personas(), to.plan.key), to.plan.file)
	if err == nil {
		to.personas = 1
	}
	return err
}

// unwritePersona removes the file again after an import that stored nothing.
func (to *importer) unwritePersona(cfg *config.Config) error {
	if to.personas == 0 {
		return nil
	}
	err := os.Remove(card.CardFile(cfg.Home.Personas(), to.plan.key))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// findPerson finds the person whose conversations these are.
func (to *importer) findPerson(as string) error {
	if as == "" {
		return nil
	}
	found, err := find.Participant(to.ctx, to.app.Store, to.plan.key, as, to.app.Now())
	if found.Met {
		to.people = 1
	}
	to.person, to.author = found.Person, found.Author
	return err
}

// Conversation implements imports.Sink: the conversation is a direct room of its own.
func (to *importer) Conversation(c imports.Conversation) error {
	lines := follow.Recorded("import/"+to.plan.format, to.author, c)
	fresh, err := to.engine.RecordConversation(to.ctx, lines)
	if to.messages += fresh; fresh > 0 {
		to.rooms[c.ID] = true
	}
	return err
}

// Document implements imports.Sink.
func (to *importer) Document(d imports.Document) error {
	audience := model.Audience{Kind: model.World}
	if d.Private {
		audience = model.Audience{Kind: model.Private, Ref: to.person.ID}
	}
	done, err := to.app.Store.Transfer.Ingest(to.ctx, transfer.Document{
		Persona: to.plan.key, Audience: audience, Name: d.Name, Text: d.Text, Markdown: d.Markdown,
	})
	if done.Added+done.Replaced > 0 {
		to.documents++
	}
	return err
}

// Persona implements imports.Sink: the file was written before.
func (*importer) Persona(imports.Persona) error { return nil }

// Skip implements imports.Sink: the plan counted it.
func (*importer) Skip(string, int) {}
