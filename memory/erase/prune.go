package erase

import (
	"context"
	"fmt"
	"strings"
	"time"

	"familiar/memory/internal/db"
	"familiar/memory/toolcall"
	"familiar/memory/turns"
)

// How long data that nothing reads any more is kept.
const (
	// doneRetention applies to the keys of received and sent messages and to job runs. Networks redeliver an event for
	// up to a week; a month also covers a server that was off for longer.
	doneRetention = 30 * 24 * time.Hour
	// sentRetention applies to the texts of sent answers to commands: networks may ask for a message again for that
	// long.
	sentRetention = 14 * 24 * time.Hour
	// contextRetention applies to what was in the prompt and not used. What a reply was made from is kept as long as
	// the reply, because forgetting it must find the reply.
	contextRetention = 90 * 24 * time.Hour
	// decisionRetention applies to the decisions whether to write first.
	decisionRetention = 90 * 24 * time.Hour
	// callRetention applies to the calls of tools.
	callRetention = 90 * 24 * time.Hour
	// strangerRetention applies to what was said to strangers, so that a redelivered message is not answered again.
	strangerRetention = 7 * 24 * time.Hour
	// journalRetention applies to what memories and relationships were before they changed.
	journalRetention = 2 * 365 * 24 * time.Hour
	// pruneBatch is how many rows one transaction removes: a turn waits behind it for a few milliseconds.
	pruneBatch = 500
)

// PruneResult counts what was removed.
type PruneResult struct {
	// Runs are job runs, Heard and Sent the keys of finished messages, Texts sent answers to commands, Turns those
	// reduced to what their reply was made from, Strangers the rooms of people who got a pairing code and were not
	// approved, Files attachments that no message refers to.
	Runs, Heard, Sent, Texts, Turns, Strangers, Files int
}

// String describes the counts in words, for the job ledger.
func (p PruneResult) String() string {
	var parts []string
	for _, c := range []struct {
		n    int
		what string
	}{
		{p.Runs, "job runs"},
		{p.Heard, "received keys"},
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

// Prune removes data that is no longer needed at now: after thirty days, job runs (except each job's last and those
// with memories left) and the keys of answered and sent messages; after fourteen, the texts of sent answers to
// commands; after ninety, what was in a prompt and not used, and the calls of tools; and attachments that no message refers to. When text was
// erased it then rewrites the file, so that none of it stays in unused pages. It works in small transactions, so that
// turns go on meanwhile, and the next run continues an interrupted one.
func (s *Store) Prune(ctx context.Context, now time.Time) (p PruneResult, err error) {
	done, sent, shown := db.Millis(now.Add(-doneRetention)), db.Millis(now.Add(-sentRetention)), db.Millis(now.Add(-contextRetention))
	var aside int // not counted: their number is bounded, and they contain nothing that anybody said
	for _, step := range []struct {
		what  string
		count *int
		do    func(tx *db.Tx) (int64, error)
	}{
		{"runs of jobs", &p.Runs, func(tx *db.Tx) (int64, error) { return pruneJobRuns(tx, done) }},
		{"received messages", &p.Heard, func(tx *db.Tx) (int64, error) { return tx.Affect(pruneHeard, done, pruneBatch) }},
		{"deletions of unknown messages", &p.Heard, func(tx *db.Tx) (int64, error) { return tx.Affect(pruneTakenBack, done) }},
		{"ignored groups", &aside, func(tx *db.Tx) (int64, error) { return tx.Affect(pruneUnheard, done) }},
		{"proactive decisions", &aside, func(tx *db.Tx) (int64, error) {
			return tx.Affect(turns.PruneDecisions, db.Millis(now.Add(-decisionRetention)))
		}},
		{"calls of tools", &aside, func(tx *db.Tx) (int64, error) {
			return tx.Affect(toolcall.Prune, db.Millis(now.Add(-callRetention)), pruneBatch)
		}},
		{"sent answers", &p.Texts, func(tx *db.Tx) (int64, error) { return tx.Affect(pruneTexts, sent, pruneBatch) }},
		{"sent messages", &p.Sent, func(tx *db.Tx) (int64, error) { return tx.Affect(pruneSent, done, pruneBatch) }},
		{"dropped dead letters", &aside, func(tx *db.Tx) (int64, error) { return tx.Affect(pruneDropped, done) }},
		{"unused context of turns", &p.Turns, func(tx *db.Tx) (int64, error) { return thinTurns(tx, shown) }},
		{"journal", &aside, func(tx *db.Tx) (int64, error) { return pruneJournal(tx, db.Millis(now.Add(-journalRetention))) }},
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
	// Few messages are deleted before they arrive, so one statement removes them all.
	pruneTakenBack = `DELETE FROM taken_back WHERE at < ?`
	pruneUnheard   = `DELETE FROM unheard_rooms WHERE last_at < ?`
	pruneSent      = `DELETE FROM outbox WHERE id IN (SELECT id FROM outbox WHERE status = 'sent' AND sent_at < ? LIMIT ? + 0)`
	// The operator drops few dead letters, so one statement removes them all.
	pruneDropped = `DELETE FROM outbox WHERE dropped_at < ?`
	pruneTexts   = `UPDATE outbox SET text = '' WHERE id IN (SELECT id FROM outbox WHERE status = 'sent' AND text <> '' AND sent_at < ? LIMIT ? + 0)`
	oldTurns     = `SELECT id FROM turns WHERE thinned = 0 AND ended_at < ? LIMIT ? + 0`
	thinItems    = `DELETE FROM turn_items WHERE used = 0 AND turn_id IN `
	thinned      = `UPDATE turns SET thinned = 1, unused = '' WHERE id IN `
)

// pruneJournal removes what memories and relationships were before a time. From then on the history is complete.
func pruneJournal(tx *db.Tx, before int64) (int64, error) {
	events, err := tx.Affect(`DELETE FROM memory_events WHERE id IN (SELECT id FROM memory_events WHERE at < ? LIMIT ? + 0)`, before, pruneBatch)
	if err != nil {
		return 0, err
	}
	days, err := tx.Affect(`DELETE FROM relationship_days WHERE last_seen < ?`, before)
	if err != nil || events+days == 0 {
		return 0, err
	}
	_, err = tx.Exec(`INSERT INTO history_start (id, at) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET at = max(history_start.at, excluded.at)`, before)
	return events, err
}

// pruneJobRuns removes job runs that were due before a time, with the data needed to revert them.
func pruneJobRuns(tx *db.Tx, before int64) (int64, error) {
	runs, err := db.Collect[int64](tx.Query(pruneRuns, before, pruneBatch))(db.ScanID)
	if err != nil || len(runs) == 0 {
		return 0, err
	}
	in, args := db.Placeholders(runs)
	_, err = tx.Exec(pruneReinforcements+in, args...)
	return int64(len(runs)), err
}

// thinTurns removes, from turns that ended before a time, what their replies were not made from, and returns how many
// turns it changed.
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
