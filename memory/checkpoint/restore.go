package checkpoint

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"familiar/memory/entry"
	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/lifecycle"
	"familiar/memory/model"
	"familiar/memory/turns"
)

// Restored tells what a restore changed.
type Restored struct {
	// Name is the checkpoint's, Before that of the checkpoint of the state before; "" if nothing changed.
	Name, Before string
	// Brought counts memories that are there again, Removed those that went, LeftOut those that were copied and whose sources are no
	// longer all there, or were erased.
	Brought, Removed, LeftOut int
	// Growth is the version of growth that was written, 0 for none.
	Growth int
	// Sessions counts the sessions whose mood or practice came or went, Rules the rules that did.
	Sessions, Rules int
	// Files reports that the persona's files are to become those of the checkpoint.
	Files bool
}

// Changes reports whether the restore changed anything.
func (r Restored) Changes() bool {
	return r.Brought+r.Removed+r.Growth+r.Sessions+r.Rules > 0 || r.Files
}

// Restore makes a persona what it was at a checkpoint, in one transaction: its growth and rules, what it had concluded, and what it
// was told of the world. What it concluded or was told later goes. Nothing changes that people said, or that was learnt of them by
// what they said. Before that, it saves the state of now, with the files that the persona has; a state that is the checkpoint's
// already is left alone.
//
// A memory that is there still stays; one that is gone comes back if its sources are all there and its audience may hear them. The
// files are the caller's: while Files is set in the result, FilesDue returns them until FilesWritten is called.
//
// It fails with db.ErrNotFound, with ErrNewer, and with ErrFilesDue.
func (s *Store) Restore(ctx context.Context, persona, name string, files Files) (Restored, error) {
	return s.restore(ctx, persona, name, files, nil)
}

// WouldRestore returns what Restore would do. It changes nothing.
func (s *Store) WouldRestore(ctx context.Context, persona, name string, files Files) (Restored, error) {
	return s.restore(ctx, persona, name, files, errNothingChanges)
}

// errNothingChanges undoes a restore.
var errNothingChanges = errors.New("nothing changes")

func (s *Store) restore(ctx context.Context, persona, name string, files Files, then error) (done Restored, err error) {
	err = s.db.Write(ctx, "restore the checkpoint "+name+" of "+persona, func(tx *db.Tx) error {
		r := restoration{Tx: tx, persona: persona}
		if err := r.run(name, files); err != nil {
			return err
		}
		if done = r.done; !done.Changes() {
			done.Before = ""
			return errNothingChanges
		}
		return then
	})
	if errors.Is(err, errNothingChanges) {
		err = nil
	}
	return done, err
}

// restoration restores a checkpoint within a transaction.
type restoration struct {
	*db.Tx
	persona    string
	checkpoint Checkpoint
	want       State
	done       Restored
}

func (r *restoration) run(name string, files Files) error {
	due, err := filesDue(r.Tx, r.persona)
	if err != nil {
		return err
	}
	if due != "" {
		return ErrFilesDue
	}
	if r.checkpoint, err = find(r.Tx, r.persona, name); err != nil {
		return err
	}
	if r.want, err = read(r.Tx, r.checkpoint.ID); err != nil {
		return err
	}
	if r.want.Card == "" { // the persona's file was gone: it stays as it is
		r.want.Card = files.Card
	}
	now, err := present(r.Tx, r.persona, files, r.checkpoint.Created.Add(-practised))
	if err != nil {
		return err
	}
	before, err := saveBefore(r.Tx, r.checkpoint, now)
	if err != nil {
		return fmt.Errorf("save the state before: %w", err)
	}
	r.done = Restored{Name: name, Before: before.Name, LeftOut: r.checkpoint.Copied - r.checkpoint.Kept, Files: files != r.want.Files}
	for _, step := range []func() error{r.removeLater, r.bringBack, func() error { return r.regrow(now) }, func() error { return r.resetSessions(now) }, r.resetRules} {
		if err := step(); err != nil {
			return err
		}
	}
	if r.done.Files {
		if _, err := r.Exec(`UPDATE checkpoints SET files_due = 1 WHERE id = ?`, r.checkpoint.ID); err != nil {
			return err
		}
	}
	return dropOldest(r.Tx, r.persona, r.checkpoint.ID)
}

// removeLater removes the memories that the persona made or was told after the checkpoint.
func (r *restoration) removeLater() error {
	ids, err := db.Collect[int64](r.Query(selectOwn(`id > ?`), ownArgs(r.persona, r.checkpoint.lastMemory)...))(db.ScanID)
	if err != nil {
		return err
	}
	kept := map[int64]bool{} // an earlier restore brought some of the checkpoint's own back
	for _, m := range r.want.Memories {
		kept[m.ID] = true
	}
	ids = slices.DeleteFunc(ids, func(id int64) bool { return kept[id] })
	later := make([]scope.MemoryRef, 0, len(ids))
	for some := range slices.Chunk(ids, db.MaxArgs) {
		in, args := db.Placeholders(some)
		refs, err := db.Collect[scope.MemoryRef](r.Query(scope.SelectMemoryRefs+`m.id IN `+in+` ORDER BY m.id`, args...))(scope.ScanMemoryRef)
		if err != nil {
			return err
		}
		later = append(later, refs...)
	}
	if len(later) == 0 {
		return nil
	}
	if _, err := lifecycle.Undo(r.Tx, later); err != nil {
		return fmt.Errorf("remove what came later: %w", err)
	}
	r.done.Removed = len(later)
	return nil
}

// bringBack adds the memories of the checkpoint that are gone.
func (r *restoration) bringBack() error {
	there, err := r.there()
	if err != nil {
		return err
	}
	var brought []scope.MemoryRef
	for _, m := range r.want.Memories {
		if there[m.ID] {
			continue
		}
		whole, err := r.hasSources(m)
		if err != nil {
			return err
		}
		if !whole {
			r.done.LeftOut++
			continue
		}
		id, err := r.add(m)
		if err != nil {
			return fmt.Errorf("bring memory %d back: %w", m.ID, err)
		}
		brought = append(brought, scope.MemoryRef{MemoryID: id, Persona: r.persona, Audience: m.Audience})
	}
	r.done.Brought = len(brought)
	return lifecycle.AdvanceEach(r.Tx, brought, model.ScopeRevision{Revision: 1, Unclustered: 1})
}

// there returns which memories of the checkpoint still exist.
func (r *restoration) there() (map[int64]bool, error) {
	ids := make([]int64, len(r.want.Memories))
	for i, m := range r.want.Memories {
		ids[i] = m.ID
	}
	all := make(map[int64]bool, len(ids))
	for some := range slices.Chunk(ids, db.MaxArgs) {
		in, args := db.Placeholders(some)
		found, err := db.Collect[int64](r.Query(`SELECT id FROM memories WHERE id IN `+in, args...))(db.ScanID)
		if err != nil {
			return nil, err
		}
		for _, id := range found {
			all[id] = true
		}
	}
	return all, nil
}

// hasSources reports whether all that a memory rests on is there and may be heard by its audience.
func (r *restoration) hasSources(m Memory) (bool, error) {
	if len(m.Sources) == 0 { // nobody said anything of it
		return m.Origin == model.OriginOperator || m.Kind.Foreign() && m.Audience.Kind == model.World, nil
	}
	sources, err := entry.Sources(r.Tx, r.persona, m.Audience, m.Sources)
	if err != nil || len(sources) < len(m.Sources) {
		return false, err
	}
	for _, s := range sources {
		if s.Text == "" || !s.HeardBy(m.Audience) {
			return false, nil
		}
	}
	return true, nil
}

// add inserts a memory under a new id, since caches and jobs read on from the last id they saw. All checkpoints know it by that.
// It begins to fade now, as strong as it was.
func (r *restoration) add(m Memory) (int64, error) {
	old := m.ID
	row := entry.NewRow{Memory: m.Memory, About: m.About}
	row.Persona, row.Supersedes, row.JobRun = r.persona, 0, 0
	id, err := entry.InsertMemory(r.Tx, row)
	if err != nil {
		return 0, err
	}
	if err := entry.AddTags(r.Tx, id, m.Tags); err != nil {
		return 0, err
	}
	if _, err := r.Exec(`UPDATE memories SET tier = ?1, strength = ?2, recalls = ?3, uses = ?4, recalled_at = ?5,
		forget_at = CASE WHEN forget_at IS NULL THEN NULL ELSE ?6 + CAST(lasts * ?2 AS INTEGER) END WHERE id = ?7`,
		m.Tier, m.Strength, m.Recalls, m.Uses, db.NullMillis(m.RecalledAt), r.NowMillis(), id); err != nil {
		return 0, err
	}
	if _, err := r.Exec(`UPDATE checkpoint_items SET memory_id = ? WHERE memory_id = ?`, id, old); err != nil {
		return 0, err
	}
	return id, r.supersede(id, m.Older)
}

// supersede makes a memory the newer version of the latest older one that is there.
func (r *restoration) supersede(id int64, versions []int64) error {
	for _, older := range versions {
		before, err := entry.Locate(r.Tx, older)
		if errors.Is(err, db.ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		if err := r.ExecAll([]string{
			`UPDATE memories SET superseded_by = ?1 WHERE id = ?2`,
			`UPDATE memories SET supersedes = ?2 WHERE id = ?1`,
		}, id, older); err != nil {
			return err
		}
		return scope.AdvanceMemories(r.Tx, []scope.MemoryRef{before}, model.ScopeRevision{Epoch: 1})
	}
	return nil
}

// regrow writes the growth of the checkpoint as a new version, so that the history stays.
func (r *restoration) regrow(now State) error {
	if string(growth(now.Growth)) == string(growth(r.want.Growth)) {
		return nil
	}
	latest, err := turns.CurrentGrowth(r.Tx, r.persona)
	if err != nil {
		return err
	}
	r.done.Growth = latest.Version + 1
	return turns.WriteGrowth(r.Tx, r.persona, 0, r.done.Growth, growth(r.want.Growth))
}

// growth returns a state of growth as it is stored: nothing grown is an empty one.
func growth(state []byte) []byte {
	if len(bytes.TrimSpace(state)) == 0 {
		return []byte("{}")
	}
	return state
}

// resetSessions makes the moods and the practice of the sessions that a checkpoint reaches back to those of it.
func (r *restoration) resetSessions(now State) error {
	changed := map[int64]bool{}
	note := func(session int64, what string, query string, args ...any) error {
		n, err := r.Affect(query, args...)
		if err != nil {
			return fmt.Errorf("restore the %s of session %d: %w", what, session, err)
		}
		if n > 0 {
			changed[session] = true
		}
		return nil
	}
	type skillOf struct {
		skill   string
		session int64
	}
	moods, practice := map[int64]bool{}, map[skillOf]bool{}
	for _, m := range r.want.Moods {
		moods[m.SessionID] = true
		if err := note(m.SessionID, "mood", `INSERT INTO moods (persona, session_id, at, valence, energy) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
			r.persona, m.SessionID, db.Millis(m.At), m.Valence, m.Energy); err != nil {
			return err
		}
	}
	for _, p := range r.want.Practice {
		practice[skillOf{p.Skill, p.SessionID}] = true
		if err := note(p.SessionID, "practice", `INSERT INTO practice (persona, skill, session_id, at, successes, failures) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
			r.persona, p.Skill, p.SessionID, db.Millis(p.At), p.Successes, p.Failures); err != nil {
			return err
		}
	}
	for _, m := range now.Moods {
		if moods[m.SessionID] {
			continue
		}
		if err := note(m.SessionID, "mood", `DELETE FROM moods WHERE persona = ? AND session_id = ?`, r.persona, m.SessionID); err != nil {
			return err
		}
	}
	for _, p := range now.Practice {
		if practice[skillOf{p.Skill, p.SessionID}] {
			continue
		}
		if err := note(p.SessionID, "practice", `DELETE FROM practice WHERE persona = ? AND skill = ? AND session_id = ?`, r.persona, p.Skill, p.SessionID); err != nil {
			return err
		}
	}
	r.done.Sessions = len(changed)
	return nil
}

// resetRules makes the rules those of the checkpoint.
func (r *restoration) resetRules() error {
	now, err := rules(r.Tx, r.persona)
	if err != nil {
		return err
	}
	same := func(all []Rule, one Rule) bool {
		return slices.ContainsFunc(all, func(o Rule) bool { return o.Text == one.Text })
	}
	for _, rule := range now {
		if same(r.want.Rules, rule) {
			continue
		}
		if _, err := r.Exec(`DELETE FROM memory_rules WHERE persona = ? AND rule = ?`, r.persona, rule.Text); err != nil {
			return err
		}
		r.done.Rules++
	}
	for _, rule := range r.want.Rules {
		if same(now, rule) {
			continue
		}
		if _, err := r.Exec(`INSERT INTO memory_rules (persona, rule, created_at) VALUES (?, ?, ?)`, r.persona, rule.Text, db.Millis(rule.Created)); err != nil {
			return err
		}
		r.done.Rules++
	}
	return nil
}
