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

// Move is one memory that a rule applies to.
type Move struct {
	scope.MemoryRef
	ID   int64
	Text string
	From model.Tier
	// To is the tier it moves to, "" when it is removed.
	To model.Tier
	// Rule is the rule that applies, in words.
	Rule string
}

// Consolidation is what consolidation changed, or would change.
type Consolidation struct {
	Moves []Move
	// Clusters were, or would be, summarized.
	Clusters []Cluster
	// Weakened counts edges unused for a month, Pruned those that became too weak and are removed.
	Weakened, Pruned int
}

// String describes the counts in words, for the job ledger.
func (r Consolidation) String() string {
	if len(r.Moves)+len(r.Clusters)+r.Weakened+r.Pruned == 0 {
		return "nothing to move"
	}
	return fmt.Sprintf("moved %d, clusters summarized %d, edges weakened %d, pruned %d", len(r.Moves), len(r.Clusters), r.Weakened, r.Pruned)
}

// PlanConsolidation returns what rules, the age of edges and similarity would change in persona's memories at now, as
// if all were linked and the given rules came before all others. It changes nothing.
func (s *Store) PlanConsolidation(ctx context.Context, persona string, now time.Time, rules ...model.Rule) (r Consolidation, err error) {
	err = s.db.Read(ctx, "plan the consolidation of "+persona, func(tx *db.Tx) error {
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

// Consolidate carries out PlanConsolidation: it moves memories by the rules, weakens and prunes edges, and summarizes
// clusters. Every row it writes carries run. It works in small transactions, so that turns go on meanwhile.
func (s *Store) Consolidate(ctx context.Context, persona string, run int64, now time.Time) (r Consolidation, err error) {
	err = s.db.Read(ctx, "find the memories that rules move", func(tx *db.Tx) error {
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
		err := s.db.Write(ctx, "weaken unused edges", func(tx *db.Tx) (err error) {
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

// moves returns the memories that rules apply to, oldest first, each with the first rule that applies. The given rules
// come before the stored ones.
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

// move carries out the moves whose memories are still in the tier they were found in.
func move(tx *db.Tx, moves []Move, now time.Time) error {
	still, err := currentTiers(tx, moves)
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

// currentTiers returns the current tiers of the moves' memories.
func currentTiers(tx *db.Tx, moves []Move) (map[int64]model.Tier, error) {
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
