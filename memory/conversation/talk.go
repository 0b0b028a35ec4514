package conversation

import (
	"context"
	"fmt"
	"slices"
	"time"

	"familiar/memory/internal/db"
	"familiar/memory/log"
	"familiar/memory/model"
)

// Said is one message of a room, with what became of it.
type Said struct {
	ID, SessionID int64
	// PersonID is who wrote it and Author their name; 0 and "" for the persona.
	PersonID int64
	Author   string
	// Text is empty if the message was taken back or forgotten.
	Text string
	At   time.Time
	// Edited is when its text was last changed after the persona read it, zero for never.
	Edited time.Time
	// Answers is the message to which it refers, the zero Quoted for none.
	Answers Quoted
	// Copied reports that it repeats a message from another room, because its author shared it there or made it private.
	Copied    bool
	Reactions []Reaction
	// Turn is how a message of the persona came about, the zero Turn for other messages.
	Turn Turn
	// Delivery is what became of a message of the persona on its way to the network, nil if that is not kept any more.
	Delivery *log.OutboxEntry
}

// Quoted is a message to which another refers.
type Quoted struct {
	ID   int64
	Text string
}

// Reaction is an emoji that somebody put to a message. Author is "" for the persona.
type Reaction struct{ Author, Emoji string }

// Turn is how an answer came about.
type Turn struct {
	ID           int64
	Voice, Fault string
	Took         time.Duration
	// Used is how many memories, beliefs and open items it was made from.
	Used int
}

// TalkFilter selects a part of a talk.
type TalkFilter struct {
	// Before selects messages with a lower ID, After those with a higher one. Both 0 selects the latest.
	Before, After int64
	// Limit is how many to return, 50 if 0.
	Limit int
}

// Talk returns messages of persona's talk in a room, oldest first, and whether there are older and newer ones.
func (s *Store) Talk(ctx context.Context, persona string, room int64, f TalkFilter) (said []Said, older, newer bool, err error) {
	limit := db.LimitOr(f.Limit, 50)
	query, from := `m.id < ? ORDER BY m.id DESC`, f.Before
	if f.After != 0 {
		query, from = `m.id > ? ORDER BY m.id`, f.After
	} else if from == 0 {
		from = 1<<62 - 1
	}
	err = s.db.Read(ctx, fmt.Sprintf("read the talk in room %d", room), func(tx *db.Tx) error {
		said, err = db.Collect[Said](tx.Query(selectSaid+`WHERE m.persona = ? AND m.room_id = ? AND `+query+` LIMIT ? + 0`, persona, room, from, limit+1))(scanSaid)
		if err != nil {
			return err
		}
		more := len(said) > limit
		said = said[:min(limit, len(said))]
		if f.After != 0 {
			older, newer = true, more
		} else {
			slices.Reverse(said)
			older, newer = more, f.Before != 0
		}
		return fill(tx, persona, room, said)
	})
	return said, older, newer, err
}

// Message returns one message of persona's talk in a room. It fails with ErrNotFound if there is none.
func (s *Store) Message(ctx context.Context, persona string, room, id int64) (m Said, err error) {
	err = s.db.Read(ctx, fmt.Sprintf("read message %d", id), func(tx *db.Tx) error {
		m, err = db.One(tx.QueryRow(selectSaid+`WHERE m.persona = ? AND m.room_id = ? AND m.id = ?`, persona, room, id), scanSaid)
		if err != nil {
			return err
		}
		one := []Said{m}
		err = fill(tx, persona, room, one)
		m = one[0]
		return err
	})
	return m, err
}

// Heard returns the messages that a turn answers, oldest first.
func (s *Store) Heard(ctx context.Context, turn int64) (said []Said, err error) {
	err = s.db.ReadOne(ctx, fmt.Sprintf("read what turn %d heard", turn), func(tx *db.Tx) error {
		said, err = db.Collect[Said](tx.Query(selectSaid+`WHERE m.id IN (SELECT h.message_id FROM turn_heard h WHERE h.turn_id = ?) ORDER BY m.id`, turn))(scanSaid)
		return err
	})
	return said, err
}

const selectSaid = `SELECT m.id, m.session_id, m.person_id, coalesce(p.name, ''), m.text, m.at, m.edited_at, m.copied_from IS NOT NULL,
	coalesce(t.id, 0), coalesce(t.voice, ''), coalesce(t.fault, ''), coalesce(t.ended_at - t.started_at, 0),
	(SELECT count(*) FROM turn_items i WHERE i.turn_id = t.id AND i.used = 1)
	FROM messages m LEFT JOIN people p ON p.id = m.person_id LEFT JOIN turns t ON t.reply_id = m.id `

func scanSaid(row db.Scanner) (m Said, err error) {
	var took int64
	err = row.Scan(&m.ID, &m.SessionID, db.IntoID(&m.PersonID), &m.Author, &m.Text, db.IntoTime(&m.At), db.IntoTime(&m.Edited), &m.Copied,
		&m.Turn.ID, &m.Turn.Voice, &m.Turn.Fault, &took, &m.Turn.Used)
	m.Turn.Took = time.Duration(took) * time.Millisecond
	return m, err
}

// fill adds what other tables know of messages of one room.
func fill(tx *db.Tx, persona string, room int64, said []Said) error {
	if len(said) == 0 {
		return nil
	}
	at := make(map[int64]int, len(said))
	ids := make([]int64, len(said))
	for i, m := range said {
		at[m.ID], ids[i] = i, m.ID
	}
	if err := fillReactions(tx, ids, func(message int64, r Reaction) {
		said[at[message]].Reactions = append(said[at[message]].Reactions, r)
	}); err != nil {
		return err
	}
	if err := fillQuoted(tx, persona, room, ids, func(message int64, q Quoted) { said[at[message]].Answers = q }); err != nil {
		return err
	}
	sent, err := log.OutboxOf(tx, ids)
	for _, o := range sent {
		said[at[o.MessageID]].Delivery = &o
	}
	return err
}

func fillReactions(tx *db.Tx, ids []int64, add func(int64, Reaction)) error {
	in, args := db.Placeholders(ids)
	_, err := db.Collect[int64](tx.Query(`SELECT x.message_id, p.name, x.emoji FROM reactions x JOIN people p ON p.id = x.person_id
		WHERE x.message_id IN `+in+` ORDER BY x.message_id, x.at, x.person_id`, args...))(func(row db.Scanner) (id int64, err error) {
		var r Reaction
		if err = row.Scan(&id, &r.Author, &r.Emoji); err == nil {
			add(id, r)
		}
		return id, err
	})
	return err
}

// fillQuoted finds the messages that people answered on their network, by the network's ids.
func fillQuoted(tx *db.Tx, persona string, room int64, ids []int64, add func(int64, Quoted)) error {
	in, args := db.Placeholders(ids)
	_, err := db.Collect[int64](tx.Query(`SELECT m.id, q.id, substr(q.text, 1, 200) FROM messages m JOIN messages q ON q.id = coalesce(
			(SELECT o.id FROM messages o WHERE o.persona = ?1 AND o.room_id = ?2 AND o.external_id = m.reply_to),
			(SELECT min(s.message_id) FROM sent_as s JOIN messages o ON o.id = s.message_id AND o.persona = ?1 AND o.room_id = ?2 WHERE s.external_id = m.reply_to))
		WHERE m.reply_to <> '' AND m.id IN `+in, append([]any{persona, room}, args...)...))(func(row db.Scanner) (id int64, err error) {
		var q Quoted
		if err = row.Scan(&id, &q.ID, &q.Text); err == nil {
			add(id, q)
		}
		return id, err
	})
	return err
}

// Sessions returns sessions of persona by ID. Those of other personas are left out.
func (s *Store) Sessions(ctx context.Context, persona string, ids []int64) (sessions map[int64]Session, err error) {
	sessions = map[int64]Session{}
	err = s.db.ReadOne(ctx, "read sessions", func(tx *db.Tx) error {
		in, args := db.Placeholders(db.Distinct(ids))
		_, err := db.Collect[int64](tx.Query(`SELECT s.id, s.started_at, s.ended_at, s.messages, s.class, coalesce((SELECT m.text FROM memories m
				WHERE m.session_id = s.id AND m.kind = ? AND m.kind <> '' AND m.superseded_by IS NULL ORDER BY m.id DESC LIMIT 1), ''),
				coalesce((SELECT min(f.id) FROM messages f WHERE f.session_id = s.id), 0),
				r.id, r.channel, r.room, r.thread, r.direct, r.person_id, r.title, coalesce(p.name, '')
			FROM sessions s JOIN rooms r ON r.id = s.room_id LEFT JOIN people p ON p.id = r.person_id
			WHERE s.persona = ? AND s.id IN `+in, append([]any{model.Summary, persona}, args...)...))(func(row db.Scanner) (id int64, err error) {
			var v Session
			err = row.Scan(&v.ID, db.IntoTime(&v.Started), db.IntoTime(&v.Ended), &v.Messages, &v.Class, &v.Summary, &v.First,
				&v.Room.ID, &v.Room.Channel, &v.Room.Room.Room.ID, &v.Room.Thread, &v.Room.Direct, db.IntoID(&v.Room.PersonID), &v.Room.Title, &v.Room.Person)
			sessions[v.ID] = v
			return v.ID, err
		})
		return err
	})
	return sessions, err
}

// Session is the talk of a room without a long silence.
type Session struct {
	ID int64
	// Room is where it was, without what is counted there. First is its first message.
	Room  Room
	First int64
	// Started is when it began, Ended the zero time while it goes on.
	Started, Ended time.Time
	Messages       int
	Class          string
	// Summary is what is remembered of it, "" for nothing.
	Summary string
}
