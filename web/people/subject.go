package people

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"familiar/memory"
	"familiar/memory/belief"
	"familiar/memory/model"
	"familiar/memory/reminder"
	"familiar/memory/turns"
	"familiar/web/layout"
)

// subject is the person whom a page is about.
type subject struct {
	persona string
	model.Person
	relationship model.Relationship
	// called are the names they gave themselves, latest first.
	called []string
}

// path returns the path of a page about the person.
func (s subject) path(parts ...string) string {
	return layout.Of(s.persona, append([]string{"people", strconv.FormatInt(s.ID, 10)}, parts...)...)
}

// subject returns the person whom a request is about. Whom the persona never met has no page.
func (p *Pages) subject(r *http.Request) (s subject, err error) {
	s.persona = r.PathValue("persona")
	id, err := number(r.PathValue("id"))
	if err != nil {
		return s, err
	}
	ctx := r.Context()
	if s.relationship, err = p.Store.Turns.Relationship(ctx, s.persona, id); err != nil {
		return s, err
	}
	if s.Person, err = p.Store.Log.Person(ctx, id); err != nil {
		return s, err
	}
	s.called, err = p.called(ctx, s.persona, id)
	return s, err
}

// visibility returns what may be said to a person in a direct room, whether or not they have one.
func (p *Pages) visibility(ctx context.Context, s subject) (memory.Visibility, error) {
	room, err := p.directRoom(ctx, s)
	if err != nil {
		return memory.Visibility{}, err
	}
	return p.Store.Log.VisibilityIn(ctx, s.persona, room)
}

// portrayed is everything on the page of a person.
type portrayed struct {
	subject
	now      time.Time
	portrait *model.Memory
	facts    []model.Belief
	ended    []model.Belief
	open     open
	days     []model.Relationship
	reached  []turns.Milestone
	talks    []talk
	// moreFacts, moreEnded and moreTalks lead to what is not shown.
	moreFacts, moreEnded, moreTalks string
	consent                         time.Time
	may                             may
}

// may is what the pages can do, as far as the app can.
type may struct{ greet, link, erase bool }

func (p *Pages) may() may { return may{p.Mind != nil, p.Join != nil && p.Part != nil, p.Erase != nil} }

// open is what is open with a person.
type open struct {
	loops     []model.Loop
	goals     []belief.TrackedLoop
	reminders []reminder.Reminder
}

func (o open) empty() bool { return len(o.loops)+len(o.goals)+len(o.reminders) == 0 }

// What the page of a person shows before it leads to lists.
const (
	factsShown = 20
	endedShown = 10
	talksShown = 8
	openShown  = 30
)

// person answers GET /p/{persona}/people/{id}.
func (p *Pages) person(w http.ResponseWriter, r *http.Request) error {
	s, err := p.subject(r)
	if err != nil {
		return err
	}
	shown, err := p.portrayed(r.Context(), s)
	if err != nil {
		return err
	}
	return p.shell.Write(w, r, layout.Page{
		Title: s.Name, Section: layout.People, Persona: s.persona, Live: []string{"person"}, Body: personPage(shown),
	})
}

func (p *Pages) portrayed(ctx context.Context, s subject) (shown portrayed, err error) {
	shown = portrayed{subject: s, now: p.Now(), may: p.may()}
	v, err := p.visibility(ctx, s)
	if err != nil {
		return shown, err
	}
	for _, read := range []func() error{
		func() error { return p.readFacts(ctx, &shown) },
		func() (err error) { shown.open, err = p.open(ctx, v, s); return err },
		func() (err error) {
			shown.days, err = p.Store.Turns.RelationshipHistory(ctx, s.persona, s.ID)
			return err
		},
		func() (err error) { shown.reached, err = p.Store.Turns.Milestones(ctx, v, s.ID); return err },
		func() (err error) {
			var next int64
			if shown.talks, next, err = p.talks(ctx, s, 0, talksShown); next != 0 {
				shown.moreTalks = s.path("sessions")
			}
			return err
		},
		func() error {
			drawn, err := p.Store.Lifecycle.InferencesAbout(ctx, v, s.ID, model.Portrait, 1)
			if len(drawn) > 0 {
				shown.portrait = &drawn[0]
			}
			return err
		},
		func() error {
			agreed, err := p.Store.Training.Consent(ctx, s.persona, s.ID)
			if agreed.Given {
				shown.consent = agreed.At
			}
			return err
		},
	} {
		if err := read(); err != nil {
			return shown, err
		}
	}
	return shown, nil
}

// readFacts reads the latest facts about a person, and the latest that do not hold any more.
func (p *Pages) readFacts(ctx context.Context, shown *portrayed) (err error) {
	about := belief.Filter{Persona: shown.persona, SubjectPerson: shown.ID, Limit: factsShown + 1}
	if shown.facts, err = p.Store.Beliefs.ListBeliefs(ctx, about); err != nil {
		return err
	}
	if len(shown.facts) > factsShown {
		shown.facts, shown.moreFacts = shown.facts[:factsShown], shown.path("facts")
	}
	about.Ended, about.Limit = true, endedShown+1
	if shown.ended, err = p.Store.Beliefs.ListBeliefs(ctx, about); err != nil {
		return err
	}
	if len(shown.ended) > endedShown {
		shown.ended, shown.moreEnded = shown.ended[:endedShown], shown.path("facts")+"?ended=1"
	}
	return nil
}

func (p *Pages) open(ctx context.Context, v memory.Visibility, s subject) (o open, err error) {
	if o.loops, err = p.Store.Beliefs.Loops(ctx, v, s.ID); err != nil {
		return o, err
	}
	for _, kind := range []string{belief.LoopGoal, belief.LoopCuriosity} {
		some, err := p.Store.Beliefs.TrackedLoops(ctx, v, s.ID, kind)
		if err != nil {
			return o, err
		}
		o.goals = append(o.goals, some...)
	}
	o.reminders, err = p.Store.Reminders.Waiting(ctx, s.persona, s.ID)
	o.loops, o.goals, o.reminders = first(o.loops), first(o.goals), first(o.reminders)
	return o, err
}

func first[T any](all []T) []T { return all[:min(len(all), openShown)] }

// talk is a session in which the person spoke.
type talk struct {
	model.Session
	turns.SessionHead
	room string
}

// talks returns sessions of a person, the latest first, those before an id if it is not 0, and the id from which the next page
// goes on, 0 for none.
func (p *Pages) talks(ctx context.Context, s subject, before int64, limit int) (all []talk, next int64, err error) {
	sessions, err := p.Store.Turns.Sessions(ctx, turns.SessionFilter{Persona: s.persona, Person: s.ID, Before: before, Limit: limit + 1})
	if err != nil {
		return nil, 0, err
	}
	if len(sessions) > limit {
		sessions = sessions[:limit]
		next = sessions[limit-1].ID
	}
	var ids []int64
	for _, one := range sessions {
		ids = append(ids, one.ID)
	}
	heads, err := p.Store.Turns.SessionHeads(ctx, ids)
	if err != nil {
		return nil, 0, err
	}
	for _, one := range sessions {
		room, err := p.Store.Log.RoomByID(ctx, one.RoomID)
		if errors.Is(err, memory.ErrNotFound) { // erased meanwhile
			continue
		}
		if err != nil {
			return nil, 0, err
		}
		all = append(all, talk{one, heads[one.ID], roomName(room)})
	}
	return all, next, nil
}

// roomName names a room as the operator knows it.
func roomName(r model.Room) string {
	switch {
	case r.Direct:
		return "direct, " + r.Channel
	case r.Title != "":
		return r.Title
	}
	return r.Channel + "/" + r.Room.ID
}

// sessions answers GET /p/{persona}/people/{id}/sessions.
func (p *Pages) sessions(w http.ResponseWriter, r *http.Request) error {
	s, err := p.subject(r)
	if err != nil {
		return err
	}
	before, err := number(r.FormValue("before"))
	if err != nil {
		return err
	}
	all, next, err := p.talks(r.Context(), s, before, sessionsPerPage)
	if err != nil {
		return err
	}
	newer, older := pages(s.path("sessions"), before, next)
	return p.shell.Write(w, r, layout.Page{
		Title: "Conversations with " + s.Name, Section: layout.People, Persona: s.persona, Body: sessionsPage(s, all, newer, older),
	})
}

// pages returns the paths to the first page, and to the next if there is one.
func pages(path string, before, next int64) (newer, older string) {
	if before != 0 {
		newer = path
	}
	if next != 0 {
		older = fmt.Sprintf("%s?before=%d", path, next)
	}
	return newer, older
}

// networks returns the networks on which a person has accounts, each once.
func networks(p model.Person) (all []string) {
	for _, h := range p.Handles {
		if !slices.Contains(all, h.Channel) {
			all = append(all, h.Channel)
		}
	}
	return all
}
