package when

import (
	"strings"
	"time"
)

// fromTo reads a stretch of days by its ends: "from Dec 5 to Dec 9", "between Monday and Friday", "from 5 to 9 December",
// "Dec 5-9".
func (s *scan) fromTo(i int) (reading, int) {
	switch s.word(i) {
	case "from", "between":
		if s.followsRescheduling(i) {
			return reading{}, 0 // "moved from Wednesday to Thursday"
		}
		return s.between(i)
	}
	return s.hyphenated(i)
}

// between reads the two days after "from" or "between" at token i.
func (s *scan) between(i int) (reading, int) {
	joint := rangeJoints[s.word(i)]
	first, k := s.dayAt(i + 1)
	if k == 0 {
		if _, bare := dayNumber(s.next(i + 1)); !bare {
			return reading{}, 0
		}
		k = i + 2
	}
	if !joint[s.next(k)] {
		return reading{}, 0
	}
	last, end := s.dayAt(k + 1)
	if d, bare := dayNumber(s.next(k + 1)); end == 0 && bare && k > i+2 { // "from Dec 5 to 9"
		last, end = inMonthOf(first, d), k+2
	}
	if d, bare := dayNumber(s.next(i + 1)); bare && k == i+2 && end > 0 { // "from 5 to 9 December"
		first = inMonthOf(last, d)
	}
	if end == 0 || !first.from.Before(last.from) {
		return reading{}, 0
	}
	return reading{from: first.from, until: last.until, future: first.future && last.future, past: first.past && last.past}, end
}

// rangeJoints are the words between the ends of a stretch, by the word before them.
var rangeJoints = map[string]map[string]bool{
	"from":    {"to": true, "until": true, "till": true, "til": true, "through": true},
	"between": {"and": true},
}

// dayAt is the day named at token i and the token after it, 0 when none is.
func (s *scan) dayAt(i int) (reading, int) {
	if s.next(i) == "" {
		return reading{}, 0
	}
	for _, rule := range [...]func(*scan, int) (reading, int){(*scan).relativeDay, (*scan).weekday, (*scan).date, (*scan).ordinal} {
		if r, end := rule(s, i); end > i && isMidnight(r.from) && r.until.Sub(r.from) <= 26*time.Hour {
			return r, end
		}
	}
	return reading{}, 0
}

// hyphenated reads "Dec 5-9" and "5-9 December" at token i.
func (s *scan) hyphenated(i int) (reading, int) {
	j := i
	if s.word(i) == "on" || s.word(i) == "the" {
		j++
	}
	month, figures := s.word(j), s.next(j+1)
	if _, ok := months[month]; !ok {
		month, figures = figures, month
	}
	m, ok := months[month]
	from, to, cut := strings.Cut(figures, "-")
	first, ok1 := dayNumber(from)
	last, ok2 := dayNumber(to)
	if !ok || !cut || !ok1 || !ok2 || first >= last || !real(2024, m, last) {
		return reading{}, 0
	}
	r, end := s.dayInYear(i, m, first, j+2)
	if end > 0 {
		r.until = inMonthOf(r, last).until
	}
	return r, end
}

// inMonthOf is day d of the month of r.
func inMonthOf(r reading, d int) reading {
	y, m, _ := r.from.Date()
	loc := r.from.Location()
	r.from, r.until = midnight(y, m, d, loc), midnight(y, m, d+1, loc)
	return r
}
