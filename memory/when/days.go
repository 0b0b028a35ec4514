package when

import (
	"strings"
	"time"
)

// relativeDay reads "today", "tomorrow", "the day after tomorrow", "last night", "this morning", "the other day".
func (s *scan) relativeDay(i int) (reading, int) {
	j := i
	if s.word(j) == "the" {
		j++
	}
	if s.word(j) == "day" {
		side, anchor := s.next(j+1), s.next(j+2)
		switch {
		case side == "after" && dayWords[anchor] == 1:
			return ahead(days(s.at, 2, 1)), j + 3
		case side == "before" && anchor == "yesterday":
			return behind(days(s.at, -2, 1)), j + 3
		}
	}
	if j > i && s.word(j) == "other" && s.next(j+1) == "day" {
		return behind(days(s.at, -10, 9)), j + 2
	}
	if n, ok := dayWords[s.word(i)]; ok {
		return s.aboutToday(i, n)
	}
	return s.partOfToday(i)
}

// aboutToday is the day n days from now with its direction; "tonight" is its evening.
func (s *scan) aboutToday(i, n int) (reading, int) {
	r := days(s.at, n, 1)
	if s.word(i) == "tonight" {
		r = s.part(r, "night")
		r.future = true
	}
	r.future, r.past = r.future || n > 0, n < 0
	return r, i + 1
}

// partOfToday reads "last night", "this morning", "this evening".
func (s *scan) partOfToday(i int) (reading, int) {
	lead, name := s.word(i), s.next(i+1)
	if _, ok := dayParts[name]; !ok || name == "noon" {
		return reading{}, 0
	}
	switch {
	case lead == "last" && name == "night":
		return behind(s.part(days(s.at, -1, 1), name)), i + 2
	case lead == "this":
		r := s.part(days(s.at, 0, 1), name)
		r.future, r.past = r.from.After(s.at), !r.until.After(s.at)
		return r, i + 2
	}
	return reading{}, 0
}

func ahead(r reading) reading  { r.future = true; return r }
func behind(r reading) reading { r.past = true; return r }

// weekday reads "Friday", "on Friday", "this coming Friday", "next Friday", "last Friday", "a week on Friday".
// "Next Friday" is Friday of next week; a bare Friday is the coming one unless the verb is in the past. Said on a Friday
// it is that day, unless the day is nearly over or the verb is in the future: then nobody would have named it.
func (s *scan) weekday(i int) (reading, int) {
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
		return reading{}, 0
	}
	wd, ok := weekdays[strings.TrimSuffix(s.word(j), "'s")]
	if !ok && lead != "" {
		wd, ok = shortWeekdays[s.word(j)]
	}
	if !ok {
		return reading{}, 0
	}
	if lead == "" && s.next(j+1) == "week" { // "Friday week": a Britishism for the one after
		lead, j = "next", j+1
	}
	return s.onWeekday(wd, lead, i, j+1), j + 1
}

// eveningFrom is the hour from which today's weekday, named, is that of next week.
const eveningFrom = 17

// onWeekday resolves a weekday named with lead at tokens [i, end).
func (s *scan) onWeekday(wd time.Weekday, lead string, i, end int) reading {
	toCome := (int(wd-s.at.Weekday()) + 7) % 7
	if tense := s.tense(i, end); toCome == 0 && (lead == "coming" || tense != past && (tense == future || s.at.Hour() >= eveningFrom)) {
		return ahead(days(s.at, 7, 1))
	}
	inWeek := monday(s.at) + (int(wd)+6)%7
	switch lead {
	case "last", "past":
		return behind(days(s.at, lastShift(toCome), 1))
	case "next":
		return ahead(days(s.at, inWeek+7, 1))
	}
	if s.tense(i, end) == past {
		if lead == "this" && inWeek < 0 {
			return behind(days(s.at, inWeek, 1))
		}
		return behind(days(s.at, lastShift(toCome), 1))
	}
	return ahead(days(s.at, toCome, 1))
}

// lastShift is how many days back the weekday before today lies, given how many days ahead the next one does.
func lastShift(toCome int) int { return toCome - 7 }

// stretch reads "this week", "next weekend", "last month", "the week before last", "over the weekend".
func (s *scan) stretch(i int) (reading, int) {
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
		return reading{}, 0
	}
	r, known := s.shifted(name, shift)
	if !known {
		return reading{}, 0
	}
	r.future, r.past = shift > 0, shift < 0
	if name == "weekend" && shift == 0 {
		r = s.weekend(i, end)
	}
	return r, end
}

// shifted is the week, weekend, month or year shift units from now.
func (s *scan) shifted(name string, shift int) (reading, bool) {
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
	return reading{}, false
}

// weekend is the one meant by "the weekend" or "this weekend": the coming or present one, the last one when the verb
// is in the past and it is not weekend yet.
func (s *scan) weekend(i, end int) reading {
	r := weekendOf(s.at, 0)
	switch {
	case s.tense(i, end) != past:
		return ahead(r)
	case r.from.After(s.at):
		return behind(weekendOf(s.at, -1))
	}
	return behind(r)
}
