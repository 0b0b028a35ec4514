package scheduler

import (
	"fmt"
	"strings"
	"time"

	"github.com/robfig/cron/v3"
)

// Schedule says when something is due.
type Schedule struct {
	next cron.Schedule
	zone *time.Location
}

// Parse reads a cron spec of five fields ("*/5 * * * *") or a descriptor ("@daily", "@every 1h"), in zone. The zone is
// given apart and never inside the spec.
func Parse(spec string, zone *time.Location) (s Schedule, err error) {
	// The parser panics on some malformed specs, TZ= prefixes among them.
	defer func() {
		if recover() != nil {
			err = badSpec(spec, "it cannot be read")
		}
	}()
	if strings.Contains(spec, "TZ=") {
		return Schedule{}, badSpec(spec, "set the timezone beside it, not in it")
	}
	parser := cron.NewParser(cron.Minute | cron.Hour | cron.Dom | cron.Month | cron.Dow | cron.Descriptor)
	next, err := parser.Parse(spec)
	if err != nil {
		return Schedule{}, badSpec(spec, err.Error())
	}
	return Schedule{next: next, zone: zone}, nil
}

func badSpec(spec, why string) error {
	return fmt.Errorf("cron spec %q: %s; write five fields (minute hour day month weekday) or @hourly, @daily, @every 5m",
		spec, why)
}

// Next is the first due time after t, zero when there is none.
func (s Schedule) Next(t time.Time) time.Time { return s.next.Next(t.In(s.zone)) }
