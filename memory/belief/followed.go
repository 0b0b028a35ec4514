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

// TrackedLoop is a goal or a curiosity with what its person has said of it.
type TrackedLoop struct {
	model.Loop
	// Mentions counts the messages that name it or speak of it, Steps those that tell of a step on the way.
	Mentions, Steps int
	// Last is when the last of them all was said, Asked when the persona last asked about it, zero for never.
	Last, Asked time.Time
}

// maxTracked bounds how many loops of a kind are followed with one person: the last spoken of.
const maxTracked = 50

const selectTracked = `SELECT l.id, l.person_id, l.audience, l.audience_person, l.audience_room, l.kind, l.text, l.due_from, l.due_until,
	l.status, l.message_id, l.created_at, coalesce(sum(s.kind IN ('new', 'again')), 0), coalesce(sum(s.kind = 'milestone'), 0),
	max(m.at), l.asked_at
	FROM open_loops l JOIN open_loop_sources s ON s.loop_id = l.id JOIN messages m ON m.id = s.message_id
	WHERE l.persona = ? AND l.person_id = ? AND l.status IN ('open', 'asked') AND l.kind = ? AND `

func scanTracked(row db.Scanner) (f TrackedLoop, err error) {
	var kind model.AudienceKind
	var person, room int64
	err = row.Scan(&f.ID, &f.PersonID, &kind, db.IntoID(&person), db.IntoID(&room), &f.Kind, &f.Text, db.IntoTime(&f.DueFrom),
		db.IntoTime(&f.DueUntil), &f.Status, &f.MessageID, db.IntoTime(&f.Created), &f.Mentions, &f.Steps, db.IntoTime(&f.Last), db.IntoTime(&f.Asked))
	f.Audience = scope.IntoAudience(kind, person, room)
	return f, err
}

// TrackedLoops are the goals, or the curiosities, open with a person that may be spoken of in a place, the last spoken of
// first, 50 at most.
func (s *Store) TrackedLoops(ctx context.Context, h scope.Visibility, person int64, kind string) (loops []TrackedLoop, err error) {
	err = s.db.Read(ctx, fmt.Sprintf("read every %s of person %d", kind, person), func(tx *db.Tx) error {
		where, args := h.Where("l")
		loops, err = listTracked(tx, h.Persona(), person, kind, where, args)
		return err
	})
	return loops, err
}

// TrackedLoopsInScope is Followed for what was said in one scope alone: for jobs.
func (s *Store) TrackedLoopsInScope(ctx context.Context, persona string, a model.Audience, person int64, kind string) (loops []TrackedLoop, err error) {
	err = s.db.Read(ctx, fmt.Sprintf("read every %s of person %d in %s %d", kind, person, a.Kind, a.Ref), func(tx *db.Tx) error {
		loops, err = listTracked(tx, persona, person, kind, `l.audience = ? AND coalesce(l.audience_person, l.audience_room) = ?`, []any{a.Kind, a.Ref})
		return err
	})
	return loops, err
}

func listTracked(tx *db.Tx, persona string, person int64, kind, where string, args []any) ([]TrackedLoop, error) {
	return db.Collect[TrackedLoop](tx.Query(selectTracked+where+` GROUP BY l.id ORDER BY max(m.at) DESC, l.id DESC LIMIT ? + 0`,
		append(append([]any{persona, person, kind}, args...), maxTracked)...))(scanTracked)
}

// CountAsked counts what of a kind a person was asked about since a time, in every room.
func (s *Store) CountAsked(ctx context.Context, persona string, person int64, kind string, since time.Time) (n int, err error) {
	err = s.db.ReadOne(ctx, fmt.Sprintf("count what person %d was asked", person), func(tx *db.Tx) error {
		return tx.QueryRow(`SELECT count(*) FROM open_loops WHERE persona = ? AND person_id = ? AND kind = ? AND asked_at >= ?`,
			persona, person, kind, db.Millis(since)).Scan(&n)
	})
	return n, err
}

// What a message means for what is followed.
const (
	MentionNew    = loopNew    // names it
	MentionAgain  = loopAgain  // speaks of it in other words
	MentionStep   = loopStep   // tells of a step on the way
	MentionClosed = loopClosed // it is reached, explained or given up
)

// LoopMention is what one message means for a goal or a curiosity of its author's.
type LoopMention struct {
	// Loop is which. One to be opened has a number of the caller's own below 0, by which later notes of the same call name
	// it; Kind, Text and the dates are for that.
	Loop              int64
	Kind, Text        string
	DueFrom, DueUntil time.Time
	// EvolvedFrom is the goal that this new one is what became of, 0 for none.
	EvolvedFrom int64
	// Message says it, What it means: NotedNew and so on.
	Message int64
	Mention string
}

// MentionCounts counts what was noted.
type MentionCounts struct{ Opened, Added, Closed int }

// RecordMentions keeps what messages mean for the goals and curiosities of their authors, with how far the job has read for it.
// Each loop lies in the scope its first message was said in. Messages are looked at in the transaction that writes: what
// was forgotten since, what the persona said itself, and what was said to others leaves nothing behind.
func (s *Store) RecordMentions(ctx context.Context, persona string, run int64, notes []LoopMention, read ...jobrun.Cursor) (done MentionCounts, err error) {
	err = s.db.Write(ctx, "note what people are after with "+persona, func(tx *db.Tx) error {
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

// mentionWriter is one NoteLoops at work.
type mentionWriter struct {
	*db.Tx
	persona string
	run     int64
	opened  map[int64]int64 // by the caller's number
	done    MentionCounts
}

// mentionMessage is a message as a note has to know it.
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

// open makes a loop, and closes the goal that it is what became of.
func (n *mentionWriter) open(note LoopMention, m mentionMessage, source loopSource) error {
	if note.Kind != LoopGoal && note.Kind != LoopCuriosity || note.Text == "" {
		return fmt.Errorf("a %s %q is not followed", note.Kind, note.Text)
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

// addSource adds a source to a loop of the same person in the same scope; one that is gone is left alone.
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

// Backlog are the things said in a scope that a job has not read, oldest first, with what the persona had said just before
// each: for jobs, 500 when limit is 0. What is to be left alone is not among them.
func (s *Store) Backlog(ctx context.Context, persona, job string, a model.Audience, limit int) (news []BacklogItem, err error) {
	clause, args := scope.MemoryCondition(a)
	err = s.db.Read(ctx, fmt.Sprintf("read what is new in %s %d", a.Kind, a.Ref), func(tx *db.Tx) error {
		from, err := jobrun.ReadCursor(tx, persona, job, a)
		if err != nil {
			return err
		}
		all, err := jobrun.ReadCursor(tx, persona, job, model.Audience{Kind: model.World})
		if err != nil {
			return err
		}
		news, err = db.Collect[BacklogItem](tx.Query(selectBacklog+clause+` ORDER BY m.id LIMIT ? + 0`,
			append(append([]any{persona, max(from, all)}, args...), db.LimitOr(limit, 500))...))(scanBacklog)
		return err
	})
	return news, err
}

// BacklogItem is something said that a job has not read.
type BacklogItem struct {
	model.Memory
	// Before is what the persona had said last in the session, empty when nothing or when others spoke in between.
	Before string
}

const selectBacklog = `SELECT m.id, m.author_id, p.name, m.text, m.created_at, w.id,
	coalesce((SELECT CASE WHEN b.person_id IS NULL THEN b.text END FROM messages b
		WHERE b.session_id = w.session_id AND b.id < w.id ORDER BY b.id DESC LIMIT 1), '')
	FROM memories m JOIN people p ON p.id = m.author_id JOIN memory_sources s ON s.memory_id = m.id JOIN messages w ON w.id = s.message_id
	WHERE m.persona = ? AND m.id > ? AND m.origin = 'said' AND m.apart = 0 AND w.text <> '' AND `

func scanBacklog(row db.Scanner) (t BacklogItem, err error) {
	var message int64
	err = row.Scan(&t.ID, &t.AuthorID, &t.Author, &t.Text, db.IntoTime(&t.Created), &message, &t.Before)
	t.Origin, t.Sources = model.OriginMessage, []int64{message}
	return t, err
}
