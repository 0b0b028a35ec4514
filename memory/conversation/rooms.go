package conversation

import (
	"context"
	"fmt"
	"time"

	"familiar/memory/internal/db"
	"familiar/memory/model"
)

// Room is a room in which a persona talked.
type Room struct {
	model.Room
	// Person is the name of the person of a direct room. People is how many spoke in the room.
	Person string
	People int
	// Last is the latest message. Its text is empty if it was taken back or forgotten.
	Last Last
	// Waiting and Unanswered are messages that wait for an answer, and those that were given up. Unsent and Undelivered are the
	// persona's texts that wait to be sent, and its dead letters.
	Waiting, Unanswered, Unsent, Undelivered int
}

// Name returns what the room is called: its title, the name of its person, or its address.
func (r Room) Name() string {
	switch {
	case r.Title != "":
		return r.Title
	case r.Direct && r.Person != "":
		return r.Person
	}
	return r.Channel + "/" + r.Room.Room.ID
}

// Last is the latest message of a room.
type Last struct {
	ID int64
	// Author is the name of who wrote it, "" for the persona.
	Author, Text string
	At           time.Time
}

// RoomFilter narrows Rooms. The zero value selects all, the one with the latest message first.
type RoomFilter struct {
	// Words are part of the room's title or address or of the name of its person.
	Words string
	// Direct and Groups leave out the others.
	Direct, Groups bool
	// Before selects rooms whose latest message has a lower ID: for the next page.
	Before int64
	// Limit is how many to return, 50 if 0.
	Limit int
}

// Rooms returns the rooms in which persona talked, the one with the latest message first.
func (s *Store) Rooms(ctx context.Context, persona string, f RoomFilter) (rooms []Room, err error) {
	var where db.Conditions
	where.And("last IS NOT NULL")
	if f.Before != 0 {
		where.And("last < ?", f.Before)
	}
	if f.Direct {
		where.And("r.direct = 1")
	}
	if f.Groups {
		where.And("r.direct = 0")
	}
	if f.Words != "" {
		words := db.LikePattern(f.Words)
		where.And(`(r.title LIKE ? ESCAPE '\' OR r.room LIKE ? ESCAPE '\' OR r.channel LIKE ? ESCAPE '\' OR p.name LIKE ? ESCAPE '\')`, words, words, words, words)
	}
	args := append(append([]any{persona}, where.Args...), db.LimitOr(f.Limit, 50))
	err = s.db.Read(ctx, "list the rooms of "+persona, func(tx *db.Tx) error {
		// The latest message of each room is one step in the index; the rooms of a home are few beside their messages.
		rooms, err = db.Collect[Room](tx.Query(`SELECT r.id, r.channel, r.room, r.thread, r.direct, r.person_id, r.title, coalesce(p.name, ''),
				(SELECT count(*) FROM room_people o WHERE o.room_id = r.id), m.id, coalesce(w.name, ''), substr(m.text, 1, 400), m.at
			FROM (SELECT r.*, (SELECT max(m.id) FROM messages m WHERE m.room_id = r.id AND m.persona = ?) AS last FROM rooms r) r
			LEFT JOIN people p ON p.id = r.person_id LEFT JOIN messages m ON m.id = r.last LEFT JOIN people w ON w.id = m.person_id
			WHERE `+where.String()+` ORDER BY last DESC NULLS LAST LIMIT ? + 0`, args...))(scanRoom)
		if err != nil {
			return err
		}
		return count(tx, persona, rooms)
	})
	return rooms, err
}

func scanRoom(row db.Scanner) (r Room, err error) {
	err = row.Scan(&r.ID, &r.Channel, &r.Room.Room.ID, &r.Thread, &r.Direct, db.IntoID(&r.PersonID), &r.Title, &r.Person, &r.People,
		&r.Last.ID, &r.Last.Author, &r.Last.Text, db.IntoTime(&r.Last.At))
	return r, err
}

// Room returns one room in which persona talked. It fails with ErrNotFound for a room in which it never did.
func (s *Store) Room(ctx context.Context, persona string, id int64) (r Room, err error) {
	err = s.db.Read(ctx, fmt.Sprintf("read room %d of %s", id, persona), func(tx *db.Tx) error {
		r, err = db.One(tx.QueryRow(`SELECT r.id, r.channel, r.room, r.thread, r.direct, r.person_id, r.title, coalesce(p.name, ''),
				(SELECT count(*) FROM room_people o WHERE o.room_id = r.id), m.id, coalesce(w.name, ''), substr(m.text, 1, 400), m.at
			FROM rooms r JOIN messages m ON m.id = (SELECT max(n.id) FROM messages n WHERE n.room_id = r.id AND n.persona = ?)
			LEFT JOIN people p ON p.id = r.person_id LEFT JOIN people w ON w.id = m.person_id
			WHERE r.id = ?`, persona, id), scanRoom)
		if err != nil {
			return err
		}
		one := []Room{r}
		err = count(tx, persona, one)
		r = one[0]
		return err
	})
	return r, err
}

// count fills in how much waits or was given up in rooms.
func count(tx *db.Tx, persona string, rooms []Room) error {
	for i := range rooms {
		r := &rooms[i]
		if err := tx.QueryRow(`SELECT count(*) FROM inbox WHERE status = 'pending' AND persona = ? AND channel = ? AND room = ? AND thread = ?`,
			persona, r.Channel, r.Room.Room.ID, r.Thread).Scan(&r.Waiting); err != nil {
			return err
		}
		if err := tx.QueryRow(`SELECT count(*) FROM outbox WHERE status = 'pending' AND room_id = ? AND persona = ?`, r.ID, persona).Scan(&r.Unsent); err != nil {
			return err
		}
		if err := tx.QueryRow(`SELECT count(*) FROM inbox WHERE status = 'dead' AND persona = ? AND channel = ? AND room = ? AND thread = ?`,
			persona, r.Channel, r.Room.Room.ID, r.Thread).Scan(&r.Unanswered); err != nil {
			return err
		}
		if err := tx.QueryRow(`SELECT count(*) FROM outbox WHERE status = 'dead' AND dropped_at IS NULL AND room_id = ? AND persona = ?`,
			r.ID, persona).Scan(&r.Undelivered); err != nil {
			return err
		}
	}
	return nil
}
