package erase

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"familiar/memory/belief"
	"familiar/memory/entry"
	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/lifecycle"
	"familiar/memory/log"
	"familiar/memory/model"
	"familiar/memory/turns"
)

// revertReinforcements subtracts the strength that a run added.
func revertReinforcements(tx *db.Tx, persona string, run int64, r *RevertResult) error {
	if err := lifecycle.ApplyReinforcements(tx, `-`, run, ` AND persona = ?`, []any{persona}); err != nil {
		return err
	}
	n, err := tx.Affect(`DELETE FROM rehearsals WHERE job_run_id = ? AND memory_id IN (SELECT id FROM memories WHERE persona = ?)`, run, persona)
	r.Reinforced = int(n)
	return err
}

// RevertResult counts what was reverted of a job run.
type RevertResult struct {
	Memories, Edges int
	// Evidence counts evidence for or against beliefs, Sentences what it put evidence found before into words, Loops those
	// it opened, moved or closed.
	Evidence, Sentences, Loops int
	// Growth counts versions of the persona's growth, Unsent proactive messages that were not sent yet.
	Growth, Unsent int
	// Reinforced counts memories that lost the added strength, Backlog scopes that will be read again.
	Reinforced, Backlog int
}

// String describes the counts in words, leaving out zeros.
func (r RevertResult) String() string {
	var parts []string
	for _, p := range []struct {
		n    int
		what string
	}{
		{r.Memories, "memories"},
		{r.Edges, "edges"},
		{r.Evidence, "evidence"},
		{r.Sentences, "sentences"},
		{r.Loops, "open loops"},
		{r.Growth, "versions of growth"},
		{r.Unsent, "unsent messages"},
		{r.Reinforced, "strengthened"},
		{r.Backlog, "to be read again"},
	} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", p.what, p.n))
		}
	}
	return strings.Join(parts, ", ")
}

// Revert undoes a job run: its memories with newer versions and what rests on them; its edges; the evidence it found,
// with beliefs left without any; what it opened, moved or closed; the growth it wrote; and proactive messages that are
// not in flight. What it replaced holds again, what it reinforced loses the added strength, and what it read is read
// again unless a later run has read on. Moves between tiers stay, and a session that it read a second time counts as
// read, because the next run would do the same again. It fails with ErrNotFound when nothing of the run is left.
func (s *Store) Revert(ctx context.Context, persona string, run int64) (r RevertResult, err error) {
	err = s.db.Write(ctx, fmt.Sprintf("revert job run %d", run), func(tx *db.Tx) error {
		r = RevertResult{}
		for _, step := range []func(*db.Tx, string, int64, *RevertResult) error{
			revertMemories, revertBeliefs, revertLoops, revertGrowth,
			revertUnsent, revertReinforcements, revertCursors,
		} {
			if err := step(tx, persona, run, &r); err != nil {
				return err
			}
		}
		if r == (RevertResult{}) {
			return fmt.Errorf("its output: %w", db.ErrNotFound)
		}
		_, err := tx.Exec(`UPDATE job_runs SET result = result || ? WHERE id = ?`,
			"; reverted on "+tx.Now.UTC().Format(time.DateOnly)+": "+r.String(), run)
		return err
	})
	return r, err
}

// revertMemories removes memories and edges.
func revertMemories(tx *db.Tx, persona string, run int64, r *RevertResult) error {
	made, err := db.Collect[scope.MemoryRef](tx.Query(scope.SelectMemoryRefs+`m.id IN (WITH RECURSIVE made(id) AS (
		SELECT id FROM memories WHERE job_run_id = ? AND persona = ? AND origin = 'inferred'
		UNION SELECT m.superseded_by FROM made JOIN memories m ON m.id = made.id WHERE m.superseded_by IS NOT NULL)
		SELECT id FROM made) ORDER BY m.id`, run, persona))(scope.ScanMemoryRef)
	if err != nil {
		return err
	}
	ends, err := db.Collect[scope.MemoryRef](tx.Query(scope.SelectMemoryRefs+`m.persona = ? AND m.id IN
		(SELECT from_id FROM memory_edges WHERE job_run_id = ?)`, persona, run))(scope.ScanMemoryRef)
	if err != nil {
		return err
	}
	if err := lifecycle.Unmerge(tx, made); err != nil {
		return err
	}
	edges, err := tx.Affect(`DELETE FROM memory_edges WHERE job_run_id = ? AND from_id IN (SELECT id FROM memories WHERE persona = ?)`, run, persona)
	if err != nil {
		return err
	}
	gone, err := lifecycle.Undo(tx, made)
	r.Memories, r.Edges = len(gone), int(edges)
	if err != nil {
		return err
	}
	return lifecycle.AdvanceEach(tx, ends, model.ScopeRevision{Edges: 1, Unclustered: 1})
}

// revertBeliefs removes the run's evidence. Beliefs left without support are removed, and what only they had replaced,
// or only the run had denied, holds again.
func revertBeliefs(tx *db.Tx, persona string, run int64, r *RevertResult) error {
	touched, err := db.Collect[model.Belief](tx.Query(belief.SelectBeliefs+` WHERE b.persona = ? AND b.id IN
		(SELECT belief_id FROM belief_evidence WHERE job_run_id = ?) ORDER BY b.id`, persona, run))(belief.ScanBelief)
	if err != nil {
		return err
	}
	if len(touched) == 0 {
		return revertSentences(tx, persona, run, r)
	}
	if err := belief.LoadEvidence(tx, touched); err != nil {
		return err
	}
	f := eraser{Tx: tx, memory: model.Memory{Persona: persona}}
	var denied []int64
	for _, b := range touched {
		f.touch(b.Audience)
		if slices.ContainsFunc(b.Evidence, func(e model.Evidence) bool { return e.JobRun == run && e.Stance < 0 }) {
			denied = append(denied, b.ID)
		}
		had := len(b.Evidence)
		if !b.Without(func(e model.Evidence) bool { return e.JobRun == run }) {
			f.beliefs = append(f.beliefs, b)
		}
		r.Evidence += had - len(b.Evidence)
		if err := confirmedLast(tx, b); err != nil {
			return err
		}
	}
	if err := revertSentences(tx, persona, run, r); err != nil {
		return err
	}
	if _, err := tx.Exec(`DELETE FROM belief_evidence WHERE job_run_id = ? AND belief_id IN (SELECT id FROM beliefs WHERE persona = ?)`, run, persona); err != nil {
		return err
	}
	if err := errors.Join(f.reinstateBeliefs(denied), f.removeBeliefs()); err != nil {
		return err
	}
	for _, a := range f.scopes {
		if err := scope.Advance(tx, persona, model.ScopeRevision{Audience: a, Epoch: 1, Beliefs: 1}); err != nil {
			return err
		}
	}
	return nil
}

// revertSentences removes the sentences that the run wrote for evidence found before. The beliefs are read anew.
func revertSentences(tx *db.Tx, persona string, run int64, r *RevertResult) error {
	of := `FROM belief_evidence e JOIN beliefs b ON b.id = e.belief_id WHERE b.persona = ?1 AND e.sentence_run_id = ?2`
	scopes, err := db.Collect[model.Audience](tx.Query(`SELECT DISTINCT b.audience, coalesce(b.audience_person, b.audience_room, 0) `+of, persona, run))(
		func(row db.Scanner) (a model.Audience, err error) {
			err = row.Scan(&a.Kind, &a.Ref)
			return a, err
		})
	if err != nil {
		return err
	}
	n, err := tx.Affect(`UPDATE belief_evidence SET sentence = '', sensitive = 0, sentence_run_id = NULL WHERE id IN (SELECT e.id `+of+`)`, persona, run)
	if err != nil {
		return err
	}
	r.Sentences = int(n)
	for _, a := range scopes {
		if err := scope.Advance(tx, persona, model.ScopeRevision{Audience: a, Epoch: 1, Beliefs: 1}); err != nil {
			return err
		}
	}
	return nil
}

// confirmedLast sets when a belief was last confirmed from its evidence.
func confirmedLast(tx *db.Tx, b model.Belief) error {
	var last time.Time
	for _, e := range b.Evidence {
		last = model.Later(last, e.At)
	}
	if last.IsZero() {
		return nil
	}
	_, err := tx.Exec(`UPDATE beliefs SET updated_at = ? WHERE id = ?`, db.Millis(last), b.ID)
	return err
}

// revertLoops restores loops to their state without the run.
func revertLoops(tx *db.Tx, persona string, run int64, r *RevertResult) error {
	touched, err := db.Collect[int64](tx.Query(`SELECT DISTINCT s.loop_id FROM open_loop_sources s JOIN open_loops l ON l.id = s.loop_id
		WHERE s.job_run_id = ? AND l.persona = ? ORDER BY s.loop_id`, run, persona))(db.ScanID)
	if err != nil {
		return err
	}
	r.Loops = len(touched)
	var gone []int64
	for _, id := range touched {
		if _, err := tx.Exec(`DELETE FROM open_loop_sources WHERE job_run_id = ? AND loop_id = ?`, run, id); err != nil {
			return err
		}
		there, err := belief.RecomputeLoop(tx, id)
		if err != nil {
			return err
		}
		if !there {
			gone = append(gone, id)
		}
	}
	return entry.RemoveGreeted(tx, persona, nil, gone)
}

// revertGrowth removes the growth versions that the run wrote. The latest remaining one is current.
func revertGrowth(tx *db.Tx, persona string, run int64, r *RevertResult) error {
	n, err := tx.Affect(`DELETE FROM growth WHERE persona = ? AND job_run_id = ?`, persona, run)
	r.Growth = int(n)
	return err
}

// revertUnsent withdraws the run's proactive messages unless part of one is in flight, and does not raise their
// subjects again.
func revertUnsent(tx *db.Tx, persona string, run int64, r *RevertResult) error {
	wanted, err := db.Collect[log.InboxEntry](tx.Query(log.SelectInbox+` WHERE status = 'pending' AND persona = ? AND job_run_id = ?`, persona, run))(log.ScanInboxEntry)
	if err != nil {
		return err
	}
	for _, h := range wanted {
		if err := withdrawPending(tx, persona, h); err != nil {
			return err
		}
	}
	worded, err := db.Collect[int64](tx.Query(`SELECT o.id FROM outbox o JOIN unasked_decisions d ON d.message_id = o.message_id
		WHERE d.persona = ? AND d.job_run_id = ? AND o.status = 'pending' AND o.chunks_sent = 0`, persona, run))(db.ScanID)
	if err != nil {
		return err
	}
	for _, id := range worded {
		if _, err := turns.WithdrawProactive(tx, persona, id, turns.ReasonReverted); err != nil {
			return err
		}
	}
	r.Unsent = len(wanted) + len(worded)
	return nil
}

// withdrawPending withdraws a proactive request that has no text yet.
func withdrawPending(tx *db.Tx, persona string, h log.InboxEntry) error {
	if err := log.MarkInboxDone(tx, h.ID); err != nil {
		return err
	}
	person, err := db.One(tx.QueryRow(turns.OwnerOf, h.Message.Author.Handle.Channel, h.Message.Author.Handle.ID), db.ScanID)
	if errors.Is(err, db.ErrNotFound) {
		return nil // the person it was for is gone
	}
	if err != nil {
		return err
	}
	if err := entry.RecordGreeted(tx, persona, person, []string{h.Message.Proactive}); err != nil {
		return err
	}
	return turns.RecordDecision(tx, persona, turns.ProactiveDecision{
		PersonID: person, Subject: h.Message.Proactive, Reason: turns.ReasonReverted, JobRun: h.JobRun, At: tx.Now,
	})
}

// revertCursors moves the run's cursors back, where no later run has read on, so that the same is read again.
func revertCursors(tx *db.Tx, persona string, run int64, r *RevertResult) error {
	n, err := tx.Affect(`UPDATE job_marks SET memory_id = before_id WHERE job_run_id = ? AND persona = ? AND memory_id <> before_id`, run, persona)
	r.Backlog = int(n)
	return err
}
