package belief

import (
	"slices"

	"familiar/memory/internal/db"
	"familiar/memory/model"
	"familiar/memory/understand/rel"
)

// selectToMerge selects the active beliefs that only person ?1 may hear, or that are about ?1 and not private to person
// ?2.
const selectToMerge = SelectBeliefs + ` WHERE b.status = 'active' AND (b.audience_person = ?1
	OR b.subject_person = ?1 AND coalesce(b.audience_person, 0) <> ?2) ORDER BY b.id`

// BeliefsToMerge returns the beliefs of two people who are about to be merged into the first, with the IDs they will
// then have.
func BeliefsToMerge(tx *db.Tx, into, from int64) (one, other []model.Belief, err error) {
	if one, err = db.Collect[model.Belief](tx.Query(selectToMerge, into, from))(ScanBelief); err != nil {
		return nil, nil, err
	}
	if other, err = db.Collect[model.Belief](tx.Query(selectToMerge, from, into))(ScanBelief); err != nil {
		return nil, nil, err
	}
	for _, beliefs := range [][]model.Belief{one, other} {
		for i := range beliefs {
			b := &beliefs[i]
			for _, person := range []*int64{&b.AuthorID, &b.SubjectPerson} {
				if *person == from {
					*person = into
				}
			}
			if b.Audience == (model.Audience{Kind: model.Private, Ref: from}) {
				b.Audience.Ref = into
			}
		}
	}
	return one, other, nil
}

// MergeBeliefs resolves conflicts between the beliefs of two people who turned out to be the same person. Values that
// one of them had side by side stay.
func MergeBeliefs(tx *db.Tx, one, other []model.Belief) (err error) {
	for _, l := range losses(one, other) {
		if l.same {
			err = mergeDuplicate(tx, l.winner.ID, l.loser.ID)
		} else {
			err = updateBelief(tx, supersededBy(l.loser, l.winner))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// loss is a belief that another one replaces. same reports that both have the same value.
type loss struct {
	winner, loser model.Belief
	same          bool
}

// losses compares the beliefs of the two lists. A belief loses once, to the one that prevails over it; a belief that
// has lost does not prevail over others.
func losses(one, other []model.Belief) (lost []loss) {
	all := slices.Concat(one, other)
	slices.SortFunc(all, func(a, b model.Belief) int { // prevailing beliefs first
		if prevails(a, b) {
			return -1
		}
		return 1
	})
	isOne := func(b model.Belief) bool {
		return slices.ContainsFunc(one, func(o model.Belief) bool { return o.ID == b.ID })
	}
	var standing []model.Belief
	for _, b := range all {
		i := slices.IndexFunc(standing, func(s model.Belief) bool { return isOne(s) != isOne(b) && conflicts(s, b) })
		if i < 0 {
			standing = append(standing, b)
			continue
		}
		lost = append(lost, loss{standing[i], b, keyOf(standing[i]) == keyOf(b) && sameValue(b, standing[i].Value)})
	}
	return lost
}

// conflicts reports whether two active beliefs cannot both stand: they are equal, two values of a single-valued
// relation, or opposites.
func conflicts(a, b model.Belief) bool {
	if a.Persona != b.Persona || a.Audience != b.Audience {
		return false
	}
	same, opposed := keyOf(a), keyOf(b)
	if same == opposed {
		return sameValue(a, b.Value) || !rel.Many(a.Relation)
	}
	opposed.relation = Opposites[b.Relation]
	return same == opposed && sameValue(a, b.Value)
}

// supersededBy returns b as superseded by winner. Hearsay against a person's own statement was never valid.
func supersededBy(b, winner model.Belief) model.Belief {
	b.Status, b.SupersededBy = model.Superseded, winner.ID
	b.ValidTo = model.Later(winner.ValidFrom, b.ValidFrom)
	if firstHand(b) || !firstHand(winner) {
		b.ReplacedWhy = ChangeChanged
	}
	return b
}

// mergeDuplicate merges a belief into an equal one, with the evidence of both.
func mergeDuplicate(tx *db.Tx, into, from int64) error {
	return tx.ExecAll([]string{
		`UPDATE belief_evidence SET belief_id = ?1 WHERE belief_id = ?2 AND NOT EXISTS (SELECT 1 FROM belief_evidence e
			WHERE e.belief_id = ?1 AND e.message_id = belief_evidence.message_id AND e.stance = belief_evidence.stance)`,
		`UPDATE turn_items SET belief_id = ?1 WHERE belief_id = ?2`,
		`UPDATE beliefs SET superseded_by = ?1 WHERE superseded_by = ?2`,
		`UPDATE beliefs SET created_at = min(created_at, (SELECT created_at FROM beliefs WHERE id = ?2)) WHERE id = ?1`,
		`DELETE FROM beliefs WHERE id = ?2`,
	}, into, from)
}
