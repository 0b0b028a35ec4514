package checkpoint

import (
	"context"
	"fmt"
	"slices"
	"time"

	"familiar/memory/entry"
	"familiar/memory/internal/db"
	"familiar/memory/model"
	"familiar/memory/turns"
)

// State is what a checkpoint holds, or what a persona is now.
type State struct {
	Files
	// Growth is the latest version's state, as turns.GrowthVersion has it; empty if it never grew.
	Growth []byte
	// Moods and Practice are those of the last sessions, oldest first.
	Moods    []turns.Mood
	Practice []turns.Practice
	// Rules are those by which memories move, in their order.
	Rules []Rule
	// Memories are what the persona concluded (model.Conclusions) and what the operator told it of the world, without passages of
	// documents; of each only the current version.
	Memories []Memory
}

// Files are the texts of a persona's files, "" for one that does not exist.
type Files struct{ Card, Lorebook string }

// Rule is a rule by which memories move.
type Rule struct {
	Text    string    `json:"rule"`
	Created time.Time `json:"created_at"`
}

// Memory is a memory with the ids of whom it is about, and of its older versions, the latest first.
type Memory struct {
	model.Memory
	About, Older []int64
}

// practised is how far back moods and practice are copied; jobs read no further.
const practised = 140 * 24 * time.Hour

// Present returns the state of a persona now; files are its own.
func (s *Store) Present(ctx context.Context, persona string, files Files) (state State, err error) {
	err = s.db.Read(ctx, "read the state of "+persona, func(tx *db.Tx) error {
		state, err = present(tx, persona, files, s.db.Now().Add(-practised))
		return err
	})
	return state, err
}

// present reads the state of a persona, with the moods and practice since a time.
func present(tx *db.Tx, persona string, files Files, since time.Time) (state State, err error) {
	state.Files = files
	grown, err := turns.CurrentGrowth(tx, persona)
	if err != nil {
		return state, err
	}
	state.Growth = grown.State
	if state.Moods, err = turns.MoodsSince(tx, persona, since); err != nil {
		return state, err
	}
	if state.Practice, err = turns.PracticeSince(tx, persona, since); err != nil {
		return state, err
	}
	if state.Rules, err = rules(tx, persona); err != nil {
		return state, err
	}
	ids, err := db.Collect[int64](tx.Query(selectOwn(`superseded_by IS NULL`), ownArgs(persona)...))(db.ScanID)
	if err != nil {
		return state, err
	}
	if len(ids) > maxMemories {
		return state, fmt.Errorf("%s has %d memories of its own: a checkpoint holds %d at most", persona, len(ids), maxMemories)
	}
	for some := range slices.Chunk(ids, db.MaxArgs) {
		memories, err := readMemories(tx, some)
		if err != nil {
			return state, err
		}
		state.Memories = append(state.Memories, memories...)
	}
	return state, nil
}

// selectOwn selects the ids of a persona's own memories for which a condition holds. Its arguments are those of ownArgs, and then
// those of the condition, twice.
func selectOwn(condition string) string {
	in, _ := db.Placeholders(model.Conclusions)
	return `SELECT id FROM memories WHERE persona = ? AND kind <> '' AND kind IN ` + in + ` AND origin = 'inferred' AND ` + condition + `
		UNION SELECT id FROM memories WHERE persona = ? AND audience = 'world' AND origin = 'told' AND ` + condition + `
			AND NOT EXISTS (SELECT 1 FROM passages p WHERE p.memory_id = memories.id) ORDER BY 1`
}

// ownArgs returns the arguments of selectOwn. more are those of its condition.
func ownArgs(persona string, more ...any) []any {
	_, kinds := db.Placeholders(model.Conclusions)
	return slices.Concat([]any{persona}, kinds, more, []any{persona}, more)
}

// readMemories returns memories with all that belongs to them, in a few statements, since turns wait meanwhile.
func readMemories(tx *db.Tx, ids []int64) ([]Memory, error) {
	in, args := db.Placeholders(ids)
	rows, err := db.Collect[model.Memory](tx.Query(entry.MemoryColumns+` WHERE m.id IN `+in+` ORDER BY m.id`, args...))(entry.ScanMemory)
	if err != nil {
		return nil, err
	}
	all, at := make([]Memory, len(rows)), make(map[int64]int, len(rows))
	for i, m := range rows {
		all[i].Memory, at[m.ID] = m, i
	}
	for _, of := range []struct {
		table, column string
		add           func(m *Memory, value any)
	}{
		{"memory_sources", "message_id", func(m *Memory, v any) { m.Sources = append(m.Sources, v.(int64)) }},
		{"memory_about", "person_id", func(m *Memory, v any) { m.About = append(m.About, v.(int64)) }},
		{"memory_entities", "entity", func(m *Memory, v any) { m.Entities = append(m.Entities, v.(string)) }},
		{"memory_tags", "tag", func(m *Memory, v any) { m.Tags = append(m.Tags, v.(string)) }},
	} {
		parts, err := db.Collect[part](tx.Query(`SELECT memory_id, `+of.column+` FROM `+of.table+` WHERE memory_id IN `+in+` ORDER BY memory_id, `+of.column, args...))(scanPart)
		if err != nil {
			return nil, err
		}
		for _, p := range parts {
			of.add(&all[at[p.of]], p.value)
		}
	}
	for i, m := range all {
		if m.Supersedes == 0 {
			continue
		}
		all[i].Older, err = db.Collect[int64](tx.Query(`WITH RECURSIVE older(id) AS (SELECT supersedes FROM memories WHERE id = ?
			UNION SELECT m.supersedes FROM older JOIN memories m ON m.id = older.id) SELECT id FROM older WHERE id IS NOT NULL ORDER BY id DESC`, m.ID))(db.ScanID)
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// part is a row that belongs to another.
type part struct {
	of    int64
	value any
}

func scanPart(row db.Scanner) (p part, err error) {
	err = row.Scan(&p.of, &p.value)
	return p, err
}

func rules(tx *db.Tx, persona string) ([]Rule, error) {
	return db.Collect[Rule](tx.Query(`SELECT rule, created_at FROM memory_rules WHERE persona = ? ORDER BY id`, persona))(
		func(row db.Scanner) (r Rule, err error) {
			err = row.Scan(&r.Text, db.IntoTime(&r.Created))
			return r, err
		})
}
