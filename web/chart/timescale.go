package chart

import "time"

// timeScale maps times to fractions of the width.
type timeScale struct {
	from, until time.Time
	zone        *time.Location
}

// seconds is a time as a number that does not overflow, however far apart times are.
func seconds(t time.Time) float64 { return float64(t.Unix()) + float64(t.Nanosecond())/1e9 }

func newTimeScale(from, until time.Time, zone *time.Location) timeScale {
	if zone == nil {
		zone = time.UTC
	}
	if seconds(until)-seconds(from) < 1e-3 {
		from, until = from.Add(-12*time.Hour), until.Add(12*time.Hour)
	}
	return timeScale{from.In(zone), until.In(zone), zone}
}

// at returns where a time is, 0 at the left and 1 at the right.
func (s timeScale) at(t time.Time) float64 {
	from := seconds(s.from)
	return (seconds(t) - from) / (seconds(s.until) - from)
}

// timeTick is a labelled time. Its year, or the day of a time of day, is in a second line where it is new.
type timeTick struct {
	at            time.Time
	label, second string
}

// stride is a distance between ticks that people count in.
type stride struct {
	days           float64 // about how long it is
	format, second string
	// first returns the last tick at or before t, next the one after t.
	first, next func(t time.Time) time.Time
}

// ticks returns at most count ticks at round times of the zone.
func (s timeScale) ticks(count int) []timeTick {
	days := (seconds(s.until) - seconds(s.from)) / 86400
	step := years(roundStep(max(1, days/365.25/float64(count))))
	for _, st := range strides {
		if days/st.days <= float64(count) {
			step = st
			break
		}
	}
	var ticks []timeTick
	for t := step.first(s.from); !t.After(s.until) && len(ticks) <= 2*count; {
		if !t.Before(s.from) {
			ticks = append(ticks, timeTick{at: t, label: t.Format(step.format)})
		}
		next := step.next(t)
		if !next.After(t) {
			break // a clock that is set back, or a year that no longer fits
		}
		t = next
	}
	return withSecond(ticks, step)
}

// withSecond adds the second lines: on the first tick, and on each that begins another year or day.
func withSecond(ticks []timeTick, step stride) []timeTick {
	if step.second == "" {
		return ticks
	}
	said := ""
	for i := range ticks {
		if second := ticks[i].at.Format(step.second); second != said {
			ticks[i].second, said = second, second
		}
	}
	return ticks
}

// strides are the distances between ticks up to a year, the shortest first.
var strides = append(append(append(
	clock(1, 5, 15, 30, 60, 180, 360), calendarDays(1, 2)...), weeks(1, 2)...), months(1, 2, 3, 6)...)

// clock returns strides of minutes within a day.
func clock(minutes ...int) (strides []stride) {
	for _, n := range minutes {
		strides = append(strides, stride{
			days: float64(n) / 1440, format: "15:04", second: "2 Jan 2006",
			first: func(t time.Time) time.Time {
				m := t.Hour()*60 + t.Minute()
				return time.Date(t.Year(), t.Month(), t.Day(), 0, m-m%n, 0, 0, t.Location())
			},
			next: func(t time.Time) time.Time {
				next := time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute()+n, 0, 0, t.Location())
				if d := next.Sub(t); d < 0 || d > 2*time.Duration(n)*time.Minute {
					return t.Add(time.Duration(n) * time.Minute) // within the hour that a clock repeats
				}
				return next
			},
		})
	}
	return strides
}

// day returns a midnight some days from t.
func day(t time.Time, days int) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day()+days, 0, 0, 0, 0, t.Location())
}

func calendarDays(counts ...int) (strides []stride) {
	for _, n := range counts {
		strides = append(strides, stride{
			days: float64(n), format: "2 Jan", second: "2006",
			first: func(t time.Time) time.Time { return day(t, 0) },
			next:  func(t time.Time) time.Time { return day(t, n) },
		})
	}
	return strides
}

// weeks returns strides from Monday to Monday.
func weeks(counts ...int) (strides []stride) {
	for _, n := range counts {
		strides = append(strides, stride{
			days: float64(7 * n), format: "2 Jan", second: "2006",
			first: func(t time.Time) time.Time { return day(t, -(int(t.Weekday())+6)%7) },
			next:  func(t time.Time) time.Time { return day(t, 7*n) },
		})
	}
	return strides
}

func months(counts ...int) (strides []stride) {
	for _, n := range counts {
		strides = append(strides, stride{
			days: float64(n) * 30.4, format: "Jan", second: "2006",
			first: func(t time.Time) time.Time {
				m := int(t.Month()) - 1
				return time.Date(t.Year(), time.Month(m-m%n+1), 1, 0, 0, 0, 0, t.Location())
			},
			next: func(t time.Time) time.Time { return t.AddDate(0, n, 0) },
		})
	}
	return strides
}

// years returns the stride of a round number of years.
func years(n float64) stride {
	count := int(n)
	return stride{
		days: n * 365.25, format: "2006",
		first: func(t time.Time) time.Time {
			return time.Date(t.Year()-t.Year()%count, 1, 1, 0, 0, 0, 0, t.Location())
		},
		next: func(t time.Time) time.Time { return t.AddDate(count, 0, 0) },
	}
}
