package turns

import (
	"context"
	"fmt"
	"slices"
	"time"

	"familiar/memory/entry"
	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/model"
)

// TurnView is an answer with what shaped it.
type TurnView struct {
	ID       int64
	PersonID int64 // who was answered, 0 for nobody
	Person   string
	Reply    string
	Voice    string
	Fault    string
	Started  time.Time
	Ended    time.Time
	Items    []TurnItem
	// Proactive is the reason when the persona wrote first, "" for an answer.
	Proactive string
	// Exact reports that the voice named all that the answer was made from; otherwise all that was in the prompt counts.
	Exact bool
	// Thinned reports that what was in the prompt and not used is not kept any more.
	Thinned bool
	// Usage is what models used for it, the reply itself first; nil if none was asked, or if it is older than what is kept of that.
	Usage []Usage
}

// TurnItem is one thing that shaped an answer.
type TurnItem struct {
	// MemoryID, BeliefID and LoopID say what it was: one of them is not 0.
	MemoryID, BeliefID, LoopID int64
	Score                      float64
	// Reason says in words why it was packed.
	Reason string
	// Author said it, at At; empty for the operator's lore and for inferences.
	Author string
	At     time.Time
	// Text is the text of the memory, belief or loop. Context is the talk it was shown with, one line per message.
	// Neither contains what was forgotten since.
	Text    string
	Context string
	// Used reports that the answer was made from it; otherwise it was only in the prompt.
	Used bool
}

// LastTurn returns the latest answer in h's room with what shaped it, in the order shown. It fails with ErrNotFound
// before the first answer.
func (s *Store) LastTurn(ctx context.Context, h scope.Visibility) (TurnView, error) {
	return s.turnView(ctx, "read the last answer", h, `m.persona = ? AND m.room_id = ? ORDER BY m.id DESC LIMIT 1`, h.Persona(), h.Room().ID)
}

// TurnOf is LastTurn for the answer that is the message with this ID. It fails with ErrNotFound if no turn in h's room gave it.
func (s *Store) TurnOf(ctx context.Context, h scope.Visibility, reply int64) (TurnView, error) {
	return s.turnView(ctx, fmt.Sprintf("read what answer %d was made from", reply), h, `m.persona = ? AND m.room_id = ? AND m.id = ?`, h.Persona(), h.Room().ID, reply)
}

func (s *Store) turnView(ctx context.Context, act string, h scope.Visibility, where string, args ...any) (v TurnView, err error) {
	err = s.db.Read(ctx, act, func(tx *db.Tx) error {
		var aside string
		v, err = db.One(tx.QueryRow(`SELECT t.id, t.person_id, coalesce(p.name, ''), m.text, t.voice, t.fault, t.started_at, t.ended_at, t.unused,
			coalesce((SELECT d.reason FROM unasked_decisions d WHERE d.persona = t.persona AND d.person_id = t.person_id AND d.message_id = m.id
				ORDER BY d.subject, d.reason LIMIT 1), ''),
			t.exact, t.thinned
			FROM turns t JOIN messages m ON m.id = t.reply_id LEFT JOIN people p ON p.id = t.person_id
			WHERE `+where, args...), func(row db.Scanner) (v TurnView, err error) {
			err = row.Scan(&v.ID, db.IntoID(&v.PersonID), &v.Person, &v.Reply, &v.Voice, &v.Fault, db.IntoTime(&v.Started),
				db.IntoTime(&v.Ended), &aside, &v.Proactive, &v.Exact, &v.Thinned)
			return v, err
		})
		if err != nil {
			return err
		}
		items, err := turnItems(tx, h, v.ID)
		if err != nil {
			return err
		}
		rest, err := unusedItems(tx, h, aside)
		if err != nil {
			return err
		}
		v.Items = inShownOrder(append(items, rest...))
		used, err := usageOf(tx, `WHERE t.id = ?`, v.ID)
		for _, of := range used {
			v.Usage = of
		}
		return err
	})
	return v, err
}

// LastTurnFellBack reports whether a fallback voice gave the latest answer in h's room.
func (s *Store) LastTurnFellBack(ctx context.Context, h scope.Visibility) (faltered bool, err error) {
	err = s.db.Read(ctx, "read which voice gave the last answer", func(tx *db.Tx) error {
		return tx.QueryRow(`SELECT coalesce((SELECT CASE WHEN t.fault <> '' THEN 1 ELSE 0 END FROM turns t JOIN messages m ON m.id = t.reply_id
			WHERE m.persona = ? AND m.room_id = ? ORDER BY m.id DESC LIMIT 1), 0)`, h.Persona(), h.Room().ID).Scan(&faltered)
	})
	return faltered, err
}

// SessionFaults returns, for each answer of a session that a fallback voice gave, why, by the answer's message: for
// operators only.
func (s *Store) SessionFaults(ctx context.Context, session int64) (map[int64]string, error) {
	faults := map[int64]string{}
	err := s.db.Read(ctx, fmt.Sprintf("read the faults of session %d", session), func(tx *db.Tx) error {
		found, err := db.Collect[TurnView](tx.Query(`SELECT m.id, t.fault FROM messages m JOIN turns t ON t.reply_id = m.id
			WHERE m.session_id = ? AND t.fault <> ''`, session))(func(row db.Scanner) (v TurnView, err error) {
			err = row.Scan(&v.ID, &v.Fault)
			return v, err
		})
		for _, v := range found {
			faults[v.ID] = v.Fault
		}
		return err
	})
	return faults, err
}

// SessionEdits returns when the messages of a session were last edited, by message. Those that never were are left out.
func (s *Store) SessionEdits(ctx context.Context, session int64) (map[int64]time.Time, error) {
	edits := map[int64]time.Time{}
	err := s.db.Read(ctx, fmt.Sprintf("read the edits of session %d", session), func(tx *db.Tx) error {
		_, err := db.Collect[int64](tx.Query(`SELECT id, edited_at FROM messages WHERE session_id = ? AND edited_at IS NOT NULL`, session))(
			func(row db.Scanner) (id int64, err error) {
				var at time.Time
				err = row.Scan(&id, db.IntoTime(&at))
				edits[id] = at
				return id, err
			})
		return err
	})
	return edits, err
}

// addContext adds a line of the talk the item was shown with.
func (i *TurnItem) addContext(line string) {
	if i.Context != "" && line != "" {
		i.Context += "\n"
	}
	i.Context += line
}

// turnItems returns what a turn's reply was made from, or may have been, as far as it may be heard now.
func turnItems(tx *db.Tx, h scope.Visibility, turn int64) ([]numberedItem, error) {
	memories, memoryArgs := h.Where("m")
	beliefs, beliefArgs := h.Where("b")
	loops, loopArgs := h.Where("l")
	found, err := db.Collect[numberedItem](tx.Query(`SELECT i.ord, i.memory_id, i.belief_id, i.loop_id, i.score, i.reason,
		coalesce(p.name, q.name, o.name, ''), coalesce(m.created_at, e.at, b.created_at, l.created_at),
		coalesce(m.text, e.quote, b.value, nullif(s.text, ''), l.text), i.used
		FROM turn_items i
		LEFT JOIN memories m ON m.id = i.memory_id LEFT JOIN people p ON p.id = m.author_id
		LEFT JOIN beliefs b ON b.id = i.belief_id
		LEFT JOIN belief_evidence e ON e.id = (SELECT MAX(f.id) FROM belief_evidence f WHERE f.belief_id = b.id AND f.stance = 1)
		LEFT JOIN people q ON q.id = coalesce(e.author_id, b.author_id)
		LEFT JOIN open_loops l ON l.id = i.loop_id LEFT JOIN people o ON o.id = l.person_id
		LEFT JOIN messages s ON s.id = l.message_id
		WHERE i.turn_id = ? AND (`+memories+` OR `+beliefs+` OR `+loops+`) ORDER BY i.ord`,
		slices.Concat([]any{turn}, memoryArgs, beliefArgs, loopArgs)...))(
		func(row db.Scanner) (i numberedItem, err error) {
			err = row.Scan(&i.ord, db.IntoID(&i.MemoryID), db.IntoID(&i.BeliefID), db.IntoID(&i.LoopID), &i.Score, &i.Reason, &i.Author,
				db.IntoTime(&i.At), &i.Text, &i.Used)
			return i, err
		})
	if err != nil {
		return nil, err
	}
	return found, fillContext(tx, turn, found)
}

// fillContext rebuilds the talk that each item was shown with from the messages. They have the item's audience, so they
// may be heard where the item may.
func fillContext(tx *db.Tx, turn int64, found []numberedItem) error {
	_, err := db.Collect[int](tx.Query(`SELECT n.ord, coalesce(p.name, m.persona), m.text FROM turn_item_lines n
		JOIN messages m ON m.id = n.message_id LEFT JOIN people p ON p.id = m.person_id
		WHERE n.turn_id = ? AND m.text <> '' ORDER BY n.ord, n.message_id`, turn))(
		func(row db.Scanner) (ord int, err error) {
			var author, text string
			if err = row.Scan(&ord, &author, &text); err != nil {
				return ord, err
			}
			if i := slices.IndexFunc(found, func(i numberedItem) bool { return i.ord == ord }); i >= 0 {
				found[i].addContext(author + ": " + text)
			}
			return ord, nil
		})
	return err
}

// MemoryFor returns one memory with its sources and entities if it may be heard in h. It fails with ErrNotFound when it
// may not or does not exist; the caller cannot tell which.
func (s *Store) MemoryFor(ctx context.Context, h scope.Visibility, id int64) (m model.Memory, err error) {
	err = s.db.Read(ctx, fmt.Sprintf("read memory %d", id), func(tx *db.Tx) error {
		if m, err = entry.Memory(tx, id); err != nil {
			return err
		}
		if m.Persona != h.Persona() || !h.Includes(m.Audience) {
			m = model.Memory{}
			return db.ErrNotFound
		}
		return nil
	})
	return m, err
}
