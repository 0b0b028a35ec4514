// Package conversations has the pages on what was said: the rooms of a persona, each room as it was shown, why an answer was given,
// and what did not get through.
package conversations

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	"github.com/a-h/templ"

	"familiar/memory"
	"familiar/memory/conversation"
	"familiar/memory/model"
	"familiar/prompts"
	"familiar/web/layout"
)

// Pages are the pages of conversations.
type Pages struct {
	// Prompt returns the prompt that a model would get if somebody wrote a text in a room now, nil if that is not offered.
	Prompt func(ctx context.Context, persona string, person model.Person, room model.Room, text string) (prompts.Prompt, error)

	shell *layout.Shell
	store *memory.Store
}

// pageSize is how many rows a page has.
const pageSize = 50

// Mount adds the pages on the conversations in a store to a shell.
func (p Pages) Mount(shell *layout.Shell, store *memory.Store) {
	p.shell, p.store = shell, store
	shell.Get("/p/{persona}/conversations", p.rooms)
	shell.Get("/p/{persona}/conversations/{room}", p.room)
	shell.Get("/p/{persona}/conversations/{room}/{message}", p.why)
	shell.Get("/p/{persona}/conversations/{room}/{message}/prompt", p.prompt)
	shell.Get("/p/{persona}/letters", p.letters)
	shell.Get("/p/{persona}/letters/{id}/resend", p.askResend)
	shell.Post("/p/{persona}/letters/{id}/resend", p.resend)
	shell.Get("/p/{persona}/letters/{id}/drop", p.askDropLetter)
	shell.Post("/p/{persona}/letters/{id}/drop", p.dropLetter)
	shell.Post("/p/{persona}/unanswered/{id}/retry", p.retry)
	shell.Get("/p/{persona}/unanswered/{id}/drop", p.askDropMessage)
	shell.Post("/p/{persona}/unanswered/{id}/drop", p.dropMessage)
}

// ask writes a page that asks before something is done.
func (p Pages) ask(w http.ResponseWriter, r *http.Request, title string, body templ.Component) error {
	return p.shell.Write(w, r, layout.Page{Title: title, Section: layout.Conversations, Persona: r.PathValue("persona"), Body: body})
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

// The kinds of rooms in the filter.
const (
	kindDirect = "direct"
	kindGroup  = "group"
)

// roomList is what the page of rooms shows.
type roomList struct {
	persona, name string
	words, kind   string
	rooms         []conversation.Room
	// first reports that it is the first page. older is the path of the next one, "" for none.
	first bool
	older string
}

// filtered reports whether rooms may be left out because of what was asked for.
func (l roomList) filtered() bool { return l.words != "" || l.kind != "" || !l.first }

func (p Pages) rooms(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	before, err := optional(query, "before")
	if err != nil {
		return err
	}
	l := roomList{persona: r.PathValue("persona"), words: query.Get("q"), kind: query.Get("kind"), first: before == 0}
	l.name = p.shell.NameOf(l.persona)
	l.rooms, err = p.store.Conversations.Rooms(r.Context(), l.persona, conversation.RoomFilter{
		Words: l.words, Direct: l.kind == kindDirect, Groups: l.kind == kindGroup, Before: before, Limit: pageSize + 1,
	})
	if err != nil {
		return err
	}
	if len(l.rooms) > pageSize {
		l.rooms = l.rooms[:pageSize]
		query.Set("before", strconv.FormatInt(l.rooms[pageSize-1].Last.ID, 10))
		l.older = layout.Path(query, "p", l.persona, "conversations")
	}
	return p.shell.Write(w, r, layout.Page{
		Title: "Conversations", Section: layout.Conversations, Persona: l.persona, Body: roomsBody(l), Live: []string{"rooms"},
	})
}

// talk is what the page of a room shows.
type talk struct {
	persona, name string
	room          conversation.Room
	sessions      []session
	// older and newer are the paths of the pages before and after, "" for none.
	older, newer string
	// explained reports that the page is about one answer, so that no link leads there again.
	explained bool
}

// session is a session with those of its messages that are on the page.
type session struct {
	conversation.Session
	said []conversation.Said
}

func (t talk) path(query url.Values, parts ...string) string {
	return layout.Path(query, append([]string{"p", t.persona, "conversations", strconv.FormatInt(t.room.ID, 10)}, parts...)...)
}

func (p Pages) room(w http.ResponseWriter, r *http.Request) error {
	query, f := r.URL.Query(), conversation.TalkFilter{Limit: pageSize}
	var err error
	if f.Before, err = optional(query, "before"); err != nil {
		return err
	}
	if f.After, err = optional(query, "after"); err != nil {
		return err
	}
	if message, err := optional(query, "message"); err != nil {
		return err
	} else if message != 0 {
		f.After = message - 1 // a page that begins with it
	}
	t, err := p.readTalk(r.Context(), r.PathValue("persona"), r.PathValue("room"), f)
	if err != nil {
		return err
	}
	page := layout.Page{Title: t.room.Name(), Section: layout.Conversations, Persona: t.persona, Body: roomBody(t)}
	if t.newer == "" {
		page.Live = []string{"talk"}
	}
	return p.shell.Write(w, r, page)
}

// readTalk reads a part of the talk in a room.
func (p Pages) readTalk(ctx context.Context, persona, room string, f conversation.TalkFilter) (t talk, err error) {
	id, err := number(room)
	if err != nil {
		return t, err
	}
	t = talk{persona: persona, name: p.shell.NameOf(persona)}
	err = p.store.Snapshot(ctx, func(ctx context.Context) error {
		if t.room, err = p.store.Conversations.Room(ctx, persona, id); err != nil {
			return err
		}
		said, older, newer, err := p.store.Conversations.Talk(ctx, persona, id, f)
		if err != nil {
			return err
		}
		if len(said) > 0 && older {
			t.older = t.path(url.Values{"before": {strconv.FormatInt(said[0].ID, 10)}})
		}
		if len(said) > 0 && newer {
			t.newer = t.path(url.Values{"after": {strconv.FormatInt(said[len(said)-1].ID, 10)}})
		}
		known, err := p.store.Conversations.Sessions(ctx, persona, sessionsOf(said))
		if err != nil {
			return fmt.Errorf("show room %d: %w", id, err)
		}
		leaveObvious(said)
		t.sessions = bySession(said, known)
		return nil
	})
	return t, err
}

func sessionsOf(said []conversation.Said) (ids []int64) {
	for _, m := range said {
		ids = append(ids, m.SessionID)
	}
	return ids
}

// leaveObvious leaves out which message another refers to if it is the one above it.
func leaveObvious(said []conversation.Said) {
	for i := 1; i < len(said); i++ {
		if said[i].Answers.ID == said[i-1].ID {
			said[i].Answers = conversation.Quoted{}
		}
	}
}

// bySession divides messages among their sessions.
func bySession(said []conversation.Said, known map[int64]conversation.Session) (all []session) {
	for _, m := range said {
		if len(all) == 0 || all[len(all)-1].ID != m.SessionID {
			all = append(all, session{Session: known[m.SessionID]})
		}
		all[len(all)-1].said = append(all[len(all)-1].said, m)
	}
	return all
}
