package recall

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"familiar/memory/belief"
	"familiar/memory/entry"
	"familiar/memory/internal/db"
	"familiar/memory/internal/dbtest"
	"familiar/memory/internal/scope"
	"familiar/memory/model"
)

// readAll is the slow way to read a selection: it lists every memory that is selected.
func readAll(s Selection, tx *db.Tx, h scope.Visibility) (*selected, error) {
	all := &selected{after: s.After, before: s.Before, some: s.byMemory(), classes: classesOf(nil, "")}
	if !all.some {
		return all, nil
	}
	where := entry.Conditions(entry.MemoryFilter{
		Persona: h.Persona(), Session: s.Session, Tag: s.Tag, Tier: s.Tier, Origin: s.Origin, PersonID: s.PersonID, Room: s.Room,
	})
	if len(s.Sectors) > 0 {
		in, args := db.Placeholders(s.Sectors)
		where.And("m.sector IN "+in, args...)
	}
	all.known, all.listed = map[int64]bool{}, true
	ids, err := db.Collect[int64](tx.Query(`SELECT m.id FROM memories m WHERE `+where.String(), where.Args...))(db.ScanID)
	for _, id := range ids {
		all.known[id] = true
	}
	return all, err
}

func oneOf[T any](rng *rand.Rand, of ...T) T { return of[rng.IntN(len(of))] }

// fillAtRandom stores what five people said to two personas in three groups and in private, with more memories of the common kinds
// than are looked up ahead of a search.
func fillAtRandom(tx *db.Tx, rng *rand.Rand, say func() string) error {
	at := dbtest.Monday.UnixMilli()
	run := func(query string, args ...any) (err error) {
		_, err = tx.Exec(query, args...)
		return err
	}
	for p := range 5 {
		if err := run(`INSERT INTO people (id, name, created_at) VALUES (?, ?, ?)`, p+1, fmt.Sprint("person", p), at); err != nil {
			return err
		}
	}
	for room := range 8 {
		var owner any
		if room < 5 {
			owner = room + 1
		}
		if err := run(`INSERT INTO rooms (id, channel, room, direct, person_id, created_at) VALUES (?, 'desk', ?, ?, ?, ?)`, room+1, room, owner != nil, owner, at); err != nil {
			return err
		}
	}
	for id := 1; id <= 4*fewMemories; id++ {
		persona, room, person := oneOf(rng, "tess", "tess", "tess", "kit"), 6+rng.IntN(3), 1+rng.IntN(5)
		audience, ofPerson, ofRoom := "room", any(nil), any(room)
		if rng.IntN(2) == 0 {
			audience, ofPerson, ofRoom, room = "private", person, nil, person
		}
		if rng.IntN(20) == 0 {
			audience, ofPerson, ofRoom = "world", nil, nil
		}
		session, text, said := int64(id/20*10+room), say(), at+int64(id)*60_000
		sector := oneOf(rng, "episodic", "episodic", "episodic", "semantic", "procedural", "emotional", "reflective")
		tier := oneOf(rng, "short", "short", "short", "long", "dormant")
		origin, author := "said", any(person)
		if rng.IntN(40) == 0 {
			origin, author = oneOf(rng, "told", "inferred"), nil
		}
		rare := ""
		if rng.IntN(50) == 0 {
			rare = "rare"
		}
		for _, row := range []struct {
			query string
			args  []any
		}{
			{`INSERT INTO sessions (id, persona, room_id, started_at, last_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`, []any{session, persona, room, said, said}},
			{`INSERT INTO messages (id, persona, room_id, session_id, person_id, external_id, text, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`, []any{id, persona, room, session, person, fmt.Sprint(id), text, said}},
			{`INSERT INTO memories (id, persona, audience, audience_person, audience_room, origin, author_id, session_id, sector, tier, text, salience, pinned, created_at)
				VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, []any{id, persona, audience, ofPerson, ofRoom, origin, author, session, sector, tier, text, rng.Float64(), rng.IntN(300) == 0, said}},
			{`INSERT INTO memory_sources (memory_id, message_id) VALUES (?, ?)`, []any{id, id}},
			{`INSERT INTO memory_about (memory_id, person_id) SELECT ?, ? WHERE ? = 0`, []any{id, 1 + rng.IntN(5), rng.IntN(8)}},
			{`INSERT INTO memory_tags (memory_id, tag) SELECT ?1, 'common' WHERE ?2 <> '' OR ?1 % 2 = 0 UNION SELECT ?1, ?2 WHERE ?2 <> ''`, []any{id, rare}},
			{`INSERT INTO scopes (persona, audience, ref, revision) VALUES (?, ?, coalesce(?, ?, 0), 1) ON CONFLICT DO NOTHING`, []any{persona, audience, ofPerson, ofRoom}},
		} {
			if err := run(row.query, row.args...); err != nil {
				return err
			}
		}
	}
	return nil
}

// TestSelectionFindsWhatTheSlowWayFinds narrows searches of a random store at random, and compares them with searches that know every
// memory that is selected.
func TestSelectionFindsWhatTheSlowWayFinds(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	say := func() (text string) {
		for range 3 + rng.IntN(8) {
			text += fmt.Sprintf("w%d ", rng.IntN(1+rng.IntN(400)))
		}
		return text
	}
	d := dbtest.Open(t)
	if err := d.Write(t.Context(), "fill", func(tx *db.Tx) error { return fillAtRandom(tx, rng, say) }); err != nil {
		t.Fatal(err)
	}
	s := New(d, belief.New(d))
	audiences := []model.Audience{{Kind: model.World}}
	for ref := int64(1); ref <= 8; ref++ {
		kind := model.Private
		if ref > 5 {
			kind = model.InRoom
		}
		audiences = append(audiences, model.Audience{Kind: kind, Ref: ref})
	}
	lookedUp, found := 0, 0
	for i := range 200 {
		var only Selection
		for range 1 + rng.IntN(4) {
			switch rng.IntN(8) {
			case 0:
				only.Sectors = []model.Sector{oneOf(rng, model.Episodic, model.Reflective), model.Emotional}
			case 1:
				only.Origin = oneOf(rng, classOrigins...)
			case 2:
				only.Tier = oneOf(rng, model.Short, model.Long, model.Dormant)
			case 3:
				only.Tag = oneOf(rng, "common", "common", "rare", "unknown")
			case 4:
				only.PersonID = 1 + rng.Int64N(6)
			case 5:
				only.Room = 1 + rng.Int64N(8)
			case 6:
				only.Session = 10 * (1 + rng.Int64N(300))
			case 7:
				only.After = dbtest.Monday.Add(time.Duration(rng.IntN(8000)) * time.Minute)
			}
		}
		seen := scope.NewVisibility("tess", append([]model.Audience{audiences[0]}, audiences[1+rng.IntN(4):5+rng.IntN(5)]...)...)
		q := Query{Text: say(), Now: dbtest.Monday.AddDate(0, 0, 10), Limit: 30, Selection: only, Explain: true}
		want, err := s.find(t.Context(), seen, q, readAll)
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.find(t.Context(), seen, q, func(is Selection, tx *db.Tx, h scope.Visibility) (*selected, error) {
			r, err := is.read(tx, h)
			if r.known != nil && !r.listed {
				lookedUp++
			}
			return r, err
		})
		if err != nil {
			t.Fatal(err)
		}
		if found += len(got.Hits); !reflect.DeepEqual(got, want) {
			t.Fatalf("search %d for %q in %+v: %d hits, the slow way %d", i, q.Text, only, len(got.Hits), len(want.Hits))
		}
	}
	if lookedUp < 20 || found < 1000 {
		t.Errorf("only %d searches looked memories up and %d hits were found: the store is too small for the test", lookedUp, found)
	}
}
