package erase

import (
	"context"
	"fmt"
	"strings"
	"time"

	"familiar/memory/internal/db"
	"familiar/memory/turns"
)

// How long what nobody reads any more is kept.
const (
	// doneRetention is for the keys of what was heard and sent, and for the runs of jobs. Networks deliver an event again for
	// up to a week after they first tried; a month leaves room for a server that was off for longer.
	doneRetention = 30 * 24 * time.Hour
	// sentRetention is for the texts of sent answers to commands: for as long a network may ask to have a message again.
	sentRetention = 14 * 24 * time.Hour
	// contextRetention is for what was in front of the voice and not used. What a reply was made from is kept as long as the
	// reply, since it goes with it when it is forgotten.
	contextRetention = 90 * 24 * time.Hour
	// decisionRetention is for why nothing was said unasked, or something was.
	decisionRetention = 90 * 24 * time.Hour
	// strangerRetention is for what was said to strangers, so that a message delivered again is not answered again.
	strangerRetention = 7 * 24 * time.Hour
	// pruneBatch is how many rows one transaction removes: a turn waits behind it for a few milliseconds.
	pruneBatch = 500
)

// Pruned counts what was removed.
type PruneResult struct {
	// Runs are those of jobs, Heard and Sent the keys of messages that were dealt with, Texts the answers to commands that
	// were sent, Turns those of which only what the reply was made from is left, Strangers the rooms of those who were told
	// a code and not let in, Files those that came with messages and are nobody's.
	Runs, Heard, Sent, Texts, Turns, Strangers, Files int
}

// String says the counts in words, for the ledger.
func (p PruneResult) String() string {
	var parts []string
	for _, c := range []struct {
		n    int
		what string
	}{
		{p.Runs, "job runs"},
		{p.Heard, "heard keys"},
		{p.Sent, "sent keys"},
		{p.Texts, "sent answers"},
		{p.Turns, "turns' unused context"},
		{p.Strangers, "strangers' rooms"},
		{p.Files, "files"},
	} {
		if c.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", c.n, c.what))
		}
	}
	if len(parts) == 0 {
		return "nothing to prune"
	}
	return "pruned " + strings.Join(parts, ", ")
}

// Prune removes what has served its time as of now: the runs of jobs, except each job's
// last and those of which memories are left, and the keys of messages
// that were answered or sent after thirty days; the texts of sent answers to commands after
// fourteen; what was in front of the voice for a reply, and not used, after ninety; and files that came with messages and
// are nobody's. Where something was erased it then writes the file anew, so that nothing of that is left in unused pages.
// It works in small transactions, so that turns go on meanwhile, and what an interrupted one left the next one takes.
func (s *Store) Prune(ctx context.Context, now time.Time) (p PruneResult, err error) {
	done, sent, shown := db.Millis(now.Add(-doneRetention)), db.Millis(now.Add(-sentRetention)), db.Millis(now.Add(-contextRetention))
	var aside int // bounded anyway, and nothing anybody said
	for _, step := range []struct {
		what  string
		count *int
		do    func(tx *db.Tx) (int64, error)
	}{
		{"runs of jobs", &p.Runs, func(tx *db.Tx) (int64, error) { return pruneJobRuns(tx, done) }},
		{"heard messages", &p.Heard, func(tx *db.Tx) (int64, error) { return tx.Affect(pruneHeard, done, pruneBatch) }},
		{"messages taken back before they came", &p.Heard, func(tx *db.Tx) (int64, error) { return tx.Affect(pruneTakenBack, done) }},
		{"groups that are not heard", &aside, func(tx *db.Tx) (int64, error) { return tx.Affect(pruneUnheard, done) }},
		{"decisions to speak", &aside, func(tx *db.Tx) (int64, error) {
			return tx.Affect(turns.PruneDecisions, db.Millis(now.Add(-decisionRetention)))
		}},
		{"sent answers", &p.Texts, func(tx *db.Tx) (int64, error) { return tx.Affect(pruneTexts, sent, pruneBatch) }},
		{"sent messages", &p.Sent, func(tx *db.Tx) (int64, error) { return tx.Affect(pruneSent, done, pruneBatch) }},
		{"unused context of turns", &p.Turns, func(tx *db.Tx) (int64, error) { return thinTurns(tx, shown) }},
		{"rooms of strangers", &p.Strangers, func(tx *db.Tx) (int64, error) { return pruneStrangers(tx, db.Millis(now.Add(-strangerRetention))) }},
	} {
		for {
			var n int64
			err := s.db.Write(ctx, "prune old "+step.what, func(tx *db.Tx) (err error) {
				n, err = step.do(tx)
				return err
			})
			if err != nil {
				return p, err
			}
			*step.count += int(n)
			if n < pruneBatch {
				break
			}
		}
	}
	if p.Files, err = s.log.RemoveOrphanedFiles(ctx, now); err != nil {
		return p, err
	}
	return p, s.db.SecureDelete(ctx)
}

const (
	pruneRuns = `DELETE FROM job_runs WHERE id IN (SELECT r.id FROM job_runs r WHERE r.due_at < ? AND r.status <> 'running'
		AND EXISTS (SELECT 1 FROM job_runs n WHERE n.persona = r.persona AND n.job = r.job AND n.id > r.id)
		AND NOT EXISTS (SELECT 1 FROM memories m WHERE m.job_run_id = r.id) LIMIT ? + 0) RETURNING id`
	pruneReinforcements = `DELETE FROM rehearsals WHERE job_run_id IN `
	pruneHeard          = `DELETE FROM inbox WHERE id IN (SELECT id FROM inbox WHERE status = 'done' AND done_at < ? LIMIT ? + 0)`
	// Few are taken back before they come: all at once.
	pruneTakenBack = `DELETE FROM taken_back WHERE at < ?`
	pruneUnheard   = `DELETE FROM unheard_rooms WHERE last_at < ?`
	pruneSent      = `DELETE FROM outbox WHERE id IN (SELECT id FROM outbox WHERE status = 'sent' AND sent_at < ? LIMIT ? + 0)`
	pruneTexts     = `UPDATE outbox SET text = '' WHERE id IN (SELECT id FROM outbox WHERE status = 'sent' AND text <> '' AND sent_at < ? LIMIT ? + 0)`
	oldTurns       = `SELECT id FROM turns WHERE thinned = 0 AND ended_at < ? LIMIT ? + 0`
	thinItems      = `DELETE FROM turn_items WHERE used = 0 AND turn_id IN `
	thinned        = `UPDATE turns SET thinned = 1, unused = '' WHERE id IN `
)

// pruneRuns removes runs of jobs that were due before, with what is kept to take them back.
func pruneJobRuns(tx *db.Tx, before int64) (int64, error) {
	runs, err := db.Collect[int64](tx.Query(pruneRuns, before, pruneBatch))(db.ScanID)
	if err != nil || len(runs) == 0 {
		return 0, err
	}
	in, args := db.Placeholders(runs)
	_, err = tx.Exec(pruneReinforcements+in, args...)
	return int64(len(runs)), err
}

// thinTurns removes what the replies of turns that ended before were not made from, with its lines, and returns of how
// many turns.
func thinTurns(tx *db.Tx, before int64) (int64, error) {
	turns, err := db.Collect[int64](tx.Query(oldTurns, before, pruneBatch))(db.ScanID)
	if err != nil || len(turns) == 0 {
		return 0, err
	}
	in, args := db.Placeholders(turns)
	for _, q := range []string{thinItems, thinned} {
		if _, err := tx.Exec(q+in, args...); err != nil {
			return 0, err
		}
	}
	return int64(len(turns)), nil
}
