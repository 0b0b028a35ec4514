package when

import "time"

// midnight returns the start of a day in loc. If a clock change skips midnight, the day starts an hour later, and
// time.Date may return the evening before.
func midnight(y int, m time.Month, d int, loc *time.Location) time.Time {
	t := time.Date(y, m, d, 0, 0, 0, 0, loc)
	if t.Hour() == 23 {
		return t.Add(time.Hour)
	}
	return t
}

// dayOf returns the start of the day n days after t.
func dayOf(t time.Time, n int) time.Time {
	y, m, d := t.Date()
	return midnight(y, m, d+n, t.Location())
}

// days returns n days starting shift days after t.
func days(t time.Time, shift, n int) interval {
	return interval{from: dayOf(t, shift), until: dayOf(t, shift+n)}
}

// monday returns the offset in days from t to the Monday of its week, at most 0.
func monday(t time.Time) int { return -(int(t.Weekday()) + 6) % 7 }

// weekOf returns the week n weeks after that of t, Monday to Monday.
func weekOf(t time.Time, n int) interval { return days(t, monday(t)+7*n, 7) }

// weekendOf returns the Saturday and Sunday of the week n weeks after that of t.
func weekendOf(t time.Time, n int) interval { return days(t, monday(t)+7*n+5, 2) }

// monthSpan returns n whole months starting with m.
func monthSpan(y int, m time.Month, n int, loc *time.Location) interval {
	return interval{from: midnight(y, m, 1, loc), until: midnight(y, m+time.Month(n), 1, loc)}
}

// yearSpan returns one whole year.
func yearSpan(y int, loc *time.Location) interval { return monthSpan(y, time.January, 12, loc) }

// nearestYear chooses the year of something yearly by tense: for the past the latest that has begun, for the future and
// the present the next that is not over, and without a tense the closer of the two.
func nearestYear(at time.Time, t tense, in func(year int) interval) interval {
	prev, next := in(at.Year()), in(at.Year())
	if prev.from.After(at) {
		prev = in(at.Year() - 1)
	}
	if !next.until.After(at) {
		next = in(at.Year() + 1)
	}
	switch {
	case t == past:
		prev.past = true
		return prev
	case t == future:
		next.future = true
		return next
	case t == present:
		return next
	case at.Sub(prev.until) < next.from.Sub(at):
		return prev
	}
	return next
}

// validDate reports whether the month has that day.
func validDate(y int, m time.Month, d int) bool {
	return d >= 1 && m >= time.January && m <= time.December &&
		d <= time.Date(y, m+1, 0, 0, 0, 0, 0, time.UTC).Day()
}
