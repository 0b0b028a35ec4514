package when

import (
	"fmt"
	"time"
)

// Format returns the interval [t, until) in words for a reader at now, in now's location: "yesterday", "last Friday",
// "tomorrow at 17:00", "last week", "7 May 2023", "in May 2023", "in 2022", "since May 2016". If until is not after t,
// it formats the day of t.
func Format(t, until, now time.Time) string {
	loc := now.Location()
	t, until = t.In(loc), until.In(loc)
	if !until.After(t) {
		until = dayOf(t, 1)
	}
	switch {
	case isSpan(t, until, days(t, 0, 1)):
		return formatDay(t, now)
	case until.Sub(t) <= 26*time.Hour:
		return formatPart(t, until, now)
	}
	y, m, _ := t.Date()
	switch {
	case isSpan(t, until, yearSpan(y, loc)):
		return fmt.Sprintf("in %d", y)
	case isSpan(t, until, monthSpan(y, m, 1, loc)):
		return fmt.Sprintf("in %s %d", m, y)
	case isSpan(t, until, weekOf(t, 0)):
		return relative("week", t, now, "in the week of "+plainDate(t))
	case isSpan(t, until, weekendOf(t, 0)):
		return relative("weekend", t, now, "on the weekend of "+plainDate(t))
	case t.Day() == 1 && isSpan(t, until, monthSpan(y, m, 3, loc)) && seasonOf(m) != "":
		return fmt.Sprintf("in the %s of %d", seasonOf(m), y)
	case until.After(dayOf(now, -1)) && !until.After(dayOf(now, 1)) && t.Before(now):
		return "since " + formatStart(t)
	}
	return fmt.Sprintf("between %s and %s", plainDate(t), plainDate(until.Add(-time.Nanosecond)))
}

func isSpan(t, until time.Time, r interval) bool { return t.Equal(r.from) && until.Equal(r.until) }

// plainDate formats a date unambiguously for readers of all countries.
func plainDate(t time.Time) string { return t.Format("2 January 2006") }

// formatStart leaves out the day if t is the first of a month, and the month if t is the first of a year.
func formatStart(t time.Time) string {
	switch {
	case t.YearDay() == 1:
		return t.Format("2006")
	case t.Day() == 1:
		return t.Format("January 2006")
	}
	return plainDate(t)
}

// dayDistance returns the number of calendar days from now to t, counted in UTC, where every day has 24 hours.
func dayDistance(t, now time.Time) int {
	return int(utcDay(t).Sub(utcDay(now)) / (24 * time.Hour))
}

func utcDay(t time.Time) time.Time {
	y, m, d := t.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

// formatDay names a day within a week by its relation to today, and any other by its date.
func formatDay(t, now time.Time) string {
	switch n := dayDistance(t, now); {
	case n == 0:
		return "today"
	case n == 1:
		return "tomorrow"
	case n == -1:
		return "yesterday"
	case n > 1 && n < 7:
		return "on " + t.Weekday().String()
	case n < -1 && n > -8:
		return "last " + t.Weekday().String()
	}
	return plainDate(t)
}

// formatPart formats a part of a day ("tomorrow morning") or an hour ("on Friday at 17:30").
func formatPart(t, until, now time.Time) string {
	named := formatDay(t, now)
	width := int(until.Sub(t).Round(time.Hour) / time.Hour)
	for _, name := range [...]string{"morning", "afternoon", "evening", "night"} {
		p := dayParts[name]
		if t.Hour() != p.from || t.Minute() != 0 || width != p.until-p.from {
			continue
		}
		switch {
		case named == "today" && name == "night":
			return "tonight"
		case named == "today":
			return "this " + name
		case named == "yesterday" && name == "night":
			return "last night"
		}
		return named + " " + name
	}
	if until.Sub(t) > time.Hour {
		return named
	}
	return named + t.Format(" at 15:04")
}

// relative returns "last week", "this week", "next week" or the fallback.
func relative(name string, t, now time.Time, fallback string) string {
	switch days := dayDistance(dayOf(t, monday(t)), dayOf(now, monday(now))); days {
	case -7:
		return "last " + name
	case 0:
		return "this " + name
	case 7:
		return "next " + name
	}
	return fallback
}

// seasonOf returns the season that starts with the month, or "".
func seasonOf(m time.Month) string {
	switch m {
	case time.March:
		return "spring"
	case time.June:
		return "summer"
	case time.September:
		return "autumn"
	case time.December:
		return "winter"
	}
	return ""
}
