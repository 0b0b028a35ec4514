package memory

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// fadeAtOnce is how many memories one transaction lets fade: a turn waits behind it for a few milliseconds.
const fadeAtOnce = 500

// Faded counts what a night took.
type Faded struct {
	// Dormant memories are found only by a strong match from now on. Gone ones had been dormant, Expired ones had come to
	// the end the operator set; both counts include what had been made of them.
	Dormant, Gone, Expired int
}

// String says the counts in words, for the ledger.
func (f Faded) String() string {
	if f == (Faded{}) {
		return "nothing was due"
	}
	return fmt.Sprintf("%d went dormant, %d dormant and %d expired ones are gone", f.Dormant, f.Gone, f.Expired)
}

// Decay takes what is due as of now, of every persona: what has faded goes dormant, what was dormant for as long again
// goes for good, and so does what has expired. It reads only what is due, by index, in small transactions, so that turns go
// on meanwhile. What is pinned, told by the operator or a standing wish is never due; what left something open with
// somebody waits until that is closed.
func (s *Store) Decay(ctx context.Context, now time.Time) (f Faded, err error) {
	var kept int // they stay
	for _, step := range []struct {
		what  string
		count *int
		do    func(tx *conn) (found, done int, err error)
	}{
		{"keep what is open", &kept, func(tx *conn) (int, int, error) {
			n, err := tx.keepForOpen(now)
			return n, n, err
		}},
		{"remove what has expired", &f.Expired, func(tx *conn) (int, int, error) { return tx.dropDue(expired, now) }},
		{"remove what was dormant", &f.Gone, func(tx *conn) (int, int, error) { return tx.dropDue(fadedAway, now) }},
		{"let memories go dormant", &f.Dormant, func(tx *conn) (int, int, error) { return tx.sendDormant(now) }},
	} {
		for {
			var found, done int
			err := s.write(ctx, step.what, func(tx *conn) (err error) {
				found, done, err = step.do(tx)
				return err
			})
			if err != nil {
				return f, err
			}
			*step.count += done
			if found < fadeAtOnce {
				break
			}
		}
	}
	return f, nil
}

// leftOpen are the loops l that a memory's message left open with somebody, nothingOpen the condition that there is none.
// A term nobody explained is no reason to keep it: it is the persona's own wish to know.
const (
	leftOpen = `FROM memory_sources s JOIN open_loop_sources o ON o.message_id = s.message_id
		JOIN open_loops l ON l.id = o.loop_id WHERE s.memory_id = m.id AND l.status IN ('open', 'asked') AND l.kind <> 'curiosity'`
	nothingOpen = `m.kept_for IS NULL AND NOT EXISTS (SELECT 1 ` + leftOpen + `)`
)

// What is due, each with the moment it is as of.
const (
	expired     = `m.expires_at <= ?`
	fadedAway   = `m.forget_at <= ? AND +m.tier = 'dormant' AND ` + nothingOpen
	fadedAtLast = `m.forget_at <= ? AND m.tier <> 'dormant' AND ` + nothingOpen
)

// keepForOpen notes of what is due, fadeAtOnce at most, what it is kept for if it left something open: there is ever more
// of it, and it is found again when that is closed, by letGoFor.
func (c *conn) keepForOpen(now time.Time) (found int, err error) {
	n, err := c.affect(`UPDATE memories AS m SET kept_for = (SELECT min(l.id) `+leftOpen+`) WHERE m.id IN (SELECT m.id FROM memories m
		WHERE m.kept_for IS NULL AND m.forget_at <= ? AND EXISTS (SELECT 1 `+leftOpen+`) LIMIT ? + 0)`, ms(now), fadeAtOnce)
	return int(n), err
}

// letGoFor keeps nothing any more for a loop that changed: what something else keeps is noted when it is found due.
func (c *conn) letGoFor(loop int64) error {
	_, err := c.exec(`UPDATE memories SET kept_for = NULL WHERE kept_for = ?`, loop)
	return err
}

// placed is a memory with whose it is, who hears of it and where it stands.
type placed struct {
	id      int64
	persona string
	tier    Tier
	Audience
}

// scope is the key of the scope it is in.
func (p placed) scope() scopeKey { return scopeKey{p.persona, p.Audience} }

const placedColumns = `SELECT m.id, m.persona, m.tier, m.audience, m.audience_person, m.audience_room FROM memories m WHERE `

func scanPlaced(row scanner) (p placed, err error) {
	var person, room int64
	err = row.Scan(&p.id, &p.persona, &p.tier, &p.Kind, intoID(&person), intoID(&room))
	p.Audience = intoAudience(p.Kind, person, room)
	return p, err
}

// due are memories of which a condition on the moment holds, but for those a rule of the operator's keeps.
func (c *conn) due(condition string, now time.Time) ([]placed, error) {
	kept, args, err := c.keptByRule(now)
	if err != nil {
		return nil, err
	}
	return collect[placed](c.rows(placedColumns+condition+kept+` LIMIT ? + 0`, slices.Concat([]any{ms(now)}, args, []any{fadeAtOnce})...))(scanPlaced)
}

// dropDue removes what is due, at most fadeAtOnce and what was made of it.
func (c *conn) dropDue(condition string, now time.Time) (found, done int, err error) {
	due, err := c.due(condition, now)
	if err != nil || len(due) == 0 {
		return 0, 0, err
	}
	gone, err := c.drop(due)
	return len(due), len(gone), err
}

// sendDormant lets what has faded go dormant, to be removed after as long again.
func (c *conn) sendDormant(now time.Time) (found, done int, err error) {
	due, err := c.due(fadedAtLast, now)
	if err != nil {
		return 0, 0, err
	}
	if err := c.moveTo(Dormant, due, now); err != nil {
		return 0, 0, err
	}
	return len(due), len(due), nil
}

// moveTo puts memories into a tier, where each lasts as long as it would after being recalled now. The indexes know which
// are dormant: where that changes, they are read again.
func (c *conn) moveTo(t Tier, memories []placed, now time.Time) error {
	for chunk := range slices.Chunk(memories, maxList) {
		in, args := list(idsOf(chunk))
		if _, err := c.exec(`UPDATE memories SET tier = ?, forget_at = CASE WHEN pinned = 1 THEN NULL
			ELSE ? + CAST(lasts * strength AS INTEGER) END WHERE id IN `+in, append([]any{t, ms(now)}, args...)...); err != nil {
			return err
		}
	}
	if t == Dormant {
		return c.moved(memories, ScopeRevision{Epoch: 1}) // nothing is summed up for that
	}
	return c.changed(slices.DeleteFunc(slices.Clone(memories), func(m placed) bool { return m.tier != Dormant }))
}

// advanceEach adds by's counters to those of each scope the memories are in.
func (c *conn) advanceEach(memories []placed, by ScopeRevision) error {
	done := map[scopeKey]bool{}
	for _, m := range memories {
		if done[m.scope()] {
			continue
		}
		done[m.scope()] = true
		by.Audience = m.Audience
		if err := c.advance(m.persona, by); err != nil {
			return err
		}
	}
	return nil
}

func idsOf(memories []placed) []int64 {
	ids := make([]int64, len(memories))
	for i, m := range memories {
		ids[i] = m.id
	}
	return ids
}
