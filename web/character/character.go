// Package character is the pages on which an operator edits a persona: its fields, its lorebook and its file, with what would be
// wrong shown while they type and a talk with the edited persona beside it; and its history, import and export.
package character

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"familiar/internal/strictyaml"
	"familiar/memory"
	"familiar/persona/card"
	"familiar/persona/companion"
	"familiar/web/layout"
)

// Pages are the pages about the character of personas.
type Pages struct {
	Store *memory.Store
	// Dir is the directory of the personas.
	Dir string
	Now func() time.Time
	// Running reports whether a process serves, which uses what is written here soon.
	Running func() bool
	// Scratch returns a directory for talks with edited personas, which nobody else uses until it is given back.
	Scratch func() (dir string, release func() error, err error)
	// Model returns the model that talks as a persona and its name, nil if none is configured. It charges what it is asked.
	Model func(*card.Card) (m companion.Model, name string, err error)
	Log   *slog.Logger

	shell  *layout.Shell
	trials trials
	// uploads are the files that wait for a yes.
	uploads uploads
}

// Close throws away the talks with edited personas.
func (p *Pages) Close() { p.trials.close() }

// maxForm is how long a form may be, in bytes. A persona's file is shorter.
const maxForm = 1 << 20

// Mount mounts the pages.
func (p *Pages) Mount(shell *layout.Shell) {
	p.shell = shell
	p.trials.scratch, p.trials.model, p.trials.now, p.trials.log = p.Scratch, p.Model, p.Now, p.Log
	const at = "/p/{persona}/character"
	for _, f := range forms {
		path := at
		if f.path != "" {
			path += "/" + f.path
		}
		shell.Get(path, func(w http.ResponseWriter, r *http.Request) error { return p.showForm(w, r, f) })
		shell.Post(path, func(w http.ResponseWriter, r *http.Request) error { return p.saveForm(w, r, f) })
		shell.Post(path+"/check", func(w http.ResponseWriter, r *http.Request) error { return p.checkForm(w, r, f) })
		shell.Post(path+"/try", func(w http.ResponseWriter, r *http.Request) error { return p.tryForm(w, r, f) })
	}
	p.mountLore(at)
	p.mountCards(at)
	p.mountFile(at)
	shell.Get(at+"/history", p.showHistory)
	shell.Get(at+"/history/{number}", p.showVersion)
	shell.Post(at+"/restore", p.restore)
}

// persona is a persona's file as it is.
type persona struct {
	key, file string
	text      []byte
	// card is nil if wrong says what is wrong with the file.
	card  *card.Card
	wrong *strictyaml.Problems
}

// mark names the text of the file.
func (o persona) mark() string { return card.Mark(o.text) }

// name returns how the persona is called.
func (o persona) name() string {
	if o.card == nil {
		return o.key
	}
	return o.card.Name
}

// read reads the file of the persona that a request is about.
func (p *Pages) read(r *http.Request) (persona, error) {
	o := persona{key: r.PathValue("persona")}
	var err error
	if o.text, o.file, err = card.CardText(p.Dir, o.key); err != nil {
		if errors.Is(err, card.ErrNoCard) {
			return o, memory.ErrNotFound
		}
		return o, err
	}
	if o.card, err = card.ParseCard(o.file, o.text); err != nil && !errors.As(err, &o.wrong) {
		return o, err
	}
	return o, nil
}

// limited parses the form of a request, which may have at most limit bytes.
func limited(w http.ResponseWriter, r *http.Request, limit int64) error {
	r.Body = http.MaxBytesReader(w, r.Body, limit)
	if err := r.ParseForm(); err != nil {
		if long, ok := errors.AsType[*http.MaxBytesError](err); ok {
			return long
		}
		return layout.Invalid(fmt.Errorf("read the form: %w", err))
	}
	return nil
}

// effect says when what was written counts.
func (p *Pages) effect() string {
	if p.Running != nil && p.Running() {
		return fmt.Sprintf("It is in use within %d seconds.", int(2*card.WatchEvery.Seconds()))
	}
	return "It counts from the next start on."
}
