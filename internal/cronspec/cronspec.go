// Package cronspec parses schedules. The configuration and the scheduler share it, so that they accept the same ones.
package cronspec

import (
	"errors"
	"fmt"
	"strings"

	"github.com/robfig/cron/v3"
)

// ErrZone reports that a schedule contains a time zone, which is a separate setting.
var ErrZone = errors.New("a schedule names no timezone")

// Parse parses five fields ("*/5 * * * *") or a descriptor ("@daily", "@every 1h"). It returns ErrZone if the schedule
// contains a time zone.
func Parse(spec string) (s cron.Schedule, err error) {
	if strings.Contains(spec, "TZ=") {
		return nil, ErrZone
	}
	// The cron parser panics on some malformed schedules.
	defer func() {
		if recover() != nil {
			err = errors.New("not a schedule")
		}
	}()
	if s, err = cron.ParseStandard(spec); err != nil {
		return nil, fmt.Errorf("not a schedule (%w)", err)
	}
	return s, nil
}
