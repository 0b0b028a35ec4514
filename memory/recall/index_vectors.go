package recall

import (
	"errors"

	"familiar/memory/entry"
	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/vector"
)

// vectorBudget is how many bytes the vectors of one scope may take: some 80,000 of 384 numbers. A larger scope compares
// only its newest vectors, at first three quarters of the budget to leave room for new ones. Its other memories are
// still found by their words.
const vectorBudget = 128 << 20

// scopeVectors are the vectors of one scope, by the ordinals of its index.
type scopeVectors struct {
	set *vector.Set
	// since identifies the embedder model, revision is how far its vectors were read.
	since, revision int64
}

func (v *scopeVectors) bytes() int64 {
	if v.set == nil {
		return 0
	}
	return v.set.Bytes()
}

// meaning is a query embedding ready for comparison. The zero meaning matches nothing.
type meaning struct {
	query []float32
	worth float32
}

// meanings brings the vectors of all visible scopes in step with the store. It returns the zero meaning when the
// vectors cannot be compared with near or are not worth it.
func (s *Store) meanings(tx *db.Tx, r scopeSet, near *QueryEmbedding) (meaning, error) {
	if near == nil {
		return meaning{}, nil
	}
	e, err := entry.ReadEmbedder(tx)
	if errors.Is(err, db.ErrNotFound) {
		return meaning{}, nil
	}
	if err != nil || e.Model != near.Model || e.Worth == 0 || e.Dim != len(near.Vector) {
		return meaning{}, err
	}
	query, err := vector.Unit(near.Vector)
	if err != nil {
		return meaning{}, err
	}
	for i := range r.at { // older parts are found by their words alone
		if _, err := r.scopes[i].catchUpVectors(tx, e); err != nil {
			return meaning{}, err
		}
	}
	return meaning{query, float32(e.Worth)}, nil
}

// matches returns, for each scope, how surely documents mean the query, 0–1, by ordinal. Call it with the scopes
// locked.
func (m meaning) matches(scopes []*scopeIndex) []map[uint32]float32 {
	if m.query == nil {
		return nil
	}
	sets := make([]*vector.Set, len(scopes))
	for i, x := range scopes {
		sets[i] = x.vectors.set
	}
	near := vector.Neighbors(sets, m.query)
	for _, documents := range near {
		for d := range documents {
			documents[d] *= m.worth
		}
	}
	return near
}

// catchUpVectors reads the vectors written since the last call, or all of them after the embedder model changed. It
// reports whether there were any.
func (x *scopeIndex) catchUpVectors(tx *db.Tx, e entry.EmbedderState) (moved bool, err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	v, most := &x.vectors, vectorBudget/(4*max(e.Dim, 1))
	if !x.loaded {
		return false, nil // the index was just dropped: there are no entries to attach vectors to
	}
	if v.set == nil || v.since != e.Since || v.set.Len() >= most {
		*v = scopeVectors{set: new(vector.Set), since: e.Since, revision: e.Since}
	}
	if v.revision >= e.Revision {
		return false, nil
	}
	if v.set.Len() == 0 {
		most = most * 3 / 4
	}
	if err := x.readVectors(tx, e, most); err != nil {
		x.vectors = scopeVectors{} // partly read: the next caller starts over
		return false, err
	}
	v.revision = e.Revision
	return true, nil
}

// ScopeVectorsQuery and LatestVectorsQuery select a scope's vectors newer than a revision, the newest memories first.
// CROSS JOIN fixes the join order: by scope for a first read, by revision when only the last few are missing. The plan
// tests hold both to their indexes.
const (
	ScopeVectorsQuery = `SELECT v.memory_id, v.vector FROM memories m CROSS JOIN memory_vectors v
		WHERE v.memory_id = m.id AND v.revision > ? AND m.persona = ? AND m.superseded_by IS NULL AND `
	LatestVectorsQuery = `SELECT v.memory_id, v.vector FROM memory_vectors v CROSS JOIN memories m
		WHERE v.memory_id = m.id AND v.revision > ? AND m.persona = ? AND m.superseded_by IS NULL AND `
	NewestVectorsFirst = ` ORDER BY v.memory_id DESC LIMIT ? + 0`
	LatestVectorsFirst = ` ORDER BY v.revision DESC LIMIT ? + 0`
)

func (x *scopeIndex) readVectors(tx *db.Tx, e entry.EmbedderState, most int) error {
	v := &x.vectors
	query, order := LatestVectorsQuery, LatestVectorsFirst
	if v.set.Len() == 0 {
		query, order = ScopeVectorsQuery, NewestVectorsFirst
	}
	clause, ref := scope.MemoryCondition(x.key.Audience)
	args := append([]any{v.revision, x.key.Persona}, ref...)
	rows, err := tx.Query(query+clause+order, append(args, most)...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		var stored []byte
		if err := rows.Scan(&id, &stored); err != nil {
			return err
		}
		ordinal, indexed := x.ordinalOf(id)
		if !indexed {
			continue
		}
		if err := v.set.Add(uint32(ordinal), stored, e.Dim); err != nil {
			return err
		}
	}
	return rows.Err()
}
