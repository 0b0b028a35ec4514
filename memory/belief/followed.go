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

// Followed is a goal or a curiosity with what its person has said of it.
type Followed struct {
	model.Loop
	// Mentions counts the messages that name it or speak of it, Steps those that tell of a step on the way.
	Mentions, Steps int
	// Last is when the last of them all was said, Asked when the persona last asked about it, zero for never.
	Last, Asked time.Time
}

// followedLimit bounds how many loops of a kind are followed with one person: the last spoken of.
const followedLimit = 50

const followed = `SELECT l.id, l.person_id, l.audience, l.audience_person, l.audience_room, l.kind, l.text, l.due_from, l.due_until,
	l.status, l.message_id, l.created_at, coalesce(sum(s.kind IN ('new', 'again')), 0), coalesce(sum(s.kind = 'milestone'), 0),
	max(m.at), l.asked_at
	FROM open_loops l JOIN open_loop_sources s ON s.loop_id = l.id JOIN messages m ON m.id = s.message_id
	WHERE l.persona = ? AND l.person_id = ? AND l.status IN ('open', 'asked') AND l.kind = ? AND `

func scanFollowed(row db.Scanner) (f Followed, err error) {
	var kind model.AudienceKind
	var person, room int64
	err = row.Scan(&f.ID, &f.PersonID, &kind, db.IntoID(&person), db.IntoID(&room), &f.Kind, &f.Text, db.IntoTime(&f.DueFrom),
		db.IntoTime(&f.DueUntil), &f.Status, &f.MessageID, db.IntoTime(&f.Created), &f.Mentions, &f.Steps, db.IntoTime(&f.Last), db.IntoTime(&f.Asked))
	f.Audience = scope.IntoAudience(kind, person, room)
	return f, err
}

// Followed are the goals, or the curiosities, open with a person that may be spoken of in a place, the last spoken of
// first, 50 at most.
func (s *Store) Followed(ctx context.Context, h scope.Visibility, person int64, kind string) (loops []Followed, err error) {
	err = s.db.Read(ctx, fmt.Sprintf("read every %s of person %d", kind, person), func(tx *db.Tx) error {
		where, args := h.Where("l")
		loops, err = listFollowed(tx, h.Persona(), person, kind, where, args)
		return err
	})
	return loops, err
}

// FollowedIn is Followed for what was said in one scope alone: for jobs.
func (s *Store) FollowedIn(ctx context.Context, persona string, a model.Audience, person int64, kind string) (loops []Followed, err error) {
	err = s.db.Read(ctx, fmt.Sprintf("read every %s of person %d in %s %d", kind, person, a.Kind, a.Ref), func(tx *db.Tx) error {
		loops, err = listFollowed(tx, persona, person, kind, `l.audience = ? AND coalesce(l.audience_person, l.audience_room) = ?`, []any{a.Kind, a.Ref})
		return err
	})
	return loops, err
}

func listFollowed(tx *db.Tx, persona string, person int64, kind, where string, args []any) ([]Followed, error) {
	return db.Collect[Followed](tx.Query(followed+where+` GROUP BY l.id ORDER BY max(m.at) DESC, l.id DESC LIMIT ? + 0`,
		append(append([]any{persona, person, kind}, args...), followedLimit)...))(scanFollowed)
}

// AskedOf counts what of a kind a person was asked about since a time, in every room.
func (s *Store) AskedOf(ctx context.Context, persona string, person int64, kind string, since time.Time) (n int, err error) {
	err = s.db.ReadOne(ctx, fmt.Sprintf("count what person %d was asked", person), func(tx *db.Tx) error {
		return tx.QueryRow(`SELECT count(*) FROM open_loops WHERE persona = ? AND person_id = ? AND kind = ? AND asked_at >= ?`,
			persona, person, kind, db.Millis(since)).Scan(&n)
	})
	return n, err
}

// What a message means for what is followed.
const (
	NotedNew    = loopNew    // names it
	NotedAgain  = loopAgain  // speaks of it in other words
	NotedStep   = loopStep   // tells of a step on the way
	NotedClosed = loopClosed // it is reached, explained or given up
)

// LoopNote is what one message means for a goal or a curiosity of its author's.
type LoopNote struct {
	// Loop is which. One to be opened has a number of the caller's own below 0, by which later notes of the same call name
	// it; Kind, Text and the dates are for that.
	Loop              int64
	Kind, Text        string
	DueFrom, DueUntil time.Time
	// From is the goal that this new one is what became of, 0 for none.
	From int64
	// Message says it, What it means: NotedNew and so on.
	Message int64
	What    string
}

// LoopsNoted counts what was noted.
type LoopsNoted struct{ Opened, Heard, Closed int }

// NoteLoops keeps what messages mean for the goals and curiosities of their authors, with how far the job has read for it.
// Each loop lies in the scope its first message was said in. Messages are looked at in the transaction that writes: what
// was forgotten since, what the persona said itself, and what was said to others leaves nothing behind.
func (s *Store) NoteLoops(ctx context.Context, persona string, run int64, notes []LoopNote, read ...jobrun.Cursor) (done LoopsNoted, err error) {
	err = s.db.Write(ctx, "note what people are after with "+persona, func(tx *db.Tx) error {
		n := noting{Tx: tx, persona: persona, run: run, opened: map[int64]int64{}}
		for _, note := range notes {
			if err := n.note(note); err != nil {
				return fmt.Errorf("message %d: %w", note.Message, err)
			}
		}
		done = n.done
		return jobrun.NoteCursors(tx, persona, run, read)
	})
	return done, err
}

// noting is one NoteLoops at work.
type noting struct {
	*db.Tx
	persona string
	run     int64
	opened  map[int64]int64 // by the caller's number
	done    LoopsNoted
}

// noted is a message as a note has to know it.
type noted struct {
	person   int64
	at       time.Time
	audience model.Audience
}

func (n *noting) note(note LoopNote) error {
	m, err := db.One(n.QueryRow(`SELECT m.person_id, m.at, r.id, r.direct, r.person_id FROM messages m JOIN rooms r ON r.id = m.room_id
		WHERE m.id = ? AND m.persona = ? AND m.person_id IS NOT NULL AND m.text <> ''`, note.Message, n.persona), scanNoted)
	if errors.Is(err, db.ErrNotFound) {
		return nil // forgotten meanwhile
	}
	if err != nil {
		return err
	}
	source := loopSource{
		loop: note.Loop, message: note.Message, kind: note.What, at: m.at, dueFrom: note.DueFrom, dueUntil: note.DueUntil, jobRun: n.run,
	}
	if note.Loop < 0 {
		source.loop = n.opened[note.Loop]
		if source.loop == 0 && note.What == NotedNew {
			return n.open(note, m, source)
		}
	}
	return n.hear(source, m)
}

// open makes a loop, and closes the goal that it is what became of.
func (n *noting) open(note LoopNote, m noted, source loopSource) error {
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
	if err := insertLoopSource(n.Tx, source); err != nil || note.From == 0 {
		return err
	}
	from := note.From
	if from < 0 {
		from = n.opened[from]
	}
	if _, err := n.Exec(`UPDATE open_loops SET evolved_into = ? WHERE id = ? AND kind = 'goal' AND person_id = ?`, id, from, m.person); err != nil {
		return err
	}
	return n.hear(loopSource{loop: from, message: note.Message, kind: NotedClosed, at: m.at, jobRun: n.run}, m)
}

// hear adds a source to a loop of the same person in the same scope; one that is gone is left alone.
func (n *noting) hear(source loopSource, m noted) error {
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
	if source.kind == NotedClosed {
		n.done.Closed++
	} else {
		n.done.Heard++
	}
	_, err = SettleLoop(n.Tx, source.loop)
	return err
}

func scanNoted(row db.Scanner) (m noted, err error) {
	var room model.Room
	err = row.Scan(&m.person, db.IntoTime(&m.at), &room.ID, &room.Direct, db.IntoID(&room.PersonID))
	m.audience = room.Audience()
	return m, err
}

// NewIn are the things said in a scope that a job has not read, oldest first, with what the persona had said just before
// each: for jobs, 500 when limit is 0. What is to be left alone is not among them.
func (s *Store) NewIn(ctx context.Context, persona, job string, a model.Audience, limit int) (news []News, err error) {
	clause, args := scope.ScopeClause(a)
	err = s.db.Read(ctx, fmt.Sprintf("read what is new in %s %d", a.Kind, a.Ref), func(tx *db.Tx) error {
		from, err := jobrun.CursorOf(tx, persona, job, a)
		if err != nil {
			return err
		}
		all, err := jobrun.CursorOf(tx, persona, job, model.Audience{Kind: model.World})
		if err != nil {
			return err
		}
		news, err = db.Collect[News](tx.Query(newIn+clause+` ORDER BY m.id LIMIT ? + 0`,
			append(append([]any{persona, max(from, all)}, args...), db.LimitOr(limit, 500))...))(scanNews)
		return err
	})
	return news, err
}

// News is something said that a job has not read.
type News struct {
	model.Memory
	// Before is what the persona had said last in the session, empty when nothing or when others spoke in between.
	Before string
}

const newIn = `SELECT m.id, m.author_id, p.name, m.text, m.created_at, w.id,
	coalesce((SELECT CASE WHEN b.person_id IS NULL THEN b.text END FROM messages b
		WHERE b.session_id = w.session_id AND b.id < w.id ORDER BY b.id DESC LIMIT 1), '')
	FROM memories m JOIN people p ON p.id = m.author_id JOIN memory_sources s ON s.memory_id = m.id JOIN messages w ON w.id = s.message_id
	WHERE m.persona = ? AND m.id > ? AND m.origin = 'said' AND m.apart = 0 AND w.text <> '' AND `

func scanNews(row db.Scanner) (t News, err error) {
	var message int64
	err = row.Scan(&t.ID, &t.AuthorID, &t.Author, &t.Text, db.IntoTime(&t.Created), &message, &t.Before)
	t.Origin, t.Sources = model.Said, []int64{message}
	return t, err
}
