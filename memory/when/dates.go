package when

import (
	"strconv"
	"strings"
	"time"
)

// The years that a bare number can mean.
const (
	firstYear = 1900
	lastYear  = 2099
)

// date parses a calendar date: "7 May 2023", "the 7th of May", "May 7th, 2023", "on 2023-05-07".
func (s *scan) date(i int) (interval, int) {
	j := i
	for j < i+2 && (s.word(j) == "on" || s.word(j) == "the") {
		j++
	}
	if j > i && s.next(j) == "" {
		return interval{}, 0
	}
	if y, m, d, ok := isoDate(s.word(j)); ok {
		return interval{from: midnight(y, m, d, s.at.Location()), until: midnight(y, m, d+1, s.at.Location())}, j + 1
	}
	var m time.Month
	d, ok := dayNumber(s.word(j))
	k := j + 1
	if ok {
		if s.next(k) == "of" {
			k++
		}
		m, ok = months[s.next(k)]
	} else if m, ok = months[s.word(j)]; ok {
		if s.next(k) == "the" {
			k++
		}
		d, ok = dayNumber(s.next(k))
	}
	if !ok {
		return interval{}, 0
	}
	return s.dayInYear(i, m, d, k+1)
}

// dayInYear adds the year: the one at token end, or the one that the tense around tokens [i, end) implies.
func (s *scan) dayInYear(i int, m time.Month, d, end int) (interval, int) {
	loc := s.at.Location()
	if y, ok := yearNumber(s.next(end)); ok {
		if !validDate(y, m, d) {
			return interval{}, 0
		}
		return interval{from: midnight(y, m, d, loc), until: midnight(y, m, d+1, loc)}, end + 1
	}
	if !validDate(2024, m, d) { // a leap year: 29 February exists in some year
		return interval{}, 0
	}
	return nearestYear(s.at, s.tense(i, end), func(y int) interval {
		return interval{from: midnight(y, m, d, loc), until: midnight(y, m, d+1, loc)}
	}), end
}

// ordinal parses "the 7th" and "on the 7th": the next one, or the last one if the verb is in the past.
func (s *scan) ordinal(i int) (interval, int) {
	j := i
	if s.word(j) == "on" {
		j++
	}
	if s.word(j) != "the" || (j > i && s.next(j) == "") {
		return interval{}, 0
	}
	w := s.next(j + 1)
	d, ok := dayNumber(w)
	if !ok || w == strconv.Itoa(d) || s.countsThing(j+2) {
		return interval{}, 0
	}
	y, m, _ := s.at.Date()
	step, t := 1, s.tense(i, j+2)
	if t == past {
		step = -1
	}
	for n := 0; n < 3; n++ { // at most two consecutive months lack the day
		month := time.Date(y, m+time.Month(step*n), 1, 0, 0, 0, 0, time.UTC)
		r := interval{
			from:  midnight(month.Year(), month.Month(), d, s.at.Location()),
			until: midnight(month.Year(), month.Month(), d+1, s.at.Location()), past: step < 0, future: step > 0,
		}
		gone := !r.until.After(s.at)
		if validDate(month.Year(), month.Month(), d) && gone == (step < 0) {
			return r, j + 2
		}
	}
	return interval{}, 0
}

// countsThing reports whether the ordinal before token i counts a thing ("the 7th floor") and is not a date.
func (s *scan) countsThing(i int) bool {
	switch s.next(i) {
	case "", "and", "at", "in", "is", "was", "i", "we", "she", "he", "it", "but", "for", "to", "with", "of", "so", "or":
		return false
	}
	return true
}

// monthOrYear parses "in May", "last May", "in May 2023", "May 2023", "in 2022", "early June".
func (s *scan) monthOrYear(i int) (interval, int) {
	j, lead := i, ""
	w := s.word(i)
	if monthLeads[w] || yearLeads[w] || w == "last" || w == "next" || w == "this" {
		j, lead = i+1, w
		if second := s.next(j); second == "early" || second == "late" || second == "mid" || second == "last" ||
			second == "next" || second == "the" && s.next(j+1) == "year" {
			j, lead = j+1, second
		}
		if s.next(j) == "" {
			return interval{}, 0
		}
	}
	_, counted := units[s.next(j+1)] // "in 2000 days"
	if y, ok := yearNumber(s.word(j)); ok && yearLeads[lead] && !counted {
		return yearSpan(y, s.at.Location()), j + 1
	}
	m, ok := months[strings.TrimPrefix(s.word(j), "mid-")]
	if !ok {
		return interval{}, 0
	}
	if _, cut := dayNumber(s.word(i - 1)); cut && lead == "" && !s.toks[i].opens {
		return interval{}, 0 // "31 February 2023" is neither a day nor a month
	}
	if y, ok := yearNumber(s.next(j + 1)); ok {
		return monthSpan(y, m, 1, s.at.Location()), j + 2
	}
	if lead == "" && !strings.HasPrefix(s.word(j), "mid-") && !s.rescheduled(i) {
		return interval{}, 0
	}
	if _, day := dayNumber(s.next(j + 1)); day {
		return interval{}, 0 // "from Dec 5" is a day, not a month
	}
	return s.yearly(lead, i, j+1, func(y int) interval { return monthSpan(y, m, 1, s.at.Location()) }), j + 1
}

// season parses "last summer", "in the winter", "this spring", "the summer of 2019".
func (s *scan) season(i int) (interval, int) {
	j, lead := i, s.word(i)
	if lead == "in" || lead == "during" || lead == "the" || lead == "over" || lead == "this" {
		j++
		if w := s.next(j); lead != "the" && (w == "the" || w == "last" || w == "next" || w == "past" || w == "coming") {
			if w != "the" {
				lead = w
			}
			j++
		}
	} else if lead == "last" || lead == "next" || lead == "past" {
		j++
	} else {
		return interval{}, 0
	}
	m, ok := seasons[s.next(j)]
	if !ok {
		return interval{}, 0
	}
	in := func(y int) interval { return monthSpan(y, m, 3, s.at.Location()) }
	k := j + 1
	if s.next(k) == "of" {
		k++
	}
	if y, ok := yearNumber(s.next(k)); ok {
		return in(y), k + 1
	}
	if lead == "the" {
		return interval{}, 0
	}
	return s.yearly(lead, i, j+1, in), j + 1
}

// holiday parses days with a name: "Christmas", "at Christmas", "last Halloween", "New Year's Eve 2019".
func (s *scan) holiday(i int) (interval, int) {
	j, lead := i, ""
	switch w := s.word(i); w {
	case "last", "next", "this", "on", "at", "over", "for", "by":
		j, lead = i+1, w
		if s.next(j) == "" {
			return interval{}, 0
		}
	}
	for _, f := range holidays {
		if !s.follows(j, f.words) {
			continue
		}
		end := j + len(f.words)
		if w := s.next(end); w == "day" {
			end++
		} else if lead == "" && !s.endsPhrase(end) {
			return interval{}, 0 // "Christmas tree", "Halloween costume"
		}
		in := func(y int) interval {
			return interval{from: midnight(y, f.month, f.day, s.at.Location()), until: midnight(y, f.month, f.day+1, s.at.Location())}
		}
		if y, ok := yearNumber(s.next(end)); ok {
			return in(y), end + 1
		}
		return s.yearly(lead, i, end, in), end
	}
	return interval{}, 0
}

// endsPhrase reports whether the words before token i are not the first part of a compound noun.
func (s *scan) endsPhrase(i int) bool {
	return !s.countsThing(i) || tenses[s.next(i)] != unknown
}

// follows reports whether the words start at token i.
func (s *scan) follows(i int, words []string) bool {
	for k, w := range words {
		if k == 0 && s.word(i) != w || k > 0 && s.next(i+k) != w {
			return false
		}
	}
	return true
}

// yearly resolves something that happens once a year by its lead word, or by the tense around tokens [i, end).
func (s *scan) yearly(lead string, i, end int, in func(year int) interval) interval {
	switch lead {
	case "last", "past":
		return asPast(lastCompleted(s.at, in))
	case "next", "coming":
		r := in(s.at.Year())
		if !r.from.After(s.at) {
			r = in(s.at.Year() + 1)
		}
		return asFuture(r)
	case "this":
		r := in(s.at.Year())
		r.future, r.past = r.from.After(s.at), !r.until.After(s.at)
		return r
	case "since":
		r := nearestYear(s.at, past, in)
		r.until, r.past = s.at, true
		return r
	}
	return nearestYear(s.at, s.tense(i, end), in)
}

// lastCompleted returns the latest interval that is over.
func lastCompleted(at time.Time, in func(year int) interval) interval {
	for y := at.Year(); ; y-- {
		if r := in(y); !r.until.After(at) {
			return r
		}
	}
}

// isoDate parses 2023-05-07.
func isoDate(w string) (int, time.Month, int, bool) {
	if len(w) != len("2023-05-07") || w[4] != '-' {
		return 0, 0, 0, false
	}
	t, err := time.Parse(time.DateOnly, w)
	return t.Year(), t.Month(), t.Day(), err == nil && t.Year() >= firstYear && t.Year() <= lastYear
}

// dayNumber parses a day of the month: "7", "7th", "21st".
func dayNumber(w string) (int, bool) {
	for _, suffix := range [...]string{"st", "nd", "rd", "th"} {
		if cut, ok := strings.CutSuffix(w, suffix); ok {
			w = cut
			break
		}
	}
	n, ok := digits(w, 2)
	return n, ok && n >= 1 && n <= 31
}

// yearNumber parses a year of four digits.
func yearNumber(w string) (int, bool) {
	n, ok := digits(w, 4)
	return n, ok && len(w) == 4 && n >= firstYear && n <= lastYear
}

// digits parses up to limit ASCII digits.
func digits(w string, limit int) (int, bool) {
	if w == "" || len(w) > limit {
		return 0, false
	}
	n := 0
	for _, c := range []byte(w) {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, true
}
