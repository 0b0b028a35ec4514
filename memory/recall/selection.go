package recall

import (
	"time"

	"familiar/memory/entry"
	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/model"
)

// Selection narrows a query to a part of what may be said. The zero value selects everything.
type Selection struct {
	// After and Before bound when it was said, both exclusive, zero for no bound.
	After, Before time.Time
	// Session is the session it was said in, 0 for all.
	Session int64
	// Sectors are the kinds of memories, all if empty.
	Sectors []model.Sector
	// Tag is a tag that the memories have, "" for all.
	Tag string
}

// selected is a Selection as a search applies it.
type selected struct {
	after, before time.Time
	// ids are the memories of the session, the sectors and the tag, nil for all.
	ids map[int64]bool
}

// read looks up which memories of h's persona are selected.
func (s Selection) read(tx *db.Tx, h scope.Visibility) (selected, error) {
	found := selected{after: s.After, before: s.Before}
	var where db.Conditions
	if s.Session != 0 {
		where.And("m.session_id = ?", s.Session)
	}
	if len(s.Sectors) > 0 {
		in, args := db.Placeholders(s.Sectors)
		where.And("m.sector IN "+in, args...)
	}
	if s.Tag != "" {
		where.And("m.id IN (SELECT memory_id FROM memory_tags WHERE tag = ?)", entry.NormalizeTag(s.Tag))
	}
	if len(where.Args) == 0 {
		return found, nil
	}
	where.And("m.persona = ?", h.Persona())
	ids, err := db.Collect[int64](tx.Query(`SELECT m.id FROM memories m WHERE `+where.String(), where.Args...))(db.ScanID)
	found.ids = make(map[int64]bool, len(ids))
	for _, id := range ids {
		found.ids[id] = true
	}
	return found, err
}

// narrows reports whether anything is left out.
func (s *selected) narrows() bool { return s.ids != nil || !s.after.IsZero() || !s.before.IsZero() }

// admits reports whether a memory, 0 for a message of the persona, said at a time is selected.
func (s *selected) admits(memory int64, at time.Time) bool {
	switch {
	case s.ids != nil && !s.ids[memory], !s.after.IsZero() && !at.After(s.after), !s.before.IsZero() && !at.Before(s.before):
		return false
	}
	return true
}

// touches reports whether a time from until, in milliseconds, overlaps the window of the selection. It is false without a
// window.
func (s Selection) touches(from, until int64) bool {
	if s.After.IsZero() && s.Before.IsZero() {
		return false
	}
	return (s.Before.IsZero() || from < s.Before.UnixMilli()) && (s.After.IsZero() || s.After.UnixMilli() < until)
}
