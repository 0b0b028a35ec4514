// Package me has the page of one person about themselves, behind a private link: what a persona knows of them, as they may see it in
// a direct room with it, to see, correct, take along and erase. Whose page it is comes from the sign-in alone, never from the address.
package me

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/a-h/templ"

	"familiar/memory"
	"familiar/memory/erase"
	"familiar/memory/model"
	"familiar/persona/known"
	"familiar/web/layout"
	"familiar/web/visitor"
	"familiar/web/wording"
)

// Pages are the pages of a person about themselves.
type Pages struct {
	Store *memory.Store
	Now   func() time.Time
	// Zone is the zone of those whose timezone is unknown.
	Zone *time.Location
	Actions

	shell *layout.Shell
}

// Actions are what the pages do beyond the store. Without Mind there are no pages.
type Actions struct {
	// Mind returns what a persona would do with a message.
	Mind func(persona string) (Mind, error)
	// Erase erases a person from the store, the home and its backups. erased reports that the store is done, even with an error.
	Erase func(ctx context.Context, p model.Person) (gone erase.ForgetResult, erased bool, err error)
}

// Mind is the engine of a persona.
type Mind interface {
	known.Engine
	// Known reads what the persona knows of people, as they may see it.
	Known() known.Reader
}

// Mount has the shell answer with the pages.
func (p *Pages) Mount(shell *layout.Shell) {
	p.shell = shell
	if p.Mind == nil || p.Erase == nil {
		return
	}
	for pattern, answer := range map[string]func(own) error{
		"/me": p.start, "/me/facts": p.facts, "/me/facts/{id}": p.fact, "/me/facts/{id}/forget": p.askForgetFact,
		"/me/memories": p.memories, "/me/memories/{id}": p.memory, "/me/memories/{id}/forget": p.askForgetMemory,
		"/me/conversations": p.conversations, "/me/export": p.export, "/me/erase": p.askErase,
	} {
		shell.GetOwn(pattern, p.owned(answer))
	}
	for pattern, answer := range map[string]func(own) error{
		"/me/facts/{id}": p.correctFact, "/me/facts/{id}/forget": p.forgetFact, "/me/memories/{id}": p.correctMemory,
		"/me/memories/{id}/forget": p.forgetMemory, "/me/messages/{id}": p.restore, "/me/reminders/{id}/drop": p.drop,
		"/me/reminders": p.putBack, "/me/training": p.withdraw, "/me/erase": p.erase,
	} {
		shell.PostOwn(pattern, p.owned(answer))
	}
}

// own is a request of somebody about themselves.
type own struct {
	known.Asker
	tongue
	w    http.ResponseWriter
	r    *http.Request
	key  string // of the persona
	name string // of the persona
	mind Mind
}

func (o own) ctx() context.Context { return o.r.Context() }

// owned finds out who asks and what they may see.
func (p *Pages) owned(answer func(own) error) layout.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		who := visitor.From(r.Context())
		all := p.shell.Personas()
		i := slices.IndexFunc(all, func(served layout.Persona) bool { return served.Key == who.Persona })
		if i < 0 || who.PersonID <= 0 {
			return memory.ErrNotFound
		}
		o := own{w: w, r: r, key: who.Persona, name: all[i].Name}
		var err error
		if o.Person, err = p.Store.Log.Person(r.Context(), who.PersonID); err != nil {
			return layout.Tell(layout.Reader{Language: wording.Choose("", r.Header.Get("Accept-Language"))}, err)
		}
		o.tongue = tongueOf(o.Person.Language, r.Header.Get("Accept-Language"))
		if err = p.see(&o); err == nil {
			err = answer(o)
		}
		return layout.Tell(p.reader(o), err)
	}
}

// see finds out what somebody may see of a persona's mind.
func (p *Pages) see(o *own) error {
	rooms, err := p.Store.Turns.DirectRooms(o.ctx(), o.Person.ID)
	if err != nil {
		return err
	}
	room := model.Room{Direct: true, PersonID: o.Person.ID}
	if len(rooms) > 0 {
		room = rooms[0]
	}
	if o.Hearing, err = p.Store.Log.VisibilityIn(o.ctx(), o.key, room); err != nil {
		return err
	}
	o.mind, err = p.Mind(o.key)
	return err
}

// reader returns how somebody reads their pages.
func (p *Pages) reader(o own) layout.Reader {
	return layout.Reader{Language: o.Tag, Zone: o.Person.Location(p.Zone)}
}

// write writes a page.
func (p *Pages) write(o own, title string, body templ.Component) error {
	return p.shell.Write(o.w, o.r, layout.Page{Title: title, Section: layout.Own, Persona: o.key, Body: stacked(body), Reader: p.reader(o)})
}

// done leads to a page that tells what was done.
func (p *Pages) done(o own, path string, n layout.Notice) error {
	return layout.Done(o.w, o.r, path, n)
}

// id reads the number in the path. A page with a number that is none does not exist.
func (o own) id() (int64, error) { return number(o.r.PathValue("id")) }

func number(word string) (int64, error) {
	n, err := strconv.ParseInt(word, 10, 64)
	if err != nil || n <= 0 {
		return 0, memory.ErrNotFound
	}
	return n, nil
}

// before reads from where on a list goes on, 0 for its beginning.
func (o own) before() (int64, error) {
	if word := o.r.FormValue("before"); word != "" {
		return number(word)
	}
	return 0, nil
}

func idText(id int64) string { return strconv.FormatInt(id, 10) }
