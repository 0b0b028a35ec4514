package backup

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"

	"familiar/memory/erase"
)

// Rewrite applies to the backups of the home the erasures of people that are newer than them, so that nothing of those people is
// left in any byte of them. It returns how many were rewritten. Encrypted backups whose key is not at hand get the erasures when
// they are restored. A backup of an older schema is upgraded on the way: only then can it be erased in. A damaged backup does not
// keep it from the others: err joins what failed with each.
func (s *Set) Rewrite(ctx context.Context) (rewritten int, err error) {
	all, err := s.List()
	if err != nil {
		return 0, err
	}
	var failed []error
	for _, b := range all {
		if b.Encrypted && !s.Keys.encrypts() {
			continue // it would not be encrypted again
		}
		did, err := s.rewrite(ctx, b)
		switch {
		case did && err == nil:
			rewritten++
		case err == nil, errors.Is(err, ErrLocked), isGone(b, err):
		case ctx.Err() != nil:
			return rewritten, errors.Join(append(failed, err)...)
		default:
			failed = append(failed, about(b, "erase what people had erased from", err))
		}
	}
	return rewritten, errors.Join(failed...)
}

// isGone reports whether an error is that somebody deleted the backup meanwhile.
func isGone(b Backup, err error) bool {
	_, gone := os.Lstat(b.Path)
	return errors.Is(err, fs.ErrNotExist) && errors.Is(gone, fs.ErrNotExist)
}

// rewrite rewrites one backup if somebody was erased after it.
func (s *Set) rewrite(ctx context.Context, b Backup) (did bool, err error) {
	m := Manifest{Made: b.Made, Reason: b.Reason}
	if !b.IsCopy() {
		if m, err = s.Manifest(b); err != nil {
			return false, err
		}
	}
	err = s.withWork(ctx, func(work string) error {
		erased, unread, err := s.erasuresFor(ctx, b, m)
		if err != nil || unread != nil || !personErasedAfter(erased, m) {
			return errors.Join(err, unread)
		}
		did = true
		return s.rewriteWith(ctx, work, b, erased)
	})
	return did, err
}

// personErasedAfter reports whether a person was erased after the erasures of the backup.
func personErasedAfter(erased []erase.Erasure, m Manifest) bool {
	for _, e := range erased {
		if e.Kind == erase.KindPerson && e.At.After(m.Erased) {
			return true
		}
	}
	return false
}

// rewriteWith replaces a backup by one with the erasures.
func (s *Set) rewriteWith(ctx context.Context, work string, b Backup, erased []erase.Erasure) error {
	m, err := s.unpack(ctx, b, work)
	if err != nil {
		return err
	}
	if _, err := s.bringUpToDate(ctx, work, erased); err != nil {
		return err
	}
	var names []string
	for _, member := range m.Members {
		names = append(names, member.Name)
	}
	if m.Home == "" {
		if m.Home, err = s.homeID(); err != nil {
			return err
		}
	}
	m.Erased = latest(erased)
	made, _, err := s.pack(ctx, work, names, m)
	if err != nil || made.Path == b.Path {
		return err
	}
	return os.Remove(b.Path)
}

// latest returns the time of the last erasure, zero if there was none. When the highest ids were read does not count.
func latest(erased []erase.Erasure) (at time.Time) {
	for _, e := range erased {
		if e.Kind != erase.KindHighest && e.At.After(at) {
			at = e.At
		}
	}
	return at
}
