package memories

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"familiar/internal/memoryapi"
	"familiar/memory"
	"familiar/memory/entry"
	"familiar/memory/model"
	"familiar/web/layout"
)

// noteForm is what somebody writes as a note.
type noteForm struct {
	persona, text, tags string
	about               int64
	sector              model.Sector
	salience            int
	pinned              bool
	people              []entry.NamedAudience
	problem             string
}

// usualSalience is how much a note matters unless the operator says otherwise, in percent.
const usualSalience = 70

func (p Pages) newNote(w http.ResponseWriter, r *http.Request) error {
	f := noteForm{persona: r.PathValue("persona"), sector: model.Semantic, salience: usualSalience}
	f.about, _ = strconv.ParseInt(r.FormValue("person"), 10, 64) // a link may name nobody
	return p.writeNote(w, r, f)
}

// writeNote writes the page of a note.
func (p Pages) writeNote(w http.ResponseWriter, r *http.Request, f noteForm) error {
	known, err := p.Store.Entries.Audiences(r.Context(), f.persona, maxAudiences)
	if err != nil {
		return err
	}
	if f.about != 0 {
		if err := p.knows(r, f.about); err != nil {
			return err
		}
	}
	f.people = offeredPeople(known, f.about)
	page := p.page(r, "Write a note")
	page.Body = notePage(f)
	return p.shell.Write(w, r, page)
}

// knows fails with ErrNotFound unless the persona of the page met a person.
func (p Pages) knows(r *http.Request, person int64) error {
	_, err := p.Store.Turns.Relationship(r.Context(), r.PathValue("persona"), person)
	if errors.Is(err, memory.ErrNotFound) {
		_, err = p.Store.Log.Person(r.Context(), person)
	}
	return err
}

func (p Pages) addNote(w http.ResponseWriter, r *http.Request) error {
	f := noteForm{
		persona: r.PathValue("persona"), text: r.FormValue("text"), tags: r.FormValue("tags"), sector: model.Sector(r.FormValue("sector")),
		pinned: r.FormValue("pinned") != "",
	}
	var bad error
	if about := r.FormValue("about"); about != "" {
		if f.about, bad = strconv.ParseInt(about, 10, 64); bad != nil {
			return memory.ErrNotFound
		}
		if err := p.knows(r, f.about); err != nil {
			return err
		}
	}
	if f.salience, bad = strconv.Atoi(r.FormValue("salience")); bad != nil || f.salience < 0 || f.salience > 100 || !slices.Contains(sectors, f.sector) {
		return layout.Invalid(errors.New("choose a sector, and how much it matters from 0 to 100"))
	}
	m, err := p.api().Tell(r.Context(), f.note())
	if errors.Is(err, memoryapi.ErrInvalid) {
		f.problem = strings.TrimPrefix(err.Error(), memoryapi.ErrInvalid.Error()+": ")
		return p.writeNote(w, r, f)
	}
	if err != nil {
		return err
	}
	return layout.Done(w, r, pathOf(m), layout.Notice{Text: "Noted."})
}

func (f noteForm) note() memoryapi.Note {
	n := memoryapi.Note{
		Persona: f.persona, Audience: model.Audience{Kind: model.World}, Text: f.text, Sector: f.sector, Salience: float64(f.salience) / 100,
		Pinned: f.pinned,
	}
	if f.about != 0 {
		n.Audience = model.Audience{Kind: model.Private, Ref: f.about}
	}
	for tag := range strings.SplitSeq(f.tags, ",") {
		if entry.NormalizeTag(tag) != "" {
			n.Tags = append(n.Tags, tag)
		}
	}
	return n
}

// correctable reports whether the operator may put another text in the place of a memory's: their own words.
func correctable(m model.Memory) bool {
	return m.Origin == model.OriginOperator && m.SupersededBy == 0
}

func (p Pages) newCorrection(w http.ResponseWriter, r *http.Request) error {
	m, err := p.read(r)
	if err != nil {
		return err
	}
	return p.writeCorrection(w, r, m, m.Text, "")
}

func (p Pages) writeCorrection(w http.ResponseWriter, r *http.Request, m model.Memory, text, problem string) error {
	if !correctable(m) {
		return memory.ErrNotFound
	}
	page := p.page(r, "Correct a note")
	page.Body = correctPage(m, text, problem)
	return p.shell.Write(w, r, page)
}

func (p Pages) correct(w http.ResponseWriter, r *http.Request) error {
	m, err := p.read(r)
	if err != nil {
		return err
	}
	text := r.FormValue("text")
	if !correctable(m) || strings.TrimSpace(text) == m.Text {
		return p.writeCorrection(w, r, m, text, "The text is the same as before.")
	}
	corrected, err := p.api().Tell(r.Context(), memoryapi.Note{
		Persona: m.Persona, Audience: m.Audience, Text: text, Sector: m.Sector, Salience: m.Salience, Pinned: m.Pinned, Tags: m.Tags, Supersedes: m.ID,
	})
	if errors.Is(err, memoryapi.ErrInvalid) {
		return p.writeCorrection(w, r, m, text, strings.TrimPrefix(err.Error(), memoryapi.ErrInvalid.Error()+": "))
	}
	if err != nil {
		return err
	}
	return layout.Done(w, r, pathOf(corrected), layout.Notice{Text: "Corrected. The earlier version is kept as history and not recalled."})
}
