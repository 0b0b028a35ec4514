package turns

import (
	"context"
	"errors"
	"fmt"
	"time"

	"familiar/channels"
	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/log"
	"familiar/memory/model"
)

// UpsertParticipant stores the author and the room of a message and returns both. The handle alone identifies a person,
// never a display name. Names are cleaned by CleanName; the handle's id stands in for an empty one. Anybody met under
// the author's Alias becomes the same person, in the same transaction.
//
// For a message that the persona itself starts it stores nothing, and fails with ErrNotFound when author or room is
// unknown.
//
// It fails when somebody else enters a direct room, or when a room changes between direct and group: what was said to
// one audience must not be heard by the other.
func (s *Store) UpsertParticipant(ctx context.Context, m channels.Message) (model.Person, model.Room, error) {
	person, room, err := s.Participant(ctx, m)
	if !errors.Is(err, ErrOutdated) {
		return person, room, err
	}
	people, room, err := s.UpsertParticipants(ctx, []channels.Message{m})
	if err != nil {
		return model.Person{}, model.Room{}, err
	}
	return people[0], room, nil
}

// UpsertParticipants is UpsertParticipant for messages of one room, in one transaction. It returns the author of each
// and the room. On any error nothing is stored.
func (s *Store) UpsertParticipants(ctx context.Context, messages []channels.Message) (people []model.Person, room model.Room, err error) {
	err = s.db.Write(ctx, fmt.Sprintf("enter room %s", messages[0].Room), func(tx *db.Tx) error {
		people = make([]model.Person, 0, len(messages))
		find := participants{tx: tx}
		for _, m := range messages {
			if err := log.CheckErased(tx, m); err != nil {
				return err
			}
			e, err := find.upsert(m)
			if err != nil {
				return err
			}
			people, room = append(people, e.owner.Person), e.room
		}
		return nil
	})
	if err != nil {
		return nil, model.Room{}, err
	}
	return people, room, nil
}

// ErrOutdated reports that something about the author or the room of a message must be stored first.
var ErrOutdated = errors.New("the author or the room is not up to date")

// Participant is UpsertParticipant for an author and a room of whom nothing must be stored. It only reads, so it can run in
// a snapshot. It fails with ErrOutdated where UpsertParticipant would store something.
func (s *Store) Participant(ctx context.Context, m channels.Message) (model.Person, model.Room, error) {
	people, room, err := s.participants(ctx, []channels.Message{m}, false)
	if err != nil {
		return model.Person{}, model.Room{}, err
	}
	return people[0], room, nil
}

// Participants is Participant for the messages of one turn. It returns the author of each and the room. When authors last
// spoke does not count, because recording the turn stores it.
func (s *Store) Participants(ctx context.Context, messages []channels.Message) ([]model.Person, model.Room, error) {
	return s.participants(ctx, messages, true)
}

func (s *Store) participants(ctx context.Context, messages []channels.Message, recorded bool) (people []model.Person, room model.Room, err error) {
	people = make([]model.Person, 0, len(messages))
	err = s.db.Read(ctx, fmt.Sprintf("find author and room of a message in %s", messages[0].Room), func(tx *db.Tx) error {
		find := participants{tx: tx, recorded: recorded}
		for _, m := range messages {
			e, err := find.load(m)
			if err == nil {
				err = e.missing(m)
			}
			if err != nil {
				return err
			}
			people, room = append(people, e.owner.Person), e.room
		}
		return nil
	})
	if err != nil {
		return nil, model.Room{}, err
	}
	return people, room, nil
}

// participants finds the authors and rooms of messages within a transaction. It keeps what it read, since the messages of
// a turn have the same room and few authors.
type participants struct {
	tx *db.Tx
	// recorded reports that the messages will be recorded, which stores when their authors last spoke.
	recorded bool
	rooms    map[channels.Room]model.Room
	owners   map[channels.Handle]log.Owner
}

// upsert returns the author and the room of a message after it has stored what is missing.
func (f *participants) upsert(m channels.Message) (participant, error) {
	e, err := f.load(m)
	if err != nil || e.settled {
		return e, err
	}
	if m.Proactive != "" {
		return e, e.missing(m)
	}
	f.rooms, f.owners = nil, nil
	if err := joinAlias(f.tx, m.Author); err != nil {
		return e, fmt.Errorf("merge the author's two ids: %w", err)
	}
	if e, err = f.load(m); err != nil || e.settled {
		return e, err
	}
	if err := e.save(f.tx, m); err != nil {
		return e, err
	}
	f.rooms, f.owners = nil, nil
	return f.load(m)
}

// room returns the room at an address.
func (f *participants) room(r channels.Room) (model.Room, error) {
	if room, read := f.rooms[r]; read {
		return room, nil
	}
	room, err := log.RoomByAddress(f.tx, r)
	if err == nil {
		if f.rooms == nil {
			f.rooms = map[channels.Room]model.Room{}
		}
		f.rooms[r] = room
	}
	return room, err
}

// owner returns the owner of a handle, and when they spoke in a room, which is zero if it is new. All messages have the same room.
func (f *participants) owner(h channels.Handle, room model.Room) (log.Owner, error) {
	if owner, read := f.owners[h]; read {
		return owner, nil
	}
	owner, err := log.OwnerOf(f.tx, h, room.Room)
	if err == nil && room.ID != 0 {
		if f.owners == nil {
			f.owners = map[channels.Handle]log.Owner{}
		}
		f.owners[h] = owner
	}
	return owner, err
}

// participant is what is known of the author and the room of a message.
type participant struct {
	owner   log.Owner
	room    model.Room
	settled bool // nothing is left to write
}

// missing returns the error of a participant who is not settled, nil for one who is.
func (e *participant) missing(m channels.Message) error {
	switch {
	case e.settled:
		return nil
	case m.Proactive != "":
		return fmt.Errorf("author or room: %w", db.ErrNotFound)
	}
	return ErrOutdated
}

// load reads what is known and decides whether anything must be written.
func (f *participants) load(m channels.Message) (e participant, err error) {
	if len(f.rooms) == 0 {
		if err := log.PrefetchParticipant(f.tx, m.Author.Handle, m.Room); err != nil {
			return e, err
		}
	}
	if e.room, err = f.room(m.Room); err != nil && !errors.Is(err, db.ErrNotFound) {
		return e, err
	}
	e.owner, err = f.owner(m.Author.Handle, e.room)
	if errors.Is(err, db.ErrNotFound) {
		return e, nil
	}
	if err != nil || e.room.ID == 0 || e.room.Unclaimed() && m.Direct {
		return e, err
	}
	if two, err := aliasIsOther(f.tx, m.Author); err != nil || two {
		return e, err
	}
	if err := log.CheckRoom(e.room, m, e.owner.Person); err != nil {
		return e, err
	}
	if e.settled = m.Proactive != ""; e.settled {
		return e, nil
	}
	fresh := func(t time.Time) bool {
		return !t.IsZero() && (f.recorded && !m.Arrival || m.At.Sub(t) <= log.LastSeenInterval)
	}
	e.settled = (m.Arrival || e.owner.BlockedAt.IsZero()) && fresh(e.owner.Seen) && (m.Arrival || fresh(e.owner.Spoke)) &&
		e.owner.Display == log.DisplayName(m.Author) && (m.RoomTitle == "" || e.room.Title == model.CleanName(m.RoomTitle))
	return e, nil
}

// save stores what load found missing or outdated. Another transaction may have stored it meanwhile, so every statement
// tolerates that.
func (e *participant) save(tx *db.Tx, m channels.Message) error {
	at, name := db.Millis(m.At), log.DisplayName(m.Author)
	if e.owner.ID == 0 {
		if err := log.CreatePerson(tx, m.Author.Handle, name, at); err != nil {
			return err
		}
	}
	row := tx.QueryRow(`SELECT person_id FROM handles WHERE channel = ? AND handle = ?`, m.Author.Handle.Channel, m.Author.Handle.ID)
	if err := row.Scan(&e.owner.ID); err != nil {
		return err
	}
	if e.owner.Display != "" && e.owner.Display != name {
		if _, err := tx.Exec(`UPDATE people SET name = ? WHERE id = ?`, name, e.owner.ID); err != nil {
			return err
		}
	}
	if !m.Arrival && !e.owner.BlockedAt.IsZero() {
		if _, err := tx.Exec(`UPDATE people SET unwelcome_at = NULL WHERE id = ?`, e.owner.ID); err != nil {
			return err
		}
	}
	if e.room.ID != 0 {
		m.Room = e.room.Room // the room has another id since
	}
	if e.renames(m) {
		if err := scope.AdvanceNames(tx); err != nil {
			return err
		}
	}
	if _, err := tx.Exec(`UPDATE handles SET display = ?,
		last_seen = CASE WHEN last_seen < ? THEN ? ELSE last_seen END WHERE channel = ? AND handle = ?`,
		name, at, at, m.Author.Handle.Channel, m.Author.Handle.ID); err != nil {
		return err
	}
	if e.room.Unclaimed() && m.Direct {
		if _, err := tx.Exec(`UPDATE rooms SET person_id = ? WHERE id = ? AND person_id IS NULL`, e.owner.ID, e.room.ID); err != nil {
			return err
		}
	}
	return log.UpsertRoom(tx, m, e.owner.ID)
}

// renames reports whether the author or the room was known by another name.
func (e *participant) renames(m channels.Message) bool {
	title := model.CleanName(m.RoomTitle)
	return e.owner.Display != "" && e.owner.Display != log.DisplayName(m.Author) || e.room.ID != 0 && title != "" && title != e.room.Title
}
