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

// Aged returns the range of ages at now of someone who was that many years old at an earlier time, both ends included.
// The ends are equal only until a birthday may have passed.
func Aged(years int, told, now time.Time) (youngest, oldest int) {
	since := Age(told, now)
	youngest, oldest = years+since, years+since
	if anniversary(told, told.Year()+since).Before(dayOf(now)) {
		oldest++
	}
	return youngest, oldest
}

// BornOn returns the birth date of someone who has a birthday on that day of the year and was that many years old at a
// given time.
func BornOn(birthday time.Time, years int, told time.Time) time.Time {
	year := told.Year() - years
	if anniversary(birthday, told.Year()).After(dayOf(told)) {
		year--
	}
	return anniversary(birthday, year)
}

// anniversary returns the anniversary of a date in a year. For 29 February it is 1 March in years without one.
func anniversary(of time.Time, year int) time.Time {
	return time.Date(year, of.Month(), of.Day(), 0, 0, 0, 0, time.UTC)
}

// dayOf returns the calendar day of a time, comparable with anniversary.
func dayOf(t time.Time) time.Time {
	y, m, d := t.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}
