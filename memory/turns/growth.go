package turns

import (
	"context"
	"errors"
	"fmt"
	"time"

	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/lifecycle"
	"familiar/memory/model"
)

// GrowthVersion is how a persona differs from its card, as of one week.
type GrowthVersion struct {
	// Version counts from 1. Version 0 is a persona that never grew.
	Version int
	At      time.Time
	// JobRun is the job run that wrote it, 0 for an operator.
	JobRun int64
	// State is JSON of numbers and of names from closed lists (persona/mind reads it). It contains nothing that anybody
	// said.
	State []byte
}

const growthColumns = `SELECT version, at, job_run_id, state FROM growth WHERE persona = ?1 `

func scanGrowth(row db.Scanner) (g GrowthVersion, err error) {
	err = row.Scan(&g.Version, db.IntoTime(&g.At), db.IntoID(&g.JobRun), &g.State)
	return g, err
}

// LatestGrowth returns the current version, the zero GrowthVersion when there is none.
func (s *Store) LatestGrowth(ctx context.Context, persona string) (g GrowthVersion, err error) {
	err = s.db.ReadOne(ctx, "read the growth of "+persona, func(tx *db.Tx) error {
		g, err = CurrentGrowth(tx, persona)
		return err
	})
	return g, err
}

// CurrentGrowth is LatestGrowth within a transaction.
func CurrentGrowth(tx *db.Tx, persona string) (GrowthVersion, error) {
	g, err := db.One(tx.QueryRow(growthColumns+`ORDER BY version DESC LIMIT 1`, persona), scanGrowth)
	if errors.Is(err, db.ErrNotFound) {
		return GrowthVersion{}, nil
	}
	return g, err
}

// GrowthAt returns one version. It fails with ErrNotFound when there is none of that number.
func (s *Store) GrowthAt(ctx context.Context, persona string, version int) (g GrowthVersion, err error) {
	err = s.db.ReadOne(ctx, fmt.Sprintf("read version %d of the growth of %s", version, persona), func(tx *db.Tx) error {
		g, err = db.One(tx.QueryRow(growthColumns+`AND version = ?2`, persona, version), scanGrowth)
		return err
	})
	return g, err
}

// GrowthHistory returns the versions, latest first, 100 when limit is 0.
func (s *Store) GrowthHistory(ctx context.Context, persona string, limit int) (all []GrowthVersion, err error) {
	err = s.db.ReadOne(ctx, "list the growth of "+persona, func(tx *db.Tx) error {
		all, err = db.Collect[GrowthVersion](tx.Query(growthColumns+`ORDER BY version DESC LIMIT ?2 + 0`, persona, db.LimitOr(limit, 100)))(scanGrowth)
		return err
	})
	return all, err
}

// GrowthBefore returns up to limit versions below a number, latest first; before 0 begins with the latest of all.
func (s *Store) GrowthBefore(ctx context.Context, persona string, before, limit int) (all []GrowthVersion, err error) {
	err = s.db.ReadOne(ctx, "list the growth of "+persona, func(tx *db.Tx) error {
		all, err = db.Collect[GrowthVersion](tx.Query(growthColumns+`AND (?2 = 0 OR version < ?2) ORDER BY version DESC LIMIT ?3 + 0`, persona, before, limit))(scanGrowth)
		return err
	})
	return all, err
}

// ErrGrowthConflict reports that another version was written after the one that a new version was made from.
var ErrGrowthConflict = errors.New("a newer version of the growth was written meanwhile")

// AddGrowth writes the version that follows before, which must be the latest. Otherwise it writes nothing and fails
// with ErrGrowthConflict. run is 0 for an operator.
func (s *Store) AddGrowth(ctx context.Context, persona string, run int64, before int, state []byte) error {
	return s.db.Write(ctx, "write the growth of "+persona, func(tx *db.Tx) error {
		latest, err := CurrentGrowth(tx, persona)
		if err != nil {
			return err
		}
		if latest.Version != before {
			return ErrGrowthConflict
		}
		return WriteGrowth(tx, persona, run, before+1, state)
	})
}

// WriteGrowth writes a version, which must be the one after the latest.
func WriteGrowth(tx *db.Tx, persona string, run int64, version int, state []byte) error {
	_, err := tx.Exec(`INSERT INTO growth (persona, version, at, job_run_id, state) VALUES (?, ?, ?, ?, ?)`,
		persona, version, tx.NowMillis(), db.NullID(run), string(state))
	return err
}

// SessionsEndedSince returns persona's sessions that ended after a time, oldest first: for jobs.
func (s *Store) SessionsEndedSince(ctx context.Context, persona string, after time.Time) (sessions []model.Session, err error) {
	err = s.db.Read(ctx, "list ended sessions", func(tx *db.Tx) error {
		sessions, err = db.Collect[model.Session](tx.Query(sessionColumns+` WHERE s.persona = ? AND s.ended_at > ? ORDER BY s.ended_at, s.id`,
			persona, db.Millis(after)))(scanSession)
		return err
	})
	return sessions, err
}

// TrimInferences removes inferences of a kind beyond the newest `kept`, except pinned ones, and returns how many it
// removed.
func (s *Store) TrimInferences(ctx context.Context, persona string, kind model.Kind, kept int) (gone int, err error) {
	const beyond = `m.persona = ? AND m.kind = ? AND m.kind <> '' AND m.origin = 'inferred' AND m.pinned = 0 ORDER BY m.id DESC LIMIT 9223372036854775807 OFFSET ? + 0`
	find := func(tx *db.Tx) ([]scope.MemoryRef, error) {
		return db.Collect[scope.MemoryRef](tx.Query(scope.SelectMemoryRefs+beyond, persona, kind, kept))(scope.ScanMemoryRef)
	}
	what := fmt.Sprintf("remove the oldest inferences of %s, %s", persona, kind)
	var some []scope.MemoryRef
	if err := s.db.Read(ctx, what, func(tx *db.Tx) error { some, err = find(tx); return err }); err != nil || len(some) == 0 {
		return 0, err
	}
	err = s.db.Write(ctx, what, func(tx *db.Tx) error {
		some, err := find(tx)
		if err != nil {
			return err
		}
		went, err := lifecycle.Drop(tx, some)
		gone = len(went)
		return err
	})
	return gone, err
}
