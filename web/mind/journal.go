package mind

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"

	"familiar/memory"
	"familiar/memory/entry"
	"familiar/memory/model"
	"familiar/web/layout"
)

// section is a kind of entries in the journal.
type section struct {
	kind model.Kind
	// name is one of them, names many. job is what makes them.
	name, names, job string
}

// sections are what the journal holds.
var sections = []section{
	{model.Dream, "dream", "Dreams", "dream"},
	{model.Observation, "reflection", "Reflections", "reflect"},
	{model.InsightMoment, "insight", "Insights", "dream"},
	{model.Lesson, "lesson", "Lessons", "dream"},
	{model.SelfNote, "note about itself", "Notes about itself", "session-close"},
}

func sectionOf(kind model.Kind) section {
	for _, s := range sections {
		if s.kind == kind {
			return s
		}
	}
	return section{kind: kind, name: string(kind)}
}

// journal is what the page of the journal shows.
type journal struct {
	common
	kind    string
	entries []note
	first   bool
	older   string
}

// note is one entry of the journal.
type note struct {
	model.Memory
	// of is whom or which room it is about, ofPath their page, "" for everybody.
	of, ofPath string
	sources    []source
	// more is how many sources are not shown.
	more int
}

// source is a message that an entry was made from.
type source struct {
	model.Message
	path string
}

// shownSources is how many messages are shown below an entry.
const shownSources = 5

func (p Pages) journal(w http.ResponseWriter, r *http.Request) error {
	c, err := p.common(r)
	if err != nil {
		return err
	}
	query := r.URL.Query()
	before, err := optional(query, "before")
	if err != nil {
		return err
	}
	j := journal{common: c, kind: query.Get("kind"), first: before == 0}
	err = p.store.Snapshot(r.Context(), func(ctx context.Context) error {
		found, err := p.entries(ctx, c.persona, j.kind, before)
		if err != nil {
			return err
		}
		if len(found) > pageSize {
			found = found[:pageSize]
			j.older = older(c, query, found[pageSize-1].ID)
		}
		j.entries, err = p.notes(ctx, c, found)
		return err
	})
	if err != nil {
		return err
	}
	return p.write(w, r, layout.Page{Title: "Mind", Body: journalBody(j), Live: []string{"journal"}})
}

// entries returns entries of the journal, the latest first: a page and one more.
func (p Pages) entries(ctx context.Context, persona, kind string, before int64) (all []model.Memory, err error) {
	for _, s := range sections {
		if kind != "" && kind != string(s.kind) {
			continue
		}
		some, err := p.store.Entries.ListMemories(ctx, entry.MemoryFilter{Persona: persona, Kind: s.kind, Before: before, Limit: pageSize + 1})
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	slices.SortFunc(all, func(a, b model.Memory) int { return cmp.Compare(b.ID, a.ID) })
	return all[:min(len(all), pageSize+1)], nil
}

// notes adds to memories what they are about and what they were made from.
func (p Pages) notes(ctx context.Context, c common, memories []model.Memory) (all []note, err error) {
	names := map[model.Audience]note{}
	for _, m := range memories {
		n, known := names[m.Audience]
		if !known {
			if n.of, n.ofPath, err = p.about(ctx, c, m.Audience); err != nil {
				return nil, err
			}
			names[m.Audience] = n
		}
		whole, err := p.store.Entries.Memory(ctx, m.ID)
		if err != nil {
			return nil, err
		}
		n.Memory, n.more = whole, max(0, len(whole.Sources)-shownSources)
		if n.sources, err = p.quoted(ctx, c, whole.Sources[:min(len(whole.Sources), shownSources)]); err != nil {
			return nil, err
		}
		all = append(all, n)
	}
	return all, nil
}

// about returns whom an audience is, and the path of their page.
func (p Pages) about(ctx context.Context, c common, a model.Audience) (name, path string, err error) {
	switch a.Kind {
	case model.Private:
		person, err := p.store.Log.Person(ctx, a.Ref)
		return person.Name, layout.Of(c.persona, "people", decimal(a.Ref)), err
	case model.InRoom:
		room, err := p.store.Conversations.Room(ctx, c.persona, a.Ref)
		if errors.Is(err, memory.ErrNotFound) { // nothing of it is left
			return "a room", "", nil
		}
		return room.Name(), layout.Of(c.persona, "conversations", decimal(a.Ref)), err
	}
	return "everybody", "", nil
}

// quoted returns messages with the paths at which they stand. Those that were taken back are left out.
func (p Pages) quoted(ctx context.Context, c common, ids []int64) (all []source, err error) {
	if len(ids) == 0 {
		return nil, nil
	}
	said, err := p.store.Log.Messages(ctx, ids)
	for _, m := range said {
		if m.Text != "" {
			all = append(all, source{m, messagePath(c, m.RoomID, m.ID)})
		}
	}
	return all, err
}
