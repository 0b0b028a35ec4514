package bench

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"strings"
	"time"

	_ "github.com/mattn/go-sqlite3" // millions of rows bypass the store and go straight into its file

	"familiar/memory"
	"familiar/memory/model"
	"familiar/memory/understand"
)

const (
	// sessionOf is the number of messages per session, aDay the number of them that each person wrote on the last day.
	sessionOf = 50
	aDay      = 10
	// habits is the number of recurring subjects per person. One message in habitEvery belongs to one. The other two
	// are the number of memories with which a summary starts and the number it can hold.
	habits       = 12
	habitEvery   = 6
	summaryFrom  = 3
	summaryHolds = 48
	// dueShare is the share of memories that become dormant in the night.
	dueShare = 0.002
)

// filler writes a store of many people's talk: sessions in order of time, and each message with its memory. It groups
// and summarizes recurring subjects, and links everything except the last day.
type filler struct {
	*corpus
	persona string
	put     map[string]*sql.Stmt
	err     error
	rates   model.Rates

	message, memory, session int64
	habits                   map[[2]int64]summed // memories being summarized, by person and habit
}

// summed holds the memories of one habit and their summary, 0 while they have none.
type summed struct {
	summary int64
	members []int64
}

// fillStatements holds the statements that insert the rows of a store.
var fillStatements = map[string]string{
	"person":  `INSERT INTO people (id, name, created_at) VALUES (?1, ?2, ?3)`,
	"handle":  `INSERT INTO handles (channel, handle, person_id, display, first_seen, last_seen) VALUES ('bench', ?2, ?1, ?2, ?3, ?3)`,
	"room":    `INSERT INTO rooms (id, channel, room, direct, person_id, created_at) VALUES (?1, 'bench', ?2, 1, ?1, ?3)`,
	"speaker": `INSERT INTO room_people (room_id, person_id, first_spoke, last_spoke) VALUES (?1, ?1, ?2, ?2)`,
	"relation": `INSERT INTO relationships (persona, person_id, first_met, last_seen, sessions, messages, days)
		VALUES (?1, ?2, ?3, ?3, ?4, ?5, ?4)`,
	"scope": `INSERT INTO scopes (persona, audience, ref, revision, edges) VALUES (?1, 'private', ?2, ?3, 1)`,
	"session": `INSERT INTO sessions (id, persona, room_id, started_at, last_at, ended_at, messages, significance, class, refined_at)
		VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?6)`,
	"message": `INSERT INTO messages (id, persona, room_id, session_id, person_id, external_id, text, at, analysis, analysis_version)
		VALUES (?1, ?2, ?3, ?4, ?3, 'm' || ?1, ?5, ?6, ?7, ?8)`,
	"memory": `INSERT INTO memories (id, persona, audience, audience_person, origin, author_id, session_id, sector, text, salience,
		job_run_id, tier, lasts, forget_at, created_at) VALUES (?1, ?2, 'private', ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)`,
	"source": `INSERT INTO memory_sources (memory_id, message_id) VALUES (?1, ?2)`,
	"about":  `INSERT INTO memory_about (memory_id, person_id) VALUES (?1, ?2)`,
	"entity": `INSERT INTO memory_entities (memory_id, entity) VALUES (?1, ?2) ON CONFLICT DO NOTHING`,
	"edge": `INSERT INTO memory_edges (from_id, to_id, kind, weight, touched_at, job_run_id) VALUES (?1, ?2, ?3, ?4, ?5, 1)
		ON CONFLICT DO NOTHING`,
	// The jobs that read new entries have read all but the last day.
	"read": `INSERT INTO job_marks (persona, job, audience, ref, memory_id, before_id, job_run_id)
		SELECT ?1, j.value, 'world', 0, ?2, 0, 0 FROM json_each('["reflect", "dream", "curiosity", "goals", "consolidate"]') j`,
	"linked": `INSERT INTO linked (persona, memory_id, turn_id) VALUES (?1, ?2, 0)`,
}

// fillNights makes the store at path.
func fillNights(ctx context.Context, path string, parts NightParts) error {
	store, err := memory.Open(ctx, path, memory.Options{Now: func() time.Time { return lastNight }})
	if err != nil {
		return err
	}
	if err := store.Close(); err != nil {
		return err
	}
	db, err := sql.Open("sqlite3", "file:"+path+"?_synchronous=off&_cache_size=-200000")
	if err != nil {
		return err
	}
	defer db.Close() //nolint:errcheck // committed or of no use
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	indexes, err := dropIndexes(ctx, tx)
	if err != nil {
		return err
	}
	f := &filler{corpus: newCorpus(), persona: parts.Persona, put: map[string]*sql.Stmt{}, rates: model.Rates{}.WithDefaults(), habits: map[[2]int64]summed{}}
	for what, query := range fillStatements {
		if f.put[what], err = tx.PrepareContext(ctx, query); err != nil { //nolint:sqlclosecheck // they end with the transaction
			return fmt.Errorf("%s: %w", what, err)
		}
	}
	if f.fill(parts); f.err != nil {
		return f.err
	}
	for _, index := range indexes {
		if _, err := tx.ExecContext(ctx, index); err != nil {
			return fmt.Errorf("index again: %w", err)
		}
	}
	return tx.Commit()
}

// dropIndexes drops the indexes of a new store and returns the statements that create them. Building them at the end
// takes a fraction of the time that updating them with every row does.
func dropIndexes(ctx context.Context, tx *sql.Tx) (made []string, err error) {
	rows, err := tx.QueryContext(ctx, `SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var names []string
	for rows.Next() {
		var name, how string
		if err := rows.Scan(&name, &how); err != nil {
			return nil, err
		}
		names, made = append(names, name), append(made, how)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	for _, name := range names {
		if _, err := tx.ExecContext(ctx, "DROP INDEX "+name); err != nil {
			return nil, err
		}
	}
	return made, nil
}

// row inserts one row and keeps the first error.
func (f *filler) row(what string, args ...any) {
	if f.err != nil {
		return
	}
	for i, a := range args {
		if t, ok := a.(time.Time); ok {
			args[i] = t.UnixMilli()
		}
	}
	if _, err := f.put[what].Exec(args...); err != nil {
		f.err = fmt.Errorf("%s: %w", what, err)
	}
}

func (f *filler) fill(parts NightParts) {
	old := max(0, parts.Memories-aDay)
	rounds := (old + sessionOf - 1) / sessionOf
	first := lastNight.AddDate(0, 0, -7*rounds)
	for p := range int64(parts.People) {
		name := fmt.Sprintf("%s %d", pick(f.rng, corpusPeople), p+1)
		f.row("person", p+1, name, first)
		f.row("handle", p+1, name, first)
		f.row("room", p+1, name, first)
		f.row("speaker", p+1, first)
		f.row("relation", parts.Persona, p+1, first, rounds, old)
		f.row("scope", parts.Persona, p+1, parts.Memories)
	}
	for round := range rounds {
		at := first.AddDate(0, 0, 7*round)
		for p := range int64(parts.People) {
			f.talk(p+1, at.Add(time.Duration(p)*time.Second), min(sessionOf, old-round*sessionOf), true)
		}
	}
	f.row("linked", parts.Persona, f.memory)
	f.row("read", parts.Persona, f.memory)
	for p := range int64(parts.People) {
		f.talk(p+1, lastNight.Add(-8*time.Hour+time.Duration(p)*time.Second), min(aDay, parts.Memories), false)
	}
}

// talk writes one session of a person. A session that has ended is already linked and summarized.
func (f *filler) talk(person int64, at time.Time, messages int, ended bool) {
	f.session++
	last := at.Add(time.Duration(messages) * time.Minute)
	if ended {
		f.row("session", f.session, f.persona, person, at, last, last, messages, 0.4, "standard")
	} else {
		f.row("session", f.session, f.persona, person, at, last, nil, messages, nil, "")
	}
	for range messages {
		at = at.Add(time.Minute)
		f.say(person, at, ended)
	}
}

// say writes one message and its memory.
func (f *filler) say(person int64, at time.Time, linked bool) {
	text, habit := f.sentence(), int64(-1)
	if f.rng.IntN(habitEvery) == 0 {
		habit = f.rng.Int64N(habits)
		// A habit consists of a few words of the person's own and one new word.
		own := (person*habits + habit) % (vocabulary - 4)
		text = fmt.Sprintf("I %s the %s %s at %s again, %s", f.words[own], f.words[own+1], f.words[own+2], f.words[own+3], f.words[f.word.Uint64()])
	}
	f.message++
	analysis := model.StoredAnalysis{Version: understand.Version} // no job reads the analysis of an old message
	if !linked {
		analysis = model.StoreAnalysis(understand.Analyze(understand.Utterance{Text: text, At: at}))
	}
	f.row("message", f.message, f.persona, person, f.session, text, at, analysis.JSON, analysis.Version)
	sector := model.Episodic
	if f.rng.IntN(3) == 0 {
		sector = model.Semantic
	}
	id := f.remember(person, "said", sector, text, 0.25+0.5*f.rng.Float64(), at)
	f.row("source", id, f.message)
	if f.rng.IntN(3) == 0 {
		f.row("entity", id, strings.ToLower(pick(f.rng, corpusPlaces)))
	}
	if habit >= 0 && linked {
		f.comeBack(person, habit, id, at)
	}
}

// comeBack adds a memory to those of the same habit. It summarizes them once there are three, until the summary is
// full.
func (f *filler) comeBack(person, habit, id int64, at time.Time) {
	key := [2]int64{person, habit}
	group := f.habits[key]
	for _, older := range group.members[max(0, len(group.members)-2):] {
		f.row("edge", id, older, "relates_to", 0.5, f.touched(at))
	}
	group.members = append(group.members, id)
	within := group.members[len(group.members)-1:]
	if len(group.members) == summaryFrom {
		group.summary = f.remember(person, "inferred", model.Semantic, fmt.Sprintf("What person %d comes back to: %d", person, habit), 0.6, at)
		f.row("about", group.summary, person)
		within = group.members
	}
	for _, member := range within {
		if group.summary != 0 {
			f.row("edge", group.summary, member, "contains", 0.6, at)
		}
	}
	if len(group.members) == summaryHolds {
		group = summed{}
	}
	f.habits[key] = group
}

// touched returns when an edge made at the given time was last touched. Unused edges are touched every month.
func (f *filler) touched(made time.Time) time.Time {
	const month = 30 * 24 * time.Hour
	if lastNight.Sub(made) < month {
		return made
	}
	return lastNight.Add(-time.Duration(f.rng.Float64() * float64(month+24*time.Hour)))
}

// remember writes one memory. A few of them fade this night.
func (f *filler) remember(person int64, origin string, sector model.Sector, text string, salience float64, at time.Time) int64 {
	f.memory++
	var author, session, run any = person, f.session, nil
	if origin != "said" {
		author, session, run = nil, nil, 1
	}
	days := math.Log(1/model.DefaultForgetBelow) * (salience + 0.1) / f.rates[sector]
	lasts := time.Duration(days * float64(24*time.Hour))
	forget := lastNight.Add(time.Duration(f.rng.Float64()*float64(lasts)) + 48*time.Hour)
	if f.rng.Float64() < dueShare {
		forget = lastNight.Add(-time.Hour)
	}
	f.row("memory", f.memory, f.persona, person, origin, author, session, string(sector), text, salience, run, "short", lasts.Milliseconds(), forget, at)
	return f.memory
}
