package scope

import (
	"familiar/memory/internal/db"
	"familiar/memory/model"
)

// MemoryRef identifies a memory with its persona, audience and tier.
type MemoryRef struct {
	MemoryID int64
	Persona  string
	Tier     model.Tier
	model.Audience
}

// Scope is the key of the memory's scope.
func (r MemoryRef) Scope() Key { return Key{r.Persona, r.Audience} }

// SelectMemoryRefs selects the columns that ScanMemoryRef reads, from memories m. It ends with WHERE.
const SelectMemoryRefs = `SELECT m.id, m.persona, m.tier, m.audience, m.audience_person, m.audience_room FROM memories m WHERE `

// ScanMemoryRef scans a row of SelectMemoryRefs.
func ScanMemoryRef(row db.Scanner) (r MemoryRef, err error) {
	var person, room int64
	err = row.Scan(&r.MemoryID, &r.Persona, &r.Tier, &r.Kind, db.IntoID(&person), db.IntoID(&room))
	r.Audience = IntoAudience(r.Kind, person, room)
	return r, err
}

// MemoryIDs returns the IDs of memories in their order.
func MemoryIDs(memories []MemoryRef) []int64 {
	ids := make([]int64, len(memories))
	for i, m := range memories {
		ids[i] = m.MemoryID
	}
	return ids
}

// RecallableKinds is the condition that a memory m may be recalled: it was said, or told by the operator, or is a
// summary or an observation. An episode repeats messages of a running session that are remembered themselves. Dreams,
// lessons and the persona's notes about itself are excluded, because the persona would answer questions with its own
// words.
const RecallableKinds = `m.kind IN ('', 'summary', 'observation', 'web', 'lore')`
