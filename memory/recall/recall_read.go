package recall

import (
	"math"
	"time"

	"familiar/internal/tokens"
	"familiar/memory/belief"
	"familiar/memory/entry"
	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/model"
)

// nearbyLine is a line that may be shown with a hit until a moment, in milliseconds.
type nearbyLine struct {
	model.SnippetLine
	until int64
}

// always is the moment of lines that never expire.
const always = math.MaxInt64

// nearbyLines selects messages as snippet lines. A person's message may be shown while a memory of it exists, the
// persona's while everything it was made from exists; a turn item whose source was deleted has no id and hides the
// reply.
const nearbyLines = `SELECT m.id, m.person_id, coalesce(p.name, m.persona), m.at, m.text, CASE WHEN m.person_id IS NULL
	THEN coalesce((SELECT min(CASE WHEN coalesce(i.memory_id, i.belief_id, i.loop_id) IS NULL THEN 0 ELSE x.expires_at END)
		FROM turns t JOIN turn_items i ON i.turn_id = t.id AND (i.used = 1 OR t.exact = 0) LEFT JOIN memories x ON x.id = i.memory_id
		WHERE t.reply_id = m.id), 9223372036854775807)
	ELSE coalesce((SELECT min(coalesce(x.expires_at, 9223372036854775807)) FROM memory_sources s
		JOIN memories x ON x.id = s.memory_id AND x.origin <> 'inferred' WHERE s.message_id = m.id), 0) END
	FROM messages m LEFT JOIN people p ON p.id = m.person_id WHERE m.text <> '' AND m.id IN `

func scanNearby(row db.Scanner) (*nearbyLine, error) {
	l := new(nearbyLine)
	err := row.Scan(&l.MessageID, db.IntoID(&l.PersonID), &l.Author, db.IntoTime(&l.At), &l.Text, &l.until)
	return l, err
}

// all returns the lists of candidates.
func (f *rankState) all() []*[]candidate {
	return []*[]candidate{&f.matches, &f.standing, &f.pinned, &f.chain}
}

// fill reads the rows of the candidates. A candidate is dropped when its memory was removed since the index was read or
// is not visible.
func (f *rankState) fill(tx *db.Tx, h scope.Visibility) error {
	if err := f.keepMemories(tx); err != nil {
		return err
	}
	if err := f.keepOwn(tx); err != nil {
		return err
	}
	if err := f.readUsage(tx); err != nil {
		return err
	}
	for _, cs := range f.all() {
		left := (*cs)[:0]
		for _, c := range *cs {
			if c.own() && c.memory != nil {
				c.lately = &usage{id: c.id, strength: 1, tier: c.memory.Tier, expires: c.memory.Expires}
			}
			if c.memory != nil && c.lately != nil && !c.lately.over(tx.Now) && h.Includes(c.memory.Audience) && c.memory.Persona == h.Persona() {
				left = append(left, c)
			}
		}
		*cs = left
	}
	return nil
}

// usage is what changes in a memory while its scope's epoch stays the same. Its numbers have the driver's types:
// database/sql converts others by their text.
type usage struct {
	id            int64
	recalls, uses int64
	at            time.Time
	strength      float64
	tier          model.Tier
	expires       time.Time
}

// scan scans a row into r.
func (r *usage) scan(row db.Scanner) error {
	return row.Scan(&r.id, &r.recalls, &r.uses, db.IntoTime(&r.at), &r.strength, &r.tier, db.IntoTime(&r.expires))
}

// over reports whether the memory has expired.
func (r *usage) over(now time.Time) bool { return !r.expires.IsZero() && !r.expires.After(now) }

// usageOf returns the usage of a memory that was just read.
func usageOf(m *model.Memory) *usage {
	return &usage{m.ID, int64(m.Recalls), int64(m.Uses), m.RecalledAt, m.Strength, m.Tier, m.Expires}
}

// readUsage reads the usage of the candidates whose memories were in a cache.
func (f *rankState) readUsage(tx *db.Tx) error {
	cached := map[int64][]*candidate{}
	var ids []int64
	for _, cs := range f.all() {
		for i := range *cs {
			if c := &(*cs)[i]; !c.own() && c.lately == nil {
				cached[c.id], ids = append(cached[c.id], c), append(ids, c.id)
			}
		}
	}
	if len(ids) == 0 {
		return nil
	}
	in, args := db.Placeholders(ids)
	_, err := db.Collect[struct{}](tx.Query(`SELECT id, recalls, uses, recalled_at, strength, tier, expires_at
		FROM memories WHERE id IN `+in, args...))(func(row db.Scanner) (_ struct{}, err error) {
		u := new(usage)
		err = u.scan(row)
		for _, c := range cached[u.id] {
			c.lately = u
		}
		return struct{}{}, err
	})
	return err
}

// keepMemories sets the candidates' memories from the caches, and reads those that are missing there.
func (f *rankState) keepMemories(tx *db.Tx) error {
	var missing []*candidate
	var ids []int64
	for _, cs := range f.all() {
		for i := range *cs {
			c := &(*cs)[i]
			if c.memory = f.kept[c.scope].memory(c.id); c.memory == nil && !c.own() {
				missing, ids = append(missing, c), append(ids, c.id)
			}
		}
	}
	if len(ids) == 0 {
		return nil
	}
	in, args := db.Placeholders(ids)
	memories, err := db.Collect[model.Memory](tx.Query(entry.MemoryColumns+` WHERE m.id IN `+in, args...))(entry.ScanMemory)
	for i := range memories {
		m := memories[i] // a copy of its own, so that the cache does not hold the others
		for _, c := range missing {
			if c.id == m.ID {
				c.memory, c.lately = &m, usageOf(&m)
				f.kept[c.scope].addMemory(c.id, &m)
			}
		}
	}
	return err
}

// readLines takes the candidates' own lines from their memories and the lines around them from the cache, and reads the
// missing ones.
func (f *rankState) readLines(tx *db.Tx, budget int) error {
	f.lines = make(map[int64]*model.SnippetLine, 2*len(f.matches))
	for _, cs := range [][]candidate{f.matches, f.standing, f.pinned} {
		for i := range cs {
			f.ownLine(&cs[i])
		}
	}
	scopes := map[int64]int{}
	var ids []int64
	for _, c := range f.contextMatches(budget) {
		for _, id := range [...]int64{c.before, c.after} {
			if id == 0 || f.lines[id] != nil {
				continue
			}
			if l := f.kept[c.scope].line(id); l != nil {
				f.keepNearby(l, tx.Now)
			} else {
				ids, scopes[id] = append(ids, id), c.scope
			}
		}
	}
	if len(ids) == 0 {
		return nil
	}
	in, args := db.Placeholders(ids)
	lines, err := db.Collect[*nearbyLine](tx.Query(nearbyLines+in, args...))(scanNearby)
	for _, l := range lines {
		l.SnippetLine = belief.CleanLine(l.SnippetLine)
		f.keepNearby(l, tx.Now)
		f.kept[scopes[l.MessageID]].addLine(l)
	}
	return err
}

// contextMatches returns the matches whose neighbouring turns packing may show: the best, and as many more as the
// budget has room for once the matches are packed.
func (f *rankState) contextMatches(budget int) []*candidate {
	worth := make([]*candidate, 0, len(f.matches))
	for i := range f.matches {
		if c := &f.matches[i]; c.worthPacking() {
			worth = append(worth, c)
			budget -= min(minLineTokens+tokens.Estimate(c.memory.Text), lineCap)
		}
	}
	return worth[:min(len(worth), contextHits+max(0, budget)/turnsAround)]
}

// turnsAround is the fewest tokens that the turns around a hit usually take.
const turnsAround = 16

// keepNearby keeps a line if it may be shown now.
func (f *rankState) keepNearby(l *nearbyLine, now time.Time) {
	if l.until > db.Millis(now) {
		f.lines[l.MessageID] = &l.SnippetLine
	}
}

// ownLine sets the line of the candidate's message from its memory, which has all of it.
func (f *rankState) ownLine(c *candidate) {
	if c.message == 0 || f.lines[c.message] != nil {
		return
	}
	l := f.kept[c.scope].line(c.message)
	if l == nil {
		m := c.memory
		l = &nearbyLine{SnippetLine: belief.CleanLine(model.SnippetLine{MessageID: c.message, PersonID: m.AuthorID, Author: m.Author, At: c.at, Text: m.Text}), until: always}
		if !c.lately.expires.IsZero() {
			l.until = db.Millis(c.lately.expires)
		}
		f.kept[c.scope].addLine(l)
	}
	f.lines[c.message] = &l.SnippetLine
}
