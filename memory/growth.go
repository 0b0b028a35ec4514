package memory

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// GrowthVersion is what a persona grew above its card, as of one week.
type GrowthVersion struct {
	// Version counts from 1 on; 0 is that of a persona that never grew.
	Version int
	At      time.Time
	// JobRun is the run of the job that wrote it, 0 for an operator's.
	JobRun int64
	// State is JSON of figures and of names from closed lists (persona/mind reads it): nothing anybody said.
	State []byte
}

const growthColumns = `SELECT version, at, job_run_id, state FROM growth WHERE persona = ? `

func scanGrowth(row scanner) (g GrowthVersion, err error) {
	err = row.Scan(&g.Version, intoTime(&g.At), intoID(&g.JobRun), &g.State)
	return g, err
}

// Grown is the version that holds: the latest, the zero GrowthVersion when there is none.
func (s *Store) Grown(ctx context.Context, persona string) (g GrowthVersion, err error) {
	err = s.readOne(ctx, "read what "+persona+" grew", func(tx *conn) error {
		g, err = tx.grown(persona)
		return err
	})
	return g, err
}

func (c *conn) grown(persona string) (GrowthVersion, error) {
	g, err := one(c.row(growthColumns+`ORDER BY version DESC LIMIT 1`, persona), scanGrowth)
	if errors.Is(err, ErrNotFound) {
		return GrowthVersion{}, nil
	}
	return g, err
}

// GrowthAt is one version; ErrNotFound when there is none of that number.
func (s *Store) GrowthAt(ctx context.Context, persona string, version int) (g GrowthVersion, err error) {
	err = s.readOne(ctx, fmt.Sprintf("read version %d of what %s grew", version, persona), func(tx *conn) error {
		g, err = one(tx.row(growthColumns+`AND version = ?`, persona, version), scanGrowth)
		return err
	})
	return g, err
}

// GrowthHistory are the versions, the latest first, 100 when limit is 0.
func (s *Store) GrowthHistory(ctx context.Context, persona string, limit int) (all []GrowthVersion, err error) {
	err = s.readOne(ctx, "read how "+persona+" grew", func(tx *conn) error {
		all, err = collect[GrowthVersion](tx.rows(growthColumns+`ORDER BY version DESC LIMIT ? + 0`, persona, limitOr(limit, 100)))(scanGrowth)
		return err
	})
	return all, err
}

// ErrGrownMeanwhile says that somebody else wrote a version since the one a new one was made from.
var ErrGrownMeanwhile = errors.New("it has grown meanwhile")

// Grow writes the version after the latest, which must be before: what was made from an older one is not written, and fails
// with ErrGrownMeanwhile. run is 0 for an operator's.
func (s *Store) Grow(ctx context.Context, persona string, run int64, before int, state []byte) error {
	return s.write(ctx, "write what "+persona+" grew", func(tx *conn) error {
		latest, err := tx.grown(persona)
		if err != nil {
			return err
		}
		if latest.Version != before {
			return ErrGrownMeanwhile
		}
		_, err = tx.exec(`INSERT INTO growth (persona, version, at, job_run_id, state) VALUES (?, ?, ?, ?, ?)`,
			persona, before+1, tx.nowMS(), nullID(run), string(state))
		return err
	})
}

// EndedSince are persona's sessions that ended after a time, oldest first: for jobs.
func (s *Store) EndedSince(ctx context.Context, persona string, after time.Time) (sessions []Session, err error) {
	err = s.read(ctx, "list the sessions that ended", func(tx *conn) error {
		sessions, err = collect[Session](tx.rows(sessionColumns+` WHERE s.persona = ? AND s.ended_at > ? ORDER BY s.ended_at, s.id`,
			persona, ms(after)))(scanSession)
		return err
	})
	return sessions, err
}

// LetGo drops what jobs made of a kind beyond the newest that are kept, pinned ones aside, and returns how many went.
func (s *Store) LetGo(ctx context.Context, persona string, kind Kind, kept int) (gone int, err error) {
	const beyond = `m.persona = ? AND m.kind = ? AND m.kind <> '' AND m.origin = 'inferred' AND m.pinned = 0 ORDER BY m.id DESC LIMIT -1 OFFSET ? + 0`
	find := func(tx *conn) ([]placed, error) {
		return collect[placed](tx.rows(placedColumns+beyond, persona, kind, kept))(scanPlaced)
	}
	what := fmt.Sprintf("let go of what %s has too many of, %s", persona, kind)
	var some []placed
	if err := s.read(ctx, what, func(tx *conn) error { some, err = find(tx); return err }); err != nil || len(some) == 0 {
		return 0, err
	}
	err = s.write(ctx, what, func(tx *conn) error {
		some, err := find(tx)
		if err != nil {
			return err
		}
		went, err := tx.drop(some)
		gone = len(went)
		return err
	})
	return gone, err
}
