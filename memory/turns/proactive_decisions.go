package turns

import (
	"context"
	"fmt"
	"slices"
	"time"

	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/log"
)

// ProactiveDecision is why persona wrote to somebody first, or did not.
type ProactiveDecision struct {
	PersonID int64
	Person   string
	// Subject is what it was about: "loop:12:after".
	Subject string
	// Reason is a gate.Reason.
	Reason string
	// Sent reports that it wrote; MessageID is what it wrote.
	Sent      bool
	MessageID int64
	// JobRun is the job run that decided or asked.
	JobRun int64
	// First is when this reason first applied to the subject, At when it last did, Times how often.
	First, At time.Time
	Times     int
}

// RecordDecisions stores decisions of persona as of their At. Repeated decisions with one subject and reason share a
// row.
func (s *Store) RecordDecisions(ctx context.Context, persona string, decisions []ProactiveDecision) error {
	if len(decisions) == 0 {
		return nil
	}
	return s.db.Write(ctx, "record proactive decisions", func(tx *db.Tx) error {
		for _, d := range decisions {
			if err := RecordDecision(tx, persona, d); err != nil {
				return err
			}
		}
		return nil
	})
}

// RecordDecision is RecordDecisions for one decision within a transaction.
func RecordDecision(tx *db.Tx, persona string, d ProactiveDecision) error {
	_, err := tx.Exec(`INSERT INTO unasked_decisions (persona, person_id, subject, reason, sent, message_id, job_run_id, first_at, at, times)
		VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8, 1)
		ON CONFLICT (persona, person_id, subject, reason) DO UPDATE SET sent = excluded.sent, message_id = excluded.message_id,
			job_run_id = excluded.job_run_id, at = excluded.at, times = unasked_decisions.times + 1`,
		persona, d.PersonID, d.Subject, d.Reason, d.Sent, db.NullID(d.MessageID), db.NullID(d.JobRun), db.Millis(d.At))
	return err
}

// WithholdPending marks a queued request as done without a message and records why. It fails with ErrNotFound when the
// request does not wait. A decision about nobody is not recorded.
func (s *Store) WithholdPending(ctx context.Context, persona string, inbox int64, d ProactiveDecision) error {
	return s.db.Write(ctx, fmt.Sprintf("withhold inbox row %d", inbox), func(tx *db.Tx) error {
		if err := log.MarkInboxDone(tx, inbox); err != nil || d.PersonID == 0 {
			return err
		}
		return RecordDecision(tx, persona, d)
	})
}

// ReasonReverted is why a proactive message was withdrawn: the run that asked for it was reverted.
const ReasonReverted = "run reverted"

// WithholdOutbox withdraws a proactive message that is not in flight yet and records why. Its subject may be raised
// again. It fails with ErrNotFound when the message no longer waits.
func (s *Store) WithholdOutbox(ctx context.Context, persona string, id int64, reason string) error {
	return s.db.Write(ctx, fmt.Sprintf("withhold outbox row %d", id), func(tx *db.Tx) error {
		d, err := WithdrawProactive(tx, persona, id, reason)
		if err != nil {
			return err
		}
		_, err = tx.Exec(`DELETE FROM greeted WHERE persona = ? AND person_id = ? AND subject = ?`, persona, d.PersonID, d.Subject)
		return err
	})
}

// WithdrawProactive withdraws a proactive message that is not in flight yet and replaces the reason of its decision.
func WithdrawProactive(tx *db.Tx, persona string, id int64, reason string) (d ProactiveDecision, err error) {
	const waiting = `(SELECT message_id FROM outbox WHERE id = ?1 AND status = 'pending' AND chunks_sent = 0)`
	if d, err = db.One(tx.QueryRow(decisionColumns+` WHERE d.message_id = `+waiting, id), scanDecision); err != nil {
		return d, err
	}
	if _, err := log.EraseTexts(tx, []int64{d.MessageID}); err != nil {
		return d, err
	}
	for _, q := range []string{
		`DELETE FROM unasked_decisions WHERE message_id = ` + waiting,
		`DELETE FROM outbox WHERE id = ?1`,
	} {
		if _, err := tx.Exec(q, id); err != nil {
			return d, err
		}
	}
	d.Reason, d.Sent, d.MessageID, d.At = reason, false, 0, tx.Now
	return d, RecordDecision(tx, persona, d)
}

// ProactiveDecisions returns the decisions of persona about a person, about everybody for 0, latest first, 100 when
// limit is 0.
func (s *Store) ProactiveDecisions(ctx context.Context, persona string, person int64, limit int) (all []ProactiveDecision, err error) {
	err = s.db.Read(ctx, "list proactive decisions", func(tx *db.Tx) error {
		all, err = db.Collect[ProactiveDecision](tx.Query(decisionColumns+` WHERE d.persona = ?1 AND (?2 = 0 OR d.person_id = ?2)
			ORDER BY d.at DESC, d.person_id, d.subject, d.reason LIMIT ?3 + 0`, persona, person, db.LimitOr(limit, 100)))(scanDecision)
		return err
	})
	return all, err
}

const decisionColumns = `SELECT d.person_id, p.name, d.subject, d.reason, d.sent, d.message_id, d.job_run_id, d.first_at, d.at, d.times
	FROM unasked_decisions d JOIN people p ON p.id = d.person_id`

func scanDecision(row db.Scanner) (d ProactiveDecision, err error) {
	err = row.Scan(&d.PersonID, &d.Person, &d.Subject, &d.Reason, &d.Sent, db.IntoID(&d.MessageID), db.IntoID(&d.JobRun),
		db.IntoTime(&d.First), db.IntoTime(&d.At), &d.Times)
	return d, err
}

// LastProactive returns the subject and time of the last message in a room if persona wrote it first. It fails with
// ErrNotFound when the last message was anything else.
func (s *Store) LastProactive(ctx context.Context, h scope.Visibility) (d ProactiveDecision, err error) {
	err = s.db.ReadOne(ctx, "read the last proactive message", func(tx *db.Tx) error {
		d, err = db.One(tx.QueryRow(decisionColumns+` WHERE d.persona = ?1 AND d.person_id = ?2 AND d.sent = 1
			AND d.message_id = (SELECT max(id) FROM messages WHERE persona = ?1 AND room_id = ?3)`,
			h.Persona(), h.Room().PersonID, h.Room().ID), scanDecision)
		return err
	})
	return d, err
}

// PruneDecisions removes decisions before ?1, but keeps the last proactive message to each person.
const PruneDecisions = `DELETE FROM unasked_decisions WHERE at < ?1 AND (sent = 0 OR EXISTS (SELECT 1 FROM unasked_decisions n
	WHERE n.persona = unasked_decisions.persona AND n.person_id = unasked_decisions.person_id AND n.sent = 1 AND n.at > unasked_decisions.at))`

// RaisedSubject is a subject that is not to be raised with a person again.
type RaisedSubject struct {
	PersonID int64
	Subject  string
}

// RaisedSubjects returns those of some subjects that persona raised before, or decided not to raise for the given
// reason.
func (s *Store) RaisedSubjects(ctx context.Context, persona, reason string, subjects ...string) (map[RaisedSubject]bool, error) {
	done := map[RaisedSubject]bool{}
	err := s.db.Read(ctx, "read raised subjects", func(tx *db.Tx) error {
		for chunk := range slices.Chunk(subjects, db.MaxArgs) {
			in, args := db.Placeholders(chunk)
			_, err := db.Collect[RaisedSubject](tx.Query(`SELECT person_id, subject FROM greeted WHERE persona = ? AND subject IN `+in+`
				UNION ALL SELECT person_id, subject FROM unasked_decisions WHERE persona = ? AND subject IN `+in+` AND reason = ?`,
				slices.Concat([]any{persona}, args, []any{persona}, args, []any{reason})...))(func(row db.Scanner) (b RaisedSubject, err error) {
				err = row.Scan(&b.PersonID, &b.Subject)
				done[b] = true
				return b, err
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	return done, err
}
