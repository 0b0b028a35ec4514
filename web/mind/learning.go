package mind

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"familiar/memory/belief"
	"familiar/memory/entry"
	"familiar/memory/model"
	"familiar/persona/webnote"
	"familiar/web/layout"
)

func sorted(names []string) []string { slices.Sort(names); return names }

// learning is what the page on what it wants to learn shows.
type learning struct {
	common
	interests []string
	goals     []tracked
	curious   []tracked
	read      []reading
	// each is a page of its own: the path of the next, "" for none.
	olderGoals, olderCurious, olderRead string
}

// tracked is an open goal or curiosity with whom it is about.
type tracked struct {
	belief.TrackedLoop
	person string
}

// reading is what the persona read on the web.
type reading struct {
	model.Memory
	webnote.Note
	// quoted is false for a text in an unknown form.
	quoted bool
}

// listed is how many rows each list of the page has.
const listed = 20

func (p Pages) learning(w http.ResponseWriter, r *http.Request) error {
	c, err := p.common(r)
	if err != nil {
		return err
	}
	l := learning{common: c}
	if p.Card != nil {
		card, err := p.Card(c.persona)
		if err != nil {
			return fmt.Errorf("read the card of %s: %w", c.persona, err)
		}
		l.interests = card.Interests
	}
	err = p.store.Snapshot(r.Context(), func(ctx context.Context) (err error) {
		if l.goals, l.olderGoals, err = p.tracked(ctx, c, r, belief.LoopGoal, "goal"); err != nil {
			return err
		}
		if l.curious, l.olderCurious, err = p.tracked(ctx, c, r, belief.LoopCuriosity, "wonder"); err != nil {
			return err
		}
		l.read, l.olderRead, err = p.readings(ctx, c, r)
		return err
	})
	if err != nil {
		return err
	}
	return p.write(w, r, layout.Page{Title: "Learning", Body: learningBody(l)})
}

// tracked returns open goals or curiosities of everybody. Their pages follow the field of the query.
func (p Pages) tracked(ctx context.Context, c common, r *http.Request, kind, field string) (all []tracked, next string, err error) {
	before, err := optional(r.URL.Query(), field)
	if err != nil {
		return nil, "", err
	}
	loops, err := p.store.Beliefs.TrackedOf(ctx, c.persona, kind, before, listed+1)
	if err != nil {
		return nil, "", err
	}
	if len(loops) > listed {
		loops = loops[:listed]
		next = c.path(with(r.URL.Query(), field, loops[listed-1].ID), "learning")
	}
	names := map[int64]string{}
	for _, l := range loops {
		if _, known := names[l.PersonID]; !known {
			person, err := p.store.Log.Person(ctx, l.PersonID)
			if err != nil {
				return nil, "", err
			}
			names[l.PersonID] = person.Name
		}
		all = append(all, tracked{l, names[l.PersonID]})
	}
	return all, next, nil
}

func (p Pages) readings(ctx context.Context, c common, r *http.Request) (all []reading, next string, err error) {
	before, err := optional(r.URL.Query(), "read")
	if err != nil {
		return nil, "", err
	}
	found, err := p.store.Entries.ListMemories(ctx, entry.MemoryFilter{Persona: c.persona, Kind: model.Web, Before: before, Limit: listed + 1})
	if err != nil {
		return nil, "", err
	}
	if len(found) > listed {
		found = found[:listed]
		next = c.path(with(r.URL.Query(), "read", found[listed-1].ID), "learning")
	}
	for _, m := range found {
		n, ok := webnote.Parse(m.Text)
		all = append(all, reading{m, n, ok})
	}
	return all, next, nil
}
