package recall

import (
	"slices"

	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/model"
)

// repair applies changes and removals of memories up to now. It returns false when the changed memories are unknown or
// their effect on x cannot be determined; then x must be rebuilt.
func (x *scopeIndex) repair(tx *db.Tx, now model.ScopeRevision) (ok bool, err error) {
	changed, all, err := scope.ChangedMemories(tx, x.key, x.at.Epoch, now.Epoch)
	if err != nil || all {
		return false, err
	}
	changed = slices.DeleteFunc(changed, func(id int64) bool { return id > x.lastMemory }) // those above it are still to be read
	left, err := x.stillIndexed(tx, changed)
	if err != nil {
		return false, err
	}
	lost := false // a memory left the index
	var alone []int
	for _, id := range changed {
		ordinal, here := x.ordinalOf(id)
		m, there := left[id]
		switch {
		case !here && !x.holds(id) && !(there && m.surfacesAlways() && !x.isPart):
			// it belongs to another part
		case x.isPart && there && m.surfacesAlways():
			return false, nil // the newest part takes it
		case here && there:
			x.detach(ordinal)
			x.attach(ordinal, &m)
		case here && x.entries[ordinal].message != 0:
			lost = true
			x.detach(ordinal)
			x.words.Conceal(ordinal)
		case here:
			lost = true
			x.detach(ordinal)
			alone = append(alone, ordinal)
		case there:
			return false, nil // a memory came back
		}
	}
	slices.Sort(alone)
	x.words.Remove(alone)
	x.rows = x.rows.without(changed, lost)
	if lost {
		x.vectors = scopeVectors{} // the vectors of what followed held it too
	}
	return true, nil
}

// stillIndexed returns those of the given memories that belong in the index, by id.
func (x *scopeIndex) stillIndexed(tx *db.Tx, memories []int64) (map[int64]indexedMemory, error) {
	left := make(map[int64]indexedMemory, len(memories))
	clause, ref := scope.MemoryCondition(x.key.Audience)
	for chunk := range slices.Chunk(memories, db.MaxArgs) {
		in, args := db.Placeholders(chunk)
		read, err := db.Collect[indexedMemory](tx.Query(memoriesOf+clause+` AND m.id IN `+in+` ORDER BY m.id, s.message_id`, slices.Concat([]any{x.key.Persona}, ref, args)...))(scanIndexedMemory)
		if err != nil {
			return nil, err
		}
		for _, m := range read {
			left[m.id] = m
		}
	}
	return left, nil
}

// detach undoes attach: the entry stands for no memory.
func (x *scopeIndex) detach(ordinal int) {
	e := &x.entries[ordinal]
	if e.dormant {
		x.dormant--
	}
	if at, found := x.placeOf(e.memory); found {
		x.byMemory = slices.Delete(x.byMemory, at, at+1)
	}
	e.memory, e.salience, e.dormant = 0, 0, false
	x.told[ordinal] = 0
	other := func(o int) bool { return o == ordinal }
	x.standing, x.pinned = slices.DeleteFunc(x.standing, other), slices.DeleteFunc(x.pinned, other)
}
