package memory

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"familiar/channels"
	"familiar/memory/belief"
	"familiar/memory/entry"
	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/log"
	"familiar/memory/model"
	"familiar/memory/turns"
)

// Owner says who owns a notebook.
type Owner struct {
	// Persona is who remembers. It is required. Personas share nothing.
	Persona string
	// Person is who writes and asks, as an id that the caller chooses and never changes. Without it, the notebook holds
	// what everybody may know about the persona.
	Person string
	// Name is the person's name, Person when empty.
	Name string
	// Group makes a notebook that everybody who names this group shares. Its content is also known in the private
	// notebooks of those who have written in it, but never the other way round.
	Group string
	// Zone is the person's timezone, UTC when nil.
	Zone *time.Location
}

// Notebook is a persona's memory as one person writes and reads it. It is safe for concurrent use and needs no closing.
type Notebook struct {
	store *Store
	owner Owner
	// person and room are zero in a notebook without a person.
	person model.Person
	room   model.Room
}

// notebooks is the channel of the people and rooms that exist only through notebooks.
const notebooks = "notebook"

// Notebook opens the notebook of an owner and creates it if it is new. It fails when the owner has no persona, or a
// group but no person.
func (s *Store) Notebook(ctx context.Context, o Owner) (*Notebook, error) {
	n := &Notebook{store: s, owner: o}
	switch {
	case o.Persona == "":
		return nil, errors.New("open a notebook: the owner needs a persona")
	case o.Person == "" && o.Group != "":
		return nil, fmt.Errorf("open the notebook of group %q: the owner needs a person", o.Group)
	case o.Person == "":
		return n, nil
	}
	arrival := n.message("", s.db.Now())
	arrival.Arrival = true
	var err error
	if n.person, n.room, err = s.Turns.UpsertParticipant(ctx, arrival); err != nil {
		return nil, fmt.Errorf("open the notebook of %s: %w", o.Person, err)
	}
	return n, nil
}

// Person returns the owner, the zero Person for a notebook without one.
func (n *Notebook) Person() model.Person { return n.person }

// Audience returns who may know what is written in the notebook.
func (n *Notebook) Audience() model.Audience {
	if n.room.ID == 0 {
		return model.Audience{Kind: model.World}
	}
	return n.room.Audience()
}

// Visibility returns what may be read in the notebook now, for the methods of the Store's packages that take one.
func (n *Notebook) Visibility(ctx context.Context) (scope.Visibility, error) {
	if n.room.ID == 0 {
		return scope.NewVisibility(n.owner.Persona, model.Audience{Kind: model.World}), nil
	}
	return n.store.Log.Visibility(ctx, n.owner.Persona, n.room.ID)
}

// message returns a text as a message of the owner.
func (n *Notebook) message(text string, at time.Time) channels.Message {
	m := channels.Message{
		ID: turns.NoteID(text, at), Room: channels.Room{Channel: notebooks, ID: "of/" + n.owner.Person}, Direct: true, Text: text, At: at,
		Author: channels.Author{
			Handle: channels.Handle{Channel: notebooks, ID: n.owner.Person}, Name: cmp.Or(n.owner.Name, n.owner.Person),
		},
	}
	if n.owner.Group != "" {
		m.Room.ID, m.Direct, m.RoomTitle = "group/"+n.owner.Group, false, n.owner.Group
	}
	return m
}

// zone returns the owner's timezone.
func (n *Notebook) zone() *time.Location {
	if n.owner.Zone != nil {
		return n.owner.Zone
	}
	return time.UTC
}

// Remember stores a text and what it claims, and returns the memory. Keys and passwords in it are redacted. It fails
// when the text is empty.
func (n *Notebook) Remember(ctx context.Context, text string, options ...RememberOption) (model.Memory, error) {
	m, err := n.remember(ctx, text, options)
	if err != nil {
		return model.Memory{}, fmt.Errorf("remember for %s: %w", n.owner.Persona, err)
	}
	return m, nil
}

func (n *Notebook) remember(ctx context.Context, text string, options []RememberOption) (model.Memory, error) {
	it := noteSettings{at: n.store.db.Now()}
	for _, o := range options {
		o(&it)
	}
	m := n.message(log.Redact(strings.TrimSpace(model.CleanText(text))), it.at)
	if m.Text == "" {
		return model.Memory{}, errors.New("a memory needs a text")
	}
	filing := entry.Annotate(m, "", n.zone())
	filing.Analysis.Claims = append(filing.Analysis.Claims, it.claims...)
	filing.Salience, filing.Sector = cmp.Or(it.salience, filing.Salience), cmp.Or(it.sector, filing.Sector)
	switch {
	case filing.Salience < 0 || filing.Salience > 1:
		return model.Memory{}, fmt.Errorf("salience %v is not within 0–1", filing.Salience)
	case n.room.ID == 0:
		return n.rememberForAll(ctx, m.Text, filing, it)
	case it.pinned:
		return model.Memory{}, errors.New("only what everybody may know can be pinned: use a notebook without a person")
	}
	return n.record(ctx, m, filing, it)
}

// rememberForAll stores a text that everybody may know. It belongs to no conversation.
func (n *Notebook) rememberForAll(ctx context.Context, text string, f model.Annotation, it noteSettings) (model.Memory, error) {
	if it.answer != "" || it.newSession {
		return model.Memory{}, errors.New("a text without a person has no session and no answer")
	}
	told := entry.OperatorMemory(n.owner.Persona, n.Audience(), text, f, it.pinned)
	told.Tags = it.tags
	return n.store.Entries.Remember(ctx, told)
}

// sessionGap is the silence after which a text starts a new session.
const sessionGap = 30 * time.Minute

// record stores the message, with what the persona answered, as a turn of a conversation that took place elsewhere.
func (n *Notebook) record(ctx context.Context, m channels.Message, f model.Annotation, it noteSettings) (model.Memory, error) {
	person, room, err := n.store.Turns.UpsertParticipant(ctx, m)
	if err != nil {
		return model.Memory{}, err
	}
	last, err := n.store.Turns.LatestSession(ctx, n.owner.Persona, room.ID)
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return model.Memory{}, err
	}
	turn := turns.Turn{
		Persona: n.owner.Persona, Room: room, Started: n.store.db.Now(),
		Heard: []model.AnnotatedMessage{{Message: m, PersonID: person.ID, Annotation: f}},
	}
	if it.answer != "" {
		answer := m
		answer.ID, answer.Text = turns.NoteID("answer: "+it.answer, m.At), log.Redact(strings.TrimSpace(model.CleanText(it.answer)))
		turn.Heard = append(turn.Heard, model.AnnotatedMessage{Message: answer, Own: true})
	}
	if !it.newSession && last.Ended.IsZero() && m.At.Sub(last.Last).Abs() <= sessionGap {
		turn.SessionID = last.ID
	}
	if _, err := n.store.Turns.RecordTurn(ctx, turn); err != nil && !errors.Is(err, turns.ErrAlreadyDone) {
		return model.Memory{}, err
	}
	kept, err := n.store.MemoryOfEvent(ctx, n.owner.Persona, room.ID, m.ID)
	if err != nil || len(it.tags) == 0 {
		return kept, err
	}
	kept.Tags, err = n.store.Entries.Tag(ctx, kept.ID, it.tags...)
	return kept, err
}

// MemoryOfEvent returns the memory of a message in a room, by the id of the message on its network. It fails with ErrNotFound if
// none was made of it.
func (s *Store) MemoryOfEvent(ctx context.Context, persona string, room int64, event string) (m model.Memory, err error) {
	err = s.db.Read(ctx, "read the memory of message "+event, func(tx *db.Tx) error {
		id, err := db.One(tx.QueryRow(`SELECT s.memory_id FROM messages m JOIN memory_sources s ON s.message_id = m.id
			WHERE m.persona = ? AND m.room_id = ? AND m.external_id = ? ORDER BY s.memory_id`, persona, room, event), db.ScanID)
		if err == nil {
			m, err = entry.Memory(tx, id)
		}
		return err
	})
	return m, err
}

// Believe stores a claim without a text of its own: that subject, or the owner when subject is empty, has relation to
// value. relation is a relation that claims in texts have ("lives_in", "pet_name:dog") or any other noun ("favourite
// colour"). A belief that it replaces stays as history. A notebook without a person has no beliefs, because nobody
// vouches for them.
func (n *Notebook) Believe(ctx context.Context, subject, relation, value string, options ...RememberOption) (model.Memory, error) {
	if n.room.ID == 0 {
		return model.Memory{}, fmt.Errorf("believe for %s: a belief needs a person who claims it", n.owner.Persona)
	}
	if relation == "" || strings.TrimSpace(value) == "" {
		return model.Memory{}, fmt.Errorf("believe for %s: a belief needs a relation and a value", n.owner.Persona)
	}
	c := belief.Stated(n.person.Name, subject, relation, value)
	return n.Remember(ctx, c.Quote, append(options, func(it *noteSettings) { it.claims = append(it.claims, c) })...)
}
