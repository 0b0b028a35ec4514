package memory

import (
	"math"
	"time"

	"familiar/internal/tokens"
)

// nearbyLine is a line that may stand beside what is found until a moment, in milliseconds.
type nearbyLine struct {
	SnippetLine
	until int64
}

// always is the moment that never comes.
const always = math.MaxInt64

// nearbyLines reads messages as lines of a snippet. What people said may stand there while it is remembered, what the
// persona said while all that it was made from is; what a reply was made from and is gone stands without a number.
const nearbyLines = `SELECT m.id, m.person_id, coalesce(p.name, m.persona), m.at, m.text, CASE WHEN m.person_id IS NULL
	THEN coalesce((SELECT min(CASE WHEN coalesce(i.memory_id, i.belief_id, i.loop_id) IS NULL THEN 0 ELSE x.expires_at END)
		FROM turns t JOIN turn_items i ON i.turn_id = t.id AND (i.used = 1 OR t.exact = 0) LEFT JOIN memories x ON x.id = i.memory_id
		WHERE t.reply_id = m.id), 9223372036854775807)
	ELSE coalesce((SELECT min(coalesce(x.expires_at, 9223372036854775807)) FROM memory_sources s
		JOIN memories x ON x.id = s.memory_id AND x.origin <> 'inferred' WHERE s.message_id = m.id), 0) END
	FROM messages m LEFT JOIN people p ON p.id = m.person_id WHERE m.text <> '' AND m.id IN `

func scanNearby(row scanner) (l nearbyLine, err error) {
	err = row.Scan(&l.MessageID, intoID(&l.PersonID), &l.Author, intoTime(&l.At), &l.Text, &l.until)
	return l, err
}

// all are the lists of candidates.
func (f *found) all() []*[]candidate {
	return []*[]candidate{&f.matches, &f.standing, &f.pinned, &f.chain}
}

// fill reads the rows of the candidates. A candidate whose memory is gone since the index was read, or is not for this
// hearing, falls out.
func (f *found) fill(tx *conn, h Hearing) error {
	for _, cs := range f.all() {
		if err := f.readMemories(tx, cs, h); err != nil {
			return err
		}
	}
	return nil
}

// recallings is what changes in a memory while its scope's epoch stays.
type recallings struct {
	id            int64
	recalls, uses int
	at            time.Time
	strength      float64
	tier          Tier
	expires       time.Time
}

func scanRecallings(row scanner) (r recallings, err error) {
	err = row.Scan(&r.id, &r.recalls, &r.uses, intoTime(&r.at), &r.strength, &r.tier, intoTime(&r.expires))
	return r, err
}

// readMemories gives each candidate its memory and keeps those that have one that may be heard.
func (f *found) readMemories(tx *conn, cs *[]candidate, h Hearing) error {
	if len(*cs) == 0 {
		return nil
	}
	if err := f.keepMemories(tx, *cs); err != nil {
		return err
	}
	ids := make([]int64, len(*cs))
	for i, c := range *cs {
		ids[i] = c.id
	}
	in, args := list(ids)
	read, err := collect[recallings](tx.rows(`SELECT id, recalls, uses, recalled_at, strength, tier, expires_at
		FROM memories WHERE id IN `+in, args...))(scanRecallings)
	if err != nil {
		return err
	}
	lately := make(map[int64]recallings, len(read))
	for _, r := range read {
		lately[r.id] = r
	}
	left := (*cs)[:0]
	for _, c := range *cs {
		m, known := f.kept[c.scope].memory(c.id)
		r, there := lately[c.id]
		over := !r.expires.IsZero() && !r.expires.After(tx.now)
		if !known || !there || over || !h.hears(m.Audience) || m.Persona != h.persona {
			continue
		}
		c.memory = m
		c.memory.Recalls, c.memory.Uses, c.memory.RecalledAt = r.recalls, r.uses, r.at
		c.memory.Strength, c.memory.Tier, c.memory.Expires = r.strength, r.tier, r.expires
		left = append(left, c)
	}
	*cs = left
	return nil
}

// keepMemories reads those memories of the candidates that are not kept.
func (f *found) keepMemories(tx *conn, cs []candidate) error {
	scopes := map[int64]int{}
	var ids []int64
	for _, c := range cs {
		if _, known := f.kept[c.scope].memory(c.id); !known {
			ids, scopes[c.id] = append(ids, c.id), c.scope
		}
	}
	if len(ids) == 0 {
		return nil
	}
	in, args := list(ids)
	memories, err := collect[Memory](tx.rows(memoryColumns+` WHERE m.id IN `+in, args...))(scanMemory)
	for _, m := range memories {
		f.kept[scopes[m.ID]].keepMemory(m)
	}
	return err
}

// readLines takes what was said in the candidates from their memories, and what was said around those that will bring it
// from what is kept, and reads the rest.
func (f *found) readLines(tx *conn, budget int) error {
	for _, cs := range [][]candidate{f.matches, f.standing, f.pinned} {
		for i := range cs {
			f.ownLine(&cs[i])
		}
	}
	scopes := map[int64]int{}
	var ids []int64
	for _, c := range f.joined(budget) {
		for _, id := range []int64{c.before, c.after} {
			if id == 0 || f.lines[id].MessageID != 0 {
				continue
			}
			if l, known := f.kept[c.scope].line(id); known {
				f.stand(l, tx.now)
			} else {
				ids, scopes[id] = append(ids, id), c.scope
			}
		}
	}
	if len(ids) == 0 {
		return nil
	}
	in, args := list(ids)
	lines, err := collect[nearbyLine](tx.rows(nearbyLines+in, args...))(scanNearby)
	for _, l := range lines {
		l.SnippetLine = cleanLine(l.SnippetLine)
		f.stand(l, tx.now)
		f.kept[scopes[l.MessageID]].keepLine(l)
	}
	return err
}

// joined are the matches that packing may come to show the turns around: the best, and as many more as those turns have
// room once the matches themselves are packed.
func (f *found) joined(budget int) []*candidate {
	var worth []*candidate
	for i := range f.matches {
		if c := &f.matches[i]; c.worthPacking() {
			worth = append(worth, c)
			budget -= min(leastLine+tokens.Estimate(c.memory.Text), lineCap)
		}
	}
	return worth[:min(len(worth), joinedHits+max(0, budget)/turnsAround)]
}

// turnsAround is about the fewest tokens that the turns around a hit take.
const turnsAround = 16

// stand takes a line that may stand beside what is found now.
func (f *found) stand(l nearbyLine, now time.Time) {
	if l.until > ms(now) {
		f.lines[l.MessageID] = l.SnippetLine
	}
}

// ownLine is the line of the message a candidate was said in: its memory says all of it.
func (f *found) ownLine(c *candidate) {
	if c.message == 0 || f.lines[c.message].MessageID != 0 {
		return
	}
	l, known := f.kept[c.scope].line(c.message)
	if !known {
		m := c.memory
		l = nearbyLine{SnippetLine: cleanLine(SnippetLine{MessageID: c.message, PersonID: m.AuthorID, Author: m.Author, At: c.at, Text: m.Text}), until: always}
		if !m.Expires.IsZero() {
			l.until = ms(m.Expires)
		}
		f.kept[c.scope].keepLine(l)
	}
	f.lines[c.message] = l.SnippetLine
}
