package mind

import "time"

// Age returns how many whole years someone born on a day has lived at now, never below 0. Both are read in now's
// location.
func Age(born, now time.Time) int {
	years := now.Year() - born.Year()
	if anniversary(born, now.Year()).After(dayOf(now)) {
		years--
	}
	return max(years, 0)
}

// Aged returns how old someone is at now who was that many years old when it was told: between and including youngest
// and oldest. They are the same only while nobody can have had a birthday since.
func Aged(years int, told, now time.Time) (youngest, oldest int) {
	since := Age(told, now)
	youngest, oldest = years+since, years+since
	if anniversary(told, told.Year()+since).Before(dayOf(now)) {
		oldest++
	}
	return youngest, oldest
}

// BornOn returns the day someone was born whose birthday is on a day of the year, and who was that many years old when
// it was told.
func BornOn(birthday time.Time, years int, told time.Time) time.Time {
	year := told.Year() - years
	if anniversary(birthday, told.Year()).After(dayOf(told)) {
		year--
	}
	return anniversary(birthday, year)
}

// anniversary returns the day of a date in a year; what fell on 29 February is on 1 March in years without one.
func anniversary(of time.Time, year int) time.Time {
	return time.Date(year, of.Month(), of.Day(), 0, 0, 0, 0, time.UTC)
}

// dayOf returns the calendar day of a moment, comparable with anniversary.
func dayOf(t time.Time) time.Time {
	y, m, d := t.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}
