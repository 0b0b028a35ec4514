package transfer

import (
	"slices"
	"testing"

	"familiar/memory/internal/dbtest"
)

// leftOut are the tables and columns that are not exported, each with the reason.
var leftOut = map[string]string{
	"inbox":          "pending messages stay on this machine",
	"message_files":  "files stay on the machine that fetched them",
	"taken_back":     "received events stay on this machine",
	"outbox":         "unsent texts stay on this machine",
	"outbox_sources": "unsent texts stay on this machine",
	"room_moves":     "a room is exported under its current ID",
	"rooms.persona":  "which personas are served is configured on this machine",
	"channel_shelf":  "the channel state of this machine",
	"channel_states": "the channel state of this machine",
	"pairings":       "approval belongs to this machine",
	"allowed":        "approval belongs to this machine",
	"unheard_rooms":  "approval belongs to this machine",
	"link_codes":     "codes are valid on this machine",
	"grants":         "tokens are valid on this machine",
	"login_links":    "tokens are valid on this machine",
	"login_sessions": "tokens are valid on this machine",
	"tool_questions": "questions wait on this machine",
	"asks":           "questions wait on this machine",
	"link_guesses":   "codes are valid on this machine",
	"link_lock":      "codes are valid on this machine",
	"link_parts":     "it refers to the rows of this file; without it an account parts with what it said",
	"unasked":        "caps belong to this machine",
	"usage":          "caps belong to this machine",
	"usage_notices":  "caps belong to this machine",
	"watches":        "the directories of this machine",
	"checkpoints":    "saved states stay on this machine; what holds now is exported",
	"watermarks":     "how far files of this machine were read",
	"lore_signers":   "trust belongs to this machine",
	"job_runs":       "runs belong to this machine",
	"job_claims":     "runs belong to this machine",
	"scopes":         "counters of this file",
	"scope_changes":  "the changes behind this file's counters",
	"linked":         "how far a job has read in this file",
	"job_marks":      "how far a job has read in this file",
	"rewrites_due":   "about this file",
	"erasures":       "names ids of this file; its backups apply it",
	"erased_handles": "concerns what this machine receives",
	"rehearsals":     "runs belong to this machine; the strength is exported",
	"embedder":       "the model belongs to this machine and recomputes the vectors",
	"memory_vectors": "recomputed from the exported memories",

	"checkpoint_items":   "saved states stay on this machine",
	"checkpoint_sources": "saved states stay on this machine",
	"checkpoint_about":   "saved states stay on this machine",
	"embedding_failures": "the model is tried again",
	"unasked_decisions":  "decisions made on this machine",

	"messages.analysis":         "recomputed from the text",
	"messages.analysis_version": "recomputed from the text",
	"memory_events":             "the journal of this file",
	"relationship_days":         "the journal of this file",
	"history_start":             "the journal of this file",

	"messages.stored_at":        "when this file stored it",
	"memories.stored_at":        "when this file stored it",
	"beliefs.stored_at":         "when this file stored it",
	"beliefs.ended_at":          "when this file took note of it",
	"belief_evidence.stored_at": "when this file stored it",

	"memories.told":                "recomputed from the text",
	"memories.job_run_id":          "runs are not exported",
	"memories.kept_for":            "recomputed from the open loops",
	"belief_evidence.job_run_id":   "runs are not exported",
	"growth.job_run_id":            "runs are not exported",
	"sessions.compacted_to":        "the conversation is compacted again",
	"sessions.read_to":             "the conversation is read again",
	"sessions.read_tries":          "the model is tried again",
	"sessions.read_tried_at":       "the model is tried again",
	"open_loop_sources.job_run_id": "runs are not exported",
	"memory_edges.job_run_id":      "runs are not exported",
	"belief_evidence.id":           "nothing refers to it",

	"belief_evidence.sentence_run_id": "runs are not exported",
	"lore_imports.content":            "a copy of a file; what it says is exported as memories",
	"turns.unused":                    "IDs of this file, for display only",
}

// TestEveryTableIsExportedOrLeftOut requires a decision for every table and column, whether exports carry it or not, and
// compares the list with the schema in both directions.
func TestEveryTableIsExportedOrLeftOut(t *testing.T) {
	d := dbtest.SQL(t, dbtest.Open(t).Path())
	carried := carriedColumns()
	for _, table := range dbtest.Tables(t, d) {
		if leftOut[table] == "" && carried[table] == nil {
			t.Errorf("table %s: add it to recordKinds in tables.go, or to leftOut with the reason", table)
		}
		if leftOut[table] == "" {
			compareColumns(t, dbtest.Columns(t, d, table), table, carried[table])
		}
	}
}

// carriedColumns returns the exported columns by table; nil for a column that is derived or an ID.
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

func compareColumns(t *testing.T, columns []dbtest.Column, table string, carried map[string]*column) {
	t.Helper()
	for _, d := range columns {
		c, known := carried[d.Name]
		if !known && leftOut[table+"."+d.Name] == "" {
			t.Errorf("column %s.%s: add it to recordKinds in tables.go, or to leftOut with the reason", table, d.Name)
		}
		if c == nil {
			continue
		}
		want := map[columnForm]string{asText: "TEXT", asSubject: "TEXT", asReal: "REAL"}[c.form]
		if want == "" {
			want = "INTEGER"
		}
		if d.Kind != want || d.Required == c.nullable {
			t.Errorf("column %s.%s is %s, required %v, and is carried as %s, required %v", table, d.Name, d.Kind, d.Required, want, !c.nullable)
		}
	}
}

// TestKindsFollowTheirReferences checks the order by which an import finds every reference.
func TestKindsFollowTheirReferences(t *testing.T) {
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
