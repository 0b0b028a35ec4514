package when

import (
	"strings"
	"time"
)

// dayRange parses a range of days: "from Dec 5 to Dec 9", "between Monday and Friday", "from 5 to 9 December", "Dec 5-9".
func (s *scan) dayRange(i int) (interval, int) {
	switch s.word(i) {
	case "from", "between":
		if s.followsRescheduling(i) {
			return interval{}, 0 // "moved from Wednesday to Thursday"
		}
		return s.rangeEnds(i)
	}
	return s.hyphenated(i)
}

// rangeEnds parses the two days after "from" or "between" at token i.
func (s *scan) rangeEnds(i int) (interval, int) {
	joint := rangeConnectors[s.word(i)]
	first, k := s.dayAt(i + 1)
	if k == 0 {
		if _, bare := dayNumber(s.next(i + 1)); !bare {
			return interval{}, 0
		}
		k = i + 2
	}
	if !joint[s.next(k)] {
		return interval{}, 0
	}
	last, end := s.dayAt(k + 1)
	if d, bare := dayNumber(s.next(k + 1)); end == 0 && bare && k > i+2 { // "from Dec 5 to 9"
		last, end = inMonthOf(first, d), k+2
	}
	if d, bare := dayNumber(s.next(i + 1)); bare && k == i+2 && end > 0 { // "from 5 to 9 December"
		first = inMonthOf(last, d)
	}
	if end == 0 || !first.from.Before(last.from) {
		return interval{}, 0
	}
	return interval{from: first.from, until: last.until, future: first.future && last.future, past: first.past && last.past}, end
}

// rangeConnectors are the words between the ends of a range, by the word before the range.
var rangeConnectors = map[string]map[string]bool{
	"from":    {"to": true, "until": true, "till": true, "til": true, "through": true},
	"between": {"and": true},
}

// dayAt returns the day at token i and the token after it, or 0 if there is no day.
func (s *scan) dayAt(i int) (interval, int) {
	if s.next(i) == "" {
		return interval{}, 0
	}
	for _, rule := range [...]func(*scan, int) (interval, int){(*scan).relativeDay, (*scan).weekday, (*scan).date, (*scan).ordinal} {
		if r, end := rule(s, i); end > i && isMidnight(r.from) && r.until.Sub(r.from) <= 26*time.Hour {
			return r, end
		}
	}
	return interval{}, 0
}

// hyphenated parses "Dec 5-9" and "5-9 December" at token i.
func (s *scan) hyphenated(i int) (interval, int) {
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
	if !ok || !cut || !ok1 || !ok2 || first >= last || !validDate(2024, m, last) {
		return interval{}, 0
	}
	r, end := s.dayInYear(i, m, first, j+2)
	if end > 0 {
		r.until = inMonthOf(r, last).until
	}
	return r, end
}

// inMonthOf returns day d of the month of r.
func inMonthOf(r interval, d int) interval {
	y, m, _ := r.from.Date()
	loc := r.from.Location()
	r.from, r.until = midnight(y, m, d, loc), midnight(y, m, d+1, loc)
	return r
}
