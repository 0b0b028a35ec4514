package log

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"familiar/channels"
	"familiar/memory/internal/db"
	"familiar/memory/model"
)

// LastSeenInterval is how stale a last-seen time may become before it is written again, since a write per message would
// cost as much as recording the message. The time of a person's last message is also stored with the message.
const LastSeenInterval = 15 * time.Minute

// CheckRoom rejects a message that would change who hears a room.
func CheckRoom(r model.Room, m channels.Message, author model.Person) error {
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

// DisplayName returns the author's name as it is stored: the clean display name without secrets, or the handle if there is none.
func DisplayName(a channels.Author) string {
	if name := model.CleanName(a.Name); name != "" {
		return Redact(name)
	}
	return model.CleanName(a.Handle.ID)
}

// CreatePerson creates a person for an unknown handle.
func CreatePerson(tx *db.Tx, h channels.Handle, name string, at int64) error {
	var known int
	err := tx.QueryRow(`SELECT count(*) FROM handles WHERE channel = ? AND handle = ?`, h.Channel, h.ID).Scan(&known)
	if err != nil || known > 0 {
		return err
	}
	id, err := tx.Insert(`INSERT INTO people (name, created_at) VALUES (?, ?)`, name, tx.NowMillis())
	if err != nil {
		return err
	}
	_, err = tx.Exec(`INSERT INTO handles (channel, handle, person_id, display, first_seen, last_seen) VALUES (?, ?, ?, ?, ?, ?)`,
		h.Channel, h.ID, id, name, at, at)
	return err
}

// AddAccount adds an account to a person, unless it is known. It fails with ErrNotFound if there is no such person.
func (s *Store) AddAccount(ctx context.Context, person int64, h channels.Handle) error {
	return s.db.Write(ctx, fmt.Sprintf("add an account on %s to person %d", h.Channel, person), func(tx *db.Tx) error {
		p, err := Person(tx, person)
		if err != nil {
			return err
		}
		_, err = tx.Exec(`INSERT INTO handles (channel, handle, person_id, display, first_seen, last_seen) VALUES (?, ?, ?, ?, ?, ?)
			ON CONFLICT (channel, handle) DO NOTHING`, h.Channel, h.ID, person, p.Name, tx.NowMillis(), tx.NowMillis())
		return err
	})
}

// UpsertRoom stores the room and records that the person has spoken there. An arrival does not count as speaking: it
// does not make the room's contents visible in the person's direct rooms.
func UpsertRoom(tx *db.Tx, m channels.Message, person int64) error {
	var owner any
	if m.Direct {
		owner = person
	}
	title := model.CleanName(m.RoomTitle)
	if _, err := tx.Exec(`INSERT INTO rooms (channel, room, thread, direct, person_id, title, created_at)
		VALUES (?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (channel, room, thread) DO UPDATE SET title = excluded.title WHERE excluded.title <> ''`,
		m.Room.Channel, m.Room.ID, m.Room.Thread, m.Direct, owner, title, tx.NowMillis()); err != nil {
		return err
	}
	if m.Arrival {
		return nil
	}
	_, err := tx.Exec(`INSERT INTO room_people (room_id, person_id, first_spoke, last_spoke)
		SELECT id, ?, ?, ? FROM rooms WHERE channel = ? AND room = ? AND thread = ?
		ON CONFLICT (room_id, person_id) DO UPDATE SET last_spoke = excluded.last_spoke
			WHERE excluded.last_spoke > room_people.last_spoke`,
		person, db.Millis(m.At), db.Millis(m.At), m.Room.Channel, m.Room.ID, m.Room.Thread)
	return err
}

// PersonByHandle returns the owner of a handle. It fails with ErrNotFound if the handle is unknown.
func (s *Store) PersonByHandle(ctx context.Context, h channels.Handle) (p model.Person, err error) {
	err = s.db.Read(ctx, "find the owner of an account on "+h.Channel, func(tx *db.Tx) error {
		id, err := db.One(tx.QueryRow(`SELECT person_id FROM handles WHERE channel = ? AND handle = ?`, h.Channel, h.ID), db.ScanID)
		if err == nil {
			p, err = Person(tx, id)
		}
		return err
	})
	return p, err
}

// Person returns a person by ID, with handles. It fails with ErrNotFound if there is none.
func (s *Store) Person(ctx context.Context, id int64) (p model.Person, err error) {
	err = s.db.Read(ctx, fmt.Sprintf("read person %d", id), func(tx *db.Tx) error {
		p, err = Person(tx, id)
		return err
	})
	return p, err
}

// People returns all known people by ID, with their handles.
func (s *Store) People(ctx context.Context) (people []model.Person, err error) {
	err = s.db.Read(ctx, "list the people", func(tx *db.Tx) error {
		ids, err := db.Collect[int64](tx.Query(`SELECT id FROM people ORDER BY id`))(db.ScanID)
		if err != nil {
			return err
		}
		for _, id := range ids {
			p, err := Person(tx, id)
			if err != nil {
				return err
			}
			people = append(people, p)
		}
		return nil
	})
	return people, err
}

// MarkBlocked records that a person blocked the persona: nothing proactive is sent to them until they write again. It
// fails with ErrNotFound for an unknown person.
func (s *Store) MarkBlocked(ctx context.Context, person int64) error {
	return s.db.Write(ctx, fmt.Sprintf("mark person %d as having blocked the persona", person), func(tx *db.Tx) error {
		n, err := tx.Affect(`UPDATE people SET unwelcome_at = ? WHERE id = ?`, tx.NowMillis(), person)
		if err == nil && n == 0 {
			err = db.ErrNotFound
		}
		return err
	})
}

// SetTimezone stores the timezone that a person sets, an IANA name or "" for unknown. usual is the zone in which their
// times were read while theirs was unknown. It fails with ErrNotFound for an unknown person, and with an error for an
// unknown zone.
func (s *Store) SetTimezone(ctx context.Context, person int64, zone string, usual *time.Location) error {
	if zone != "" {
		if _, err := time.LoadLocation(zone); err != nil {
			return fmt.Errorf("set the timezone of person %d: %w", person, err)
		}
	}
	return s.db.Write(ctx, fmt.Sprintf("set the timezone of person %d", person), func(tx *db.Tx) error {
		if err := SetTimezone(tx, person, zone, usual); err != nil {
			return err
		}
		_, err := tx.Exec(`UPDATE people SET timezone_set_at = CASE WHEN timezone <> '' THEN ? END WHERE id = ?`, tx.NowMillis(), person)
		return err
	})
}

// AddressesOf returns the network's ids of a person's accounts and direct rooms. It fails with ErrNotFound for an unknown person.
func (s *Store) AddressesOf(ctx context.Context, person int64) (ids []string, err error) {
	err = s.db.Read(ctx, fmt.Sprintf("read the addresses of person %d", person), func(tx *db.Tx) error {
		p, err := Person(tx, person)
		if err != nil {
			return err
		}
		for _, h := range p.Handles {
			ids = append(ids, h.ID)
		}
		rooms, err := db.Collect[string](tx.Query(`SELECT room FROM rooms WHERE person_id = ?`, person))(db.ScanText)
		ids = append(ids, rooms...)
		return err
	})
	return ids, err
}

// SetLanguage stores the language that a person wants to be answered in, a BCP 47 tag or "" for the one they write in.
func (s *Store) SetLanguage(ctx context.Context, person int64, tag string) error {
	return s.db.Write(ctx, fmt.Sprintf("set the language of person %d", person), func(tx *db.Tx) error {
		n, err := tx.Affect(`UPDATE people SET language = ? WHERE id = ?`, tag, person)
		if err == nil && n == 0 {
			err = db.ErrNotFound
		}
		return err
	})
}

// Person returns a person with handles in the running transaction. It fails with ErrNotFound if there is none.
func Person(tx *db.Tx, id int64) (model.Person, error) {
	var p model.Person
	err := tx.QueryRow(`SELECT `+personColumns+` FROM people p WHERE p.id = ?`, id).Scan(personTargets(&p)...)
	if errors.Is(err, sql.ErrNoRows) {
		err = db.ErrNotFound
	}
	if err != nil {
		return model.Person{}, err
	}
	p.Handles, err = handlesOf(tx, id)
	return p, err
}

// personColumns are the columns of people p that personTargets scans.
const personColumns = `p.id, p.name, p.timezone, p.timezone_set_at, p.unwelcome_at, p.created_at, p.language`

func personTargets(p *model.Person) []any {
	return []any{&p.ID, &p.Name, &p.Timezone, db.IntoTime(&p.TimezoneSetAt), db.IntoTime(&p.BlockedAt), db.IntoTime(&p.Created), &p.Language}
}

// handlesOf returns the handles of a person, the first seen first.
func handlesOf(tx *db.Tx, person int64) ([]channels.Handle, error) {
	return db.Collect[channels.Handle](tx.Query(selectHandles+`? ORDER BY first_seen, channel, handle`, person))(scanHandle)
}

// handlesBeside returns a handle and the others of its owner.
func handlesBeside(tx *db.Tx, h channels.Handle) ([]channels.Handle, error) {
	return db.Collect[channels.Handle](tx.Query(selectHandles+`(SELECT person_id FROM handles WHERE channel = ? AND handle = ?)
		ORDER BY first_seen, channel, handle`, h.Channel, h.ID))(scanHandle)
}

const selectHandles = `SELECT channel, handle FROM handles WHERE person_id = `

func scanHandle(row db.Scanner) (h channels.Handle, err error) {
	err = row.Scan(&h.Channel, &h.ID)
	return h, err
}

// Owner is the owner of a handle, with what is known of the handle.
type Owner struct {
	model.Person
	// Display is the name under which the handle was last seen.
	Display string
	// Seen is when it was last seen, Spoke when its owner last spoke in the room that was asked about, zero for never.
	Seen, Spoke time.Time
}

// PrefetchParticipant prefetches what RoomByAddress and OwnerOf read for a room that has not moved.
func PrefetchParticipant(tx *db.Tx, h channels.Handle, at channels.Room) error {
	return tx.Prefetch(
		func() error { _, err := RoomByAddress(tx, at); return err },
		func() error { _, err := OwnerOf(tx, h, at); return err },
		func() error { _, err := handlesBeside(tx, h); return err },
	)
}

// OwnerOf returns the owner of a handle and when they spoke in the room at an address, in the running transaction. It fails with
// ErrNotFound if the handle is unknown.
func OwnerOf(tx *db.Tx, h channels.Handle, at channels.Room) (o Owner, err error) {
	err = tx.QueryRow(`SELECT `+personColumns+`, h.display, h.last_seen,
			(SELECT rp.last_spoke FROM rooms r JOIN room_people rp ON rp.room_id = r.id AND rp.person_id = p.id
				WHERE r.channel = ?3 AND r.room = ?4 AND r.thread = ?5)
		FROM handles h JOIN people p ON p.id = h.person_id WHERE h.channel = ?1 AND h.handle = ?2`, h.Channel, h.ID, at.Channel, at.ID, at.Thread).
		Scan(append(personTargets(&o.Person), &o.Display, db.IntoTime(&o.Seen), db.IntoTime(&o.Spoke))...)
	if errors.Is(err, sql.ErrNoRows) {
		return Owner{}, db.ErrNotFound
	}
	if err != nil {
		return Owner{}, err
	}
	o.Handles, err = handlesBeside(tx, h)
	return o, err
}
