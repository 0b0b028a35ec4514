package memory

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Reverted counts what was taken back of a job's run.
type Reverted struct {
	Memories, Edges int
	// Evidence is what it found for or against beliefs, Loops are those it opened, moved or closed.
	Evidence, Loops int
	// Growth counts versions of what the persona grew into, Unsent what it was about to say unasked.
	Growth, Unsent int
	// Strengthened are memories that last as long as before again, Unread scopes that are read anew.
	Strengthened, Unread int
}

// String says the counts in words, leaving out what is none.
func (r Reverted) String() string {
	var parts []string
	for _, p := range []struct {
		n    int
		what string
	}{
		{r.Memories, "memories"},
		{r.Edges, "edges"},
		{r.Evidence, "evidence"},
		{r.Loops, "open loops"},
		{r.Growth, "versions of growth"},
		{r.Unsent, "unsent messages"},
		{r.Strengthened, "strengthened"},
		{r.Unread, "to be read again"},
	} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", p.what, p.n))
		}
	}
	return strings.Join(parts, ", ")
}

// Revert takes back what a run of a job made: its memories and what rests on them, newer versions included; its edges; the
// evidence it found, where a belief left without any goes; what it opened, moved or closed; how it let the persona grow;
// and what it was about to say and is not on its way yet. What it had replaced holds again, what it strengthened lasts as
// long as before, and what it had read, if no later run has, is read anew. What it had moved between tiers stays, and a session it read a second time counts as read: the next run would do the same again. ErrNotFound when nothing
// of the run is left.
func (s *Store) Revert(ctx context.Context, persona string, run int64) (r Reverted, err error) {
	err = s.write(ctx, fmt.Sprintf("take back job run %d", run), func(tx *conn) error {
		r = Reverted{}
		for _, step := range []func(*conn, string, int64, *Reverted) error{
			(*conn).revertMemories, (*conn).revertBeliefs, (*conn).revertLoops, (*conn).revertGrowth,
			(*conn).revertUnsent, (*conn).revertRehearsals, (*conn).revertMarks,
		} {
			if err := step(tx, persona, run, &r); err != nil {
				return err
			}
		}
		if r == (Reverted{}) {
			return fmt.Errorf("what it made: %w", ErrNotFound)
		}
		_, err := tx.exec(`UPDATE job_runs SET result = result || ? WHERE id = ?`,
			"; taken back on "+tx.now.UTC().Format(time.DateOnly)+": "+r.String(), run)
		return err
	})
	return r, err
}

// revertMemories takes back memories and edges.
func (c *conn) revertMemories(persona string, run int64, r *Reverted) error {
	made, err := collect[placed](c.rows(placedColumns+`m.id IN (WITH RECURSIVE made(id) AS (
		SELECT id FROM memories WHERE job_run_id = ? AND persona = ? AND origin = 'inferred'
		UNION SELECT m.superseded_by FROM made JOIN memories m ON m.id = made.id WHERE m.superseded_by IS NOT NULL)
		SELECT id FROM made) ORDER BY m.id`, run, persona))(scanPlaced)
	if err != nil {
		return err
	}
	ends, err := collect[placed](c.rows(placedColumns+`m.persona = ? AND m.id IN
		(SELECT from_id FROM memory_edges WHERE job_run_id = ?)`, persona, run))(scanPlaced)
	if err != nil {
		return err
	}
	if err := c.unmerge(made); err != nil {
		return err
	}
	edges, err := c.affect(`DELETE FROM memory_edges WHERE job_run_id = ? AND from_id IN (SELECT id FROM memories WHERE persona = ?)`, run, persona)
	if err != nil {
		return err
	}
	if err := c.reinstate(made); err != nil {
		return err
	}
	gone, err := c.drop(made)
	r.Memories, r.Edges = len(gone), int(edges)
	if err != nil {
		return err
	}
	return c.advanceEach(append(ends, made...), ScopeRevision{Edges: 1, Loose: 1})
}

// reinstate lets what made took the place of hold again, with the edges it had.
func (c *conn) reinstate(made []placed) error {
	ids := idsOf(made)
	for _, newer := range slices.Backward(ids) { // a version gives its edges to the one before it
		var older int64
		if err := c.row(`SELECT coalesce(supersedes, 0) FROM memories WHERE id = ?`, newer).Scan(&older); err != nil {
			return err
		}
		if older == 0 {
			continue
		}
		if err := c.succeed(newer, older); err != nil {
			return err
		}
		if slices.Contains(ids, older) {
			continue
		}
		if _, err := c.exec(`UPDATE memories SET superseded_by = NULL WHERE id = ?`, older); err != nil {
			return err
		}
	}
	return nil
}

// revertBeliefs takes the run's evidence from beliefs. Those left without support go, and what only they had replaced, or
// what only the run had denied, holds again.
func (c *conn) revertBeliefs(persona string, run int64, r *Reverted) error {
	touched, err := collect[Belief](c.rows(beliefColumns+` WHERE b.persona = ? AND b.id IN
		(SELECT belief_id FROM belief_evidence WHERE job_run_id = ?) ORDER BY b.id`, persona, run))(scanBelief)
	if err != nil || len(touched) == 0 {
		return err
	}
	if err := c.fillEvidence(touched); err != nil {
		return err
	}
	f := forgetting{conn: c, memory: Memory{Persona: persona}}
	var denied []int64
	for _, b := range touched {
		f.reaches(b.Audience)
		if slices.ContainsFunc(b.Evidence, func(e Evidence) bool { return e.JobRun == run && e.Stance < 0 }) {
			denied = append(denied, b.ID)
		}
		had := len(b.Evidence)
		if !b.without(func(e Evidence) bool { return e.JobRun == run }) {
			f.beliefs = append(f.beliefs, b)
		}
		r.Evidence += had - len(b.Evidence)
		if err := c.confirmedLast(b); err != nil {
			return err
		}
	}
	if _, err := c.exec(`DELETE FROM belief_evidence WHERE job_run_id = ? AND belief_id IN (SELECT id FROM beliefs WHERE persona = ?)`, run, persona); err != nil {
		return err
	}
	if err := errors.Join(f.reinstateBeliefs(denied), f.removeBeliefs()); err != nil {
		return err
	}
	for _, a := range f.scopes {
		if err := c.advance(persona, ScopeRevision{Audience: a, Epoch: 1, Beliefs: 1}); err != nil {
			return err
		}
	}
	return nil
}

// without leaves out the evidence that goes, and says whether the belief stands on what is left: one only ever denied stays
// while the denial does.
func (b *Belief) without(goes func(Evidence) bool) (stands bool) {
	supports := func(e Evidence) bool { return e.Stance > 0 }
	had := slices.ContainsFunc(b.Evidence, supports)
	b.Evidence = slices.DeleteFunc(b.Evidence, goes)
	return len(b.Evidence) > 0 && (!had || slices.ContainsFunc(b.Evidence, supports))
}

// confirmedLast sets when a belief was last spoken of to what its evidence says.
func (c *conn) confirmedLast(b Belief) error {
	var last time.Time
	for _, e := range b.Evidence {
		last = later(last, e.At)
	}
	if last.IsZero() {
		return nil
	}
	_, err := c.exec(`UPDATE beliefs SET updated_at = ? WHERE id = ?`, ms(last), b.ID)
	return err
}

// revertLoops makes loops what they were without the run.
func (c *conn) revertLoops(persona string, run int64, r *Reverted) error {
	touched, err := collect[int64](c.rows(`SELECT DISTINCT s.loop_id FROM open_loop_sources s JOIN open_loops l ON l.id = s.loop_id
		WHERE s.job_run_id = ? AND l.persona = ? ORDER BY s.loop_id`, run, persona))(scanID)
	if err != nil {
		return err
	}
	r.Loops = len(touched)
	var gone []int64
	for _, id := range touched {
		if _, err := c.exec(`DELETE FROM open_loop_sources WHERE job_run_id = ? AND loop_id = ?`, run, id); err != nil {
			return err
		}
		there, err := c.settleLoop(id)
		if err != nil {
			return err
		}
		if !there {
			gone = append(gone, id)
		}
	}
	return c.ungreet(persona, nil, gone)
}

// revertGrowth removes the versions of the persona's growth that the run wrote: the latest that is left holds.
func (c *conn) revertGrowth(persona string, run int64, r *Reverted) error {
	n, err := c.affect(`DELETE FROM growth WHERE persona = ? AND job_run_id = ?`, persona, run)
	r.Growth = int(n)
	return err
}

// revertUnsent withdraws what the run had to say unasked, unless some of it is on its way, and does not bring it up again.
func (c *conn) revertUnsent(persona string, run int64, r *Reverted) error {
	wanted, err := collect[Heard](c.rows(heardColumns+` WHERE status = 'pending' AND persona = ? AND job_run_id = ?`, persona, run))(scanHeard)
	if err != nil {
		return err
	}
	for _, h := range wanted {
		if err := c.unbring(persona, h); err != nil {
			return err
		}
	}
	worded, err := collect[int64](c.rows(`SELECT o.id FROM outbox o JOIN unasked_decisions d ON d.message_id = o.message_id
		WHERE d.persona = ? AND d.job_run_id = ? AND o.status = 'pending' AND o.chunks_sent = 0`, persona, run))(scanID)
	if err != nil {
		return err
	}
	for _, id := range worded {
		if _, err := c.unsay(persona, id, ReasonTakenBack); err != nil {
			return err
		}
	}
	r.Unsent = len(wanted) + len(worded)
	return nil
}

// unbring lets go of what was to be brought up and has no words yet.
func (c *conn) unbring(persona string, h Heard) error {
	if err := c.inboxDone(h.ID); err != nil {
		return err
	}
	person, err := one(c.row(ownerOf, h.Message.Author.Handle.Channel, h.Message.Author.Handle.ID), scanID)
	if errors.Is(err, ErrNotFound) {
		return nil // whom it was about is gone
	}
	if err != nil {
		return err
	}
	if err := c.greet(persona, person, []string{h.Message.Proactive}); err != nil {
		return err
	}
	return c.noteUnasked(persona, UnaskedDecision{
		PersonID: person, Subject: h.Message.Proactive, Reason: ReasonTakenBack, JobRun: h.JobRun, At: c.now,
	})
}
