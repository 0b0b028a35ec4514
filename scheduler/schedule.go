package scheduler

import (
	"fmt"
	"time"

	"github.com/robfig/cron/v3"

	"familiar/internal/cronspec"
)

// Schedule says when something is due.
type Schedule struct {
	next cron.Schedule
	zone *time.Location
}

// Parse reads a cron spec of five fields ("*/5 * * * *") or a descriptor ("@daily", "@every 1h"), in zone. The zone is
// given apart and never inside the spec.
func Parse(spec string, zone *time.Location) (Schedule, error) {
	next, err := cronspec.Parse(spec)
	if err != nil {
		return Schedule{}, fmt.Errorf("cron spec %q: %w; write five fields (minute hour day month weekday) or @hourly, @daily, @every 5m",
			spec, err)
	}
	return Schedule{next: next, zone: zone}, nil
}

// Next is the first due time after t, zero when there is none. What is due at hours of its own is due once a day, also when
// the clocks change: at an hour that comes twice, the first time; at one that is left out, as long after midnight as on
// other days. What is due every hour goes on as time passes.
func (s Schedule) Next(t time.Time) time.Time {
	spec, fields := s.next.(*cron.SpecSchedule)
	if !fields || everyHour(spec) {
		return s.next.Next(t.In(s.zone))
	}
	for wall := onTheWall(t.In(s.zone)); ; {
		if wall = spec.Next(wall); wall.IsZero() {
			return wall
		}
		if due := s.at(wall); due.After(t) {
			return due
		}
	}
}

// Due is what is due next as of now when the run before was due at last, zero when there is none: a time that has passed
// was missed.
func (s Schedule) Due(last, now time.Time) time.Time { return s.Next(s.anchor(last, now)) }

// anchor is where to count from as of now when the run before was due at last. Last lies ahead when the clock was put back:
// by less than lies between two runs, what ran is not run again; by more, it would be waited for long, and counting begins
// anew.
func (s Schedule) anchor(last, now time.Time) time.Time {
	if last.IsZero() {
		return now
	}
	if ahead := last.Sub(now); ahead > 0 && ahead >= s.interval(last) {
		return now
	}
	return last
}

// interval is how long after t the time lasts between two runs.
func (s Schedule) interval(t time.Time) time.Duration {
	first := s.Next(t)
	return s.Next(first).Sub(first)
}

// allHours are the bits of a spec that is due in every hour.
const allHours = 1<<24 - 1

func everyHour(s *cron.SpecSchedule) bool { return s.Hour&allHours == allHours }

// onTheWall is what a clock on the wall shows at t, as if it hung in UTC, where clocks never change.
func onTheWall(t time.Time) time.Time {
	_, offset := t.Zone()
	return t.UTC().Add(time.Duration(offset) * time.Second)
}

// at is when the clock on the wall shows wall: the first time of two, and where it never does, when it would have without
// the change.
func (s Schedule) at(wall time.Time) time.Time {
	year, month, day := wall.Date()
	due := time.Date(year, month, day, wall.Hour(), wall.Minute(), wall.Second(), 0, s.zone)
	_, before := due.AddDate(0, 0, -1).Zone()
	unchanged := wall.Add(-time.Duration(before) * time.Second).In(s.zone)
	if onTheWall(unchanged).Equal(wall) || !onTheWall(due).Equal(wall) {
		return unchanged
	}
	return due
}
