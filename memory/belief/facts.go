package belief

import (
	"context"
	"fmt"

	"familiar/memory/internal/db"
	"familiar/memory/model"
)

// Facts returns what is believed in one scope about a person and about those they spoke of, the latest first, with
// evidence: for jobs. It leaves out what rests on messages from which jobs must derive nothing. limit 0 means 200.
func (s *Store) Facts(ctx context.Context, persona string, a model.Audience, person int64, limit int) (facts []model.Belief, err error) {
	err = s.db.Read(ctx, fmt.Sprintf("read the facts about person %d", person), func(tx *db.Tx) error {
		facts, err = db.Collect[model.Belief](tx.Query(SelectBeliefs+` WHERE b.persona = ? AND b.status = 'active' AND b.audience = ?
			AND coalesce(b.audience_person, b.audience_room, 0) = ? AND (b.subject_person = ? OR b.subject_person IS NULL AND b.author_id = ?)
			AND NOT EXISTS (SELECT 1 FROM belief_evidence e JOIN memory_sources s ON s.message_id = e.message_id
				JOIN memories m ON m.id = s.memory_id WHERE e.belief_id = b.id AND m.apart = 1)
			ORDER BY b.updated_at DESC, b.id DESC LIMIT ? + 0`, persona, a.Kind, a.Ref, person, person, db.LimitOr(limit, 200)))(ScanBelief)
		if err != nil {
			return err
		}
		return LoadEvidence(tx, facts)
	})
	return facts, err
}
