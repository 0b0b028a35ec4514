// Package route decides which persona of a process a message is for, and which others hear it. Pure.
package route

import (
	"slices"
	"strings"

	"familiar/channels"
	"familiar/memory/understand/english"
)

// Persona is where one persona is found.
type Persona struct {
	// Key is its key, Name what people call it.
	Key, Name string
	// Rooms are the rooms in which it answers by default, as CHANNEL/ID, or CHANNEL/ID/THREAD for one thread. Servers are
	// CHANNEL/ID of a network's servers, Channels names of networks. The narrowest claim on a room wins.
	Rooms, Servers, Channels []string
	// Mentions makes it hear every group, and answer where its name is called.
	Mentions bool
	// Selectable lets people switch their direct room to it.
	Selectable bool
	// Adult keeps it out of rooms that are not for adults: nobody calls it there, switches to it, or is heard by it.
	Adult bool
}

// Router routes messages. Its zero value has no persona.
type Router struct {
	// Default is the key of the persona of all rooms that none claims. It is one of Personas.
	Default  string
	Personas []Persona
	// Forced, if not empty, is the key of the persona that every message is for.
	Forced string
	// ForAdults reports whether personas for adults may talk where a message was written. Nil lets them talk anywhere.
	ForAdults func(m channels.Message) bool
}

// Facts are what a decision depends on.
type Facts struct {
	Message channels.Message
	// Chosen is the key of the persona that the person chose for their direct room, "" for none.
	Chosen string
	// RepliesTo is the key of the persona whose message this one replies to, "" for none.
	RepliesTo string
}

// Decision says who receives a message.
type Decision struct {
	// For is the key of the persona that answers, if anybody asks.
	For string
	// Hears are the keys of the others, who remember the message and never answer it.
	Hears []string
}

// Route decides about a new message.
func (r Router) Route(f Facts) Decision {
	m := f.Message
	d := Decision{For: r.Owner(m)}
	switch {
	case r.Forced != "":
		return d
	case r.comes(m.For, m):
		if !m.Direct {
			d.Hears = slices.DeleteFunc(r.Present(m), func(key string) bool { return key == d.For })
		}
		return d
	case m.Direct:
		if f.Chosen != "" && r.comes(f.Chosen, m) {
			d.For = f.Chosen
		}
		return d
	}
	present := r.Present(m)
	switch called := r.called(present, m); {
	case called != "":
		d.For = called
	case slices.Contains(present, f.RepliesTo):
		d.For = f.RepliesTo
	}
	d.Hears = slices.DeleteFunc(present, func(key string) bool { return key == d.For })
	return d
}

// Owner returns the persona that answers in a room where none is called and none was chosen.
func (r Router) Owner(m channels.Message) string {
	if r.Forced != "" {
		return r.Forced
	}
	if r.comes(m.For, m) {
		return m.For
	}
	room := m.Room.Channel + "/" + m.Room.ID
	for _, claimed := range []func(Persona) bool{
		func(p Persona) bool { return m.Room.Thread != "" && slices.Contains(p.Rooms, room+"/"+m.Room.Thread) },
		func(p Persona) bool { return slices.Contains(p.Rooms, room) },
		func(p Persona) bool { return m.Server != "" && slices.Contains(p.Servers, m.Room.Channel+"/"+m.Server) },
		func(p Persona) bool { return slices.Contains(p.Channels, m.Room.Channel) },
	} {
		if i := slices.IndexFunc(r.Personas, claimed); i >= 0 {
			return r.Personas[i].Key
		}
	}
	return r.Default
}

// Present returns the keys of the personas in a group: its owner first, then those that come when called.
func (r Router) Present(m channels.Message) []string {
	return r.with(m, func(p Persona) bool { return p.Mentions })
}

// Choices returns the keys of the personas that the person of a direct room may talk with: the owner first.
func (r Router) Choices(m channels.Message) []string {
	return r.with(m, func(p Persona) bool { return p.Selectable })
}

// with returns the key of the owner of m's room and those of others, as far as they may talk there.
func (r Router) with(m channels.Message, other func(Persona) bool) []string {
	keys := []string{r.Owner(m)}
	for _, p := range r.Personas {
		if other(p) && r.Forced == "" && p.Key != keys[0] {
			keys = append(keys, p.Key)
		}
	}
	return slices.DeleteFunc(keys, func(key string) bool { return !r.comes(key, m) })
}

// comes reports whether there is such a persona that may talk where m was written.
func (r Router) comes(key string, m channels.Message) bool {
	i := slices.IndexFunc(r.Personas, func(p Persona) bool { return p.Key == key })
	return i >= 0 && (!r.Personas[i].Adult || r.ForAdults == nil || r.ForAdults(m))
}

// Call returns m as a message to the persona that it calls by name, if it calls one in a group. Only personas with Mentions
// are called: the others answer to the account's own mention.
func (r Router) Call(m channels.Message) channels.Message {
	if m.Direct || m.Addressed || m.Action != channels.Post || m.Author.Bot {
		return m
	}
	m.Addressed = r.called(r.Present(m), m) != ""
	return m
}

// called returns the key of the persona with Mentions that the message calls, "" for none. If it calls several, the one
// called first is meant.
func (r Router) called(present []string, m channels.Message) (key string) {
	first := -1
	for _, p := range r.Personas {
		if !p.Mentions || !slices.Contains(present, p.Key) {
			continue
		}
		for _, name := range p.names() {
			at, ok := calledAt(m.Text, name, m.Addressed)
			if ok && (first < 0 || at < first) {
				key, first = p.Key, at
			}
		}
	}
	return key
}

// names returns what a persona is called: its key, its name and the first word of that. If the first word is a common one,
// as in "The Oracle", the last word stands for it, unless that is common too.
func (p Persona) names() []string {
	names := []string{p.Key, p.Name}
	words := strings.Fields(p.Name)
	if len(words) == 0 {
		return names
	}
	for _, word := range []string{words[0], words[len(words)-1]} {
		if !english.Function[strings.ToLower(word)] {
			return append(names, word)
		}
	}
	return names
}

// Renewed returns a router in which a persona has a name, and is for adults or not.
func (r Router) Renewed(key, name string, adult bool) Router {
	r.Personas = slices.Clone(r.Personas)
	for i := range r.Personas {
		if r.Personas[i].Key == key {
			r.Personas[i].Name, r.Personas[i].Adult = name, adult
		}
	}
	return r
}
