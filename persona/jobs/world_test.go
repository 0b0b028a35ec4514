package jobs_test

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"familiar/channels"
	"familiar/memory"
	"familiar/memory/entry"
	"familiar/memory/memorytest"
	"familiar/memory/model"
	"familiar/memory/turns"
	"familiar/persona"
	"familiar/persona/card"
	"familiar/persona/jobs"
)

// world is a store with people talking to tess, and her jobs.
type world struct {
	*memory.Store
	t     testing.TB
	clock *memorytest.Clock
	night jobs.Deps
	n     int
	// runs is the number of the last run, and runBefore that of the one before.
	runs, runBefore int64
	// talks holds the open sessions by room.
	talks map[string]int64
	// before is what tess said last in a room.
	before map[string]string
	// replies are what tess says next in a room, else "I see.".
	replies map[string]string
}

func newWorld(t testing.TB) *world {
	clock := new(memorytest.Clock)
	w := &world{Store: memorytest.OpenAt(t, clock), t: t, clock: clock, talks: map[string]int64{}, before: map[string]string{}, replies: map[string]string{}}
	w.night = jobs.Deps{Parts: persona.Parts{
		Card: &card.Card{
			Key: "tess", Name: "Tess", Description: "A test pilot who listens.", Voice: "Short sentences.", Values: []string{"landing safely"},
			Zone: time.UTC, Language: "en",
		},
		Store: w.Store, Now: clock.Now, Settings: persona.Settings{Zone: time.UTC}, Log: slog.New(slog.DiscardHandler),
	}}
	return w
}

// say records what someone says, in their direct room for place "", and returns the message.
func (w *world) say(place, who, text string) int64 {
	w.t.Helper()
	w.clock.Advance(time.Minute)
	w.n++
	m := channels.Message{
		ID: fmt.Sprintf("m%d", w.n), Room: channels.Room{Channel: "desk", ID: who}, Direct: true, Addressed: true,
		Author: channels.Author{Handle: channels.Handle{Channel: "desk", ID: who}, Name: who}, Text: text, At: w.clock.Now(),
	}
	if place != "" {
		m.Room.ID, m.Direct, m.RoomTitle = place, false, place
	}
	person, room, err := w.Turns.UpsertParticipant(w.t.Context(), m)
	if err != nil {
		w.t.Fatal(err)
	}
	reply := cmp.Or(w.replies[m.Room.ID], "I see.")
	delete(w.replies, m.Room.ID)
	done, err := w.Turns.RecordTurn(w.t.Context(), turns.Turn{
		Persona: "tess", Room: room, SessionID: w.talks[m.Room.ID], Started: m.At, Asker: person.ID, Voice: "plain",
		Heard: []model.AnnotatedMessage{{Message: m, PersonID: person.ID, Annotation: entry.Annotate(m, w.before[m.Room.ID], time.UTC)}},
		Reply: &model.Reply{Key: "r" + m.ID, Text: reply, At: m.At},
	})
	if err != nil {
		w.t.Fatal(err)
	}
	w.talks[m.Room.ID], w.before[m.Room.ID] = done.SessionID, reply
	return done.MessageIDs[0]
}

// rest ends all sessions and advances the clock.
func (w *world) rest(d time.Duration) {
	w.t.Helper()
	for _, id := range w.talks {
		if _, err := w.Turns.EndSessions(w.t.Context(), turns.SessionEnd{ID: id, At: w.clock.Now()}); err != nil {
			w.t.Fatal(err)
		}
	}
	clear(w.talks)
	w.clock.Advance(d)
}

// run begins a run of a job.
func (w *world) run(job string) int64 {
	w.t.Helper()
	w.runBefore, w.runs = w.runs, memorytest.BeginRun(w.t, w.Store, "tess", job)
	return w.runs
}

// sleep runs both nightly jobs.
func (w *world) sleep() (jobs.DreamResult, jobs.ReflectResult) {
	w.t.Helper()
	dreamt, err := w.night.DreamOnce(w.t.Context(), w.run("dream"), w.clock.Now())
	if err != nil {
		w.t.Fatal(err)
	}
	reflected, err := w.night.ReflectOnce(w.t.Context(), w.run("reflect"), w.clock.Now())
	if err != nil {
		w.t.Fatal(err)
	}
	return dreamt, reflected
}

// texts returns the texts of inferences of a kind, oldest first.
func (w *world) texts(kind model.Kind) (texts []string) {
	w.t.Helper()
	made, err := w.Entries.ListMemories(w.t.Context(), entry.MemoryFilter{Kind: kind, Limit: 1000})
	if err != nil {
		w.t.Fatal(err)
	}
	for _, m := range slices.Backward(made) {
		texts = append(texts, m.Text)
	}
	return texts
}

// hearing returns the visibility of a room.
func (w *world) hearing(room string) memory.Visibility {
	w.t.Helper()
	r, err := w.Log.RoomByAddress(w.t.Context(), channels.Room{Channel: "desk", ID: room})
	if err != nil {
		w.t.Fatal(err)
	}
	h, err := w.Log.Visibility(w.t.Context(), "tess", r.ID)
	if err != nil {
		w.t.Fatal(err)
	}
	return h
}

// weeks has ann write every third day: about her garden when work is hard, about chess otherwise, and bob in the club.
func (w *world) weeks(n int) {
	for i := range n {
		if i%2 == 0 {
			w.say("", "ann", "I feel stressed, work is too much")
			w.say("", "ann", "I spent an hour in my garden")
		} else {
			w.say("", "ann", "I won a round of chess against my neighbour")
		}
		w.say("club", "bob", fmt.Sprintf("I brought my accordion for song %d", i))
		w.rest(71 * time.Hour)
	}
}

// person returns a person's id.
func (w *world) person(who string) int64 {
	w.t.Helper()
	p, err := w.Log.PersonByHandle(w.t.Context(), channels.Handle{Channel: "desk", ID: who})
	if err != nil {
		w.t.Fatal(err)
	}
	return p.ID
}

// query returns the rows of a query on the database file, one per line.
func (w *world) query(query string, args ...any) string {
	w.t.Helper()
	db := memorytest.SQL(w.t, w.Path())
	defer db.Close()
	rows, err := db.Query(query, args...)
	if err != nil {
		w.t.Fatal(err)
	}
	defer rows.Close()
	var all strings.Builder
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			w.t.Fatal(err)
		}
		all.WriteString(line + "\n")
	}
	if err := rows.Err(); err != nil {
		w.t.Fatal(err)
	}
	return all.String()
}

// ground returns the contents of the tables that no job may change.
func (w *world) ground() map[string]string {
	return map[string]string{
		"messages": w.query(`SELECT id || '|' || coalesce(person_id, 0) || '|' || external_id || '|' || text || '|' || at FROM messages ORDER BY id`),
		"beliefs": w.query(`SELECT id || '|' || subject || '|' || relation || '|' || value || '|' || status || '|' || updated_at FROM beliefs
			WHERE value <> 'accordion' ORDER BY id`),
		"evidence": w.query(`SELECT e.belief_id || '|' || message_id || '|' || quote || '|' || stance || '|' || coalesce(e.job_run_id, 0)
			FROM belief_evidence e JOIN beliefs b ON b.id = e.belief_id WHERE b.value <> 'accordion' ORDER BY e.id`),
		"relationships": w.query(`SELECT person_id || '|' || trust || '|' || notes FROM relationships ORDER BY person_id`),
	}
}

// contents counts everything that a job could write.
func (w *world) contents() string {
	var all strings.Builder
	for _, table := range []string{"memories", "memory_sources", "memory_about", "memory_entities", "memory_edges", "rehearsals", "job_marks", "messages", "beliefs"} {
		all.WriteString(table + " " + w.query(`SELECT count(*) FROM `+table))
	}
	return all.String() + w.strengths()
}

// strengths returns how long memories last.
func (w *world) strengths() string {
	return w.query(`SELECT row_number() OVER (ORDER BY id) || '|' || strength || '|' || coalesce(forget_at, 0) || '|' || recalls FROM memories WHERE origin = 'said' ORDER BY id`)
}

// multiply repeats a message n times, ten times per session.
func (w *world) multiply(message int64, n int) {
	w.t.Helper()
	for _, q := range []string{
		`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2 / 10)
			INSERT INTO sessions (persona, room_id, started_at, last_at, ended_at)
			SELECT persona, room_id, at, at, at FROM n, (SELECT * FROM messages WHERE id = ?1) said`,
		`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
			INSERT INTO messages (persona, room_id, session_id, person_id, external_id, text, at)
			SELECT persona, room_id, (SELECT max(id) FROM sessions) - i / 10, person_id, 'x' || i, text, at + i FROM n, (SELECT * FROM messages WHERE id = ?1) said`,
		`INSERT INTO memories (persona, audience, audience_person, origin, author_id, session_id, sector, text, salience, created_at)
			SELECT m.persona, 'private', m.person_id, 'said', m.person_id, m.session_id, 'episodic', m.text, 0.5, m.at FROM messages m
			WHERE m.id > ?1 AND m.external_id LIKE 'x%' AND ?2 > 0 ORDER BY m.id`,
		`INSERT INTO memory_sources (memory_id, message_id) SELECT x.id, m.id FROM messages m JOIN memories x ON x.session_id = m.session_id
			AND x.created_at = m.at WHERE m.external_id LIKE 'x%' AND ?1 + ?2 > 0 AND NOT EXISTS (SELECT 1 FROM memory_sources s WHERE s.memory_id = x.id)`,
	} {
		db := memorytest.SQL(w.t, w.Path())
		_, err := db.Exec(q, message, n)
		if err := errors.Join(err, db.Close()); err != nil {
			w.t.Fatalf("%v: %s", err, q)
		}
	}
}
