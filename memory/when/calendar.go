package when

import "time"

// midnight is the first moment of a day in loc. Where the clocks skip midnight the day starts an hour later, and
// time.Date may answer with the evening before.
func midnight(y int, m time.Month, d int, loc *time.Location) time.Time {
	t := time.Date(y, m, d, 0, 0, 0, 0, loc)
	if t.Hour() == 23 {
		return t.Add(time.Hour)
	}
	return t
}

// dayOf is the midnight n days after t's.
func dayOf(t time.Time, n int) time.Time {
	y, m, d := t.Date()
	return midnight(y, m, d+n, t.Location())
}

// days is the span of n days that starts shift days after t's.
func days(t time.Time, shift, n int) reading {
	return reading{from: dayOf(t, shift), until: dayOf(t, shift+n)}
}

// monday is how many days t's week began ago, as a number ≤ 0.
func monday(t time.Time) int { return -(int(t.Weekday()) + 6) % 7 }

// weekOf is the week n weeks after t's, Monday to Monday.
func weekOf(t time.Time, n int) reading { return days(t, monday(t)+7*n, 7) }

// weekendOf is the Saturday and Sunday of the week n weeks after t's.
func weekendOf(t time.Time, n int) reading { return days(t, monday(t)+7*n+5, 2) }

// monthSpan is n whole months from the given one.
func monthSpan(y int, m time.Month, n int, loc *time.Location) reading {
	return reading{from: midnight(y, m, 1, loc), until: midnight(y, m+time.Month(n), 1, loc)}
}

// yearSpan is one whole year.
func yearSpan(y int, loc *time.Location) reading { return monthSpan(y, time.January, 12, loc) }

// nearest picks the year of something yearly by the tense around it: the latest that has begun for the past, the next
// that is not over for the future and the present, and the closer of the two when nothing is said.
func nearest(at time.Time, t tense, in func(year int) reading) reading {
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

// real says whether the month has the day.
func real(y int, m time.Month, d int) bool {
	return d >= 1 && m >= time.January && m <= time.December &&
		d <= time.Date(y, m+1, 0, 0, 0, 0, 0, time.UTC).Day()
}
