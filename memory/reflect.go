package memory

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// Move is one memory a rule holds of.
type Move struct {
	placed
	ID   int64
	Text string
	From Tier
	// To is where it goes, "" when it goes for good.
	To Tier
	// Rule is why.
	Rule string
}

// Reflection is what looking over the memories comes to.
type Reflection struct {
	Moves []Move
	// Clusters were, or would be, summed up.
	Clusters []Cluster
	// Weakened edges were not used for a month, Pruned ones lead nowhere any more.
	Weakened, Pruned int
}

// String says the counts in words, for the ledger.
func (r Reflection) String() string {
	if len(r.Moves)+len(r.Clusters)+r.Weakened+r.Pruned == 0 {
		return "nothing to move"
	}
	return fmt.Sprintf("moved %d, clusters summed up %d, edges weakened %d, pruned %d", len(r.Moves), len(r.Clusters), r.Weakened, r.Pruned)
}

// Reflect says what the rules, the age of edges and what is alike would change in persona's memories as of now, as if all
// were linked and the rules given came before all others.
func (s *Store) Reflect(ctx context.Context, persona string, now time.Time, rules ...Rule) (r Reflection, err error) {
	err = s.read(ctx, "look over the memories of "+persona, func(tx *conn) error {
		if r.Moves, err = tx.moves(persona, now, rules...); err != nil {
			return err
		}
		if r.Clusters, err = s.clustersOnceLinked(tx, persona); err != nil {
			return err
		}
		r.Weakened, r.Pruned, err = tx.idleEdges(persona, now)
		return err
	})
	return r, err
}

// Consolidate carries out what Reflect says: it moves memories by the rules, weakens and prunes edges, and sums up what is
// alike. What it writes carries run. It works in small transactions, so that turns go on meanwhile.
func (s *Store) Consolidate(ctx context.Context, persona string, run int64, now time.Time) (r Reflection, err error) {
	err = s.read(ctx, "look for what the rules move", func(tx *conn) error {
		r.Moves, err = tx.moves(persona, now)
		return err
	})
	if err != nil {
		return r, err
	}
	for chunk := range slices.Chunk(r.Moves, fadeAtOnce) {
		err := s.write(ctx, "move memories by the rules", func(tx *conn) error { return tx.move(chunk, now) })
		if err != nil {
			return r, err
		}
	}
	for full := true; full; {
		var weakened, pruned int
		err := s.write(ctx, "weaken what is not used", func(tx *conn) (err error) {
			weakened, pruned, err = tx.weaken(persona, now)
			return err
		})
		if err != nil {
			return r, err
		}
		r.Weakened, r.Pruned = r.Weakened+weakened, r.Pruned+pruned
		full = weakened+pruned == edgesAtOnce
	}
	r.Clusters, err = s.SumUp(ctx, persona, run)
	return r, err
}

// moves are the memories that rules hold of, oldest first, each with the first of its rules that does: those given come
// before the stored ones.
func (c *conn) moves(persona string, now time.Time, first ...Rule) ([]Move, error) {
	stored, err := c.rules(persona)
	if err != nil {
		return nil, err
	}
	rules := append(first, stored...)
	which, some, args := decide(rules, persona, now)
	all, err := collect[Move](c.rows(`SELECT m.id, m.persona, m.tier, m.audience, m.audience_person, m.audience_room, m.text, `+which+`
		FROM memories m WHERE `+some+` ORDER BY m.id`, slices.Concat(args, args)...))(
		func(row scanner) (m Move, err error) {
			rule, err := m.scan(row)
			if err != nil {
				return m, err
			}
			m.To, m.Rule = rules[rule-1].To, rules[rule-1].String()
			if rules[rule-1].Action == Keep {
				m.To = m.From
			}
			return m, err
		})
	return slices.DeleteFunc(all, func(m Move) bool { return m.To == m.From }), err
}

// move carries out moves, as far as their memories are still where they were.
func (c *conn) move(moves []Move, now time.Time) error {
	still, err := c.stillThere(moves)
	if err != nil {
		return err
	}
	to := map[Tier][]placed{}
	for _, m := range moves {
		if at, ok := still[m.id]; ok && at == m.From {
			to[m.To] = append(to[m.To], m.placed)
		}
	}
	for _, tier := range Tiers {
		if len(to[tier]) > 0 {
			if err := c.moveTo(tier, to[tier], now); err != nil {
				return err
			}
		}
	}
	if len(to[""]) > 0 {
		_, err = c.drop(to[""])
	}
	return err
}

// stillThere are the tiers the memories of moves are in now.
func (c *conn) stillThere(moves []Move) (map[int64]Tier, error) {
	ids := make([]int64, len(moves))
	for i, m := range moves {
		ids[i] = m.id
	}
	in, args := list(ids)
	found, err := collect[placed](c.rows(placedColumns+`m.id IN `+in, args...))(scanPlaced)
	still := make(map[int64]Tier, len(found))
	for _, m := range found {
		still[m.id] = m.tier
	}
	return still, err
}
