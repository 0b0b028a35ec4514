package persona

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
	"familiar/persona/words"
)

const shareUsage = "Say /share NUMBER, or /share NUMBER in GROUP, and I may speak of it there too. /memory lists the numbers."

// shareCommand lets the persona speak of one of the person's own memories in a group where they have written.
func (cm commander) shareCommand(ctx context.Context, c commandRequest) (commandResult, error) {
	if !c.room.Direct {
		return commandResult{text: "Ask me that in a direct talk: what you told me there is not to be seen here."}, nil
	}
	number, where, _ := strings.Cut(c.rest, " ")
	id, ok := memoryNumber(number)
	if !ok {
		return commandResult{text: shareUsage}, nil
	}
	m, own, err := cm.ownWords(ctx, c, id)
	if err != nil || !own {
		return commandResult{text: fmt.Sprintf("I have no memory %d here that you told me, so you cannot share it.", id)}, err
	}
	groups, err := cm.groupsOf(ctx, c)
	if err != nil || len(groups) == 0 {
		return commandResult{text: "We are in no group together, so there is nowhere to share it."}, err
	}
	chosen := groupsNamed(groups, where)
	if len(chosen) == 0 || where == "" && len(groups) > 1 {
		return commandResult{text: fmt.Sprintf("In which group? Say /share %d in and one of these, or all: %s.", id, words.Listed(titles(groups)))}, nil
	}
	return commandResult{
		text: fmt.Sprintf("Shared: I may now speak of memory %d (%s) in %s. /private %d takes it back.",
			id, cm.attributed("", m.Text), words.Listed(titles(chosen)), id),
		memories: []int64{id},
		apply:    cm.changeAudience(erase.AudienceChange{Persona: cm.Card.Key, Memory: id, Person: c.person.ID, Groups: chosen}),
	}, nil
}

// privateCommand takes something that the person said out of all groups: it is kept for their direct talk alone.
func (cm commander) privateCommand(ctx context.Context, c commandRequest) (commandResult, error) {
	id, ok := memoryNumber(c.rest)
	if strings.EqualFold(c.rest, "last") {
		last, err := cm.lastInGroups(ctx, c)
		if err != nil || last == 0 {
			return commandResult{text: "You said nothing in a group that I still have."}, err
		}
		id, ok = last, true
	}
	if !ok {
		return commandResult{text: "Say /private NUMBER, or /private last for what you said last in a group: I keep it for our direct talk alone. /memory lists the numbers."}, nil
	}
	m, own, err := cm.ownWords(ctx, c, id)
	if err != nil || !own {
		return commandResult{text: fmt.Sprintf("I have no memory %d here that you told me.", id)}, err
	}
	if _, err := cm.directRoom(ctx, c); err != nil {
		if errors.Is(err, memory.ErrNotFound) {
			return commandResult{text: fmt.Sprintf("I can only keep it for a direct talk, and we have none yet: write to me alone first, or say /forget %d.", id)}, nil
		}
		return commandResult{}, err
	}
	return commandResult{
		text:  "It is private now (" + cm.attributed("", m.Text) + "): I keep it for our direct talk, and forgot it in every group, with what I said and concluded there from it.",
		apply: cm.changeAudience(erase.AudienceChange{Persona: cm.Card.Key, Memory: id, Person: c.person.ID}),
	}, nil
}

// changeAudience changes who may hear a memory, together with the answer that says so.
func (cm commander) changeAudience(change erase.AudienceChange) func(context.Context, log.CommandAnswer) error {
	return func(ctx context.Context, answer log.CommandAnswer) error {
		return cm.Store.Eraser.ChangeAudience(ctx, change, answer)
	}
}

// ownWords returns a memory, and whether it is what the person said in one message that this room may hear.
func (cm commander) ownWords(ctx context.Context, c commandRequest, id int64) (model.Memory, bool, error) {
	m, err := cm.Store.Turns.MemoryFor(ctx, c.hearing, id)
	if errors.Is(err, memory.ErrNotFound) {
		return model.Memory{}, false, nil
	}
	return m, m.AuthorID == c.person.ID && m.Origin == model.OriginMessage && len(m.Sources) == 1, err
}

// lastInGroups returns the memory of what the person said last in a group that this room may hear, 0 for none.
func (cm commander) lastInGroups(ctx context.Context, c commandRequest) (int64, error) {
	said, err := cm.Store.Recall.SaidBetween(ctx, c.hearing, c.person.ID, time.Time{}, cm.Now().Add(time.Hour), memoriesCounted)
	for _, m := range said {
		if m.Audience.Kind == model.InRoom {
			return m.ID, err
		}
	}
	return 0, err
}

// groupsOf returns the groups in which the person has written.
func (cm commander) groupsOf(ctx context.Context, c commandRequest) (groups []model.Room, err error) {
	for _, a := range c.hearing.Audiences() {
		if a.Kind != model.InRoom {
			continue
		}
		room, err := cm.Store.Log.RoomByID(ctx, a.Ref)
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

func titles(rooms []model.Room) (all []string) {
	for _, r := range rooms {
		all = append(all, title(r))
	}
	return all
}

// directRoom returns a direct room of the person, on any network.
func (cm commander) directRoom(ctx context.Context, c commandRequest) (model.Room, error) {
	if c.room.Direct {
		return c.room, nil
	}
	for name := range cm.channels {
		if room, err := cm.Store.Log.DirectRoom(ctx, name, c.person.ID); !errors.Is(err, memory.ErrNotFound) {
			return room, err
		}
	}
	return model.Room{}, memory.ErrNotFound
}
