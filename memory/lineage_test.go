package memory_test

import (
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"familiar/internal/torture"
	"familiar/memory"
	"familiar/memory/belief"
	"familiar/memory/internal/dbtest"
	"familiar/memory/lifecycle"
	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/memory/turns"
	"familiar/memory/understand"
)

// talk is a varied talk in which every message contains a unique word that everything derived from it repeats. If the
// word is still found after the message is forgotten, the references to its source were incomplete.
type talk struct {
	*town
	r     *rand.Rand
	said  []saying
	plans int
	loops map[string][]int64 // open loops, by person
}

type saying struct {
	memory, message    int64
	who, place, canary string
	bird               bool // the word is the name of a bird
}

func newTalk(t *testing.T, seed uint64, steps int) *talk {
	k := &talk{town: newTown(t), r: rand.New(rand.NewPCG(seed, 7)), loops: map[string][]int64{}}
	for range steps {
		k.step()
	}
	return k
}

func (k *talk) somebody() (place, who string) {
	return []string{"", "", "club"}[k.r.IntN(3)], []string{"ann", "bob", "cleo"}[k.r.IntN(3)]
}

func (k *talk) step() {
	switch n := k.r.IntN(20); {
	case n == 0:
		k.endSession()
	case n == 1:
		k.list()
	case n == 2:
		k.consolidate()
	case n < 4:
		k.sendAll()
	default:
		k.speak()
	}
}

// speak records a turn with one message and a reply that repeats what it was made from.
func (k *talk) speak() {
	place, who := k.somebody()
	canary := fmt.Sprintf("zq%s%dqz", who, len(k.said))
	var claims []understand.Claim
	switch k.r.IntN(5) {
	case 0:
		claims = append(claims, fact("pet_name:bird", canary))
	case 1:
		c := fact("pet_name:bird", canary)
		if last := k.last(who, place); last.canary != "" {
			c.Corrects, c.Correction = last.canary, true
		}
		claims = append(claims, c)
	case 2:
		k.plans++
		c := plan(fmt.Sprintf("trip %d", 1+k.r.IntN(k.plans)), k.clock.Now().AddDate(0, 0, k.r.IntN(9)))
		claims = append(claims, c)
	}
	bird := len(claims) > 0 && claims[0].Relation == "pet_name:bird"
	turn := k.turn("mira", k.message(place, who, "I keep a "+canary+" in the old brick tower"), claims...)
	turn.Heard[0].Annotation.Analysis.Entities = []string{canary}
	turn.Reply.Text = "A " + canary + "?"
	if len(k.said) > 3 {
		k.shape(&turn, who)
	}
	r := k.record(turn)
	k.said = append(k.said, saying{memory: k.memoryOf(canary).ID, message: r.MessageIDs[0], who: who, place: place, canary: canary, bird: bird})
}

// last returns the latest bird that somebody named in a place.
func (k *talk) last(who, place string) (s saying) {
	for _, said := range k.said {
		if said.who == who && said.place == place && said.bird {
			s = said
		}
	}
	return s
}

// shape puts items into the prompt and lets the reply repeat some of them, or all when the voice does not report what
// it used.
func (k *talk) shape(turn *turns.Turn, who string) {
	turn.Exact = k.r.IntN(2) == 0
	echo := func(s saying) { turn.Reply.Text += " " + s.canary }
	for range k.r.IntN(3) {
		i := 1 + k.r.IntN(len(k.said)-1)
		hit, neighbour := k.said[i], k.said[i-1]
		used := k.r.IntN(2) == 0
		turn.Context = append(turn.Context, recall.Item{
			MemoryID: hit.memory, Why: "linked by " + hit.canary, Used: used,
			Lines: []model.SnippetLine{{MessageID: neighbour.message}, {MessageID: hit.message, Hit: true}},
		})
		if used || !turn.Exact {
			echo(hit)
			echo(neighbour)
		}
	}
	if about := k.said[k.r.IntN(len(k.said))]; k.r.IntN(4) == 0 {
		turn.Greeted = []string{fmt.Sprintf("memory:%d", about.memory)}
		echo(about)
	}
	k.open(turn, who)
	if turn.Exact || k.r.IntN(2) == 0 {
		return
	}
	for _, s := range k.said[max(0, len(k.said)-8):] { // the recent talk: the latest messages of this room
		if h := k.visibility(s.place, s.who); h.Room().ID == turn.Room.ID {
			if turn.RecentFrom == 0 {
				turn.RecentFrom = s.message
			}
			echo(s)
		}
	}
}

// open asks about or closes something open with somebody.
func (k *talk) open(turn *turns.Turn, who string) {
	h, err := k.Log.Visibility(k.t.Context(), "mira", turn.Room.ID)
	if err != nil {
		k.t.Fatal(err)
	}
	loops, err := k.Beliefs.Loops(k.t.Context(), h, k.person(who))
	if err != nil {
		k.t.Fatal(err)
	}
	for _, l := range loops {
		switch k.r.IntN(3) {
		case 0:
			turn.AskedLoops = append(turn.AskedLoops, l.ID)
			turn.Reply.Text += fmt.Sprintf(" How was %s?", l.Text)
			for _, s := range k.said {
				if s.message == l.MessageID {
					turn.Reply.Text += " " + s.canary
				}
			}
		case 1:
			turn.ClosedLoops = append(turn.ClosedLoops, l.ID)
		}
	}
}

// list answers a command with recent messages.
func (k *talk) list() {
	_, who := k.somebody()
	var shown []int64
	text := "What I remember:"
	for _, s := range k.said[max(0, len(k.said)-5):] {
		shown, text = append(shown, s.memory), text+" "+s.canary
	}
	k.command(who, "/memory", text, shown...)
}

// consolidate links and summarizes: summaries quote their members.
func (k *talk) consolidate() {
	if _, err := k.Lifecycle.Link(k.t.Context(), "mira", 1); err != nil {
		k.t.Fatal(err)
	}
	if _, err := k.Lifecycle.Consolidate(k.t.Context(), "mira", 2, k.clock.Now()); err != nil {
		k.t.Fatal(err)
	}
}

// endSession ends an open session and refines it: a summary repeats everything, and every message has a claim.
func (k *talk) endSession() {
	open, err := k.Turns.Sessions(k.t.Context(), turns.SessionFilter{Persona: "mira", Open: true})
	if err != nil || len(open) == 0 {
		return
	}
	messages, err := k.Turns.SessionMessages(k.t.Context(), open[0].ID)
	if err != nil {
		k.t.Fatal(err)
	}
	sum := &lifecycle.Inference{Sector: model.Reflective, Salience: 0.5, Text: "They spoke of:"}
	read := turns.Refinement{ID: open[0].ID, Summary: sum}
	for _, m := range messages {
		if m.PersonID == 0 {
			continue
		}
		sum.Text, sum.Sources = sum.Text+" "+m.Text, append(sum.Sources, m.ID)
		c := fact("hobby", strings.Fields(m.Text)[3])
		read.Claims = append(read.Claims, belief.AttributedClaim{Claim: c, AuthorID: m.PersonID, SubjectPerson: m.PersonID, MessageID: m.ID, At: m.At})
	}
	end := turns.SessionEnd{ID: read.ID, At: k.clock.Now(), Class: "standard"}
	_, ended := k.Turns.EndSessions(k.t.Context(), end)
	_, refined := k.Turns.RefineSession(k.t.Context(), read)
	if err := errors.Join(ended, refined); err != nil {
		k.t.Fatal(err)
	}
}

// peek opens a separate connection to the store to look at its rows. Close it with done: a file is only complete without its
// log when nobody has it open. On PostgreSQL, where connecting takes long, it stays open.
func (w *town) peek() (d *sql.DB, done func()) {
	w.t.Helper()
	if !dbtest.OnPostgres() {
		d := w.db()
		return d, func() { _ = d.Close() }
	}
	if w.server == nil {
		w.server = w.db()
	}
	return w.server, func() {}
}

// db opens a separate connection to the store.
func (w *town) db() *sql.DB {
	w.t.Helper()
	db := dbtest.SQL(w.t, w.Path())
	db.SetMaxOpenConns(1)
	return db
}

// TestEverythingDerivedLeadsBackToMessages checks what forgetting and merging people rely on: every row derived from
// talk refers to its source.
func TestEverythingDerivedLeadsBackToMessages(t *testing.T) {
	for seed := range uint64(5) {
		k := newTalk(t, seed, 120)
		if edges := strings.Join(k.edges(), "\n"); !strings.Contains(edges, "contains") {
			t.Fatalf("seed %d: nothing was summed up", seed)
		}
		for what, orphans := range map[string]string{
			"memories":       `SELECT count(*) FROM memories WHERE origin <> 'told' AND id NOT IN (SELECT memory_id FROM memory_sources)`,
			"beliefs":        `SELECT count(*) FROM beliefs WHERE id NOT IN (SELECT belief_id FROM belief_evidence)`,
			"loops":          `SELECT count(*) FROM open_loops WHERE id NOT IN (SELECT loop_id FROM open_loop_sources WHERE kind <> 'closed')`,
			"closed loops":   `SELECT count(*) FROM open_loops WHERE status = 'closed' AND id NOT IN (SELECT loop_id FROM open_loop_sources WHERE kind = 'closed')`,
			"turns":          `SELECT count(*) FROM turns WHERE id NOT IN (SELECT turn_id FROM turn_heard)`,
			"edges":          `SELECT count(*) FROM memory_edges WHERE from_id NOT IN (SELECT id FROM memories) OR to_id NOT IN (SELECT id FROM memories)`,
			"items":          `SELECT count(*) FROM turn_items WHERE memory_id IS NULL AND belief_id IS NULL AND loop_id IS NULL`,
			"replies":        `SELECT count(*) FROM messages WHERE person_id IS NULL AND id NOT IN (SELECT reply_id FROM turns WHERE reply_id IS NOT NULL)`,
			"unsent replies": `SELECT count(*) FROM outbox WHERE message_id IS NOT NULL AND text <> ''`,
			"unsent answers": `SELECT count(*) FROM outbox WHERE message_id IS NULL AND text <> '' AND id NOT IN (SELECT outbox_id FROM outbox_sources)`,
		} {
			var n int
			if err := k.db().QueryRow(orphans).Scan(&n); err != nil || n != 0 {
				t.Errorf("seed %d: %d %s lead nowhere, %v", seed, n, what, err)
			}
		}
	}
}

func TestForgettingAMessageLeavesNothing(t *testing.T) {
	t.Parallel()
	for seed := range uint64(torture.Rounds(1, 3)) {
		k := newTalk(t, 100+seed, 80)
		left := len(k.said)
		for _, i := range k.r.Perm(len(k.said)) {
			s := k.said[i]
			if _, err := k.Eraser.Forget(t.Context(), s.memory); err != nil {
				t.Fatal(err)
			}
			left--
			if rows := rowsWith(contents(t, k.town), s.canary); rows != "" {
				t.Fatalf("seed %d: %s is still in\n%s", seed, s.canary, rows)
			}
			if k.onDisk([]byte(s.canary)) {
				t.Fatalf("seed %d: the files still contain %s", seed, s.canary)
			}
			st, err := k.Lifecycle.Stats(t.Context(), "mira")
			if err != nil || st.Memories[model.Episodic] != left {
				t.Fatalf("seed %d: %d memories are left of %d, %v", seed, st.Memories[model.Episodic], left, err)
			}
		}
	}
}

// rowsWith returns the rows of contents that contain word.
func rowsWith(contents, word string) string {
	if !strings.Contains(contents, word) {
		return ""
	}
	var b strings.Builder
	for _, line := range strings.Split(contents, "\n") {
		if strings.Contains(line, word) {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}

// erasure removes what was derived from somebody's messages in one transaction, only by references to the source.
var erasure = []string{
	`CREATE TEMP TABLE m AS SELECT id FROM messages WHERE person_id = ?`,
	`CREATE TEMP TABLE d AS SELECT memory_id AS id FROM memory_sources WHERE message_id IN (SELECT id FROM m)`,
	`CREATE TEMP TABLE b AS SELECT DISTINCT belief_id AS id FROM belief_evidence WHERE message_id IN (SELECT id FROM m)`,
	`CREATE TEMP TABLE l AS SELECT DISTINCT loop_id AS id FROM open_loop_sources WHERE message_id IN (SELECT id FROM m)`,
	`CREATE TEMP TABLE r AS WITH RECURSIVE rest(id) AS (
		SELECT id FROM m
		UNION SELECT t.reply_id FROM turns t JOIN turn_items i ON i.turn_id = t.id WHERE t.reply_id IS NOT NULL
			AND (i.memory_id IN (SELECT id FROM d) OR i.belief_id IN (SELECT id FROM b) OR i.loop_id IN (SELECT id FROM l))
		UNION SELECT t.reply_id FROM rest JOIN turns t ON t.reply_id IS NOT NULL AND (
			t.id IN (SELECT turn_id FROM turn_heard WHERE message_id = rest.id)
			OR t.id IN (SELECT turn_id FROM turn_item_lines WHERE message_id = rest.id)
			OR t.recent_from <= rest.id AND t.reply_id > rest.id AND t.room_id = (SELECT room_id FROM messages WHERE id = rest.id)))
		SELECT id FROM rest`,
	`DELETE FROM outbox WHERE message_id IN (SELECT id FROM r) OR id IN (SELECT outbox_id FROM outbox_sources WHERE memory_id IN (SELECT id FROM d))`,
	`DELETE FROM belief_evidence WHERE message_id IN (SELECT id FROM m)`,
	`UPDATE beliefs SET superseded_by = NULL WHERE superseded_by IN (SELECT id FROM b)`,
	`DELETE FROM beliefs WHERE id IN (SELECT id FROM b) AND id NOT IN (SELECT belief_id FROM belief_evidence WHERE stance = 1)`,
	`DELETE FROM open_loop_sources WHERE message_id IN (SELECT id FROM m)`,
	`DELETE FROM open_loops WHERE id NOT IN (SELECT loop_id FROM open_loop_sources WHERE kind <> 'closed')`,
	`UPDATE memories SET parent_id = NULL WHERE parent_id IN (SELECT id FROM d)`,
	`DELETE FROM memories WHERE id IN (SELECT id FROM d)`,
	`DELETE FROM turn_item_lines WHERE message_id IN (SELECT id FROM r)`,
	`UPDATE messages SET text = '', analysis = '', analysis_version = 0 WHERE id IN (SELECT id FROM r)`,
	`DELETE FROM inbox WHERE (author_channel, author_handle) IN (SELECT channel, handle FROM handles WHERE person_id = ?)`,
	`DELETE FROM greeted WHERE person_id = ?`, `DELETE FROM relationships WHERE person_id = ?`,
}

func TestS12ErasingAPersonByLineageLeavesNothing(t *testing.T) {
	for seed := range uint64(5) {
		k := newTalk(t, 200+seed, 100)
		k.leaveDead("ann", "zqannpoisonqz")
		ann := k.person("ann")
		if err := k.erase(ann); err != nil {
			t.Fatal(err)
		}
		if rows := rowsWith(contents(t, k.town), "zqann"); rows != "" {
			t.Fatalf("seed %d: still there:\n%s", seed, rows)
		}
		if k.onDisk([]byte("zqann")) {
			t.Errorf("seed %d: the files still contain words of theirs", seed)
		}
		for _, s := range k.said {
			m, err := k.Entries.Memory(t.Context(), s.memory)
			if gone := errors.Is(err, memory.ErrNotFound); gone != (s.who == "ann") || !gone && !strings.Contains(m.Text, s.canary) {
				t.Errorf("seed %d: %s of %s reads %q, %v", seed, s.canary, s.who, m.Text, err)
			}
		}
	}
}

// leaveDead leaves a message that was given up.
func (k *talk) leaveDead(who, text string) {
	k.t.Helper()
	m := k.message("", who, text)
	if _, err := k.Log.Accept(k.t.Context(), "mira", m); err != nil {
		k.t.Fatal(err)
	}
	pending, err := k.Log.Pending(k.t.Context(), "mira", m.Room, 1)
	if err != nil || len(pending) != 1 {
		k.t.Fatalf("pending %v, %v", pending, err)
	}
	if err := k.Log.MarkInboxDead(k.t.Context(), pending[0].ID, "it panics"); err != nil {
		k.t.Fatal(err)
	}
}

func (k *talk) erase(person int64) error {
	db := k.db()
	begin := "BEGIN"
	if !dbtest.OnPostgres() {
		begin = "BEGIN IMMEDIATE"
		if _, err := db.Exec(`PRAGMA temp_store = memory`); err != nil {
			return err
		}
	}
	if _, err := db.Exec(begin); err != nil {
		return err
	}
	for _, q := range erasure {
		var args []any
		if strings.Contains(q, "?") {
			args = append(args, person)
		}
		if _, err := db.Exec(q, args...); err != nil {
			return fmt.Errorf("%s: %w", q, err)
		}
	}
	if _, err := db.Exec("COMMIT"); err != nil || dbtest.OnPostgres() {
		return err
	}
	// SQLite leaves old copies of moved rows in unused parts of its pages; the store rewrites the file too.
	if _, err := db.Exec(`VACUUM`); err != nil {
		return err
	}
	var busy, frames, moved int
	err := db.QueryRow(`PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &frames, &moved)
	if err == nil && busy != 0 {
		err = errors.New("somebody reads the log")
	}
	return err
}
