package db

import (
	"slices"

	"familiar/memory/model"
)

// ScopeCache holds scope revisions that a read transaction has read. They cannot change, since the transaction sees one
// point in time.
type ScopeCache struct {
	Persona   string
	Revisions []model.ScopeRevision
}

// Lookup returns the revisions of audiences in their order, nil unless all of them were read before.
func (st *ScopeCache) Lookup(persona string, audiences []model.Audience) []model.ScopeRevision {
	if st == nil || st.Persona != persona {
		return nil
	}
	var out []model.ScopeRevision
	for _, a := range audiences {
		i := slices.IndexFunc(st.Revisions, func(r model.ScopeRevision) bool { return r.Audience == a })
		if i < 0 {
			return nil
		}
		out = append(out, st.Revisions[i])
	}
	return out
}
