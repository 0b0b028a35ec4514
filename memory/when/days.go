package when

import (
	"strings"
	"time"
)

// relativeDay parses "today", "tomorrow", "the day after tomorrow", "last night", "this morning", "the other day".
func (s *scan) relativeDay(i int) (interval, int) {
	j := i
	if s.word(j) == "the" {
		j++
	}
	if s.word(j) == "day" {
		side, anchor := s.next(j+1), s.next(j+2)
		switch {
		case side == "after" && dayWords[anchor] == 1:
			return asFuture(days(s.at, 2, 1)), j + 3
		case side == "before" && anchor == "yesterday":
			return asPast(days(s.at, -2, 1)), j + 3
		}
	}
	if j > i && s.word(j) == "other" && s.next(j+1) == "day" {
		return asPast(days(s.at, -10, 9)), j + 2
	}
	if n, ok := dayWords[s.word(i)]; ok {
		return s.fromToday(i, n)
	}
	return s.partOfToday(i)
}

// fromToday returns the day n days from now with its direction, the evening for "tonight".
func (s *scan) fromToday(i, n int) (interval, int) {
	r := days(s.at, n, 1)
	if s.word(i) == "tonight" {
		r = s.part(r, "night")
		r.future = true
	}
	r.future, r.past = r.future || n > 0, n < 0
	return r, i + 1
}

// partOfToday parses "last night", "this morning", "this evening".
func (s *scan) partOfToday(i int) (interval, int) {
	lead, name := s.word(i), s.next(i+1)
	if _, ok := dayParts[name]; !ok || name == "noon" {
		return interval{}, 0
	}
	switch {
	case lead == "last" && name == "night":
		return asPast(s.part(days(s.at, -1, 1), name)), i + 2
	case lead == "this":
		r := s.part(days(s.at, 0, 1), name)
		r.future, r.past = r.from.After(s.at), !r.until.After(s.at)
		return r, i + 2
	}
	return interval{}, 0
}

func asFuture(r interval) interval { r.future = true; return r }
func asPast(r interval) interval   { r.past = true; return r }

// weekday parses "Friday", "on Friday", "this coming Friday", "next Friday", "last Friday", "Friday week". "Next Friday"
// is Friday of next week. A bare Friday is the coming one unless the verb is in the past. On a Friday it means that day,
// unless the day is nearly over or the verb is in the future, because people then say "today".
func (s *scan) weekday(i int) (interval, int) {
	j, lead := i, ""
	switch w := s.word(i); w {
	case "on", "this", "next", "last", "by", "until", "coming", "past", "til", "till":
		j, lead = i+1, w
		if second := s.next(j); w == "this" || w == "on" {
			if second == "coming" || second == "past" || second == "next" || second == "last" || second == "this" {
				j, lead = j+1, second
			}
		}
	}
	if j > i && s.next(j) == "" {
		return interval{}, 0
	}
	wd, ok := weekdays[strings.TrimSuffix(s.word(j), "'s")]
	if !ok && lead != "" {
		wd, ok = shortWeekdays[s.word(j)]
	}
	if !ok {
		return interval{}, 0
	}
	if lead == "" && s.next(j+1) == "week" { // "Friday week" is British for the Friday after next
		lead, j = "next", j+1
	}
	return s.onWeekday(wd, lead, i, j+1), j + 1
}

// eveningFrom is the hour from which the name of today's weekday means that day next week.
const eveningFrom = 17

// onWeekday resolves a weekday after lead at tokens [i, end).
func (s *scan) onWeekday(wd time.Weekday, lead string, i, end int) interval {
	toCome := (int(wd-s.at.Weekday()) + 7) % 7
	if tense := s.tense(i, end); toCome == 0 && (lead == "coming" || tense != past && (tense == future || s.at.Hour() >= eveningFrom)) {
		return asFuture(days(s.at, 7, 1))
	}
	inWeek := monday(s.at) + (int(wd)+6)%7
	switch lead {
	case "last", "past":
		return asPast(days(s.at, lastShift(toCome), 1))
	case "next":
		return asFuture(days(s.at, inWeek+7, 1))
	}
	if s.tense(i, end) == past {
		if lead == "this" && inWeek < 0 {
			return asPast(days(s.at, inWeek, 1))
		}
		return asPast(days(s.at, lastShift(toCome), 1))
	}
	return asFuture(days(s.at, toCome, 1))
}

// lastShift returns the offset in days to the last such weekday before today, given the offset to the next one.
func lastShift(toCome int) int { return toCome - 7 }

// period parses "this week", "next weekend", "last month", "the week before last", "the weekend".
func (s *scan) period(i int) (interval, int) {
	lead, name, end := s.word(i), s.next(i+1), i+2
	if lead == "the" || lead == "this" {
		if name == "past" || name == "coming" || name == "next" || name == "last" {
			lead, name, end = name, s.next(i+2), i+3
		}
	}
	shift, ok := shifts[lead]
	switch {
	case lead == "the" && name == "weekend":
		return s.weekend(i, end), end
	case lead == "the" && s.next(end) == "before" && s.next(end+1) == "last":
		shift, ok, end = -2, true, end+2
	case lead == "the" && s.next(end) == "after" && s.next(end+1) == "next":
		shift, ok, end = 2, true, end+2
	}
	if !ok {
		return interval{}, 0
	}
	r, known := s.shifted(name, shift)
	if !known {
		return interval{}, 0
	}
	r.future, r.past = shift > 0, shift < 0
	if name == "weekend" && shift == 0 {
		r = s.weekend(i, end)
	}
	return r, end
}

// shifted returns the week, weekend, month or year shift units from now.
func (s *scan) shifted(name string, shift int) (interval, bool) {
	y, m, _ := s.at.Date()
	switch name {
	case "week":
		return weekOf(s.at, shift), true
	case "weekend":
		return weekendOf(s.at, shift), true
	case "month":
		return monthSpan(y, m+time.Month(shift), 1, s.at.Location()), true
	case "year":
		return yearSpan(y+shift, s.at.Location()), true
	}
	return interval{}, false
}

// weekend returns what "the weekend" or "this weekend" means: the current or coming one, or the last one if the verb is
// in the past and the weekend has not started.
func (s *scan) weekend(i, end int) interval {
	r := weekendOf(s.at, 0)
	switch {
	case s.tense(i, end) != past:
		return asFuture(r)
	case r.from.After(s.at):
		return asPast(weekendOf(s.at, -1))
	}
	return asPast(r)
}
