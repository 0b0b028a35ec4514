package when

import "time"

// amountLimit is the largest count of units believed; more is a figure of speech or a mistake.
const amountLimit = 200

// amount reads "3 days", "two weeks", "a couple of months", "a few years" at token i. loose says the count is not
// meant exactly; the token is i when there is no amount.
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

// ago reads "3 days ago", "a few weeks back", "two years earlier" is not one: it needs another anchor.
func (s *scan) ago(i int) (reading, int) {
	n, u, loose, end := s.amount(i)
	if end == i {
		return reading{}, 0
	}
	switch s.next(end) {
	case "ago":
		return behind(s.away(-n, u, loose)), end + 1
	case "from":
		if w := s.next(end + 1); w == "now" || w == "today" {
			return ahead(s.away(n, u, loose)), end + 2
		}
	}
	return reading{}, 0
}

// ahead reads "in 3 days", "in two weeks' time".
func (s *scan) ahead(i int) (reading, int) {
	if s.word(i) != "in" || s.next(i+1) == "" {
		return reading{}, 0
	}
	n, u, loose, end := s.amount(i + 1)
	if end == i+1 || s.next(i+1) == "the" {
		return reading{}, 0
	}
	if s.next(end) == "time" {
		end++
	}
	if w := s.next(end); w == "old" || w == "ago" || w == "later" {
		return reading{}, 0
	}
	return ahead(s.away(n, u, loose)), end
}

// away is the stretch n units from now. It is as wide as such words are meant: a day for days, a week for weeks, the
// calendar month and year for months and years.
func (s *scan) away(n int, u unit, loose bool) reading {
	y, m, _ := s.at.Date()
	slack := 0
	if loose {
		slack = 2
	}
	switch u {
	case minute:
		t := s.at.Add(time.Duration(n) * time.Minute).Truncate(time.Minute)
		return reading{from: t, until: t.Add(time.Minute)}
	case hour:
		t := s.at.Add(time.Duration(n) * time.Hour)
		return reading{from: t.Add(-30 * time.Minute), until: t.Add(30 * time.Minute)}
	case day:
		return days(s.at, n-slack/2, 1+slack)
	case week:
		return days(s.at, 7*n-3-slack, 7+2*slack)
	case month:
		return monthSpan(y, m+time.Month(n-slack/2), 1+slack, s.at.Location())
	}
	return monthSpan(y+n-slack/2, time.January, 12*(1+slack), s.at.Location())
}

// lasting reads "for 4 years" and "the last two weeks": a stretch that reaches to now. With a verb that points ahead
// ("I'm going away for two weeks") it names a length, not a time.
func (s *scan) lasting(i int) (reading, int) {
	j := i
	if s.word(i) == "for" || s.word(i) == "over" || s.word(i) == "in" {
		j++
	}
	recent := s.next(j) == "the" && (s.next(j+1) == "last" || s.next(j+1) == "past") || s.word(j) == "the" && j == i
	if recent && s.word(j+1) != "last" && s.word(j+1) != "past" {
		return reading{}, 0
	}
	if s.word(i) != "for" && !recent || s.next(j) == "" && j > i {
		return reading{}, 0
	}
	n, u, _, end := s.amount(j)
	if end == j || !recent && s.tense(i, end) == future {
		return reading{}, 0
	}
	return behind(reading{from: s.back(n, u), until: s.at}), end
}

// back is the moment n units before now; days and wider begin at midnight.
func (s *scan) back(n int, u unit) time.Time {
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

// since reads "since 2016", "since May 2020", "since Monday", "since yesterday": from then to now.
func (s *scan) since(i int) (reading, int) {
	if s.word(i) != "since" || s.next(i+1) == "" {
		return reading{}, 0
	}
	if y, ok := yearNumber(s.next(i + 1)); ok {
		return s.untilNow(yearSpan(y, s.at.Location()).from), i + 2
	}
	if wd, ok := weekdays[s.next(i+1)]; ok {
		toCome := (int(wd-s.at.Weekday()) + 7) % 7
		return s.untilNow(dayOf(s.at, lastShift(toCome))), i + 2
	}
	for _, rule := range [...]func(*scan, int) (reading, int){
		(*scan).relativeDay, (*scan).ago, (*scan).weekday, (*scan).stretch, (*scan).date, (*scan).monthOrYear, (*scan).season,
	} {
		if r, end := rule(s, i+1); end > i+1 && r.from.Before(s.at) {
			return s.untilNow(r.from), end
		}
	}
	return reading{}, 0
}

func (s *scan) untilNow(from time.Time) reading { return behind(reading{from: from, until: s.at}) }
