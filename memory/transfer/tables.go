package transfer

import (
	"slices"

	"familiar/memory/model"
	"familiar/memory/turns"
)

// recordKind is one kind of record of an export: a table, its exported columns, and its subtables. A new table needs an
// entry in recordKinds after everything it refers to; TestEveryTableIsExportedOrLeftOut reports missing ones.
// docs/export.md describes the records.
type recordKind struct {
	name    string
	table   string
	columns []column
	// identity are the columns that identify a row across stores. A kind with identity has record numbers, by which
	// other records refer to it. Without identity, the table's primary key decides.
	identity []string
	// latest is the column that decides which of two versions of a row is later and stays. Without it, the existing row
	// stays.
	latest string
	parts  []subtable
	// only is the condition on exported rows, if not all are.
	only string
	// mine is the condition on rows of person ?1.
	mine string
	// derive computes columns that follow from others and are not exported.
	derive map[string]func(values map[string]any) any
	// emptied is the text column that forgetting empties. Nothing may be derived again from a row that was emptied.
	emptied string
	// sorted says that the rows' order depends on the store's own IDs, so the records themselves are sorted.
	sorted bool
	// amends says that a record sets its last column in an earlier row, if the column is NULL and this condition holds.
	amends string
}

// subtable is a table whose rows belong to one row of a kind. They are a list under key in its record. A row with a
// single column is a plain value.
type subtable struct {
	key, table string
	// owner is the column that refers to the kind's row.
	owner   string
	columns []column
	// order is the order of one owner's rows.
	order string
	// needs says how many of the rows must be carried for the owner to be kept. If positive is set, only rows in which
	// that column is above 0 count.
	needs    sourceNeed
	positive string
	// within is the subtable whose rows these rows describe, matched by their first column.
	within string
}

// sourceNeed is how many rows of a subtable must be carried for its owner to be kept.
type sourceNeed int

const (
	needsNone  sourceNeed = iota
	needsSome             // at least one, if there were any
	needsEvery            // all
)

// sourceCount counts the rows of a subtable that its owner is based on, carried and lost.
type sourceCount struct{ left, lost int }

func (t *sourceCount) count(p subtable, values []any, lost bool) {
	i := slices.IndexFunc(p.columns, func(c column) bool { return c.name == p.positive })
	if i >= 0 {
		if n, _ := values[i].(int64); n <= 0 {
			return
		}
	}
	if lost {
		t.lost++
	} else {
		t.left++
	}
}

// enough reports whether the owner can be kept.
func (t *sourceCount) enough(p subtable) bool {
	switch p.needs {
	case needsEvery:
		return t.lost == 0
	case needsSome:
		return t.lost == 0 || t.left > 0
	}
	return true
}

// personsMemories is the condition on a person's memories: the person said them, they are private to the person, or
// they are about the person. The last are exported only if everything they refer to is.
const personsMemories = `(author_id = ?1 OR audience_person = ?1 OR id IN (SELECT memory_id FROM memory_about WHERE person_id = ?1))`

// recordKinds are all exported kinds, each after those it refers to.
var recordKinds = []recordKind{
	{
		name: "person", table: "people", identity: []string{"name", "created_at"},
		// Includes the operator, if they told something about the person.
		mine: `id = ?1 OR id IN (SELECT person_id FROM handles WHERE channel = '` + turns.OperatorChannel + `')
			AND EXISTS (SELECT 1 FROM rooms WHERE channel = '` + turns.OperatorChannel + `' AND person_id = ?1)`,
		columns: []column{saidCol("name"), textCol("timezone"), textCol("language").omitEmpty(), timeCol("timezone_set_at").optional(), timeCol("unwelcome_at").optional(), timeCol("created_at")},
		parts: []subtable{{
			key: "handles", table: "handles", owner: "person_id", order: "channel, handle",
			columns: []column{textCol("channel"), textCol("handle"), saidCol("display"), timeCol("first_seen"), timeCol("last_seen")},
		}},
	},
	{
		name: "room", table: "rooms", identity: []string{"channel", "room", "thread", "direct", "person_id"},
		only: `direct = 0 OR person_id IS NOT NULL`, // excludes strangers' rooms
		mine: `person_id = ?1 OR id IN (SELECT room_id FROM room_people WHERE person_id = ?1)`,
		columns: []column{
			textCol("channel"), textCol("room"), textCol("thread"), flagCol("direct"), refCol("person_id", "person").optional(), saidCol("title"),
			timeCol("created_at"),
		},
		parts: []subtable{{
			key: "people", table: "room_people", owner: "room_id", order: "person_id",
			columns: []column{refCol("person_id", "person"), timeCol("first_spoke"), timeCol("last_spoke")},
		}},
	},
	{
		name: "pause", table: "paused", mine: `person_id = ?1`, identity: []string{"persona", "person_id", "room_id"},
		columns: []column{textCol("persona"), refCol("person_id", "person"), refCol("room_id", "room").optional(), timeCol("since")},
	},
	{
		name: "voice", table: "voice_choices", mine: `person_id = ?1`, identity: []string{"person_id", "room_id"}, latest: "at",
		columns: []column{refCol("person_id", "person"), refCol("room_id", "room"), textCol("mode"), timeCol("at")},
	},
	{
		name: "training_consent", table: "training_consents", mine: `person_id = ?1`, identity: []string{"persona", "person_id"}, latest: "at",
		columns: []column{textCol("persona"), refCol("person_id", "person"), refCol("room_id", "room"), flagCol("given"), timeCol("at")},
	},
	{
		name: "session", table: "sessions", identity: []string{"persona", "room_id", "started_at"}, latest: "last_at",
		mine: `room_id IN (SELECT id FROM rooms WHERE person_id = ?1) OR id IN (SELECT session_id FROM messages WHERE person_id = ?1)`,
		columns: []column{
			textCol("persona"), refCol("room_id", "room"), refCol("parent_id", "session").optionalRef(), timeCol("started_at"), timeCol("last_at"),
			timeCol("ended_at").optional(), wholeCol("messages"), shareCol("significance").optional(), textCol("class"), timeCol("refined_at").optional(),
		},
	},
	{
		name: "message", table: "messages", identity: []string{"persona", "room_id", "external_id"}, emptied: "text",
		mine: `person_id = ?1 OR room_id IN (SELECT id FROM rooms WHERE person_id = ?1)`,
		columns: []column{
			textCol("persona"), refCol("room_id", "room"), refCol("session_id", "session"), refCol("person_id", "person").optional(),
			textCol("external_id"), textCol("reply_to"), saidCol("text"), textCol("danger").omitEmpty(), flagCol("names_erased").omitEmpty(), timeCol("at"), timeCol("edited_at").optional(), endCol("vanishes_at").optional(), refCol("copied_from", "message").optionalRef(),
		},
		parts: []subtable{
			{
				key: "sent_as", table: "sent_as", owner: "message_id", order: "chunk, external_id",
				columns: []column{textCol("external_id"), wholeCol("chunk")},
			},
			{
				key: "reactions", table: "reactions", owner: "message_id", order: "person_id",
				columns: []column{refCol("person_id", "person"), textCol("emoji"), timeCol("at")},
			},
		},
	},
	{
		name: "memory", table: "memories", mine: personsMemories,
		identity: []string{"persona", "audience", "audience_person", "audience_room", "origin", "author_id", "text", "created_at"},
		columns: append(audienceCols(), textCol("origin"), refCol("author_id", "person").optional(), refCol("session_id", "session").optionalRef(),
			refCol("parent_id", "memory").optionalRef(), textCol("sector"), textCol("kind").named("what").omitEmpty(), saidCol("text"), shareCol("salience"), flagCol("instruction"), flagCol("pinned"),
			wholeCol("recalls"), wholeCol("uses"), timeCol("recalled_at").optional(), dateCol("event_from").optional(),
			dateCol("event_until").optional(), refCol("supersedes", "memory").optionalRef(), textCol("tier"), realCol("strength").within(0, 1e6),
			wholeCol("lasts").optional(), endCol("forget_at").optional(), endCol("expires_at").optional(), flagCol("apart"), timeCol("created_at")),
		parts: []subtable{
			{
				key: "sources", table: "memory_sources", owner: "memory_id", order: "message_id", needs: needsEvery,
				columns: []column{refCol("message_id", "message")},
			},
			{key: "about", table: "memory_about", owner: "memory_id", order: "person_id", columns: []column{refCol("person_id", "person")}},
			{key: "entities", table: "memory_entities", owner: "memory_id", order: "entity", columns: []column{saidCol("entity")}},
			{key: "tags", table: "memory_tags", owner: "memory_id", order: "tag", columns: []column{textCol("tag")}},
		},
	},
	{
		name: "memory_replaced", table: "memories", amends: `1 = 1`, mine: personsMemories,
		columns: []column{refCol("id", "memory").named("memory"), refCol("superseded_by", "memory")},
	},
	{
		name: "edge", table: "memory_edges", sorted: true,
		mine: `from_id IN (SELECT id FROM memories WHERE ` + personsMemories + `)`,
		columns: []column{
			refCol("from_id", "memory"), refCol("to_id", "memory"), textCol("kind").named("what"), shareCol("weight"), wholeCol("uses"),
			timeCol("touched_at"),
		},
	},
	{
		name: "rule", table: "memory_rules", identity: []string{"persona", "rule"}, mine: `?1 < 0`, // nobody's
		columns: []column{textCol("persona"), textCol("rule"), timeCol("created_at")},
	},
	{
		name: "passage", table: "passages", mine: `memory_id IN (SELECT id FROM memories WHERE audience_person = ?1)`,
		columns: []column{refCol("memory_id", "memory"), textCol("document"), saidCol("heading")},
	},
	{
		name: "lore_import", table: "lore_imports", mine: `?1 < 0`, identity: []string{"persona", "key", "source", "digest", "imported_at"},
		columns: []column{
			textCol("persona"), textCol("key"), textCol("signer"), textCol("source"), textCol("source_name"), textCol("digest"), timeCol("signed_at"),
			timeCol("imported_at"), timeCol("reverted_at").optional(),
		},
		parts: []subtable{{
			key: "items", table: "lore_items", owner: "import_id", order: "entry",
			columns: []column{textCol("entry"), textCol("digest"), refCol("memory_id", "memory").optional()},
		}},
	},
	{
		name: "belief", table: "beliefs", latest: "updated_at",
		mine: `author_id = ?1 OR audience_person = ?1 OR subject_person = ?1`,
		identity: []string{
			"persona", "audience", "audience_person", "audience_room", "author_id", "subject_person", "subject", "relation", "value",
			"created_at",
		},
		columns: append(audienceCols(), refCol("author_id", "person").optional(), refCol("subject_person", "person").optional(), saidCol("subject"),
			textCol("relation"), saidCol("value"), textCol("domain"), textCol("status"), dateCol("valid_from").optional(), dateCol("valid_to").optional(),
			textCol("replaced_why"), timeCol("asked_at").optional(), timeCol("created_at"), timeCol("updated_at")),
		derive: map[string]func(map[string]any) any{"subject_key": subjectKeyOf},
		parts: []subtable{{
			key: "evidence", table: "belief_evidence", owner: "belief_id", order: "id", needs: needsSome, positive: "stance",
			columns: []column{
				refCol("message_id", "message"), refCol("author_id", "person"), saidCol("quote"), wholeCol("stance").within(-1, 1), flagCol("hearsay"), timeCol("at"),
				saidCol("sentence").omitEmpty(), flagCol("by_model").omitEmpty(), flagCol("sensitive").omitEmpty(),
			},
		}},
	},
	{
		name: "belief_replaced", table: "beliefs", amends: `status <> 'active'`,
		mine:    `author_id = ?1 OR audience_person = ?1 OR subject_person = ?1`,
		columns: []column{refCol("id", "belief").named("belief"), refCol("superseded_by", "belief")},
	},
	{
		name: "loop", table: "open_loops", mine: `person_id = ?1`,
		identity: []string{"persona", "audience", "audience_person", "audience_room", "person_id", "message_id", "kind", "text"},
		columns: append(audienceCols(), refCol("person_id", "person"), refCol("message_id", "message"), textCol("kind").named("what"), saidCol("text"),
			dateCol("due_from").optional(), dateCol("due_until").optional(), textCol("status"), timeCol("asked_at").optional(),
			timeCol("closed_at").optional(), timeCol("created_at")),
		parts: []subtable{{
			key: "sources", table: "open_loop_sources", owner: "loop_id", order: "message_id, kind", needs: needsSome,
			columns: []column{
				refCol("message_id", "message"), textCol("kind"), dateCol("due_from").optional(), dateCol("due_until").optional(),
			},
		}},
	},
	{
		name: "loop_evolved", table: "open_loops", amends: `1 = 1`, mine: `person_id = ?1`,
		columns: []column{refCol("id", "loop").named("loop"), refCol("evolved_into", "loop")},
	},
	{
		name: "relationship", table: "relationships", latest: "last_seen", mine: `person_id = ?1`,
		columns: []column{
			textCol("persona"), refCol("person_id", "person"), timeCol("first_met"), timeCol("last_seen"), wholeCol("sessions"), wholeCol("messages"),
			wholeCol("days"), textCol("last_day"), shareCol("trust"), textCol("trust_day"), realCol("trust_moved"), wholeCol("notes"), wholeCol("history"),
			wholeCol("words"), wholeCol("questions"), wholeCol("mornings").omitEmpty(), wholeCol("afternoons").omitEmpty(),
			wholeCol("evenings").omitEmpty(), wholeCol("nights").omitEmpty(), timeCol("quiet_since").optional(),
		},
	},
	{
		name: "milestone", table: "milestones", sorted: true, mine: `person_id = ?1`,
		columns: []column{
			textCol("persona"), refCol("person_id", "person"), textCol("kind").named("what"), refCol("session_id", "session").optionalRef(), timeCol("at"),
		},
	},
	{
		name: "mood", table: "moods", sorted: true, mine: `?1 < 0`, // nobody's
		columns: []column{textCol("persona"), refCol("session_id", "session"), timeCol("at"), realCol("valence").within(-1, 1), shareCol("energy")},
	},
	{
		name: "practice", table: "practice", sorted: true, mine: `?1 < 0`,
		columns: []column{
			textCol("persona"), textCol("skill"), refCol("session_id", "session"), timeCol("at"), wholeCol("successes"), wholeCol("failures"),
		},
	},
	{
		name: "growth", table: "growth", mine: `?1 < 0`, latest: "at",
		columns: []column{textCol("persona"), wholeCol("version"), timeCol("at"), textCol("state")},
	},
	{
		name: "greeted", table: "greeted", sorted: true, mine: `person_id = ?1`,
		columns: []column{textCol("persona"), refCol("person_id", "person"), subjectCol("subject"), timeCol("at")},
	},
	{
		name: "reminder", table: "reminders", mine: `person_id = ?1`, identity: []string{"persona", "person_id", "text", "due_at", "created_at"},
		columns: []column{
			textCol("persona"), refCol("person_id", "person"), refCol("room_id", "room"), refCol("message_id", "message").optionalRef(), saidCol("text"),
			endCol("due_at"), flagCol("wall"), timeCol("created_at"),
		},
	},
	{
		name: "notepad", table: "notepads", mine: `audience_person = ?1`, latest: "updated_at", identity: []string{"persona", "audience", "audience_person", "audience_room"},
		columns: append(audienceCols(), saidCol("text"), timeCol("updated_at")),
	},
	{
		name: "tool_call", table: "tool_calls", mine: `person_id = ?1`, identity: []string{"persona", "person_id", "room_id", "turn", "tool", "at"},
		columns: []column{
			textCol("persona"), refCol("person_id", "person"), refCol("room_id", "room"), refCol("message_id", "message").optionalRef(), textCol("turn"),
			refCol("parent_id", "tool_call").optionalRef(), textCol("tool"), saidCol("arguments"), textCol("gate"), textCol("outcome"), saidCol("reason"), flagCol("free"), textCol("day"), timeCol("at"), wholeCol("took_ms"), wholeCol("tokens"),
		},
		derive: map[string]func(map[string]any) any{"digest": func(map[string]any) any { return "" }},
	},
	{
		name: "turn", table: "turns", mine: `room_id IN (SELECT id FROM rooms WHERE person_id = ?1)`,
		identity: []string{"persona", "room_id", "session_id", "person_id", "started_at", "ended_at"},
		columns: []column{
			textCol("persona"), refCol("room_id", "room"), refCol("session_id", "session"), refCol("person_id", "person").optional(),
			refCol("reply_id", "message").optionalRef(), refCol("recent_from", "message").optionalRef(), flagCol("exact"), textCol("voice"),
			saidCol("fault"), timeCol("started_at"), timeCol("ended_at"), flagCol("thinned"),
		},
		parts: []subtable{
			{
				key: "heard", table: "turn_heard", owner: "turn_id", order: "message_id", needs: needsSome,
				columns: []column{refCol("message_id", "message")},
			},
			{
				key: "items", table: "turn_items", owner: "turn_id", order: "ord",
				columns: []column{
					wholeCol("ord"), refCol("memory_id", "memory").optional(), refCol("belief_id", "belief").optional(), refCol("loop_id", "loop").optional(),
					realCol("score"), textCol("reason"), flagCol("used"),
				},
			},
			{
				key: "lines", table: "turn_item_lines", owner: "turn_id", order: "ord, message_id", within: "items",
				columns: []column{wholeCol("ord"), refCol("message_id", "message")},
			},
			{
				key: "usage", table: "turn_usage", owner: "turn_id", order: "job, model",
				columns: []column{
					textCol("job"), textCol("model"), wholeCol("requests"), wholeCol("tokens_in"), wholeCol("tokens_out"), wholeCol("cache_read"),
					wholeCol("cache_written"), wholeCol("cost"), wholeCol("took_ms"),
				},
			},
		},
	},
}

// audienceCols are the columns for persona and audience.
func audienceCols() []column {
	return []column{
		textCol("persona"), textCol("audience"), refCol("audience_person", "person").optional(), refCol("audience_room", "room").optional(),
	}
}

// subjectKeyOf returns the subject key of a belief in the importing store.
func subjectKeyOf(values map[string]any) any {
	person, _ := values["subject_person"].(int64)
	return model.SubjectKey(person, values["subject"].(string))
}
