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
	var e participantUpsert
	err = s.db.Write(ctx, fmt.Sprintf("enter room %s", m.Room), func(tx *db.Tx) error {
		if err := joinAlias(tx, m.Author); err != nil {
			return fmt.Errorf("merge the author's two ids: %w", err)
		}
		if err := e.load(tx, m); err != nil || e.settled {
			return err
		}
		if err := e.save(tx, m); err != nil {
			return err
		}
		return e.load(tx, m)
	})
	if err != nil {
		return model.Person{}, model.Room{}, err
	}
	return e.owner.Person, e.room, nil
}

// ErrOutdated reports that something about the author or the room of a message must be stored first.
var ErrOutdated = errors.New("the author or the room is not up to date")

// Participant is UpsertParticipant for an author and a room of whom nothing must be stored. It only reads, so it can run in
// a snapshot. It fails with ErrOutdated where UpsertParticipant would store something.
func (s *Store) Participant(ctx context.Context, m channels.Message) (model.Person, model.Room, error) {
	var e participantUpsert
	what := fmt.Sprintf("find author and room of a message in %s", m.Room)
	err := s.db.Read(ctx, what, func(tx *db.Tx) error { return e.load(tx, m) })
	switch {
	case err != nil:
		return model.Person{}, model.Room{}, err
	case e.settled:
		return e.owner.Person, e.room, nil
	case m.Proactive != "":
		return model.Person{}, model.Room{}, fmt.Errorf("%s: author or room: %w", what, db.ErrNotFound)
	}
	return model.Person{}, model.Room{}, fmt.Errorf("%s: %w", what, ErrOutdated)
}

// participantUpsert is the state of one UpsertParticipant: what is known of author and room.
type participantUpsert struct {
	owner   log.Owner
	room    model.Room
	settled bool // nothing is left to write
}

// load reads what is known and decides whether anything must be written.
func (e *participantUpsert) load(tx *db.Tx, m channels.Message) (err error) {
	*e = participantUpsert{}
	if e.room, err = log.RoomByAddress(tx, m.Room); err != nil && !errors.Is(err, db.ErrNotFound) {
		return err
	}
	e.owner, err = log.OwnerOf(tx, m.Author.Handle, e.room.ID)
	if errors.Is(err, db.ErrNotFound) {
		return nil
	}
	if err != nil || e.room.ID == 0 || e.room.Unclaimed() && m.Direct {
		return err
	}
	if two, err := aliasIsOther(tx, m.Author); err != nil || two {
		return err
	}
	if err := log.CheckRoom(e.room, m, e.owner.Person); err != nil {
		return err
	}
	if e.settled = m.Proactive != ""; e.settled {
		return nil
	}
	fresh := func(t time.Time) bool { return !t.IsZero() && m.At.Sub(t) <= log.LastSeenInterval }
	e.settled = (m.Arrival || e.owner.BlockedAt.IsZero()) && fresh(e.owner.Seen) && (m.Arrival || fresh(e.owner.Spoke)) &&
		e.owner.Display == log.DisplayName(m.Author) && (m.RoomTitle == "" || e.room.Title == model.CleanName(m.RoomTitle))
	return nil
}

// save stores what load found missing or outdated. Another transaction may have stored it meanwhile, so every statement
// tolerates that.
func (e *participantUpsert) save(tx *db.Tx, m channels.Message) error {
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
func (e *participantUpsert) renames(m channels.Message) bool {
	title := model.CleanName(m.RoomTitle)
	return e.owner.Display != "" && e.owner.Display != log.DisplayName(m.Author) || e.room.ID != 0 && title != "" && title != e.room.Title
}
