package belief

import (
	"cmp"
	"maps"
	"slices"

	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/model"
)

// A turn with a claim changes a few beliefs. The rest is reused, so that a room with many beliefs is not read again for
// one sentence.

// extend makes b the state old plus the beliefs with added evidence, and those replaced by them.
func (b *VisibleBeliefs) extend(tx *db.Tx, h scope.Visibility, old *VisibleBeliefs, added map[int64][]model.Evidence) error {
	in, args := db.Placeholders(slices.Sorted(maps.Keys(added)))
	rows, err := db.Collect[model.Belief](tx.Query(SelectBeliefs+` WHERE b.id IN `+in+` OR b.superseded_by IN `+in+` ORDER BY b.id`,
		slices.Concat(args, args)...))(ScanBelief)
	if err != nil {
		return err
	}
	rows = slices.DeleteFunc(rows, func(r model.Belief) bool {
		return r.Persona != h.Persona() || !slices.Contains(h.Audiences(), r.Audience)
	})
	b.Beliefs = append(make([]model.Belief, 0, len(old.Beliefs)+len(rows)), old.Beliefs...)
	b.keys, b.stored = slices.Clip(old.keys), maps.Clone(old.stored)
	changed := map[claimKey]bool{}
	for _, r := range rows {
		i, known := b.find(r.ID)
		if !known && i < len(b.Beliefs) {
			b.Beliefs = nil // an older belief became visible: not growth, so read all
			return nil
		}
		if !known {
			b.Beliefs, b.keys = append(b.Beliefs, r), append(b.keys, model.SubjectKey(r.SubjectPerson, r.Subject))
			b.evidence[r.ID] = slices.Clip(added[r.ID]) // all of it: the belief is new
			b.pieces += len(added[r.ID])
		}
		b.stored[i] = r
		k := claimKey{subject: b.keys[i], relation: r.Relation}
		changed[k] = true
		if k.relation = Opposites[r.Relation]; k.relation != "" {
			changed[k] = true
		}
	}
	b.resolveAgain(old, changed)
	return nil
}

// find returns the index of the belief with an ID, or where to insert it.
func (b *VisibleBeliefs) find(id int64) (int, bool) {
	return slices.BinarySearchFunc(b.Beliefs, id, func(one model.Belief, id int64) int { return cmp.Compare(one.ID, id) })
}

// keepStored keeps the stored form of the belief at i, unless it reads the same here.
func (b *VisibleBeliefs) keepStored(i int, stored model.Belief) {
	if is := b.Beliefs[i]; is.Status == stored.Status && is.SupersededBy == stored.SupersededBy && is.ReplacedWhy == stored.ReplacedWhy && is.ValidTo.Equal(stored.ValidTo) {
		delete(b.stored, i)
		return
	}
	b.stored[i] = stored
}

// resolveAgain resolves the beliefs with changed keys. They do not affect others.
func (b *VisibleBeliefs) resolveAgain(old *VisibleBeliefs, changed map[claimKey]bool) {
	subjects := map[string]bool{}
	for k := range changed {
		subjects[k.subject] = true
	}
	var at []int
	var heard []model.Belief
	for i, key := range b.keys {
		if !subjects[key] || !changed[claimKey{subject: key, relation: b.Beliefs[i].Relation}] {
			continue
		}
		as := b.Beliefs[i]
		if stored, otherwise := b.stored[i]; otherwise {
			as = stored
		}
		at, heard = append(at, i), append(heard, as)
	}
	settled := resolve(heard)
	for n, i := range at {
		b.Beliefs[i] = settled[n]
		b.keepStored(i, heard[n])
	}
	b.replaced = slices.DeleteFunc(slices.Clone(old.replaced), func(r Replacement) bool {
		return changed[claimKey{subject: model.SubjectKey(r.SubjectPerson, r.Subject), relation: r.Relation}]
	})
	b.replaced = append(b.replaced, replacementsAmong(settled, b.Beliefs, b.find)...)
	slices.SortStableFunc(b.replaced, byEnd)
}
