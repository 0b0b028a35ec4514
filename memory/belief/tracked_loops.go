package belief

import (
	"context"
	"errors"
	"fmt"
	"time"

	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/jobrun"
	"familiar/memory/log"
	"familiar/memory/model"
)

// TrackedLoop is a goal or curiosity with what its person has said about it.
type TrackedLoop struct {
	model.Loop
	// Mentions counts the messages that mention it, Steps those that report progress.
	Mentions, Steps int
	// Last is the time of the latest of these messages. Asked is when the persona last asked about it, zero for never.
	Last, Asked time.Time
}

// maxTracked bounds the tracked loops of a kind with one person, the latest mentioned ones.
const maxTracked = 50

const trackedColumns = `SELECT l.id, l.person_id, l.audience, l.audience_person, l.audience_room, l.kind, l.text, l.due_from, l.due_until,
	l.status, l.message_id, l.created_at, count(*) FILTER (WHERE s.kind IN ('new', 'again')), count(*) FILTER (WHERE s.kind = 'milestone'),
	max(m.at), l.asked_at
	FROM open_loops l JOIN open_loop_sources s ON s.loop_id = l.id JOIN messages m ON m.id = s.message_id`

const selectTracked = trackedColumns + `
	WHERE l.persona = ? AND l.person_id = ? AND l.status IN ('open', 'asked') AND l.kind = ? AND `

func scanTracked(row db.Scanner) (f TrackedLoop, err error) {
	var kind model.AudienceKind
	var person, room int64
	err = row.Scan(&f.ID, &f.PersonID, &kind, db.IntoID(&person), db.IntoID(&room), &f.Kind, &f.Text, db.IntoTime(&f.DueFrom),
		db.IntoTime(&f.DueUntil), &f.Status, &f.MessageID, db.IntoTime(&f.Created), &f.Mentions, &f.Steps, db.IntoTime(&f.Last), db.IntoTime(&f.Asked))
	f.Audience = scope.IntoAudience(kind, person, room)
	return f, err
}

// TrackedLoops returns the open goals or curiosities of a person that may be mentioned in a room, the latest mentioned
// first, at most 50.
func (s *Store) TrackedLoops(ctx context.Context, h scope.Visibility, person int64, kind string) (loops []TrackedLoop, err error) {
	err = s.db.Read(ctx, fmt.Sprintf("read the %s loops of person %d", kind, person), func(tx *db.Tx) error {
		where, args := h.Where("l")
		loops, err = listTracked(tx, h.Persona(), person, kind, where, args)
		return err
	})
	return loops, err
}

// TrackedLoopsInScope is TrackedLoops for a single scope. It is for jobs.
func (s *Store) TrackedLoopsInScope(ctx context.Context, persona string, a model.Audience, person int64, kind string) (loops []TrackedLoop, err error) {
	err = s.db.Read(ctx, fmt.Sprintf("read the %s loops of person %d in %s %d", kind, person, a.Kind, a.Ref), func(tx *db.Tx) error {
		loops, err = listTracked(tx, persona, person, kind, `l.audience = ? AND coalesce(l.audience_person, l.audience_room) = ?`, []any{a.Kind, a.Ref})
		return err
	})
	return loops, err
}

func listTracked(tx *db.Tx, persona string, person int64, kind, where string, args []any) ([]TrackedLoop, error) {
	return db.Collect[TrackedLoop](tx.Query(selectTracked+where+` GROUP BY l.id ORDER BY max(m.at) DESC, l.id DESC LIMIT ? + 0`,
		append(append([]any{persona, person, kind}, args...), maxTracked)...))(scanTracked)
}

// TrackedOf returns up to limit open goals or curiosities of everybody with an ID below before, the newest first; before 0 begins
// with the newest of all. It is for operators.
func (s *Store) TrackedOf(ctx context.Context, persona, kind string, before int64, limit int) (loops []TrackedLoop, err error) {
	err = s.db.ReadOne(ctx, "list the open items of kind "+kind, func(tx *db.Tx) error {
		loops, err = db.Collect[TrackedLoop](tx.Query(trackedColumns+` WHERE l.id IN (SELECT o.id FROM open_loops o WHERE o.persona = ?1 AND o.kind = ?2
				AND o.status IN ('open', 'asked') AND (?3 = 0 OR o.id < ?3) ORDER BY o.id DESC LIMIT ?4 + 0)
			GROUP BY l.id ORDER BY l.id DESC`, persona, kind, before, limit))(scanTracked)
		return err
	})
	return loops, err
}

// CountAsked counts the loops of a kind that a person was asked about since a time, in all rooms.
func (s *Store) CountAsked(ctx context.Context, persona string, person int64, kind string, since time.Time) (n int, err error) {
	err = s.db.ReadOne(ctx, fmt.Sprintf("count the loops that person %d was asked about", person), func(tx *db.Tx) error {
		return tx.QueryRow(`SELECT count(*) FROM open_loops WHERE persona = ? AND person_id = ? AND kind = ? AND asked_at >= ?`,
			persona, person, kind, db.Millis(since)).Scan(&n)
	})
	return n, err
}

// The effect of a message on a tracked loop.
const (
	MentionNew    = loopNew    // names it
	MentionAgain  = loopAgain  // mentions it in other words
	MentionStep   = loopStep   // reports progress
	MentionClosed = loopClosed // it is reached, explained or given up
)

// LoopMention is the effect of one message on a goal or curiosity of its author.
type LoopMention struct {
	// Loop is the loop's ID. A loop to be created has a negative number chosen by the caller, by which later mentions
	// of the same call refer to it. Kind, Text and the dates describe a new loop.
	Loop              int64
	Kind, Text        string
	DueFrom, DueUntil time.Time
	// EvolvedFrom is the goal that turned into this new one, 0 for none.
	EvolvedFrom int64
	// Message is the message's ID, Mention its effect: MentionNew and so on.
	Message int64
	Mention string
}

// MentionCounts counts what was recorded.
type MentionCounts struct{ Opened, Added, Closed int }

// RecordMentions stores the effects of messages on their authors' goals and curiosities, together with the job's
// cursors. Each loop belongs to the scope of its first message. The messages are checked in the writing transaction:
// forgotten messages, the persona's own, and messages in other scopes have no effect.
func (s *Store) RecordMentions(ctx context.Context, persona string, run int64, notes []LoopMention, read ...jobrun.Cursor) (done MentionCounts, err error) {
	err = s.db.Write(ctx, "record mentions of loops for "+persona, func(tx *db.Tx) error {
		n := mentionWriter{Tx: tx, persona: persona, run: run, opened: map[int64]int64{}}
		for _, note := range notes {
			if err := n.record(note); err != nil {
				return fmt.Errorf("message %d: %w", note.Message, err)
			}
		}
		done = n.done
		return jobrun.SaveCursors(tx, persona, run, read)
	})
	return done, err
}

// mentionWriter is the state of one RecordMentions call.
type mentionWriter struct {
	*db.Tx
	persona string
	run     int64
	opened  map[int64]int64 // by the caller's number
	done    MentionCounts
}

// mentionMessage is the message of a mention.
type mentionMessage struct {
	person   int64
	at       time.Time
	audience model.Audience
}

func (n *mentionWriter) record(note LoopMention) error {
	m, err := db.One(n.QueryRow(`SELECT m.person_id, m.at, r.id, r.direct, r.person_id FROM messages m JOIN rooms r ON r.id = m.room_id
		WHERE m.id = ? AND m.persona = ? AND m.person_id IS NOT NULL AND m.text <> ''`, note.Message, n.persona), scanMentionMessage)
	if errors.Is(err, db.ErrNotFound) {
		return nil // forgotten meanwhile
	}
	if err != nil {
		return err
	}
	source := loopSource{
		loop: note.Loop, message: note.Message, kind: note.Mention, at: m.at, dueFrom: note.DueFrom, dueUntil: note.DueUntil, jobRun: n.run,
	}
	if note.Loop < 0 {
		source.loop = n.opened[note.Loop]
		if source.loop == 0 && note.Mention == MentionNew {
			return n.open(note, m, source)
		}
	}
	return n.addSource(source, m)
}

// open creates a loop and closes the goal it evolved from.
func (n *mentionWriter) open(note LoopMention, m mentionMessage, source loopSource) error {
	if note.Kind != LoopGoal && note.Kind != LoopCuriosity || note.Text == "" {
		return fmt.Errorf("loop %q of kind %q cannot be tracked: it must be a goal or curiosity with a text", note.Text, note.Kind)
	}
	id, err := n.Insert(`INSERT INTO open_loops (persona, audience, audience_person, audience_room, person_id, message_id, kind,
		text, due_from, due_until, status, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'open', ?)`,
		n.persona, m.audience.Kind, m.audience.Person(), m.audience.Room(), m.person, note.Message, note.Kind, log.Redact(note.Text),
		db.NullMillis(note.DueFrom), db.NullMillis(note.DueUntil), db.Millis(m.at))
	if err != nil {
		return err
	}
	n.opened[note.Loop], source.loop = id, id
	n.done.Opened++
	if err := insertLoopSource(n.Tx, source); err != nil || note.EvolvedFrom == 0 {
		return err
	}
	from := note.EvolvedFrom
	if from < 0 {
		from = n.opened[from]
	}
	if _, err := n.Exec(`UPDATE open_loops SET evolved_into = ? WHERE id = ? AND kind = 'goal' AND person_id = ?`, id, from, m.person); err != nil {
		return err
	}
	return n.addSource(loopSource{loop: from, message: note.Message, kind: MentionClosed, at: m.at, jobRun: n.run}, m)
}

// addSource adds a source to a loop of the same person in the same scope. A missing loop is ignored.
func (n *mentionWriter) addSource(source loopSource, m mentionMessage) error {
	_, err := db.One(n.QueryRow(`SELECT id FROM open_loops WHERE id = ? AND persona = ? AND person_id = ? AND audience = ?
		AND coalesce(audience_person, audience_room) = ? AND kind IN ('goal', 'curiosity')`,
		source.loop, n.persona, m.person, m.audience.Kind, m.audience.Ref), db.ScanID)
	if errors.Is(err, db.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := insertLoopSource(n.Tx, source); err != nil {
		return err
	}
	if source.kind == MentionClosed {
		n.done.Closed++
	} else {
		n.done.Added++
	}
	_, err = RecomputeLoop(n.Tx, source.loop)
	return err
}

func scanMentionMessage(row db.Scanner) (m mentionMessage, err error) {
	var room model.Room
	err = row.Scan(&m.person, db.IntoTime(&m.at), &room.ID, &room.Direct, db.IntoID(&room.PersonID))
	m.audience = room.Audience()
	return m, err
}
