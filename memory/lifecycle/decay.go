package lifecycle

import (
	"context"
	"fmt"
	"slices"
	"time"

	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/model"
)

// decayBatch is how many memories one transaction handles: a turn waits behind it for a few milliseconds.
const decayBatch = 500

// DecayResult counts what one decay run changed.
type DecayResult struct {
	// Dormant memories are found only by a strong match from now on. Gone counts removed dormant memories, Expired
	// removed expired ones; both include what was derived from them.
	Dormant, Gone, Expired int
}

// String describes the counts in words, for the job ledger.
func (f DecayResult) String() string {
	if f == (DecayResult{}) {
		return "nothing was due"
	}
	return fmt.Sprintf("%d became dormant, removed %d dormant and %d expired", f.Dormant, f.Gone, f.Expired)
}

// Decay handles what is due at now, for every persona. Faded memories become dormant. Memories that were dormant for as
// long again are removed, and so are expired ones. It reads only due rows, by index, in small transactions, so that
// turns go on meanwhile. Pinned memories, standing instructions and what the operator told are never due. A memory
// whose message left something open with somebody waits until that is closed.
func (s *Store) Decay(ctx context.Context, now time.Time) (f DecayResult, err error) {
	var kept int // how many stay
	for _, step := range []struct {
		what  string
		count *int
		do    func(tx *db.Tx) (found, done int, err error)
	}{
		{"keep what is open", &kept, func(tx *db.Tx) (int, int, error) {
			n, err := keepForOpenLoops(tx, now)
			return n, n, err
		}},
		{"remove what has expired", &f.Expired, func(tx *db.Tx) (int, int, error) { return dropDue(tx, expiryDue, now) }},
		{"remove what was dormant", &f.Gone, func(tx *db.Tx) (int, int, error) { return dropDue(tx, dormancyDue, now) }},
		{"let memories go dormant", &f.Dormant, func(tx *db.Tx) (int, int, error) { return makeDormant(tx, now) }},
	} {
		for {
			var found, done int
			err := s.db.Write(ctx, step.what, func(tx *db.Tx) (err error) {
				found, done, err = step.do(tx)
				return err
			})
			if err != nil {
				return f, err
			}
			*step.count += done
			if found < decayBatch {
				break
			}
		}
	}
	return f, nil
}

// leftOpen selects the loops l that a memory's message left open with somebody; nothingOpen is the condition that there
// is none. An unexplained term does not keep a memory: asking about it is the persona's own wish.
const (
	leftOpen = `FROM memory_sources s JOIN open_loop_sources o ON o.message_id = s.message_id
		JOIN open_loops l ON l.id = o.loop_id WHERE s.memory_id = m.id AND l.status IN ('open', 'asked') AND l.kind <> 'curiosity'`
	nothingOpen = `m.kept_for IS NULL AND NOT EXISTS (SELECT 1 ` + leftOpen + `)`
)

// Conditions that a memory is due, each with the time as its argument.
const (
	expiryDue   = `m.expires_at <= ?`
	dormancyDue = `m.forget_at <= ? AND +m.tier = 'dormant' AND ` + nothingOpen
	removalDue  = `m.forget_at <= ? AND m.tier <> 'dormant' AND ` + nothingOpen
)

// keepForOpenLoops postpones due memories, at most decayBatch, that left something open. They are not read again until
// that is closed, because their number keeps growing.
func keepForOpenLoops(tx *db.Tx, now time.Time) (found int, err error) {
	n, err := tx.Affect(`UPDATE memories AS m SET kept_for = (SELECT min(l.id) `+leftOpen+`) WHERE m.id IN (SELECT m.id FROM memories m
		WHERE m.kept_for IS NULL AND m.forget_at <= ? AND EXISTS (SELECT 1 `+leftOpen+`) LIMIT ? + 0)`, db.Millis(now), decayBatch)
	return int(n), err
}

// due returns the memories that meet a condition at a time, except those that an operator's rule keeps.
func due(tx *db.Tx, condition string, now time.Time) ([]scope.MemoryRef, error) {
	kept, args, err := keptByRule(tx, now)
	if err != nil {
		return nil, err
	}
	return db.Collect[scope.MemoryRef](tx.Query(scope.SelectMemoryRefs+condition+kept+` LIMIT ? + 0`, slices.Concat([]any{db.Millis(now)}, args, []any{decayBatch})...))(scope.ScanMemoryRef)
}

// dropDue removes due memories, at most decayBatch, with what was derived from them.
func dropDue(tx *db.Tx, condition string, now time.Time) (found, done int, err error) {
	due, err := due(tx, condition, now)
	if err != nil || len(due) == 0 {
		return 0, 0, err
	}
	gone, err := Drop(tx, due)
	return len(due), len(gone), err
}

// makeDormant puts faded memories into the dormant tier, to be removed after as long again.
func makeDormant(tx *db.Tx, now time.Time) (found, done int, err error) {
	due, err := due(tx, removalDue, now)
	if err != nil {
		return 0, 0, err
	}
	if err := moveTo(tx, model.Dormant, due, now); err != nil {
		return 0, 0, err
	}
	return len(due), len(due), nil
}

// moveTo puts memories into a tier, where they start to fade from now. Indexes know which memories are dormant, so they
// are read again when that changes.
func moveTo(tx *db.Tx, t model.Tier, memories []scope.MemoryRef, now time.Time) error {
	for chunk := range slices.Chunk(memories, db.MaxArgs) {
		in, args := db.Placeholders(scope.MemoryIDs(chunk))
		if err := journal(tx, tierChanged, in, args); err != nil {
			return err
		}
		if _, err := tx.Exec(`UPDATE memories SET tier = ?, forget_at = CASE WHEN pinned = 1 THEN NULL
			ELSE ? + CAST(lasts * strength AS INTEGER) END WHERE id IN `+in, append([]any{t, db.Millis(now)}, args...)...); err != nil {
			return err
		}
	}
	if t == model.Dormant {
		return scope.AdvanceMemories(tx, memories, model.ScopeRevision{Epoch: 1}) // nothing is summed up for that
	}
	return scope.MarkChanged(tx, slices.DeleteFunc(slices.Clone(memories), func(m scope.MemoryRef) bool { return m.Tier != model.Dormant }))
}

// AdvanceEach adds by's counters to the revision of each scope that the memories are in.
func AdvanceEach(tx *db.Tx, memories []scope.MemoryRef, by model.ScopeRevision) error {
	done := map[scope.Key]bool{}
	for _, m := range memories {
		if done[m.Scope()] {
			continue
		}
		done[m.Scope()] = true
		by.Audience = m.Audience
		if err := scope.Advance(tx, m.Persona, by); err != nil {
			return err
		}
	}
	return nil
}
