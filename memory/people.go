package memory

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"familiar/channels"
)

// seenStep is how stale a last-seen time may get before entering writes it again: a write per message would cost as much
// as recording the message. When somebody spoke last is noted with what they said, as well.
const seenStep = 15 * time.Minute

// Enter makes the author and the room of a message known and returns both. Who somebody is depends on their handle
// alone, never on a display name; names are kept as CleanName leaves them, or the handle's id where nothing is left.
// Whoever was met under the author's Alias is the same person from then on, in the same transaction.
//
// What the persona brings up itself leaves no trace of anybody, and fails with ErrNotFound where author or room is not
// known.
//
// It fails when a direct room is entered by somebody else than its person, or a room turns from direct to group or
// back: what was said under the one audience must not be heard by the other.
func (s *Store) Enter(ctx context.Context, m channels.Message) (Person, Room, error) {
	var e entrance
	what := fmt.Sprintf("enter room %s", m.Room)
	err := s.read(ctx, what, func(tx *conn) error { return e.look(tx, m) })
	if err == nil && !e.settled && m.Proactive != "" {
		return Person{}, Room{}, fmt.Errorf("%s: whom it is about: %w", what, ErrNotFound)
	}
	if err == nil && !e.settled {
		err = s.write(ctx, what, func(tx *conn) error {
			if err := tx.joinAlias(m.Author); err != nil {
				return fmt.Errorf("know its author under both ids: %w", err)
			}
			if err := e.look(tx, m); err != nil || e.settled {
				return err
			}
			if err := e.write(tx, m); err != nil {
				return err
			}
			return e.look(tx, m)
		})
	}
	if err != nil {
		return Person{}, Room{}, err
	}
	return e.person, e.room, nil
}

// entrance is one Enter: what is known so far of author and room.
type entrance struct {
	person  Person
	room    Room
	display string
	seen    time.Time
	spoke   time.Time
	settled bool // nothing is left to write
}

// look reads what is known and decides whether something has to be written.
func (e *entrance) look(tx *conn, m channels.Message) error {
	*e = entrance{}
	var err error
	e.room, err = tx.roomOf(m.Room)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return err
	}
	row := tx.row(`SELECT person_id, display, last_seen FROM handles WHERE channel = ? AND handle = ?`,
		m.Author.Handle.Channel, m.Author.Handle.ID)
	switch err := row.Scan(&e.person.ID, &e.display, intoTime(&e.seen)); {
	case errors.Is(err, sql.ErrNoRows):
		return nil
	case err != nil:
		return err
	}
	if e.person, err = tx.person(e.person.ID); err != nil || e.room.ID == 0 || e.room.unclaimed() && m.Direct {
		return err
	}
	if two, err := tx.apart(m.Author); err != nil || two {
		return err
	}
	if err := sameRoom(e.room, m, e.person); err != nil {
		return err
	}
	if e.settled = m.Proactive != ""; e.settled {
		return nil
	}
	row = tx.row(`SELECT last_spoke FROM room_people WHERE room_id = ? AND person_id = ?`, e.room.ID, e.person.ID)
	if err := row.Scan(intoTime(&e.spoke)); err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	fresh := func(t time.Time) bool { return !t.IsZero() && m.At.Sub(t) <= seenStep }
	e.settled = (m.Arrival || e.person.Unwelcome.IsZero()) && fresh(e.seen) && (m.Arrival || fresh(e.spoke)) &&
		e.display == displayName(m.Author) && (m.RoomTitle == "" || e.room.Title == CleanName(m.RoomTitle))
	return nil
}

// sameRoom refuses a message that would change who hears a room.
func sameRoom(r Room, m channels.Message, author Person) error {
	if r.Direct != m.Direct {
		return fmt.Errorf("room %s is known as %s and cannot become %s: have the channel name it differently",
			m.Room, roomKind(r.Direct), roomKind(m.Direct))
	}
	if r.Direct && r.PersonID != author.ID {
		return fmt.Errorf("room %s is the direct room of person %d, not of person %d: have the channel name it differently",
			m.Room, r.PersonID, author.ID)
	}
	return nil
}

func roomKind(direct bool) string {
	if direct {
		return "a direct room"
	}
	return "a group"
}

// displayName is the author's name as stored.
func displayName(a channels.Author) string {
	if name := CleanName(a.Name); name != "" {
		return name
	}
	return CleanName(a.Handle.ID)
}

// write stores what look found missing or stale. Somebody else may have stored it in between: every step allows that.
func (e *entrance) write(tx *conn, m channels.Message) error {
	at, name := ms(m.At), displayName(m.Author)
	if e.person.ID == 0 {
		if err := tx.meet(m.Author.Handle, name, at); err != nil {
			return err
		}
	}
	row := tx.row(`SELECT person_id FROM handles WHERE channel = ? AND handle = ?`, m.Author.Handle.Channel, m.Author.Handle.ID)
	if err := row.Scan(&e.person.ID); err != nil {
		return err
	}
	if e.display != "" && e.display != name {
		if _, err := tx.exec(`UPDATE people SET name = ? WHERE id = ?`, name, e.person.ID); err != nil {
			return err
		}
	}
	if !m.Arrival && !e.person.Unwelcome.IsZero() {
		if _, err := tx.exec(`UPDATE people SET unwelcome_at = NULL WHERE id = ?`, e.person.ID); err != nil {
			return err
		}
	}
	if e.room.ID != 0 {
		m.Room = e.room.Room // known under another id since
	}
	if e.renames(m) {
		if err := tx.advanceNames(); err != nil {
			return err
		}
	}
	if _, err := tx.exec(`UPDATE handles SET display = ?,
		last_seen = CASE WHEN last_seen < ? THEN ? ELSE last_seen END WHERE channel = ? AND handle = ?`,
		name, at, at, m.Author.Handle.Channel, m.Author.Handle.ID); err != nil {
		return err
	}
	if e.room.unclaimed() && m.Direct {
		if _, err := tx.exec(`UPDATE rooms SET person_id = ? WHERE id = ? AND person_id IS NULL`, e.person.ID, e.room.ID); err != nil {
			return err
		}
	}
	return tx.enterRoom(m, e.person.ID)
}

// renames says that the author or the room was known under another name.
func (e *entrance) renames(m channels.Message) bool {
	title := CleanName(m.RoomTitle)
	return e.display != "" && e.display != displayName(m.Author) || e.room.ID != 0 && title != "" && title != e.room.Title
}

// meet makes a person of a handle nobody has seen.
func (c *conn) meet(h channels.Handle, name string, at int64) error {
	var known int
	err := c.row(`SELECT count(*) FROM handles WHERE channel = ? AND handle = ?`, h.Channel, h.ID).Scan(&known)
	if err != nil || known > 0 {
		return err
	}
	id, err := c.insert(`INSERT INTO people (name, created_at) VALUES (?, ?)`, name, c.nowMS())
	if err != nil {
		return err
	}
	_, err = c.exec(`INSERT INTO handles (channel, handle, person_id, display, first_seen, last_seen) VALUES (?, ?, ?, ?, ?, ?)`,
		h.Channel, h.ID, id, name, at, at)
	return err
}

// enterRoom makes the room known and notes that the person has spoken there. Merely arriving is not speaking: it does
// not open what the room said to the person's direct rooms.
func (c *conn) enterRoom(m channels.Message, person int64) error {
	var owner any
	if m.Direct {
		owner = person
	}
	title := CleanName(m.RoomTitle)
	if _, err := c.exec(`INSERT INTO rooms (channel, room, thread, direct, person_id, title, created_at)
		VALUES (?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (channel, room, thread) DO UPDATE SET title = excluded.title WHERE excluded.title <> ''`,
		m.Room.Channel, m.Room.ID, m.Room.Thread, m.Direct, owner, title, c.nowMS()); err != nil {
		return err
	}
	if m.Arrival {
		return nil
	}
	_, err := c.exec(`INSERT INTO room_people (room_id, person_id, first_spoke, last_spoke)
		SELECT id, ?, ?, ? FROM rooms WHERE channel = ? AND room = ? AND thread = ?
		ON CONFLICT (room_id, person_id) DO UPDATE SET last_spoke = excluded.last_spoke
			WHERE excluded.last_spoke > room_people.last_spoke`,
		person, ms(m.At), ms(m.At), m.Room.Channel, m.Room.ID, m.Room.Thread)
	return err
}

// PersonByHandle is who owns a handle; ErrNotFound when nobody was seen under it.
func (s *Store) PersonByHandle(ctx context.Context, h channels.Handle) (p Person, err error) {
	err = s.read(ctx, "find who an account on "+h.Channel+" is", func(tx *conn) error {
		id, err := one(tx.row(`SELECT person_id FROM handles WHERE channel = ? AND handle = ?`, h.Channel, h.ID), scanID)
		if err == nil {
			p, err = tx.person(id)
		}
		return err
	})
	return p, err
}

// Person is somebody by id, with their handles; ErrNotFound when there is nobody.
func (s *Store) Person(ctx context.Context, id int64) (p Person, err error) {
	err = s.read(ctx, fmt.Sprintf("read person %d", id), func(tx *conn) error {
		p, err = tx.person(id)
		return err
	})
	return p, err
}

// People are all persons the store knows, by id, with their handles.
func (s *Store) People(ctx context.Context) (people []Person, err error) {
	err = s.read(ctx, "list the people", func(tx *conn) error {
		ids, err := collect[int64](tx.rows(`SELECT id FROM people ORDER BY id`))(scanID)
		if err != nil {
			return err
		}
		for _, id := range ids {
			p, err := tx.person(id)
			if err != nil {
				return err
			}
			people = append(people, p)
		}
		return nil
	})
	return people, err
}

// Unwelcome notes that a person wants to hear nothing unasked: nothing proactive is said to them until they write again.
// It fails with ErrNotFound for nobody.
func (s *Store) Unwelcome(ctx context.Context, person int64) error {
	return s.write(ctx, fmt.Sprintf("note that person %d wants to hear nothing unasked", person), func(tx *conn) error {
		n, err := tx.affect(`UPDATE people SET unwelcome_at = ? WHERE id = ?`, tx.nowMS(), person)
		if err == nil && n == 0 {
			err = ErrNotFound
		}
		return err
	})
}

// SetTimezone stores the timezone a person sets, an IANA name or "" for unknown; usual is where the times they named were
// read while it was not known. It fails with ErrNotFound for nobody and for a name that no zone has.
func (s *Store) SetTimezone(ctx context.Context, person int64, zone string, usual *time.Location) error {
	if zone != "" {
		if _, err := time.LoadLocation(zone); err != nil {
			return fmt.Errorf("set the timezone of person %d: %w", person, err)
		}
	}
	return s.write(ctx, fmt.Sprintf("set the timezone of person %d", person), func(tx *conn) error {
		if err := tx.setZone(person, zone, usual); err != nil {
			return err
		}
		_, err := tx.exec(`UPDATE people SET timezone_set_at = CASE WHEN timezone <> '' THEN ? END WHERE id = ?`, tx.nowMS(), person)
		return err
	})
}

func (c *conn) person(id int64) (Person, error) {
	p, err := one(c.row(`SELECT id, name, timezone, timezone_set_at, unwelcome_at, created_at FROM people WHERE id = ?`, id), scanPerson)
	if err != nil {
		return Person{}, err
	}
	p.Handles, err = collect[channels.Handle](c.rows(`SELECT channel, handle FROM handles WHERE person_id = ? ORDER BY first_seen, channel, handle`, id))(
		func(row scanner) (h channels.Handle, err error) {
			err = row.Scan(&h.Channel, &h.ID)
			return h, err
		})
	return p, err
}

func scanPerson(row scanner) (p Person, err error) {
	err = row.Scan(&p.ID, &p.Name, &p.Timezone, intoTime(&p.ZoneSet), intoTime(&p.Unwelcome), intoTime(&p.Created))
	return p, err
}
