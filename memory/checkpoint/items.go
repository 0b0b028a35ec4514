package checkpoint

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/model"
	"familiar/memory/turns"
)

// The kinds of items.
const (
	itemCard     = "card"
	itemLorebook = "lorebook"
	itemGrowth   = "growth"
	itemMood     = "mood"
	itemPractice = "practice"
	itemRule     = "rule"
	itemMemory   = "memory"
)

// The values of items. What refers to other rows is in columns.
type (
	moodValue struct {
		At      time.Time `json:"at"`
		Valence float64   `json:"valence"`
		Energy  float64   `json:"energy"`
	}
	practiceValue struct {
		Skill     string    `json:"skill"`
		At        time.Time `json:"at"`
		Successes int       `json:"successes"`
		Failures  int       `json:"failures"`
	}
	memoryValue struct {
		Origin      model.Origin `json:"origin"`
		Sector      model.Sector `json:"sector"`
		Kind        model.Kind   `json:"kind,omitempty"`
		Text        string       `json:"text"`
		Salience    float64      `json:"salience"`
		Instruction bool         `json:"instruction,omitempty"`
		Pinned      bool         `json:"pinned,omitempty"`
		Recalls     int          `json:"recalls,omitempty"`
		Uses        int          `json:"uses,omitempty"`
		RecalledAt  time.Time    `json:"recalled_at,omitzero"`
		EventFrom   time.Time    `json:"event_from,omitzero"`
		EventUntil  time.Time    `json:"event_until,omitzero"`
		Tier        model.Tier   `json:"tier"`
		Strength    float64      `json:"strength"`
		Expires     time.Time    `json:"expires,omitzero"`
		Created     time.Time    `json:"created"`
		Entities    []string     `json:"entities,omitempty"`
		Tags        []string     `json:"tags,omitempty"`
		Older       []int64      `json:"older,omitempty"`
	}
)

// write adds the items of a state to a checkpoint, many at once, since turns wait meanwhile.
func (state State) write(tx *db.Tx, checkpoint int64) error {
	last, err := tx.LastID("checkpoint_items")
	if err != nil {
		return err
	}
	w := itemWriter{checkpoint: checkpoint, last: last}
	for _, file := range []struct{ kind, text string }{{itemCard, state.Card}, {itemLorebook, state.Lorebook}, {itemGrowth, string(state.Growth)}} {
		if file.text != "" {
			w.add(file.kind, file.text, model.Audience{Kind: model.World}, 0, 0)
		}
	}
	for _, m := range state.Moods {
		w.addJSON(itemMood, moodValue{m.At, m.Valence, m.Energy}, m.SessionID)
	}
	for _, p := range state.Practice {
		w.addJSON(itemPractice, practiceValue{p.Skill, p.At, p.Successes, p.Failures}, p.SessionID)
	}
	for _, r := range state.Rules {
		w.addJSON(itemRule, r, 0)
	}
	for _, m := range state.Memories {
		w.addMemory(m)
	}
	if w.err != nil {
		return w.err
	}
	for _, table := range []struct {
		columns string
		rows    [][]any
	}{
		{"checkpoint_items (id, checkpoint_id, kind, value, audience, audience_person, audience_room, session_id, memory_id, copied_id)", w.items},
		{"checkpoint_sources (item_id, message_id)", w.sources},
		{"checkpoint_about (item_id, person_id)", w.about},
	} {
		if err := tx.InsertRows(table.columns, table.rows); err != nil {
			return err
		}
	}
	return tx.ReserveIDs("checkpoint_items", w.last)
}

// itemWriter collects rows. last is the id of the last item.
type itemWriter struct {
	checkpoint, last      int64
	items, sources, about [][]any
	err                   error
}

func (w *itemWriter) add(kind, value string, of model.Audience, session, memory int64) {
	w.last++
	w.items = append(w.items, []any{
		w.last, w.checkpoint, kind, value, of.Kind, of.Person(), of.Room(), db.NullID(session), db.NullID(memory), db.NullID(memory),
	})
}

func (w *itemWriter) addJSON(kind string, value any, session int64) {
	text, err := json.Marshal(value)
	w.err = errors.Join(w.err, err)
	w.add(kind, string(text), model.Audience{Kind: model.World}, session, 0)
}

func (w *itemWriter) addMemory(m Memory) {
	text, err := json.Marshal(memoryValue{
		m.Origin, m.Sector, m.Kind, m.Text, m.Salience, m.Instruction, m.Pinned, m.Recalls, m.Uses, m.RecalledAt, m.EventFrom, m.EventUntil,
		m.Tier, m.Strength, m.Expires, m.Created, m.Entities, m.Tags, m.Older,
	})
	w.err = errors.Join(w.err, err)
	w.add(itemMemory, string(text), m.Audience, m.SessionID, m.ID)
	for _, id := range m.Sources {
		w.sources = append(w.sources, []any{w.last, id})
	}
	for _, id := range m.About {
		w.about = append(w.about, []any{w.last, id})
	}
}

// Read returns a checkpoint and what it holds. It fails with db.ErrNotFound if the persona has none of that name, and with ErrNewer.
func (s *Store) Read(ctx context.Context, persona, name string) (c Checkpoint, state State, err error) {
	err = s.db.Read(ctx, "read the checkpoint "+name+" of "+persona, func(tx *db.Tx) error {
		if c, err = find(tx, persona, name); err != nil {
			return err
		}
		state, err = read(tx, c.ID)
		return err
	})
	return c, state, err
}

// item is a row of checkpoint_items.
type item struct {
	id          int64
	kind, value string
	audience    model.Audience
	// session and memory are the ids of what it belongs to, 0 for none.
	session, memory int64
}

func read(tx *db.Tx, checkpoint int64) (state State, err error) {
	items, err := db.Collect[item](tx.Query(`SELECT id, kind, value, audience, audience_person, audience_room, session_id, memory_id
		FROM checkpoint_items WHERE checkpoint_id = ? ORDER BY id`, checkpoint))(func(row db.Scanner) (i item, err error) {
		var kind model.AudienceKind
		var person, room int64
		err = row.Scan(&i.id, &i.kind, &i.value, &kind, db.IntoID(&person), db.IntoID(&room), db.IntoID(&i.session), db.IntoID(&i.memory))
		i.audience = scope.IntoAudience(kind, person, room)
		return i, err
	})
	if err != nil {
		return state, err
	}
	sources, err := links(tx, "checkpoint_sources", "message_id", checkpoint)
	if err != nil {
		return state, err
	}
	about, err := links(tx, "checkpoint_about", "person_id", checkpoint)
	if err != nil {
		return state, err
	}
	for _, i := range items {
		if err := state.add(i, sources[i.id], about[i.id]); err != nil {
			return state, fmt.Errorf("item %d, of kind %s: %w", i.id, i.kind, err)
		}
	}
	return state, nil
}

// links returns what the items of a checkpoint refer to, in order of the ids.
func links(tx *db.Tx, table, column string, checkpoint int64) (map[int64][]int64, error) {
	rows, err := db.Collect[part](tx.Query(`SELECT l.item_id, l.`+column+` FROM checkpoint_items i JOIN `+table+` l ON l.item_id = i.id
		WHERE i.checkpoint_id = ? ORDER BY l.item_id, l.`+column, checkpoint))(scanPart)
	byItem := make(map[int64][]int64, len(rows))
	for _, r := range rows {
		byItem[r.of] = append(byItem[r.of], r.value.(int64))
	}
	return byItem, err
}

// add adds what an item holds.
func (state *State) add(i item, sources, about []int64) (err error) {
	switch i.kind {
	case itemCard:
		state.Card = i.value
	case itemLorebook:
		state.Lorebook = i.value
	case itemGrowth:
		state.Growth = []byte(i.value)
	case itemMood:
		var v moodValue
		err = json.Unmarshal([]byte(i.value), &v)
		state.Moods = append(state.Moods, turns.Mood{SessionID: i.session, At: v.At, Valence: v.Valence, Energy: v.Energy})
	case itemPractice:
		var v practiceValue
		err = json.Unmarshal([]byte(i.value), &v)
		state.Practice = append(state.Practice, turns.Practice{Skill: v.Skill, SessionID: i.session, At: v.At, Successes: v.Successes, Failures: v.Failures})
	case itemRule:
		var v Rule
		err = json.Unmarshal([]byte(i.value), &v)
		state.Rules = append(state.Rules, v)
	case itemMemory:
		var m Memory
		m, err = i.copied()
		m.Sources, m.About = sources, about
		state.Memories = append(state.Memories, m)
	default:
		err = ErrNewer
	}
	return err
}

// copied returns the copied memory, under the id that it has now, without what it refers to.
func (i item) copied() (m Memory, err error) {
	var v memoryValue
	if err := json.Unmarshal([]byte(i.value), &v); err != nil {
		return m, err
	}
	m.Memory = model.Memory{
		ID: i.memory, Audience: i.audience, Origin: v.Origin, SessionID: i.session, Sector: v.Sector, Kind: v.Kind, Text: v.Text, Salience: v.Salience,
		Instruction: v.Instruction, Pinned: v.Pinned, Recalls: v.Recalls, Uses: v.Uses, RecalledAt: v.RecalledAt, EventFrom: v.EventFrom,
		EventUntil: v.EventUntil, Tier: v.Tier, Strength: v.Strength, Expires: v.Expires, Created: v.Created, Entities: v.Entities, Tags: v.Tags,
	}
	m.Older = v.Older
	return m, nil
}
