package config

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"familiar/internal/cronspec"
)

// Zone is a timezone with an IANA name. The zero Zone is not set.
type Zone struct {
	*time.Location
}

// UnmarshalText parses an IANA name such as Europe/Lisbon, UTC, or Local for the machine's timezone.
func (z *Zone) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		return errors.New("takes a timezone such as Europe/Lisbon, UTC or Local")
	}
	loc, err := time.LoadLocation(string(text))
	if err != nil {
		return fmt.Errorf("%q is not a known timezone: write one such as Europe/Lisbon, UTC or Local", text)
	}
	z.Location = loc
	return nil
}

// String returns the name, "" if not set.
func (z Zone) String() string {
	if z.Location == nil {
		return ""
	}
	return z.Location.String()
}

// Schedule says when a job runs: five cron fields, a descriptor such as @daily, or "off".
type Schedule string

// Never is the schedule of a job that does not run.
const Never Schedule = "off"

// Off reports whether the job does not run.
func (s Schedule) Off() bool { return s == Never }

// UnmarshalText parses a schedule that the scheduler accepts.
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
		err = fmt.Errorf("%w (use jobs.timezone)", err)
	}
	return err
}

// Level is the minimum level that is logged: debug, info, warn or error.
type Level string

// Levels lists all levels, the most verbose first.
var Levels = []Level{"debug", "info", "warn", "error"}

// UnmarshalText parses one of Levels.
func (l *Level) UnmarshalText(text []byte) error {
	for _, known := range Levels {
		if string(known) == string(text) {
			*l = known
			return nil
		}
	}
	return errors.New("takes debug, info, warn or error")
}

// LogFormat is how events are logged.
type LogFormat string

// The formats: lines for people, or one JSON object per line.
const (
	TextLog LogFormat = "text"
	JSONLog LogFormat = "json"
)

// UnmarshalText parses text or json.
func (f *LogFormat) UnmarshalText(text []byte) error {
	switch given := LogFormat(text); given {
	case TextLog, JSONLog:
		*f = given
		return nil
	}
	return errors.New("takes text or json")
}

// Slog returns the level for log/slog.
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
