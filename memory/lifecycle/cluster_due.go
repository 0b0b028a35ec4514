package lifecycle

import (
	"familiar/memory/entry"
	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/jobrun"
	"familiar/memory/model"
	"familiar/memory/recall"
)

// summaryCursor is the name of the cursor up to which SummarizeClusters has looked.
const summaryCursor = "consolidate"

// staleScope is a scope that may have something to summarize.
type staleScope struct {
	scope.Key
	// loose counts how often something in the scope became loose since all of it was searched. When nothing did, only
	// memories after `after` are new.
	loose, after int64
}

// staleScopes returns persona's scopes in which something became loose or was remembered since they were searched, and
// the last memory covered. Memories that are not linked yet are searched again once they are.
func staleScopes(tx *db.Tx, persona string) (scopes []staleScope, upTo int64, err error) {
	upTo, _, err = linkedUntil(tx, persona)
	if err != nil {
		return nil, 0, err
	}
	after, err := jobrun.ReadCursor(tx, persona, summaryCursor, model.Audience{Kind: model.World})
	if err != nil {
		return nil, 0, err
	}
	scopes, err = db.Collect[staleScope](tx.Query(`SELECT s.audience, s.ref, s.loose FROM scopes s WHERE s.persona = ? AND (s.loose > 0
		OR (s.audience, s.ref) IN (SELECT audience, coalesce(audience_person, audience_room, 0) FROM memories WHERE persona = ? AND id > ?))
		ORDER BY 1, 2`, persona, persona, after))(func(row db.Scanner) (sc staleScope, err error) {
		err = row.Scan(&sc.Audience.Kind, &sc.Audience.Ref, &sc.loose)
		if sc.Persona = persona; sc.loose == 0 {
			sc.after = after
		}
		return sc, err
	})
	return scopes, upTo, err
}

// fresh returns the SQL (WITH clauses) and arguments that select the memories of which a new cluster must contain a pair:
// the new ones and their neighbours. All others were searched before, with the same neighbours, without a result.
func (sc staleScope) fresh() (string, []any) {
	clause, ref := scope.MemoryCondition(sc.Audience)
	return `WITH news AS (SELECT m.id FROM memories m WHERE m.persona = ? AND ` + clause + ` AND m.id > ?
		AND m.kind = '' AND m.salience >= ?),
		fresh AS (SELECT id FROM news UNION SELECT r.to_id FROM news f CROSS JOIN memory_edges r WHERE r.from_id = f.id
			UNION SELECT r.from_id FROM news f CROSS JOIN memory_edges r WHERE r.to_id = f.id) `,
		append(append([]any{sc.Persona}, ref...), sc.after, entry.SalienceEvent)
}

// markScopesDone records that scopes were searched completely, except where something became loose meanwhile.
func markScopesDone(tx *db.Tx, scopes []staleScope) error {
	for _, sc := range scopes {
		if _, err := tx.Exec(`UPDATE scopes SET loose = 0 WHERE persona = ? AND audience = ? AND ref = ? AND loose = ?`,
			sc.Persona, sc.Audience.Kind, sc.Audience.Ref, sc.loose); err != nil {
			return err
		}
	}
	return nil
}

// advanceSummaryCursor records that persona's memories up to one were searched. Reverting a run does not move it back,
// because what a revert changes becomes loose.
func advanceSummaryCursor(tx *db.Tx, persona string, memory int64) error {
	return jobrun.SaveCursors(tx, persona, 0, []jobrun.Cursor{{Job: summaryCursor, Audience: model.Audience{Kind: model.World}, Memory: memory}})
}

// pairsByScope groups pairs of memories by scope.
func pairsByScope(tx *db.Tx, pairs []recall.Pair) (map[scope.Key][]recall.Pair, error) {
	scopes := map[scope.Key][]recall.Pair{}
	for _, p := range pairs {
		m, err := entry.Locate(tx, p.A)
		if err != nil {
			return nil, err
		}
		scopes[m.Scope()] = append(scopes[m.Scope()], p)
	}
	return scopes, nil
}
