package erase

import (
	"context"
	"fmt"
	"time"

	"familiar/memory/internal/db"
	"familiar/memory/lifecycle"
	"familiar/memory/model"
)

// RunOutput is everything that is left of what a job run made, in the order it was made.
type RunOutput struct {
	// Memories include their sources and entities.
	Memories  []model.Memory
	Edges     []model.Edge
	Evidence  []RunEvidence
	Loops     []RunLoop
	Growth    []RunGrowth
	Proactive []RunProactive
}

// RunEvidence is evidence that a run found for or against a belief.
type RunEvidence struct {
	// Belief and Message are ids.
	Belief, Message          int64
	Subject, Relation, Value string
	Quote                    string
	// Stance is +1 for, -1 against.
	Stance int
}

// RunLoop is a message that opened, moved or closed a loop, as a run found.
type RunLoop struct {
	Loop, Message int64
	// Kind is the loop's kind. Did is what the message did: "new", "moved", "closed", "again" or "milestone".
	Kind, Did string
	Text      string
}

// RunGrowth is a version of the persona's growth.
type RunGrowth struct {
	Version int
	State   string
}

// RunProactive is a decision of a run whether the persona writes first.
type RunProactive struct {
	Person          int64
	Subject, Reason string
	Sent            bool
	At              time.Time
}

// RunOutput reads what is left of a run's output for persona, across rooms and people: for operators.
func (s *Store) RunOutput(ctx context.Context, persona string, run int64) (m RunOutput, err error) {
	err = s.db.Read(ctx, fmt.Sprintf("read the output of job run %d", run), func(tx *db.Tx) error {
		m, err = runOutput(tx, persona, run)
		return err
	})
	return m, err
}

func runOutput(tx *db.Tx, persona string, run int64) (m RunOutput, err error) {
	ids, err := db.Collect[int64](tx.Query(`SELECT id FROM memories WHERE persona = ? AND job_run_id = ? ORDER BY id`, persona, run))(db.ScanID)
	if err != nil {
		return m, err
	}
	if m.Memories, err = lifecycle.MemoriesByID(tx, ids); err != nil {
		return m, err
	}
	if m.Edges, err = db.Collect[model.Edge](tx.Query(lifecycle.EdgeColumns+` JOIN memories m ON m.id = e.from_id WHERE m.persona = ? AND e.job_run_id = ?
		ORDER BY e.from_id, e.to_id, e.kind`, persona, run))(lifecycle.ScanEdge); err != nil {
		return m, err
	}
	if m.Evidence, err = db.Collect[RunEvidence](tx.Query(`SELECT b.id, e.message_id, coalesce(p.name, b.subject), b.relation, b.value, e.quote, e.stance
		FROM belief_evidence e JOIN beliefs b ON b.id = e.belief_id LEFT JOIN people p ON p.id = b.subject_person
		WHERE b.persona = ? AND e.job_run_id = ? ORDER BY e.id`, persona, run))(func(row db.Scanner) (e RunEvidence, err error) {
		err = row.Scan(&e.Belief, &e.Message, &e.Subject, &e.Relation, &e.Value, &e.Quote, &e.Stance)
		return e, err
	}); err != nil {
		return m, err
	}
	if m.Loops, err = db.Collect[RunLoop](tx.Query(`SELECT l.id, s.message_id, l.kind, s.kind, l.text
		FROM open_loop_sources s JOIN open_loops l ON l.id = s.loop_id
		WHERE l.persona = ? AND s.job_run_id = ? ORDER BY l.id, s.message_id, s.kind`, persona, run))(func(row db.Scanner) (l RunLoop, err error) {
		err = row.Scan(&l.Loop, &l.Message, &l.Kind, &l.Did, &l.Text)
		return l, err
	}); err != nil {
		return m, err
	}
	if m.Growth, err = db.Collect[RunGrowth](tx.Query(`SELECT version, state FROM growth WHERE persona = ? AND job_run_id = ? ORDER BY version`,
		persona, run))(func(row db.Scanner) (g RunGrowth, err error) {
		err = row.Scan(&g.Version, &g.State)
		return g, err
	}); err != nil {
		return m, err
	}
	m.Proactive, err = db.Collect[RunProactive](tx.Query(`SELECT person_id, subject, reason, sent, at FROM unasked_decisions
		WHERE persona = ? AND job_run_id = ? ORDER BY at, person_id, subject`, persona, run))(func(row db.Scanner) (u RunProactive, err error) {
		err = row.Scan(&u.Person, &u.Subject, &u.Reason, &u.Sent, db.IntoTime(&u.At))
		return u, err
	})
	return m, err
}
