package when

import "time"

// amountLimit is the largest accepted number of units. A larger one is a figure of speech or a mistake.
const amountLimit = 200

// amount parses "3 days", "two weeks", "a couple of months", "a few years" at token i. loose reports that the count is
// approximate. end is i if there is no amount.
func (s *scan) amount(i int) (n int, u unit, loose bool, end int) {
	j := i
	if w := s.word(j); w == "about" || w == "around" || w == "over" || w == "almost" || w == "nearly" {
		loose, j = true, j+1
	}
	if w, next := s.word(j), s.next(j+1); w == "a" && (next == "few" || next == "couple") || w == "the" && (next == "last" || next == "past") {
		j++
		if w == "the" {
			j++
		}
	}
	n, known := numbers[s.word(j)]
	if !known {
		n, known = digits(s.word(j), 3)
	}
	if few, ok := looseNumbers[s.word(j)]; ok {
		n, known, loose = few, true, true
	}
	if !known || n < 1 || n > amountLimit {
		return 0, 0, false, i
	}
	j++
	if s.next(j) == "of" || s.next(j) == "or" && s.next(j+1) == "so" {
		j++
	}
	if s.next(j) == "more" {
		j++
	}
	u, known = units[s.next(j)]
	if !known {
		return 0, 0, false, i
	}
	if w := s.word(j); w == "decade" || w == "decades" {
		n *= 10
	}
	return n, u, loose, j + 1
}

// ago parses "3 days ago", "a week from now". It ignores "two years earlier", which refers to another date.
func (s *scan) ago(i int) (interval, int) {
	n, u, loose, end := s.amount(i)
	if end == i {
		return interval{}, 0
	}
	switch s.next(end) {
	case "ago":
		return asPast(s.offset(-n, u, loose)), end + 1
	case "from":
		if w := s.next(end + 1); w == "now" || w == "today" {
			return asFuture(s.offset(n, u, loose)), end + 2
		}
	}
	return interval{}, 0
}

// fromNow parses "in 3 days", "in two weeks' time".
func (s *scan) fromNow(i int) (interval, int) {
	if s.word(i) != "in" || s.next(i+1) == "" {
		return interval{}, 0
	}
	n, u, loose, end := s.amount(i + 1)
	if end == i+1 || s.next(i+1) == "the" {
		return interval{}, 0
	}
	if s.next(end) == "time" {
		end++
	}
	if w := s.next(end); w == "old" || w == "ago" || w == "later" {
		return interval{}, 0
	}
	return asFuture(s.offset(n, u, loose)), end
}

// offset returns the interval n units from now. It is as precise as the unit: a day for days, a week for weeks, the
// calendar month or year for months and years.
func (s *scan) offset(n int, u unit, loose bool) interval {
	y, m, _ := s.at.Date()
	slack := 0
	if loose {
		slack = 2
	}
	switch u {
	case minute:
		t := s.at.Add(time.Duration(n) * time.Minute).Truncate(time.Minute)
		return interval{from: t, until: t.Add(time.Minute)}
	case hour:
		t := s.at.Add(time.Duration(n) * time.Hour)
		return interval{from: t.Add(-30 * time.Minute), until: t.Add(30 * time.Minute)}
	case day:
		return days(s.at, n-slack/2, 1+slack)
	case week:
		return days(s.at, 7*n-3-slack, 7+2*slack)
	case month:
		return monthSpan(y, m+time.Month(n-slack/2), 1+slack, s.at.Location())
	}
	return monthSpan(y+n-slack/2, time.January, 12*(1+slack), s.at.Location())
}

// duration parses "for 4 years" and "the last two weeks", which end now. With a verb in the future ("I'm going away for
// two weeks") such words name a length and not a time.
func (s *scan) duration(i int) (interval, int) {
	j := i
	if s.word(i) == "for" || s.word(i) == "over" || s.word(i) == "in" {
		j++
	}
	recent := s.next(j) == "the" && (s.next(j+1) == "last" || s.next(j+1) == "past") || s.word(j) == "the" && j == i
	if recent && s.word(j+1) != "last" && s.word(j+1) != "past" {
		return interval{}, 0
	}
	if s.word(i) != "for" && !recent || s.next(j) == "" && j > i {
		return interval{}, 0
	}
	n, u, _, end := s.amount(j)
	if end == j || !recent && s.tense(i, end) == future {
		return interval{}, 0
	}
	return asPast(interval{from: s.before(n, u), until: s.at}), end
}

// before returns the time n units before now. Days and longer units start at midnight.
func (s *scan) before(n int, u unit) time.Time {
	y, m, d := s.at.Date()
	loc := s.at.Location()
	switch u {
	case minute:
		return s.at.Add(-time.Duration(n) * time.Minute)
	case hour:
		return s.at.Add(-time.Duration(n) * time.Hour)
	case day:
		return midnight(y, m, d-n, loc)
	case week:
		return midnight(y, m, d-7*n, loc)
	case month:
		return midnight(y, m-time.Month(n), 1, loc)
	}
	return midnight(y-n, m, 1, loc)
}

// since parses "since 2016", "since May 2020", "since Monday", "since yesterday": from then until now.
func (s *scan) since(i int) (interval, int) {
	if s.word(i) != "since" || s.next(i+1) == "" {
		return interval{}, 0
	}
	if y, ok := yearNumber(s.next(i + 1)); ok {
		return s.untilNow(yearSpan(y, s.at.Location()).from), i + 2
	}
	if wd, ok := weekdays[s.next(i+1)]; ok {
		toCome := (int(wd-s.at.Weekday()) + 7) % 7
		return s.untilNow(dayOf(s.at, lastShift(toCome))), i + 2
	}
	for _, rule := range [...]func(*scan, int) (interval, int){
		(*scan).relativeDay, (*scan).ago, (*scan).weekday, (*scan).period, (*scan).date, (*scan).monthOrYear, (*scan).season,
	} {
		if r, end := rule(s, i+1); end > i+1 && r.from.Before(s.at) {
			return s.untilNow(r.from), end
		}
	}
	return interval{}, 0
}

func (s *scan) untilNow(from time.Time) interval { return asPast(interval{from: from, until: s.at}) }
