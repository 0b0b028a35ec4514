package transfer

import (
	"slices"
	"testing"

	"familiar/memory/internal/dbtest"

	"familiar/memory/internal/db"
)

// leftOut are the tables and columns that are not carried, each with its reason.
var leftOut = map[string]string{
	"inbox":          "what waits to be answered is the process's own",
	"message_files":  "files stay on the machine that fetched them",
	"taken_back":     "what was heard is the process's own",
	"outbox":         "what waits to be sent is the process's own",
	"outbox_sources": "what waits to be sent is the process's own",
	"room_moves":     "a room is carried under the id it has now",
	"channel_shelf":  "how far a channel has heard on this machine",
	"channel_states": "how a channel stands on this machine",
	"pairings":       "who asked to talk to this machine",
	"allowed":        "whom this machine's operator let in",
	"unheard_rooms":  "what this machine's operator has not let in",
	"unasked":        "caps are the machine's",
	"usage":          "caps are the machine's",
	"job_runs":       "runs are the machine's",
	"job_claims":     "runs are the machine's",
	"scopes":         "counters of this file",
	"scope_changes":  "what counters of this file counted",
	"linked":         "how far a job has read in this file",
	"job_marks":      "how far a job has read in this file",
	"erasures":       "about this file",
	"rehearsals":     "runs are the machine's; the strength is carried",
	"embedder":       "the model is the machine's, and makes the vectors anew",
	"memory_vectors": "made anew from what is carried",

	"embedding_failures": "the model is tried anew",
	"unasked_decisions":  "what was decided on this machine",

	"memories.job_run_id":          "runs are not carried",
	"memories.kept_for":            "what is due and open is noted anew",
	"belief_evidence.job_run_id":   "runs are not carried",
	"growth.job_run_id":            "runs are not carried",
	"sessions.compacted_to":        "the talk is compacted anew",
	"open_loop_sources.job_run_id": "runs are not carried",
	"memory_edges.job_run_id":      "runs are not carried",
	"belief_evidence.id":           "nothing refers to it",
	"turns.unused":                 "ids of this file, for showing alone",
}

// TestEveryTableIsCarriedOrLeft makes whoever adds a table or column decide whether exports carry it, and compares the
// description of what is carried with the schema.
func TestEveryTableIsCarriedOrLeft(t *testing.T) {
	s := New(dbtest.Open(t))
	carried := carriedColumns()
	err := s.db.Read(t.Context(), "look at the schema", func(tx *db.Tx) error {
		tables, err := db.Collect[string](tx.Query(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`))(db.ScanText)
		if err != nil {
			return err
		}
		for _, table := range tables {
			if leftOut[table] == "" && carried[table] == nil {
				t.Errorf("table %s: add it to recordKinds in tables.go, or to leftOut with the reason", table)
			}
			if leftOut[table] == "" {
				compareColumns(t, tx, table, carried[table])
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// carriedColumns are the columns that are carried, by table; nil for one that is derived or an id.
func carriedColumns() map[string]map[string]*column {
	tables := map[string]map[string]*column{}
	note := func(table, name string, c *column) {
		if tables[table] == nil {
			tables[table] = map[string]*column{}
		}
		if c != nil || tables[table][name] == nil {
			tables[table][name] = c
		}
	}
	for _, k := range recordKinds {
		for i, c := range k.columns {
			if k.amends == "" {
				note(k.table, c.name, &k.columns[i])
			} else {
				note(k.table, c.name, nil)
			}
		}
		for name := range k.derive {
			note(k.table, name, nil)
		}
		if len(k.identity) > 0 {
			note(k.table, "id", nil)
		}
		for _, p := range k.parts {
			note(p.table, p.owner, nil)
			for i, c := range p.columns {
				note(p.table, c.name, &p.columns[i])
			}
		}
	}
	return tables
}

func compareColumns(t *testing.T, tx *db.Tx, table string, carried map[string]*column) {
	t.Helper()
	type described struct {
		name, kind string
		required   bool
	}
	columns, err := db.Collect[described](tx.Query(`SELECT name, type, "notnull" OR pk FROM pragma_table_info('` + table + `')`))(
		func(row db.Scanner) (d described, err error) {
			err = row.Scan(&d.name, &d.kind, &d.required)
			return d, err
		})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range columns {
		c, known := carried[d.name]
		if !known && leftOut[table+"."+d.name] == "" {
			t.Errorf("column %s.%s: add it to recordKinds in tables.go, or to leftOut with the reason", table, d.name)
		}
		if c == nil {
			continue
		}
		want := map[columnForm]string{asText: "TEXT", asSubject: "TEXT", asReal: "REAL"}[c.form]
		if want == "" {
			want = "INTEGER"
		}
		if d.kind != want || d.required == c.nullable {
			t.Errorf("column %s.%s is %s, required %v, and is carried as %s, required %v", table, d.name, d.kind, d.required, want, !c.nullable)
		}
	}
}

// TestKindsComeAfterWhatTheyReferTo keeps the order that lets an import find every reference.
func TestKindsComeAfterWhatTheyReferTo(t *testing.T) {
	var before []string
	for _, k := range recordKinds {
		columns := slices.Clone(k.columns)
		for _, p := range k.parts {
			columns = append(columns, p.columns...)
		}
		for _, c := range columns {
			if c.form == asRef && c.of != k.name && !slices.Contains(before, c.of) {
				t.Errorf("%s.%s refers to %s, which does not come before", k.name, c.key, c.of)
			}
		}
		before = append(before, k.name)
	}
}
