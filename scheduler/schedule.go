package scheduler

import (
	"fmt"
	"time"

	"github.com/robfig/cron/v3"

	"familiar/internal/cronspec"
)

// Schedule says when a job is due.
type Schedule struct {
	next cron.Schedule
	zone func() *time.Location
}

// Parse parses a cron expression of five fields ("*/5 * * * *") or a descriptor ("@daily", "@every 1h") in zone. The
// expression itself must not name a zone.
func Parse(spec string, zone *time.Location) (Schedule, error) {
	return Following(spec, func() *time.Location { return zone })
}

// Following is Parse in a zone that may change: zone is asked whenever a due time is computed. It must be safe for
// concurrent use.
func Following(spec string, zone func() *time.Location) (Schedule, error) {
	next, err := cronspec.Parse(spec)
	if err != nil {
		return Schedule{}, fmt.Errorf("cron spec %q: %w; write five fields (minute hour day month weekday) or @hourly, @daily, @every 5m",
			spec, err)
	}
	return Schedule{next: next, zone: zone}, nil
}

// Next returns the first due time after t, or zero if there is none. A job with fixed hours is due once a day, also
// when the clocks change: at an hour that occurs twice, the first time; at an hour that is skipped, the same time after
// midnight as on other days. An hourly job follows elapsed time.
func (s Schedule) Next(t time.Time) time.Time {
	zone := s.zone()
	spec, fields := s.next.(*cron.SpecSchedule)
	if !fields || everyHour(spec) {
		return s.next.Next(t.In(zone))
	}
	for wall := wallClock(t.In(zone)); ; {
		if wall = spec.Next(wall); wall.IsZero() {
			return wall
		}
		if due := at(wall, zone); due.After(t) {
			return due
		}
	}
}

// Due returns the next due time as of now, given that the last run was due at last, or zero if there is none. A time in
// the past means the run was missed.
func (s Schedule) Due(last, now time.Time) time.Time { return s.Next(s.anchor(last, now)) }

// lastBefore returns the last due time up to now, given that due is one. The ledger records it for a run that was missed
// several times: otherwise the next process would catch up again.
func (s Schedule) lastBefore(due, now time.Time) time.Time {
	for {
		next := s.Next(due)
		if next.IsZero() || next.After(now) {
			return due
		}
		due = next
	}
}

// anchor returns the time to count from, as of now, given that the last run was due at last. If last is in the future,
// the clock was put back. If the difference is less than one interval, the finished run is not repeated; if it is more,
// waiting would take too long, so counting starts again from now.
func (s Schedule) anchor(last, now time.Time) time.Time {
	if last.IsZero() {
		return now
	}
	if ahead := last.Sub(now); ahead > 0 && ahead >= s.interval(last) {
		return now
	}
	return last
}

// interval returns the time between two runs after t.
func (s Schedule) interval(t time.Time) time.Duration {
	first := s.Next(t)
	return s.Next(first).Sub(first)
}

// allHours are the bits of a schedule that is due in every hour.
const allHours = 1<<24 - 1

func everyHour(s *cron.SpecSchedule) bool { return s.Hour&allHours == allHours }

// wallClock returns the wall clock time of t as if in UTC, where clocks never change.
func wallClock(t time.Time) time.Time {
	_, offset := t.Zone()
	return t.UTC().Add(time.Duration(offset) * time.Second)
}

// at returns when the wall clock of zone shows wall: the first time if it occurs twice; if it never occurs, the time it would
// have without the clock change.
func at(wall time.Time, zone *time.Location) time.Time {
	year, month, day := wall.Date()
	due := time.Date(year, month, day, wall.Hour(), wall.Minute(), wall.Second(), 0, zone)
	_, before := due.AddDate(0, 0, -1).Zone()
	unchanged := wall.Add(-time.Duration(before) * time.Second).In(zone)
	if wallClock(unchanged).Equal(wall) || !wallClock(due).Equal(wall) {
		return unchanged
	}
	return due
}
