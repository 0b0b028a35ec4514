package belief

import (
	"slices"

	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/model"
)

// wording is the sentence of a claim for evidence that is stored already.
type wording struct {
	belief int64
	claim  AttributedClaim
}

// saveWordings stores sentences for evidence that is on record. Caches that hold the evidence read it again.
func saveWordings(tx *db.Tx, persona string, a model.Audience, worded []wording) error {
	for _, w := range worded {
		if _, err := tx.Exec(`UPDATE belief_evidence SET sentence = ?, sensitive = max(sensitive, ?), sentence_run_id = ?
			WHERE belief_id = ? AND message_id = ? AND stance > 0 AND sentence = ''`,
			w.claim.Sentence, w.claim.Sensitive, db.NullID(w.claim.JobRun), w.belief, w.claim.MessageID); err != nil {
			return err
		}
	}
	if len(worded) == 0 {
		return nil
	}
	messages := make([]int64, len(worded))
	for i, w := range worded {
		messages[i] = w.claim.MessageID
	}
	in, args := db.Placeholders(messages)
	of, err := db.Collect[int64](tx.Query(`SELECT DISTINCT memory_id FROM memory_sources WHERE message_id IN `+in+` ORDER BY memory_id`, args...))(db.ScanID)
	if err != nil {
		return err
	}
	if len(of) == 0 {
		return scope.Advance(tx, persona, model.ScopeRevision{Audience: a, Epoch: 1})
	}
	changed := make([]scope.MemoryRef, len(of))
	for i, id := range of {
		changed[i] = scope.MemoryRef{MemoryID: id, Persona: persona, Audience: a}
	}
	return scope.AdvanceMemories(tx, changed, model.ScopeRevision{Epoch: 1})
}

// putInWords adds the sentence of a claim to the evidence that its message already is. saveWordings stores it.
func (r *revision) putInWords(c AttributedClaim) {
	if c.Sentence == "" || c.Negates {
		return
	}
	for i := range r.beliefs {
		b := &r.beliefs[i]
		if !about(*b, c) || !sameValue(*b, c.Value) {
			continue
		}
		for n, e := range b.Evidence {
			if e.MessageID == c.MessageID && e.Stance > 0 && e.Sentence == "" {
				evidence := slices.Clone(b.Evidence)
				evidence[n].Sentence, evidence[n].Sensitive = c.Sentence, e.Sensitive || c.Sensitive
				b.SetEvidence(evidence)
				r.worded = append(r.worded, wording{belief: b.ID, claim: c})
			}
		}
	}
}
