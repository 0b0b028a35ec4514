// Package mind has the pages on how a persona thinks: its journal of dreams and reflections, its mood, how it grew, what it wants to
// learn, and the runs of jobs that made all of this.
package mind

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"familiar/memory"
	"familiar/persona/card"
	"familiar/web/layout"
)

// Pages are the pages on a mind.
type Pages struct {
	// Card returns a persona's card, nil if that is not offered.
	Card func(persona string) (*card.Card, error)
	// Jobs returns when the jobs of a persona are due, nil if that is not known.
	Jobs func(ctx context.Context, persona string) ([]Job, error)

	shell *layout.Shell
	store *memory.Store
}

// Job is one job of a persona.
type Job struct {
	Name string
	// Next is when it is due, zero if it is off. Needs is what it lacks, "" for nothing.
	Next  time.Time
	Needs string
}

// pageSize is how many rows a page has.
const pageSize = 40

// Mount adds the pages on the minds in a store to a shell.
func (p Pages) Mount(shell *layout.Shell, store *memory.Store) {
	p.shell, p.store = shell, store
	shell.Get("/p/{persona}/mind", p.journal)
	shell.Get("/p/{persona}/mind/mood", p.mood)
	shell.Get("/p/{persona}/mind/growth", p.growth)
	shell.Get("/p/{persona}/mind/growth/reset", p.askReset)
	shell.Post("/p/{persona}/mind/growth/reset", p.reset)
	shell.Get("/p/{persona}/mind/learning", p.learning)
	shell.Get("/p/{persona}/mind/runs", p.runs)
	shell.Get("/p/{persona}/mind/runs/{run}", p.run)
	shell.Get("/p/{persona}/mind/runs/{run}/revert", p.askRevert)
	shell.Post("/p/{persona}/mind/runs/{run}/revert", p.revert)
}

// common is what all pages on a mind have.
type common struct {
	persona, name string
	now           time.Time
	jobs          []Job
}

func (p Pages) common(r *http.Request) (c common, err error) {
	c = common{persona: r.PathValue("persona"), now: p.shell.Now()}
	c.name = p.shell.NameOf(c.persona)
	if p.Jobs != nil {
		c.jobs, err = p.Jobs(r.Context(), c.persona)
	}
	return c, err
}

func (c common) path(query url.Values, parts ...string) string {
	return layout.Path(query, append([]string{"p", c.persona, "mind"}, parts...)...)
}

// job returns a job by name, the zero Job if it is not known.
func (c common) job(name string) Job {
	for _, j := range c.jobs {
		if j.Name == name {
			return j
		}
	}
	return Job{}
}

// write answers with one of the pages.
func (p Pages) write(w http.ResponseWriter, r *http.Request, page layout.Page) error {
	page.Section, page.Persona = layout.Mind, r.PathValue("persona")
	return p.shell.Write(w, r, page)
}

// number reads a number from an address. What is none leads to nothing.
func number(word string) (int64, error) {
	n, err := strconv.ParseInt(word, 10, 64)
	if err != nil || n <= 0 {
		return 0, memory.ErrNotFound
	}
	return n, nil
}

// optional reads a number from a query, 0 if it has none.
func optional(query url.Values, name string) (int64, error) {
	if query.Get(name) == "" {
		return 0, nil
	}
	return number(query.Get(name))
}

// older returns the path of the next page, which begins below an ID.
func older(c common, query url.Values, before int64, parts ...string) string {
	next := url.Values{}
	for name, values := range query {
		next[name] = values
	}
	next.Set("before", strconv.FormatInt(before, 10))
	return c.path(next, parts...)
}
