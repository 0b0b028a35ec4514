package config

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"familiar/internal/cronspec"
)

// Zone is a timezone by its IANA name. The zero Zone is not set.
type Zone struct {
	*time.Location
}

// UnmarshalText takes an IANA name such as Europe/Lisbon, UTC, or Local for the machine's own.
func (z *Zone) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		return errors.New("takes a timezone such as Europe/Lisbon, UTC or Local")
	}
	loc, err := time.LoadLocation(string(text))
	if err != nil {
		return fmt.Errorf("%q is no timezone known here: write one such as Europe/Lisbon, UTC or Local", text)
	}
	z.Location = loc
	return nil
}

// String is the zone's name, "" when not set.
func (z Zone) String() string {
	if z.Location == nil {
		return ""
	}
	return z.Location.String()
}

// Schedule is when a job runs: a cron line of five fields, a descriptor such as @daily, or "off".
type Schedule string

// Never is the schedule of a job that is not to run.
const Never Schedule = "off"

// Off says that the job is not to run.
func (s Schedule) Off() bool { return s == Never }

// UnmarshalText takes a schedule the scheduler will understand.
func (s *Schedule) UnmarshalText(text []byte) error {
	given := Schedule(text)
	if err := given.check(); err != nil {
		return fmt.Errorf("%w: write five cron fields such as \"*/5 * * * *\", @daily, or off", err)
	}
	*s = given
	return nil
}

func (s Schedule) check() error {
	if s.Off() {
		return nil
	}
	_, err := cronspec.Parse(string(s))
	if errors.Is(err, cronspec.ErrZone) {
		err = fmt.Errorf("%w (that is jobs.timezone)", err)
	}
	return err
}

// Level is how much is logged: debug, info, warn or error.
type Level string

// Levels are all levels, the most talkative first.
var Levels = []Level{"debug", "info", "warn", "error"}

// UnmarshalText takes one of Levels.
func (l *Level) UnmarshalText(text []byte) error {
	for _, known := range Levels {
		if string(known) == string(text) {
			*l = known
			return nil
		}
	}
	return errors.New("takes debug, info, warn or error")
}

// Slog is the level for log/slog.
func (l Level) Slog() slog.Level {
	switch l {
	case "debug":
		return slog.LevelDebug
	case "warn":
		return slog.LevelWarn
	case "error":
		return slog.LevelError
	}
	return slog.LevelInfo
}
