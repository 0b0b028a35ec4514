package backup

import (
	"context"
	"time"
)

// Drilled says what a restore drill found.
type Drilled struct {
	Backup
	Manifest
	// Took is how long the restore took.
	Took time.Duration
}

// Drill restores a backup into a temporary directory as Restore would, opens and checks it there, and deletes it: the way to
// know that it can be restored. The home is not touched, and may be served meanwhile.
func (s *Set) Drill(ctx context.Context, b Backup) (done Drilled, err error) {
	began := s.Now()
	done.Backup = b
	err = s.withWork(ctx, func(work string) error {
		if done.Manifest, err = s.unpack(ctx, b, work); err != nil {
			return err
		}
		erased, _, err := s.erasuresFor(ctx, b, done.Manifest)
		if err != nil {
			return err
		}
		_, err = s.bringUpToDate(ctx, work, erased)
		return err
	})
	done.Took = s.Now().Sub(began)
	return done, about(b, "try to restore", err)
}
