package backup

import (
	"context"
	"fmt"
	"os"
	"slices"
	"time"
)

// Retention says which backups are kept.
type Retention struct {
	// Daily is of how many days the last backup is kept, Weekly of how many weeks before those.
	Daily, Weekly int
	// Zone is where a day begins.
	Zone *time.Location
}

// Split divides backups into those to keep and those to drop at a moment. Of each of the last Daily days that have backups the
// newest is kept, and of what is older, the newest of each of the last Weekly weeks. A backup from before an upgrade is kept
// as long as all of these reach back, since no later one can be opened by the earlier program.
func (r Retention) Split(all []Backup, now time.Time) (keep, drop []Backup) {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b Backup) int { return b.Made.Compare(a.Made) })
	reach := now.AddDate(0, 0, -max(r.Daily, 1)-7*r.Weekly)
	days, weeks := map[string]bool{}, map[string]bool{}
	for i, b := range all {
		at := b.Made.In(r.zone())
		day := at.Format(time.DateOnly)
		switch {
		case i == 0, len(days) < r.Daily && !days[day]:
			days[day] = true
		case b.Reason == Upgrade && b.Made.After(reach):
		case !days[day] && r.newWeek(weeks, at):
		default:
			drop = append(drop, b)
			continue
		}
		keep = append(keep, b)
	}
	return keep, drop
}

func (r Retention) zone() *time.Location {
	if r.Zone == nil {
		return time.UTC
	}
	return r.Zone
}

// newWeek notes the week of a time and reports whether a backup of it is still to be kept.
func (r Retention) newWeek(weeks map[string]bool, at time.Time) bool {
	year, number := at.ISOWeek()
	week := fmt.Sprintf("%d-%02d", year, number)
	if weeks[week] || len(weeks) >= r.Weekly {
		return false
	}
	weeks[week] = true
	return true
}

// Prune deletes the backups that the retention drops, and returns them. The newest is never deleted.
func (s *Set) Prune(ctx context.Context, r Retention) (dropped []Backup, err error) {
	err = s.withWork(ctx, func(string) error {
		all, err := s.List()
		if err != nil {
			return err
		}
		_, drop := r.Split(all, s.Now())
		for _, b := range drop {
			if err := os.Remove(b.Path); err != nil {
				return fmt.Errorf("delete an old backup: %w", err)
			}
			dropped = append(dropped, b)
		}
		return nil
	})
	return dropped, err
}
