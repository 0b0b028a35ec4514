package memory

import (
	"context"
	"fmt"
	"time"
)

// TurnView is an answer with what shaped it.
type TurnView struct {
	ID       int64
	PersonID int64 // who was answered, 0 when nobody was
	Person   string
	Reply    string
	Voice    string
	Fault    string
	Started  time.Time
	Ended    time.Time
	Items    []TurnItem
}

// TurnItem is one thing that shaped an answer.
type TurnItem struct {
	// MemoryID and BeliefID say what it was, 0 when not that or forgotten since.
	MemoryID, BeliefID int64
	Score              float64
	// Reason says in words what brought it up.
	Reason string
	// Author said it At that time; empty for the operator's lore and for jobs.
	Author string
	At     time.Time
	// Text is what the memory or the belief says; Context is it with the talk around it, as it was shown to the voice.
	Text    string
	Context string
	// Used says that the answer was made from it; the rest was only in front of the voice.
	Used bool
}

// LastTurn is the latest answer given in the room being spoken in, with what shaped it in the order it was shown.
// ErrNotFound before the first answer.
func (s *Store) LastTurn(ctx context.Context, h Hearing) (v TurnView, err error) {
	err = s.read(ctx, "read the last answer", func(tx *conn) error {
		v, err = one(tx.row(`SELECT t.id, t.person_id, coalesce(p.name, ''), m.text, t.voice, t.fault, t.started_at, t.ended_at
			FROM turns t JOIN messages m ON m.id = t.reply_id LEFT JOIN people p ON p.id = t.person_id
			WHERE t.persona = ? AND t.room_id = ? ORDER BY t.id DESC LIMIT 1`, h.persona, h.room.ID), scanTurn)
		if err != nil {
			return err
		}
		v.Items, err = tx.turnItems(h, v.ID)
		return err
	})
	return v, err
}

func scanTurn(row scanner) (v TurnView, err error) {
	err = row.Scan(&v.ID, intoID(&v.PersonID), &v.Person, &v.Reply, &v.Voice, &v.Fault, intoTime(&v.Started), intoTime(&v.Ended))
	return v, err
}

// turnItems are what shaped a turn as far as it may be heard now: what was forgotten since is left out.
func (c *conn) turnItems(h Hearing, turn int64) ([]TurnItem, error) {
	memories, memoryArgs := h.where("m")
	beliefs, beliefArgs := h.where("b")
	args := append([]any{turn}, memoryArgs...)
	return collect[TurnItem](c.rows(`SELECT i.memory_id, i.belief_id, i.score, i.reason, coalesce(p.name, q.name, ''),
		coalesce(m.created_at, e.at, b.created_at), coalesce(m.text, e.quote, b.value), i.text, i.used
		FROM turn_items i
		LEFT JOIN memories m ON m.id = i.memory_id LEFT JOIN people p ON p.id = m.author_id
		LEFT JOIN beliefs b ON b.id = i.belief_id
		LEFT JOIN belief_evidence e ON e.id = (SELECT MAX(f.id) FROM belief_evidence f WHERE f.belief_id = b.id AND f.stance = 1)
		LEFT JOIN people q ON q.id = coalesce(e.author_id, b.author_id)
		WHERE i.turn_id = ? AND (`+memories+` OR `+beliefs+`) ORDER BY i.ord`, append(args, beliefArgs...)...))(
		func(row scanner) (i TurnItem, err error) {
			err = row.Scan(intoID(&i.MemoryID), intoID(&i.BeliefID), &i.Score, &i.Reason, &i.Author, intoTime(&i.At), &i.Text, &i.Context, &i.Used)
			return i, err
		})
}

// MemoryFor is one memory with its sources and entities, when it may be heard in a place; ErrNotFound when it may not
// or does not exist: the two cannot be told apart.
func (s *Store) MemoryFor(ctx context.Context, h Hearing, id int64) (m Memory, err error) {
	err = s.read(ctx, fmt.Sprintf("read memory %d", id), func(tx *conn) error {
		if m, err = tx.memory(id); err != nil {
			return err
		}
		if m.Persona != h.persona || !h.hears(m.Audience) {
			m = Memory{}
			return ErrNotFound
		}
		return nil
	})
	return m, err
}
