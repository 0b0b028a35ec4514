// Package memories has the pages on what a persona remembers: search with the reasons for each hit, lists, one memory with
// everything that is known about it, the operator's notes and rules, and what was forgotten.
package memories

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"familiar/internal/memoryapi"
	"familiar/memory"
	"familiar/memory/access"
	"familiar/memory/erase"
	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/web/layout"
)

// Pages are the pages on memories. Its fields do not change once it is mounted.
type Pages struct {
	Store *memory.Store
	Now   func() time.Time
	// Zone is the zone in which days begin.
	Zone *time.Location
	// Prepare adds to a query what only the app knows, such as the vector of its text. It may be nil.
	Prepare func(ctx context.Context, persona string, q recall.Query) recall.Query
	// Forget forgets a memory with everything derived from it, wherever it stands. Without it, only the store forgets.
	Forget func(ctx context.Context, id int64) (erase.ForgetResult, error)

	shell *layout.Shell
}

// Mount adds the pages to a shell.
func (p Pages) Mount(shell *layout.Shell) {
	p.shell = shell
	if p.Forget == nil {
		p.Forget = func(ctx context.Context, id int64) (erase.ForgetResult, error) { return p.Store.Eraser.Forget(ctx, id) }
	}
	shell.Get("/p/{persona}/memory", p.list)
	shell.Get("/p/{persona}/memory/new", p.newNote)
	shell.Post("/p/{persona}/memory/new", p.addNote)
	shell.Get("/p/{persona}/memory/rules", p.rules)
	shell.Post("/p/{persona}/memory/rules/add", p.addRule)
	shell.Post("/p/{persona}/memory/rules/remove", p.removeRule)
	shell.Get("/p/{persona}/memory/forgotten", p.forgotten)
	shell.Get("/p/{persona}/memory/{id}", p.memory)
	shell.Get("/p/{persona}/memory/{id}/forget", p.confirmForget)
	shell.Get("/p/{persona}/memory/{id}/correct", p.newCorrection)
	shell.Post("/p/{persona}/memory/{id}/correct", p.correct)
	for name, do := range p.edits() {
		shell.Post("/p/{persona}/memory/{id}/"+name, func(w http.ResponseWriter, r *http.Request) error {
			m, err := p.read(r)
			if err != nil {
				return err
			}
			return do(w, r, m)
		})
	}
}

// page returns a page of this section.
func (p Pages) page(r *http.Request, title string) layout.Page {
	return layout.Page{Title: title, Section: layout.Memory, Persona: r.PathValue("persona")}
}

// read returns the memory that a path names. One of another persona is not found.
func (p Pages) read(r *http.Request) (model.Memory, error) {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil {
		return model.Memory{}, memory.ErrNotFound
	}
	m, err := p.Store.Entries.Memory(r.Context(), id)
	if err == nil && m.Persona != r.PathValue("persona") {
		return model.Memory{}, memory.ErrNotFound
	}
	return m, err
}

// api returns the memory of programs, by which notes are written.
func (p Pages) api() *memoryapi.API {
	return &memoryapi.API{Store: p.Store, Now: p.Now, Zone: p.Zone}
}

// client returns the memory of a persona as its operator's programs may use it.
func (p Pages) client(persona string) *memoryapi.Client {
	return p.api().For(access.Grant{Kind: access.Operator, Persona: persona, Client: "dashboard"})
}
