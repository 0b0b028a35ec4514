package lifecycle

import (
	"context"
	"fmt"
	"slices"
	"time"

	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/model"
)

// Move is one memory a rule holds of.
type Move struct {
	scope.MemoryRef
	ID   int64
	Text string
	From model.Tier
	// To is where it goes, "" when it goes for good.
	To model.Tier
	// Rule is why.
	Rule string
}

// Consolidation is what looking over the memories comes to.
type Consolidation struct {
	Moves []Move
	// Clusters were, or would be, summed up.
	Clusters []Cluster
	// Weakened edges were not used for a month, Pruned ones lead nowhere any more.
	Weakened, Pruned int
}

// String says the counts in words, for the ledger.
func (r Consolidation) String() string {
	if len(r.Moves)+len(r.Clusters)+r.Weakened+r.Pruned == 0 {
		return "nothing to move"
	}
	return fmt.Sprintf("moved %d, clusters summed up %d, edges weakened %d, pruned %d", len(r.Moves), len(r.Clusters), r.Weakened, r.Pruned)
}

// PlanConsolidation says what the rules, the age of edges and what is alike would change in persona's memories as of now, as if all
// were linked and the rules given came before all others.
func (s *Store) PlanConsolidation(ctx context.Context, persona string, now time.Time, rules ...model.Rule) (r Consolidation, err error) {
	err = s.db.Read(ctx, "look over the memories of "+persona, func(tx *db.Tx) error {
		if r.Moves, err = moves(tx, persona, now, rules...); err != nil {
			return err
		}
		if r.Clusters, err = s.clustersAfterLink(tx, persona); err != nil {
			return err
		}
		r.Weakened, r.Pruned, err = idleEdges(tx, persona, now)
		return err
	})
	return r, err
}

// Consolidate carries out what Reflect says: it moves memories by the rules, weakens and prunes edges, and sums up what is
// alike. What it writes carries run. It works in small transactions, so that turns go on meanwhile.
func (s *Store) Consolidate(ctx context.Context, persona string, run int64, now time.Time) (r Consolidation, err error) {
	err = s.db.Read(ctx, "look for what the rules move", func(tx *db.Tx) error {
		r.Moves, err = moves(tx, persona, now)
		return err
	})
	if err != nil {
		return r, err
	}
	for chunk := range slices.Chunk(r.Moves, decayBatch) {
		err := s.db.Write(ctx, "move memories by the rules", func(tx *db.Tx) error { return move(tx, chunk, now) })
		if err != nil {
			return r, err
		}
	}
	for full := true; full; {
		var weakened, pruned int
		err := s.db.Write(ctx, "weaken what is not used", func(tx *db.Tx) (err error) {
			weakened, pruned, err = ageEdges(tx, persona, now)
			return err
		})
		if err != nil {
			return r, err
		}
		r.Weakened, r.Pruned = r.Weakened+weakened, r.Pruned+pruned
		full = weakened+pruned == edgeBatch
	}
	r.Clusters, err = s.SummarizeClusters(ctx, persona, run)
	return r, err
}

// moves are the memories that rules hold of, oldest first, each with the first of its rules that does: those given come
// before the stored ones.
func moves(tx *db.Tx, persona string, now time.Time, first ...model.Rule) ([]Move, error) {
	stored, err := rulesOf(tx, persona)
	if err != nil {
		return nil, err
	}
	rules := append(first, stored...)
	which, some, args := firstMatchingRule(rules, persona, now)
	all, err := db.Collect[Move](tx.Query(`SELECT m.id, m.persona, m.tier, m.audience, m.audience_person, m.audience_room, m.text, `+which+`
		FROM memories m WHERE `+some+` ORDER BY m.id`, slices.Concat(args, args)...))(
		func(row db.Scanner) (m Move, err error) {
			rule, err := m.scan(row)
			if err != nil {
				return m, err
			}
			m.To, m.Rule = rules[rule-1].To, rules[rule-1].String()
			if rules[rule-1].Action == model.Keep {
				m.To = m.From
			}
			return m, err
		})
	return slices.DeleteFunc(all, func(m Move) bool { return m.To == m.From }), err
}

// move carries out moves, as far as their memories are still where they were.
func move(tx *db.Tx, moves []Move, now time.Time) error {
	still, err := stillThere(tx, moves)
	if err != nil {
		return err
	}
	to := map[model.Tier][]scope.MemoryRef{}
	for _, m := range moves {
		if at, ok := still[m.MemoryID]; ok && at == m.From {
			to[m.To] = append(to[m.To], m.MemoryRef)
		}
	}
	for _, tier := range model.Tiers {
		if len(to[tier]) > 0 {
			if err := moveTo(tx, tier, to[tier], now); err != nil {
				return err
			}
		}
	}
	if len(to[""]) > 0 {
		_, err = Drop(tx, to[""])
	}
	return err
}

// stillThere are the tiers the memories of moves are in now.
func stillThere(tx *db.Tx, moves []Move) (map[int64]model.Tier, error) {
	ids := make([]int64, len(moves))
	for i, m := range moves {
		ids[i] = m.MemoryID
	}
	in, args := db.Placeholders(ids)
	found, err := db.Collect[scope.MemoryRef](tx.Query(scope.SelectMemoryRefs+`m.id IN `+in, args...))(scope.ScanMemoryRef)
	still := make(map[int64]model.Tier, len(found))
	for _, m := range found {
		still[m.MemoryID] = m.Tier
	}
	return still, err
}
