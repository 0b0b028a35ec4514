package when

import (
	"strconv"
	"strings"
	"time"
)

// The years a bare number may mean.
const (
	firstYear = 1900
	lastYear  = 2099
)

// date reads a day of the calendar: "7 May 2023", "the 7th of May", "May 7th, 2023", "on 2023-05-07".
func (s *scan) date(i int) (reading, int) {
	j := i
	for j < i+2 && (s.word(j) == "on" || s.word(j) == "the") {
		j++
	}
	if j > i && s.next(j) == "" {
		return reading{}, 0
	}
	if y, m, d, ok := isoDate(s.word(j)); ok {
		return reading{from: midnight(y, m, d, s.at.Location()), until: midnight(y, m, d+1, s.at.Location())}, j + 1
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
		return reading{}, 0
	}
	return s.dayInYear(i, m, d, k+1)
}

// dayInYear adds the year: the one written at token end, or the one the wording around tokens [i, end) points to.
func (s *scan) dayInYear(i int, m time.Month, d, end int) (reading, int) {
	loc := s.at.Location()
	if y, ok := yearNumber(s.next(end)); ok {
		if !real(y, m, d) {
			return reading{}, 0
		}
		return reading{from: midnight(y, m, d, loc), until: midnight(y, m, d+1, loc)}, end + 1
	}
	if !real(2024, m, d) { // a leap year: 29 February exists in some year
		return reading{}, 0
	}
	return nearest(s.at, s.tense(i, end), func(y int) reading {
		return reading{from: midnight(y, m, d, loc), until: midnight(y, m, d+1, loc)}
	}), end
}

// ordinal reads "the 7th" and "on the 7th": the coming one, the last one when the verb is in the past.
func (s *scan) ordinal(i int) (reading, int) {
	j := i
	if s.word(j) == "on" {
		j++
	}
	if s.word(j) != "the" || (j > i && s.next(j) == "") {
		return reading{}, 0
	}
	w := s.next(j + 1)
	d, ok := dayNumber(w)
	if !ok || w == strconv.Itoa(d) || s.countsThing(j+2) {
		return reading{}, 0
	}
	y, m, _ := s.at.Date()
	step, t := 1, s.tense(i, j+2)
	if t == past {
		step = -1
	}
	for n := 0; n < 3; n++ { // at most two months in a row lack the day
		month := time.Date(y, m+time.Month(step*n), 1, 0, 0, 0, 0, time.UTC)
		r := reading{
			from:  midnight(month.Year(), month.Month(), d, s.at.Location()),
			until: midnight(month.Year(), month.Month(), d+1, s.at.Location()), past: step < 0, future: step > 0,
		}
		gone := !r.until.After(s.at)
		if real(month.Year(), month.Month(), d) && gone == (step < 0) {
			return r, j + 2
		}
	}
	return reading{}, 0
}

// countsThing says that the ordinal before token i counts a thing ("the 7th floor") and is no date.
func (s *scan) countsThing(i int) bool {
	switch s.next(i) {
	case "", "and", "at", "in", "is", "was", "i", "we", "she", "he", "it", "but", "for", "to", "with", "of", "so", "or":
		return false
	}
	return true
}

// monthOrYear reads "in May", "last May", "in May 2023", "May 2023", "since", "in 2022", "early June".
func (s *scan) monthOrYear(i int) (reading, int) {
	j, lead := i, ""
	w := s.word(i)
	if monthLeads[w] || yearLeads[w] || w == "last" || w == "next" || w == "this" {
		j, lead = i+1, w
		if second := s.next(j); second == "early" || second == "late" || second == "mid" || second == "last" ||
			second == "next" || second == "the" && s.next(j+1) == "year" {
			j, lead = j+1, second
		}
		if s.next(j) == "" {
			return reading{}, 0
		}
	}
	_, counted := units[s.next(j+1)] // "in 2000 days"
	if y, ok := yearNumber(s.word(j)); ok && yearLeads[lead] && !counted {
		return yearSpan(y, s.at.Location()), j + 1
	}
	m, ok := months[strings.TrimPrefix(s.word(j), "mid-")]
	if !ok {
		return reading{}, 0
	}
	if _, cut := dayNumber(s.word(i - 1)); cut && lead == "" && !s.toks[i].opens {
		return reading{}, 0 // "31 February 2023" names no day, and no month either
	}
	if y, ok := yearNumber(s.next(j + 1)); ok {
		return monthSpan(y, m, 1, s.at.Location()), j + 2
	}
	if lead == "" && !strings.HasPrefix(s.word(j), "mid-") && !s.rescheduled(i) {
		return reading{}, 0
	}
	if _, day := dayNumber(s.next(j + 1)); day {
		return reading{}, 0 // "from Dec 5": a day, not its month
	}
	return s.yearly(lead, i, j+1, func(y int) reading { return monthSpan(y, m, 1, s.at.Location()) }), j + 1
}

// season reads "last summer", "in the winter", "this spring", "the summer of 2019".
func (s *scan) season(i int) (reading, int) {
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
		return reading{}, 0
	}
	m, ok := seasons[s.next(j)]
	if !ok {
		return reading{}, 0
	}
	in := func(y int) reading { return monthSpan(y, m, 3, s.at.Location()) }
	k := j + 1
	if s.next(k) == "of" {
		k++
	}
	if y, ok := yearNumber(s.next(k)); ok {
		return in(y), k + 1
	}
	if lead == "the" {
		return reading{}, 0
	}
	return s.yearly(lead, i, j+1, in), j + 1
}

// feast reads days with a name: "Christmas", "at Christmas", "last Halloween", "New Year's Eve 2019".
func (s *scan) feast(i int) (reading, int) {
	j, lead := i, ""
	switch w := s.word(i); w {
	case "last", "next", "this", "on", "at", "over", "for", "by":
		j, lead = i+1, w
		if s.next(j) == "" {
			return reading{}, 0
		}
	}
	for _, f := range feasts {
		if !s.follows(j, f.words) {
			continue
		}
		end := j + len(f.words)
		if w := s.next(end); w == "day" {
			end++
		} else if lead == "" && !s.endsPhrase(end) {
			return reading{}, 0 // "Christmas tree", "Halloween costume"
		}
		in := func(y int) reading {
			return reading{from: midnight(y, f.month, f.day, s.at.Location()), until: midnight(y, f.month, f.day+1, s.at.Location())}
		}
		if y, ok := yearNumber(s.next(end)); ok {
			return in(y), end + 1
		}
		return s.yearly(lead, i, end, in), end
	}
	return reading{}, 0
}

// endsPhrase says that what precedes token i is not the first half of a compound noun.
func (s *scan) endsPhrase(i int) bool {
	return !s.countsThing(i) || tenses[s.next(i)] != unknown
}

// follows says that the words stand at token i.
func (s *scan) follows(i int, words []string) bool {
	for k, w := range words {
		if k == 0 && s.word(i) != w || k > 0 && s.next(i+k) != w {
			return false
		}
	}
	return true
}

// yearly resolves something that comes once a year by its lead word, else by the tense around tokens [i, end).
func (s *scan) yearly(lead string, i, end int, in func(year int) reading) reading {
	switch lead {
	case "last", "past":
		return behind(completed(s.at, in))
	case "next", "coming":
		r := in(s.at.Year())
		if !r.from.After(s.at) {
			r = in(s.at.Year() + 1)
		}
		return ahead(r)
	case "this":
		r := in(s.at.Year())
		r.future, r.past = r.from.After(s.at), !r.until.After(s.at)
		return r
	case "since":
		r := nearest(s.at, past, in)
		r.until, r.past = s.at, true
		return r
	}
	return nearest(s.at, s.tense(i, end), in)
}

// completed is the latest that is over.
func completed(at time.Time, in func(year int) reading) reading {
	for y := at.Year(); ; y-- {
		if r := in(y); !r.until.After(at) {
			return r
		}
	}
}

// isoDate reads 2023-05-07.
func isoDate(w string) (int, time.Month, int, bool) {
	if len(w) != len("2023-05-07") || w[4] != '-' {
		return 0, 0, 0, false
	}
	t, err := time.Parse(time.DateOnly, w)
	return t.Year(), t.Month(), t.Day(), err == nil && t.Year() >= firstYear && t.Year() <= lastYear
}

// dayNumber reads a day of the month: "7", "7th", "21st".
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

// yearNumber reads a year of four digits.
func yearNumber(w string) (int, bool) {
	n, ok := digits(w, 4)
	return n, ok && len(w) == 4 && n >= firstYear && n <= lastYear
}

// digits reads up to limit ASCII digits.
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
