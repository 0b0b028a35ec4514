// Package cronspec reads the schedules an operator writes: what the configuration takes is what the scheduler understands.
package cronspec

import (
	"errors"
	"fmt"
	"strings"

	"github.com/robfig/cron/v3"
)

// ErrZone says that a spec names a timezone, which is given beside it.
var ErrZone = errors.New("a schedule names no timezone")

// Parse reads five fields ("*/5 * * * *") or a descriptor ("@daily", "@every 1h"). It fails with ErrZone for a spec that
// names a timezone.
func Parse(spec string) (s cron.Schedule, err error) {
	if strings.Contains(spec, "TZ=") {
		return nil, ErrZone
	}
	// The cron parser panics on some malformed specs.
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
