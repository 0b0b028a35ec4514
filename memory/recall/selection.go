package recall

import (
	"cmp"
	"encoding/json"
	"slices"
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
	// Tier and Origin are where the memories are in their life and where they came from, "" for all.
	Tier   model.Tier
	Origin model.Origin
	// PersonID is who said it or whom it is about, Room where it was said, 0 for all.
	PersonID, Room int64
}

// selected is a Selection as one search applies it. It looks up whether memories are selected when it is asked about them: to list
// all that are would take as long as the store is large.
type selected struct {
	after, before time.Time
	// some reports that anything but the time narrows the query.
	some bool
	// classes are those that are selected.
	classes classSet
	// known says of memories whether they are selected, nil if their class and time tell. If listed is set, all others are not.
	known  map[int64]bool
	listed bool
	// foreseen are the memories to look up with the next one that is asked about.
	foreseen []int64
	// where is what a memory m must be, tx where it is looked up, err the first fault of that.
	where db.Conditions
	tx    *db.Tx
	err   error
}

// read returns what is selected of the memories of h's persona. It may be asked while tx lasts.
func (s Selection) read(tx *db.Tx, h scope.Visibility) (*selected, error) {
	found := &selected{after: s.After, before: s.Before, some: s.byMemory(), classes: classesOf(s.Sectors, s.Origin), tx: tx}
	if !s.byLookUp() {
		return found, nil
	}
	found.known = map[int64]bool{}
	found.where = entry.Conditions(entry.MemoryFilter{Persona: h.Persona(), Session: s.Session, Tier: s.Tier, PersonID: s.PersonID, Room: s.Room})
	if s.Tag != "" {
		found.where.And("EXISTS (SELECT 1 FROM memory_tags t WHERE t.memory_id = m.id AND t.tag = ?)", entry.NormalizeTag(s.Tag))
	}
	few, err := s.few(tx)
	if err != nil || few == nil {
		return found, err
	}
	found.lookUp(few)
	found.listed = true
	return found, found.err
}

// byMemory reports whether anything but the time narrows the query.
func (s Selection) byMemory() bool { return s.byLookUp() || len(s.Sectors) > 0 || s.Origin != "" }

// byLookUp reports whether anything narrows the query that the indexes do not hold.
func (s Selection) byLookUp() bool {
	return s.Session != 0 || s.PersonID != 0 || s.Room != 0 || s.Tag != "" || s.Tier != ""
}

// fewMemories is how many memories are looked up before the search rather than as it comes upon them.
const fewMemories = 2000

// few returns the memories that a part of the selection leaves, by its index: of the first that leaves at most fewMemories, nil if
// none does.
func (s Selection) few(tx *db.Tx) ([]int64, error) {
	for _, part := range []struct {
		given bool
		query string
		args  []any
	}{
		{s.Tag != "", `SELECT memory_id FROM memory_tags WHERE tag = ?`, []any{entry.NormalizeTag(s.Tag)}},
		{s.Session != 0, `SELECT id FROM memories WHERE session_id = ?`, []any{s.Session}},
		{s.PersonID != 0, `SELECT id FROM memories WHERE author_id = ? UNION ALL SELECT memory_id FROM memory_about WHERE person_id = ?`, []any{s.PersonID, s.PersonID}},
		{s.Room != 0, `SELECT m.id FROM sessions s JOIN memories m ON m.session_id = s.id WHERE s.room_id = ?
			UNION ALL SELECT id FROM memories WHERE audience_room = ?`, []any{s.Room, s.Room}},
		{s.Tier != "", `SELECT id FROM memories WHERE tier = ?`, []any{s.Tier}},
	} {
		if !part.given {
			continue
		}
		ids, err := db.Collect[int64](tx.Query(part.query+` LIMIT ? + 0`, append(part.args, fewMemories+1)...))(db.ScanID)
		if err != nil {
			return nil, err
		}
		if len(ids) <= fewMemories {
			return append([]int64{}, ids...), nil
		}
	}
	return nil, nil
}

// narrows reports whether anything is left out.
func (s *selected) narrows() bool { return s.some || !s.after.IsZero() || !s.before.IsZero() }

// foreseeing returns what notes the entries of scopes that may be asked about, beginning with those that surface for every query. It
// is nil if nothing has to be looked up.
func (s *selected) foreseeing(scopes []*scopeIndex) func(scope int, ordinals []uint32) {
	if s.known == nil || s.listed {
		return nil
	}
	note := func(x *scopeIndex, ordinal int) {
		e := x.entries[ordinal]
		if _, known := s.known[e.memory]; !known && s.mayAdmit(e, db.FromMillis(x.words.At(ordinal))) {
			s.foreseen = append(s.foreseen, e.memory)
		}
	}
	for _, x := range scopes {
		for _, o := range slices.Concat(x.standing, x.pinned) {
			note(x, o)
		}
	}
	return func(scope int, ordinals []uint32) {
		for _, o := range ordinals {
			note(scopes[scope], int(o))
		}
	}
}

// admits reports whether an entry that was said at a time is selected.
func (s *selected) admits(e indexEntry, at time.Time) bool {
	if s.known == nil || !s.mayAdmit(e, at) {
		return s.mayAdmit(e, at)
	}
	is, known := s.known[e.memory]
	if !known && !s.listed && s.err == nil {
		s.lookUp(append(s.foreseen, e.memory))
		s.foreseen = s.foreseen[:0]
		is = s.known[e.memory]
	}
	return is
}

// mayAdmit reports whether an entry is selected as far as its time and its class tell.
func (s *selected) mayAdmit(e indexEntry, at time.Time) bool {
	switch {
	case s.some && (e.memory == 0 || !s.classes.has(e.class)):
		return false
	case !s.after.IsZero() && !at.After(s.after), !s.before.IsZero() && !at.Before(s.before):
		return false
	}
	return true
}

// lookUp makes known which of some memories are selected. They come back as lists, because rows cost more than looking them up.
func (s *selected) lookUp(memories []int64) {
	for _, id := range memories {
		s.known[id] = false
	}
	slices.Sort(memories) // neighbours share pages
	for chunk := range slices.Chunk(memories, db.MaxArgs) {
		in, ids := db.Placeholders(chunk)
		var list []byte
		var selected []int64
		err := s.tx.QueryRow(`SELECT json_group_array(m.id) FROM memories m WHERE m.id IN `+in+` AND `+s.where.String(),
			append(ids, s.where.Args...)...).Scan(&list)
		if err == nil {
			err = json.Unmarshal(list, &selected)
		}
		for _, id := range selected {
			s.known[id] = true
		}
		s.err = cmp.Or(s.err, err)
	}
}

// touches reports whether a time from until, in milliseconds, overlaps the window of the selection. It is false without a
// window.
func (s Selection) touches(from, until int64) bool {
	if s.After.IsZero() && s.Before.IsZero() {
		return false
	}
	return (s.Before.IsZero() || from < s.Before.UnixMilli()) && (s.After.IsZero() || s.After.UnixMilli() < until)
}
