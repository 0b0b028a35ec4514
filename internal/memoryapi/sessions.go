package memoryapi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"familiar/memory"
	"familiar/memory/access"
	"familiar/memory/entry"
	"familiar/memory/model"
	"familiar/memory/turns"
	"familiar/persona/mind"
)

// SessionsInput asks for sessions.
type SessionsInput struct {
	Limit  int   `json:"limit,omitempty" jsonschema:"how many, 1 to 100; 10 if missing"`
	Before int64 `json:"before,omitempty" jsonschema:"only numbers below this one, for the next page"`
}

// Sessions returns conversations, newest first.
func (c *Client) Sessions(ctx context.Context, in SessionsInput) ([]Session, error) {
	n, err := limit(in.Limit)
	if err != nil {
		return nil, err
	}
	rooms, err := c.rooms(ctx)
	if err != nil {
		return nil, err
	}
	f := turns.SessionFilter{Persona: c.grant.Persona, Limit: n, Before: in.Before}
	if c.grant.Kind != access.Operator {
		if f.Rooms = []int64{}; len(rooms) == 0 {
			return []Session{}, nil
		}
		for id := range rooms {
			f.Rooms = append(f.Rooms, id)
		}
		slices.Sort(f.Rooms)
	}
	found, err := c.api.Store.Turns.Sessions(ctx, f)
	if err != nil {
		return nil, err
	}
	list := make([]Session, 0, len(found))
	for _, s := range found {
		list = append(list, sessionOf(s, rooms[s.RoomID]))
	}
	return list, nil
}

// rooms returns the rooms that the program may see, by number.
func (c *Client) rooms(ctx context.Context) (map[int64]model.Room, error) {
	v, err := c.visibility(ctx)
	if err != nil {
		return nil, err
	}
	all, err := c.api.Store.Log.Rooms(ctx)
	if err != nil {
		return nil, err
	}
	seen := map[int64]model.Room{}
	for _, r := range all {
		if c.grant.Kind == access.Operator || v.Includes(r.Audience()) {
			seen[r.ID] = r
		}
	}
	return seen, nil
}

func sessionOf(s model.Session, room model.Room) Session {
	return Session{s.ID, cmp.Or(room.Title, room.Channel), s.Started, s.Last, s.Ended, s.Messages, s.Significance}
}

// Conversation is one session with what was said.
type Conversation struct {
	Session Session `json:"session"`
	Lines   []Line  `json:"lines"`
	// Omitted counts the lines at the beginning that were left out.
	Omitted int `json:"omitted,omitempty" jsonschema:"earlier lines that were left out"`
}

// maxLines is how many lines of a session are returned.
const maxLines = 200

// Session returns one session with its last lines, the latest if id is 0.
func (c *Client) Session(ctx context.Context, id int64) (Conversation, error) {
	if id == 0 {
		latest, err := c.Sessions(ctx, SessionsInput{Limit: 1})
		if err != nil {
			return Conversation{}, err
		}
		if len(latest) == 0 {
			return Conversation{}, fmt.Errorf("the latest session: %w: nothing was said yet", ErrNotFound)
		}
		id = latest[0].ID
	}
	s, err := c.api.Store.Turns.Session(ctx, id)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return Conversation{}, err
	}
	rooms, roomsErr := c.rooms(ctx)
	if roomsErr != nil {
		return Conversation{}, roomsErr
	}
	room, seen := rooms[s.RoomID]
	if err != nil || !seen || s.Persona != c.grant.Persona {
		return Conversation{}, fmt.Errorf("session %d: %w: the tool sessions lists what there is", id, ErrNotFound)
	}
	messages, err := c.api.Store.Turns.SessionMessages(ctx, id)
	if err != nil {
		return Conversation{}, err
	}
	talk := Conversation{Session: sessionOf(s, room), Lines: []Line{}}
	if over := len(messages) - maxLines; over > 0 {
		talk.Omitted, messages = over, messages[over:]
	}
	for _, m := range messages {
		if m.Text != "" {
			talk.Lines = append(talk.Lines, Line{m.Name, m.Text, m.At})
		}
	}
	return talk, nil
}

// Dreams returns the nights' journal, newest first.
func (c *Client) Dreams(ctx context.Context, asked int) ([]Memory, error) {
	n, err := limit(asked)
	if err != nil {
		return nil, err
	}
	v, err := c.visibility(ctx)
	if err != nil {
		return nil, err
	}
	found, err := c.api.Store.Entries.Visible(ctx, v, entry.MemoryFilter{Kind: model.Dream, Limit: n})
	if err != nil {
		return nil, err
	}
	return each(found, memoryOf), nil
}

// People returns whom the persona knows, as far as the program may know it: an operator's program everybody, that of a person or a room
// those who spoke in the groups it sees, and the person.
func (c *Client) People(ctx context.Context) ([]Person, error) {
	ids, err := c.peopleIDs(ctx)
	if err != nil {
		return nil, err
	}
	people, err := c.api.Store.Log.People(ctx)
	if err != nil {
		return nil, err
	}
	list := []Person{}
	for _, p := range people {
		if ids != nil && !ids[p.ID] {
			continue
		}
		is := Person{ID: p.ID, Name: p.Name}
		r, err := c.api.Store.Turns.Relationship(ctx, c.grant.Persona, p.ID)
		if errors.Is(err, memory.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if c.grant.Kind == access.Operator || p.ID == c.grant.PersonID { // how close others are is theirs
			is.Stage, is.Sessions, is.LastSeen = mind.Stage(r, c.api.Now()), r.Sessions, r.LastSeen
		}
		list = append(list, is)
	}
	return list, nil
}

// peopleIDs returns the numbers of the people whom the program may know of, nil for all.
func (c *Client) peopleIDs(ctx context.Context) (map[int64]bool, error) {
	if c.grant.Kind == access.Operator {
		return nil, nil
	}
	rooms, err := c.rooms(ctx)
	if err != nil {
		return nil, err
	}
	ids := map[int64]bool{c.grant.PersonID: true}
	for id, room := range rooms {
		if room.Direct {
			continue
		}
		present, err := c.api.Store.Log.Speakers(ctx, id)
		if err != nil {
			return nil, err
		}
		for _, p := range present {
			ids[p] = true
		}
	}
	return ids, nil
}
