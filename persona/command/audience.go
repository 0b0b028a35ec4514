package command

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"familiar/memory"
	"familiar/memory/erase"
	"familiar/memory/log"
	"familiar/memory/model"
)

// shareCommand lets the persona speak of one of the person's own memories in a group where they have written.
func (r Runner) shareCommand(ctx context.Context, c call) (result, error) {
	if !c.room.Direct {
		return c.told("share.direct"), nil
	}
	number, where, _ := strings.Cut(c.rest, " ")
	id, ok := memoryNumber(number)
	if !ok {
		return c.told("share.usage"), nil
	}
	m, own, err := r.ownWords(ctx, c, id)
	if err != nil || !own {
		return c.told("share.notyours", "id", id), err
	}
	groups, err := r.groupsOf(ctx, c)
	if err != nil || len(groups) == 0 {
		return c.told("share.nogroup"), err
	}
	chosen := groupsNamed(groups, where)
	if len(chosen) == 0 || where == "" && len(groups) > 1 {
		return c.told("share.which", "id", id, "groups", c.listed(c.titles(groups))), nil
	}
	return result{
		text:     c.say("share.done", "id", id, "text", attributed("", m.Text), "groups", c.listed(c.titles(chosen))),
		memories: []int64{id},
		apply:    r.changeAudience(erase.AudienceChange{Persona: r.Card.Key, Memory: id, Person: c.person.ID, Groups: chosen}),
	}, nil
}

// privateCommand takes something that the person said out of all groups: it is kept for their direct talk alone.
func (r Runner) privateCommand(ctx context.Context, c call) (result, error) {
	id, ok := memoryNumber(c.rest)
	if strings.EqualFold(c.rest, "last") {
		last, err := r.lastInGroups(ctx, c)
		if err != nil || last == 0 {
			return c.told("private.nothing"), err
		}
		id, ok = last, true
	}
	if !ok {
		return c.told("private.usage"), nil
	}
	m, own, err := r.ownWords(ctx, c, id)
	if err != nil || !own {
		return c.told("private.notyours", "id", id), err
	}
	if _, err := r.directRoom(ctx, c); err != nil {
		if errors.Is(err, memory.ErrNotFound) {
			return c.told("private.nodirect", "id", id), nil
		}
		return result{}, err
	}
	return result{
		text:  c.say("private.done", "text", attributed("", m.Text)),
		apply: r.changeAudience(erase.AudienceChange{Persona: r.Card.Key, Memory: id, Person: c.person.ID}),
	}, nil
}

// changeAudience changes who may hear a memory, together with the answer that says so.
func (r Runner) changeAudience(change erase.AudienceChange) func(context.Context, log.CommandAnswer) error {
	return func(ctx context.Context, answer log.CommandAnswer) error {
		return r.Store.Eraser.ChangeAudience(ctx, change, answer)
	}
}

// ownWords returns a memory, and whether it is what the person said in one message that this room may hear.
func (r Runner) ownWords(ctx context.Context, c call, id int64) (model.Memory, bool, error) {
	m, err := r.Store.Turns.MemoryFor(ctx, c.hearing, id)
	if errors.Is(err, memory.ErrNotFound) {
		return model.Memory{}, false, nil
	}
	return m, m.AuthorID == c.person.ID && m.Origin == model.OriginMessage && len(m.Sources) == 1, err
}

// lookedBack is how many of the person's messages are looked through for the last one in a group.
const lookedBack = 500

// lastInGroups returns the memory of what the person said last in a group that this room may hear, 0 for none.
func (r Runner) lastInGroups(ctx context.Context, c call) (int64, error) {
	said, err := r.Store.Recall.SaidBetween(ctx, c.hearing, c.person.ID, time.Time{}, r.Now().Add(time.Hour), lookedBack)
	for _, m := range said {
		if m.Audience.Kind == model.InRoom {
			return m.ID, err
		}
	}
	return 0, err
}

// groupsOf returns the groups in which the person has written.
func (r Runner) groupsOf(ctx context.Context, c call) (groups []model.Room, err error) {
	for _, a := range c.hearing.Audiences() {
		if a.Kind != model.InRoom {
			continue
		}
		room, err := r.Store.Log.RoomByID(ctx, a.Ref)
		if err != nil {
			return nil, fmt.Errorf("find the groups of a person: %w", err)
		}
		groups = append(groups, room)
	}
	return groups, nil
}

// groupsNamed returns the groups that the words name: one by its title or a part of it, "all", or the only one there is.
func groupsNamed(groups []model.Room, name string) []model.Room {
	name = strings.ToLower(strings.Trim(name, " .\"“”"))
	name = strings.TrimSpace(strings.TrimPrefix(name, "in "))
	if name == "" || name == "all" || name == "everywhere" {
		return groups
	}
	if i := slices.IndexFunc(groups, func(r model.Room) bool { return strings.ToLower(r.Title) == name }); i >= 0 {
		return groups[i : i+1]
	}
	var found []model.Room
	for _, r := range groups {
		if strings.Contains(strings.ToLower(r.Title), name) {
			found = append(found, r)
		}
	}
	if len(found) > 1 { // ask, rather than share it with the wrong people
		return nil
	}
	return found
}

func (t *tongue) titles(rooms []model.Room) (all []string) {
	for _, r := range rooms {
		all = append(all, t.title(r))
	}
	return all
}

// directRoom returns a direct room of the person, on any network.
func (r Runner) directRoom(ctx context.Context, c call) (model.Room, error) {
	if c.room.Direct {
		return c.room, nil
	}
	for name := range r.Channels {
		if room, err := r.Store.Log.DirectRoom(ctx, name, c.person.ID); !errors.Is(err, memory.ErrNotFound) {
			return room, err
		}
	}
	return model.Room{}, memory.ErrNotFound
}
