package belief

import (
	"context"
	"fmt"
	"slices"
	"time"

	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/model"
	"familiar/memory/understand/rel"
)

// confirmWithin is how long after a person said something the persona may ask whether it was understood.
const confirmWithin = 30 * 24 * time.Hour

// maxConfirmations is how many open questions ToConfirm returns at most.
const maxConfirmations = 5

// Confirmation is something that only a model read in a person's words and that nobody confirmed: the persona may ask
// "did I get that right: …?".
type Confirmation struct {
	// Belief is what the model read. Its Sentence says it in normal words.
	Belief model.Belief
	// Instead is the belief beside which it stands, the zero Belief if there is none.
	Instead model.Belief
}

// ToConfirm returns what the persona may ask a person to confirm in a room, the newest first, at most five: what a model
// read in their own words within the last month that would displace what is believed, or says who somebody is. What was
// asked once is not returned again (Turn.AskedBeliefs).
func (s *Store) ToConfirm(ctx context.Context, h scope.Visibility, person int64) (all []Confirmation, err error) {
	err = s.db.Read(ctx, fmt.Sprintf("list what person %d may be asked to confirm", person), func(tx *db.Tx) error {
		where, args := h.Where("b")
		read, err := db.Collect[model.Belief](tx.Query(SelectBeliefs+` WHERE `+where+` AND b.author_id = ? AND b.asked_at IS NULL
			AND b.created_at > ? AND (b.status = 'active' OR b.status = 'superseded' AND b.replaced_why = '' AND b.superseded_by IS NOT NULL)
			AND NOT EXISTS (SELECT 1 FROM belief_evidence e WHERE e.belief_id = b.id AND e.stance > 0 AND e.by_model = 0)
			AND EXISTS (SELECT 1 FROM belief_evidence e WHERE e.belief_id = b.id AND e.stance > 0)
			ORDER BY b.updated_at DESC, b.id DESC LIMIT 50`,
			append(args, person, db.Millis(tx.Now.Add(-confirmWithin)))...))(ScanBelief)
		if err != nil {
			return err
		}
		all, err = confirmations(tx, read)
		return err
	})
	return all, err
}

// confirmations selects what is worth asking among beliefs that only a model read.
func confirmations(tx *db.Tx, read []model.Belief) (all []Confirmation, err error) {
	if err := LoadEvidence(tx, read); err != nil {
		return nil, err
	}
	for _, b := range read {
		c := Confirmation{Belief: b}
		if b.SupersededBy != 0 {
			c.Instead, err = db.One(tx.QueryRow(SelectBeliefs+` WHERE b.id = ?`, b.SupersededBy), ScanBelief)
			if err != nil {
				return nil, err
			}
		}
		open := c.Instead.Status == model.Active || b.Status == model.Active && rel.Guarded(b.Relation)
		if open && len(all) < maxConfirmations {
			all = append(all, c)
		}
	}
	return slices.Clip(all), nil
}

// MarkConfirmationsAsked records that the persona asked whether beliefs are right.
func MarkConfirmationsAsked(tx *db.Tx, persona string, ids []int64) error {
	for _, id := range ids {
		if _, err := tx.Exec(`UPDATE beliefs SET asked_at = ? WHERE id = ? AND persona = ? AND asked_at IS NULL`, tx.NowMillis(), id, persona); err != nil {
			return err
		}
	}
	return nil
}
