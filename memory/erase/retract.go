package erase

import (
	"errors"
	"slices"

	"familiar/memory/entry"
	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/lifecycle"
	"familiar/memory/model"
)

// messageEraser returns an eraser for a message: for its memory, or for its text alone when the memory has faded.
func messageEraser(tx *db.Tx, persona string, m model.Message, room model.Room) (eraser, error) {
	f := eraser{Tx: tx, messages: []int64{m.ID}, scopes: []model.Audience{room.Audience()}}
	id, err := db.One(tx.QueryRow(`SELECT m.id FROM memory_sources s JOIN memories m ON m.id = s.memory_id
		WHERE s.message_id = ? AND m.origin = 'said'`, m.ID), db.ScanID)
	if errors.Is(err, db.ErrNotFound) {
		f.memory = model.Memory{Persona: persona, Audience: room.Audience(), Text: m.Text}
		return f, nil
	}
	if err == nil {
		f.memory, err = entry.Memory(tx, id)
	}
	return f, err
}

// retract removes what was derived from a message whose text changed: its memory with summaries of it, its evidence,
// and its part in loops. What it had replaced holds again. The message and the answers to it stay.
func retract(tx *db.Tx, persona string, m model.Message, room model.Room) error {
	f, err := messageEraser(tx, persona, m, room)
	if err != nil {
		return err
	}
	// A plan that is over has ended without a successor and without evidence against it.
	ended, err := db.Collect[int64](tx.Query(`SELECT belief_id FROM belief_evidence e JOIN beliefs b ON b.id = e.belief_id
		WHERE e.message_id = ?1 AND (e.stance < 0 OR b.status = 'superseded' AND b.replaced_why = '' AND b.valid_to IS NOT NULL
			AND EXISTS (SELECT 1 FROM open_loop_sources s WHERE s.message_id = ?1 AND s.kind = 'closed'))`, m.ID))(db.ScanID)
	if err != nil {
		return err
	}
	steps := []func() error{
		f.findDerived, f.findBeliefs, f.findLoops, func() error { return f.reinstateBeliefs(ended) },
		f.removeBeliefs, f.removeLoops, func() error { return f.resummarize(m) }, f.removeCopies, f.dropMemories,
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	for _, a := range f.scopes {
		if err := scope.Advance(tx, persona, model.ScopeRevision{Audience: a, Epoch: 1, Beliefs: 1}); err != nil {
			return err
		}
	}
	return nil
}

// reinstateBeliefs restores beliefs that only this message had replaced or, for those in ended, retracted or reported
// as over.
func (f *eraser) reinstateBeliefs(ended []int64) error {
	ids := make([]int64, len(f.beliefs))
	var held []int64
	for i, b := range f.beliefs {
		if ids[i] = b.ID; b.Status == model.Active {
			held = append(held, b.ID)
		}
	}
	gone, goneArgs := db.Placeholders(ids)
	replaced, replacedArgs := db.Placeholders(append(held, 0)) // never empty, because NOT IN (NULL) is never true
	withdrawn, withdrawnArgs := db.Placeholders(ended)
	// What replaced the message's belief has also replaced the one before it.
	if _, err := f.Exec(`UPDATE beliefs SET superseded_by = (SELECT g.superseded_by FROM beliefs g WHERE g.id = beliefs.superseded_by)
		WHERE superseded_by IN `+gone+` AND superseded_by NOT IN `+replaced, slices.Concat(goneArgs, replacedArgs)...); err != nil {
		return err
	}
	_, err := f.Exec(`UPDATE beliefs SET status = 'active', superseded_by = NULL, replaced_why = '', valid_to = NULL, ended_at = NULL
		WHERE status <> 'active' AND (superseded_by IN `+replaced+` OR superseded_by IS NULL AND id IN `+withdrawn+`)
		AND EXISTS (SELECT 1 FROM belief_evidence e WHERE e.belief_id = beliefs.id AND e.stance > 0)
		AND NOT EXISTS (SELECT 1 FROM belief_evidence e WHERE e.belief_id = beliefs.id AND e.stance < 0)`,
		slices.Concat(replacedArgs, withdrawnArgs)...)
	return err
}

// resummarize makes a job read the message again, and summarize its session again when the summary is removed.
func (f *eraser) resummarize(m model.Message) error {
	in, args := db.Placeholders(f.derived)
	if _, err := f.Exec(`UPDATE sessions SET refined_at = NULL WHERE id = ? AND id IN (SELECT session_id FROM memories WHERE id IN `+in+`)`,
		append([]any{m.SessionID}, args...)...); err != nil {
		return err
	}
	_, err := f.Exec(`UPDATE sessions SET read_to = (SELECT max(id) FROM messages WHERE session_id = ?1 AND id < ?2)
		WHERE id = ?1 AND read_to >= ?2`, m.SessionID, m.ID)
	return err
}

// dropMemories removes the memories as if they had faded: answers made from them still refer to the message.
func (f *eraser) dropMemories() error {
	in, args := db.Placeholders(f.memories())
	memories, err := db.Collect[scope.MemoryRef](f.Query(scope.SelectMemoryRefs+`m.id IN `+in, args...))(scope.ScanMemoryRef)
	if err == nil {
		_, err = lifecycle.Drop(f.Tx, memories)
	}
	return err
}
