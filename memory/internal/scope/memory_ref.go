package scope

import (
	"familiar/memory/internal/db"
	"familiar/memory/model"
)

// placed is a memory with whose it is, who hears of it and where it stands.
type MemoryRef struct {
	MemoryID int64
	Persona  string
	Tier     model.Tier
	model.Audience
}

// scope is the key of the scope it is in.
func (p MemoryRef) Scope() Key { return Key{p.Persona, p.Audience} }

const SelectMemoryRefs = `SELECT m.id, m.persona, m.tier, m.audience, m.audience_person, m.audience_room FROM memories m WHERE `

func ScanMemoryRef(row db.Scanner) (p MemoryRef, err error) {
	var person, room int64
	err = row.Scan(&p.MemoryID, &p.Persona, &p.Tier, &p.Kind, db.IntoID(&person), db.IntoID(&room))
	p.Audience = IntoAudience(p.Kind, person, room)
	return p, err
}

func MemoryIDs(memories []MemoryRef) []int64 {
	ids := make([]int64, len(memories))
	for i, m := range memories {
		ids[i] = m.MemoryID
	}
	return ids
}

// recalledKinds is the condition that a memory m may be recalled: what was said or told, sums up or was observed. An episode
// stands in a running talk for messages each of which is remembered by itself. What the persona dreams, means to do otherwise or tells of itself is its own, and would answer questions with itself.
const RecallableKinds = `m.kind IN ('', 'summary', 'observation')`
