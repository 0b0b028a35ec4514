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

// Next is the first due time after t, zero when there is none.
func (s Schedule) Next(t time.Time) time.Time { return s.next.Next(t.In(s.zone)) }
