package memory_test

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"familiar/channels"
	"familiar/memory"
	"familiar/memory/internal/dbtest"
	"familiar/memory/memorytest"
)

// reference is a column that holds the id of a person, a room or a message.
type reference struct {
	table, column string
	// target is the table of what it refers to.
	target string
	// audience is which audience the id is of, "" when the column always refers to target.
	audience string
}

func (r reference) String() string { return r.table + "." + r.column }

// where is the condition on rows that refer to ?.
func (r reference) where() string {
	if r.audience != "" {
		return fmt.Sprintf("audience = '%s' AND %s = ?", r.audience, r.column)
	}
	return r.column + " = ?"
}

// undeclared are the references without a foreign key.
var undeclared = map[string]string{"usage.person_id": "people", "usage.room_id": "rooms", "job_claims.person_id": "people"}

// counters are the tables of the counters by which caches of a scope notice changes. Ids are never used again, so the
// counters of a merged scope stay: whatever was read under its old id is read again.
var counters = []string{"scopes", "scope_changes"}

// emptied are the references that stay when a message loses its text, each with the reason: its row keeps its place in the talk.
var emptied = map[string]string{
	"messages.copied_from":         "the copy loses its text too",
	"outbox.message_id":            "the network may ask for the persona's message again, and gets none",
	"sent_as.message_id":           "the network may still change or react to the persona's message",
	"sessions.compacted_to":        "how far the talk was compacted",
	"sessions.read_to":             "how far a model has read the talk",
	"turn_heard.message_id":        "the turn was an answer to it",
	"turn_item_lines.message_id":   "the line shows as forgotten",
	"turns.reply_id":               "the turn had this reply",
	"turns.recent_from":            "how far back the turn could see",
	"unasked_decisions.message_id": "caps count what was sent",
}

// schema is the store's schema as the tests of references read it.
type schema struct {
	t       *testing.T
	db      *sql.DB
	columns []tableColumn
}

// tableColumn is a column of a table, and the table that it refers to, "" for none.
type tableColumn struct {
	dbtest.Column
	table, target string
}

// readColumns returns the columns of all tables.
func readColumns(t *testing.T, d *sql.DB) (all []tableColumn) {
	targets := map[string]string{}
	for _, r := range dbtest.References(t, d) {
		targets[r.Table+"."+r.Column] = r.Target
	}
	for _, table := range dbtest.Tables(t, d) {
		for _, c := range dbtest.Columns(t, d, table) {
			all = append(all, tableColumn{c, table, targets[table+"."+c.Name]})
		}
	}
	return all
}

// references returns all references to target, in the order of the tables' names. It fails for a column that looks like
// one and says of nothing what it refers to.
func (s schema) references(target string) (all []reference) {
	s.t.Helper()
	for _, c := range s.columns {
		table, column, kind, to := c.table, c.Name, c.Kind, c.target
		name := table + "." + column
		switch {
		case column == "ref" && !slices.Contains(counters, table):
			for audience, of := range map[string]string{"private": "people", "room": "rooms"} {
				if of == target {
					all = append(all, reference{table, column, of, audience})
				}
			}
		case to == target, undeclared[name] == target:
			all = append(all, reference{table, column, target, ""})
		case to == "" && undeclared[name] == "" && kind == "INTEGER" && slices.ContainsFunc([]string{"person", "room", "message", "author"}, func(of string) bool {
			return column == of || strings.HasSuffix(column, of+"_id") || strings.HasSuffix(column, "_"+of)
		}):
			s.t.Errorf("%s: declare the foreign key, or add it to undeclared in references_test.go", name)
		}
	}
	if len(all) == 0 {
		s.t.Fatalf("nothing refers to %s", target)
	}
	return all
}

// rows returns the rows of a query as text.
func (s schema) rows(query string, columns int, args ...any) (all [][]string) {
	s.t.Helper()
	rows, err := s.db.Query(query, args...)
	if err != nil {
		s.t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		row, into := make([]string, columns), make([]any, columns)
		for i := range row {
			into[i] = &row[i]
		}
		if err := rows.Scan(into...); err != nil {
			s.t.Fatal(err)
		}
		all = append(all, row)
	}
	if err := rows.Err(); err != nil {
		s.t.Fatal(err)
	}
	return all
}

// refer inserts a row that refers to id unless there is one. Its other columns are empty where they may be, else made up.
func (s schema) refer(r reference, id int64) {
	s.t.Helper()
	if len(s.left([]reference{r}, id)) > 0 {
		return
	}
	var err error
	for attempt := 1; attempt < 9; attempt++ { // a later one if a row with the same key exists
		var columns []string
		var values []any
		for _, c := range s.columns {
			if c.table != r.table {
				continue
			}
			name, kind, required, numbered := c.Name, c.Kind, c.Required, c.Numbered
			var value any
			switch {
			case name == r.column:
				value = id
			case name == "audience":
				value = map[string]string{"people": "private", "rooms": "room", "messages": "world"}[r.target]
			case name == "status" && r.table == "beliefs":
				value = "superseded"
			case !required || numbered:
				continue
			case kind == "TEXT":
				value = fmt.Sprint("made up ", attempt)
			case kind == "BLOB":
				value = []byte{byte(attempt)}
			default:
				value = attempt
			}
			columns, values = append(columns, name), append(values, value)
		}
		query := fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s)", r.table, strings.Join(columns, ", "), strings.TrimSuffix(strings.Repeat("?, ", len(columns)), ", "))
		if _, err = s.db.Exec(query, values...); err == nil {
			return
		}
	}
	s.t.Fatalf("make a row of %s that refers to %d: %v", r, id, err)
}

// left returns the references by which rows still refer to id.
func (s schema) left(all []reference, id int64) (left []reference) {
	s.t.Helper()
	for _, r := range all {
		if rows := s.rows(`SELECT count(*) FROM `+r.table+` WHERE `+r.where(), 1, id); rows[0][0] != "0" {
			left = append(left, r)
		}
	}
	return left
}

// openSchema returns a new store and a connection to it that takes any row: neither foreign keys nor conditions are checked.
func openSchema(t *testing.T) (*town, schema) {
	t.Helper()
	clock := new(memorytest.Clock)
	address := memorytest.Address(t, filepath.Join(t.TempDir(), "familiar.db"))
	store, err := memory.Open(t.Context(), address, memory.Options{Now: clock.Now, NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	d := dbtest.Lax(t, address)
	return &town{Store: store, t: t, clock: clock}, schema{t, d, readColumns(t, d)}
}

// merge makes one of two people or rooms in a new store. Before, refer makes rows about the one that goes and the one that
// stays. It returns what still refers to the one that goes.
type merge func(t *testing.T, refer func(s schema, gone, into int64)) (left []reference, err error)

// checkMerge merges with a row of each table about the one that goes, and once also about the one that stays. It reports each
// reference that is left, or for which the merge fails.
func checkMerge(t *testing.T, target, advice string, do merge) {
	_, empty := openSchema(t)
	all := empty.references(target)
	for _, both := range []bool{false, true} {
		with := func(chosen ...reference) ([]reference, error) {
			return do(t, func(s schema, gone, into int64) {
				for _, r := range chosen {
					s.refer(r, gone)
					if both {
						s.refer(r, into)
					}
				}
			})
		}
		left, failed := with(all...)
		if failed != nil {
			left = slices.DeleteFunc(slices.Clone(all), func(r reference) bool {
				_, err := with(r)
				return err == nil
			})
		}
		for _, r := range left {
			t.Errorf("%s stays the old one's: add a statement to %s", r, advice)
		}
		if failed != nil {
			t.Fatal(failed)
		}
	}
}

func TestNothingRefersToSomebodyWhoBecameAnother(t *testing.T) {
	checkMerge(t, "people", "mergeStatements in memory/turns/merge_people.go", func(t *testing.T, refer func(s schema, gone, into int64)) ([]reference, error) {
		w, s := openSchema(t)
		w.say("club", "+1555", "Hello.")
		w.say("club", "hidden", "Hello.")
		into, gone := w.person("+1555"), w.person("hidden")
		refer(s, gone, into)
		m := w.message("club", "hidden", "It is me.")
		m.Author.Alias = "+1555"
		now, _, err := w.Turns.UpsertParticipant(t.Context(), m)
		if err == nil && now.ID != into {
			t.Errorf("they are person %d, not %d", now.ID, into)
		}
		return s.left(s.references("people"), gone), err
	})
}

func TestNothingRefersToARoomThatBecameAnother(t *testing.T) {
	checkMerge(t, "rooms", "mergeRooms in memory/log/rooms_move.go", func(t *testing.T, refer func(s schema, gone, into int64)) ([]reference, error) {
		w, s := openSchema(t)
		w.say("old", "ann", "Hello.")
		w.say("new", "ann", "Hello.")
		at := func(place string) (channels.Room, int64) {
			address := w.message(place, "ann", "").Room
			room, err := w.Log.RoomByAddress(t.Context(), address)
			if err != nil {
				t.Fatal(err)
			}
			return address, room.ID
		}
		from, into := at("old")
		to, gone := at("new")
		refer(s, gone, into)
		_, err := w.Log.MoveRoom(t.Context(), from, to.ID)
		return s.left(s.references("rooms"), gone), err
	})
}

// TestNothingIsLeftOfAForgottenMessage forgets everything that somebody said, with a row of each table about it.
func TestNothingIsLeftOfAForgottenMessage(t *testing.T) {
	w, s := openSchema(t)
	said := w.say("club", "ann", "My parrot is called Gulliver.", fact("pet_name:bird", "Gulliver")).MessageIDs[0]
	all := s.references("messages")
	for _, r := range all {
		s.refer(r, said)
	}
	memories, err := w.Log.MemoriesFromMessages(t.Context(), []int64{said})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range memories {
		if _, err := w.Eraser.Forget(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	for _, r := range s.left(all, said) {
		if emptied[r.String()] == "" {
			t.Errorf("%s still refers to the message: delete the row in memory/erase, or add it to emptied with the reason", r)
		}
	}
}

// fewRows are the tables with at most some rows per person, so that a scan for a reference costs nothing. All others grow with what
// is said.
var fewRows = []string{"open_loops", "relationships", "milestones", "greeted", "pairings", "unasked", "unasked_decisions", "link_codes", "paused", "voice_choices", "reminders", "watches", "asks", "training_consents"}

// scanned are the references from growing tables without an index, each with the reason.
var scanned = map[string]string{"outbox.room_id": "what was sent is pruned after a month, and an index would cost every reply a write"}

// TestReferencesAreFoundByIndex reports references that SQLite would look for by reading a whole growing table whenever a row is
// erased that they may refer to: a person, a room, a message, a memory.
func TestReferencesAreFoundByIndex(t *testing.T) {
	_, s := openSchema(t)
	for _, r := range dbtest.Unindexed(t, s.db) {
		name := r.Table + "." + r.Column
		if slices.Contains(fewRows, r.Table) || scanned[name] != "" {
			continue
		}
		t.Errorf("%s refers to %s without an index: erasing reads the whole table for each row", name, r.Target)
	}
}
