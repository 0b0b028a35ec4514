// Package people has the pages about the people whom a persona knows: what it believes of them and why, how their relationship
// went, and what they may ask for: a correction, a copy, or to be forgotten.
package people

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"familiar/memory"
	"familiar/memory/belief"
	"familiar/memory/erase"
	"familiar/memory/model"
	"familiar/memory/turns"
	"familiar/persona"
	"familiar/persona/known"
	"familiar/persona/scene"
	"familiar/web/layout"
)

// Pages are the pages about people.
type Pages struct {
	Store *memory.Store
	Now   func() time.Time
	// Zone is the zone of the times in exports.
	Zone *time.Location
	Actions

	shell *layout.Shell
}

// Actions are what pages about people do beyond the store. The pages leave out what is nil.
type Actions struct {
	// Mind returns what a persona would do with a message.
	Mind func(persona string) (Mind, error)
	// Erase erases a person from the store, the home and its backups. What it returns counts, even with an error, if Done.
	Erase func(ctx context.Context, p model.Person) (Erased, error)
	// Join makes two people one, Part makes the accounts of a person on a network a person of their own again. Each account is told.
	Join func(ctx context.Context, persona string, both [2]model.Person) error
	Part func(ctx context.Context, persona string, p model.Person, channel string) error
}

// Mind is the engine of a persona.
type Mind interface {
	known.Engine
	// GreetingFor returns what a voice, or that of the persona for nil, would say if a person opened a room now.
	GreetingFor(ctx context.Context, person model.Person, room model.Room, voice scene.Voice) (persona.Greeting, error)
}

// Erased is what became of an erasure.
type Erased struct {
	Done bool
	Gone erase.ForgetResult
	// Named are the operator's own texts that still name the person, Damaged the databases that may still hold them.
	Named   []Named
	Damaged []string
}

// Named is a text of the operator's that names somebody, and how to remove the name.
type Named struct{ Where, Remove string }

// Mount has the shell answer with the pages.
func (p *Pages) Mount(shell *layout.Shell) {
	p.shell = shell
	shell.Get("/p/{persona}/people", p.list)
	shell.Get("/p/{persona}/people/{id}", p.person)
	shell.Get("/p/{persona}/people/{id}/facts", p.facts)
	shell.Get("/p/{persona}/people/{id}/facts/{fact}", p.fact)
	shell.Get("/p/{persona}/people/{id}/sessions", p.sessions)
	shell.Get("/p/{persona}/people/{id}/export", p.export)
	shell.Get("/p/{persona}/people/{id}/withdraw", p.askWithdraw)
	shell.Post("/p/{persona}/people/{id}/withdraw", p.withdraw)
	shell.Get("/p/{persona}/people/{id}/facts/{fact}/forget", p.askForget)
	shell.Post("/p/{persona}/people/{id}/facts/{fact}/forget", p.forget)
	if p.Mind != nil {
		shell.Post("/p/{persona}/people/{id}/facts/{fact}", p.correct)
		shell.Post("/p/{persona}/people/{id}/messages/{message}", p.restore)
		shell.Get("/p/{persona}/people/{id}/greeting", p.greeting)
		shell.Post("/p/{persona}/people/{id}/greeting", p.askModel)
	}
	if p.Join != nil && p.Part != nil {
		shell.Get("/p/{persona}/people/{id}/link", p.candidates)
		shell.Post("/p/{persona}/people/{id}/link", p.join)
		shell.Get("/p/{persona}/people/{id}/unlink", p.askPart)
		shell.Post("/p/{persona}/people/{id}/unlink", p.part)
	}
	if p.Erase != nil {
		shell.Get("/p/{persona}/people/{id}/erase", p.askErase)
		shell.Post("/p/{persona}/people/{id}/erase", p.erase)
	}
}

// Rows on a page.
const (
	peoplePerPage   = 50
	factsPerPage    = 50
	sessionsPerPage = 25
)

// listed is a page of the people.
type listed struct {
	persona, query string
	people         []acquaintance
	first, next    string
}

// acquaintance is a person in the list.
type acquaintance struct {
	turns.Acquaintance
	// called are the names they gave themselves, latest first.
	called []string
}

// list answers GET /p/{persona}/people.
func (p *Pages) list(w http.ResponseWriter, r *http.Request) error {
	shown := listed{persona: r.PathValue("persona"), query: strings.TrimSpace(r.FormValue("q"))}
	f := turns.AcquaintanceFilter{Persona: shown.persona, Name: shown.query, Limit: peoplePerPage + 1}
	path := layout.Of(shown.persona, "people")
	query := url.Values{}
	if shown.query != "" {
		query.Set("q", shown.query)
	}
	if after := r.FormValue("after"); after != "" {
		var err error
		if f.SeenBefore, f.IDBefore, err = readCursor(after); err != nil {
			return layout.Invalid(err)
		}
		shown.first = withQuery(path, query)
	}
	met, err := p.Store.Turns.Acquaintances(r.Context(), f)
	if err != nil {
		return err
	}
	if len(met) > peoplePerPage {
		met = met[:peoplePerPage]
		last := met[peoplePerPage-1]
		query.Set("after", cursor(last))
		shown.next = withQuery(path, query)
	}
	for _, a := range met {
		called, err := p.called(r.Context(), shown.persona, a.ID)
		if err != nil {
			return err
		}
		shown.people = append(shown.people, acquaintance{a, called})
	}
	return p.shell.Write(w, r, layout.Page{
		Title: "People", Section: layout.People, Persona: shown.persona, Live: []string{"people"}, Body: listPage(shown, p.Now()),
	})
}

// called returns the names that somebody gave themselves, latest first.
func (p *Pages) called(ctx context.Context, persona string, person int64) ([]string, error) {
	told, err := p.Store.Beliefs.ClaimedNames(ctx, belief.Filter{Persona: persona, SubjectPerson: person})
	return told[person], err
}

// cursor marks the place of a person in the list.
func cursor(a turns.Acquaintance) string {
	return fmt.Sprintf("%d-%d", a.Relationship.LastSeen.UnixMilli(), a.ID)
}

func readCursor(word string) (seen time.Time, id int64, err error) {
	at, number, _ := strings.Cut(word, "-")
	millis, err := strconv.ParseInt(at, 10, 64)
	if err == nil {
		id, err = strconv.ParseInt(number, 10, 64)
	}
	if err != nil || id <= 0 {
		return time.Time{}, 0, fmt.Errorf("%q is no place in the list: open the list from its beginning", word)
	}
	return time.UnixMilli(millis), id, nil
}

func withQuery(path string, query url.Values) string {
	if len(query) == 0 {
		return path
	}
	return path + "?" + query.Encode()
}

// number reads an id of the path or the query, 0 for none. A page with an id that is none does not exist.
func number(word string) (int64, error) {
	if word == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(word, 10, 64)
	if err != nil || n <= 0 {
		return 0, memory.ErrNotFound
	}
	return n, nil
}
