package when

import (
	"strings"
	"time"
)

// timeOfDay parses a time of day: "at 5pm", "at 17:30 on Friday". Without a day it means today.
func (s *scan) timeOfDay(i int) (interval, int) {
	h, m, end := s.clock(i)
	if end == i {
		return interval{}, 0
	}
	on := days(s.at, 0, 1)
	for _, rule := range rules {
		r, after := rule(s, end)
		if after > end && s.next(end) != "" && r.until.Sub(r.from) <= 26*time.Hour && isMidnight(r.from) {
			r = atClock(r, h, m)
			return r, after
		}
	}
	r := atClock(on, h, m)
	r.clock = true
	r.future, r.past = r.from.After(s.at), r.from.Before(s.at)
	return r, end
}

// narrow limits a day to the part or hour that follows it: "tomorrow morning", "on Friday at 5pm", "yesterday in the
// evening".
func (s *scan) narrow(r interval, end int) (interval, int) {
	if r.until.Sub(r.from) > 26*time.Hour || !isMidnight(r.from) || s.next(end) == "" {
		return r, end
	}
	j := end
	if s.next(j) == "in" && s.next(j+1) == "the" || s.next(j) == "at" && s.next(j+1) != "" {
		j++
		if s.next(j) == "the" {
			j++
		}
	}
	if _, ok := dayParts[s.next(j)]; ok {
		return s.part(r, s.next(j)), j + 1
	}
	if h, m, after := s.clock(end); after > end {
		return atClock(r, h, m), after
	}
	if h, ok := digits(s.next(end+1), 2); ok && s.next(end) == "at" && h >= 1 && h <= 23 && s.endsPhrase(end+2) {
		if h < 7 { // after a day, "at 5" is the afternoon
			h += 12
		}
		return atClock(r, h, 0), end + 2
	}
	return r, end
}

// isMidnight reports whether t is the start of a day, also if a clock change skips midnight.
func isMidnight(t time.Time) bool { return t.Equal(dayOf(t, 0)) }

// part returns the named part of the day r.
func (s *scan) part(r interval, name string) interval {
	p := dayParts[name]
	y, m, d := r.from.Date()
	loc := r.from.Location()
	r.from, r.until = time.Date(y, m, d, p.from, 0, 0, 0, loc), time.Date(y, m, d, p.until, 0, 0, 0, loc)
	return r
}

// atClock returns the hour from h:m on the day r.
func atClock(r interval, h, m int) interval {
	y, mo, d := r.from.Date()
	r.from = time.Date(y, mo, d, h, m, 0, 0, r.from.Location())
	r.until = r.from.Add(time.Hour)
	return r
}

// clock parses a time of day at token i: "at 5pm", "5 p.m.", "17:30", "at 5 o'clock", "at noon", but not a bare number.
func (s *scan) clock(i int) (h, m, end int) {
	j := i
	switch s.word(i) {
	case "at", "around", "by", "from", "until":
		j++
		if s.next(j) == "around" || s.next(j) == "about" {
			j++
		}
		if s.next(j) == "" {
			return 0, 0, i
		}
	}
	w := s.word(j)
	if j > i && (w == "noon" || w == "midday") {
		return 12, 0, j + 1
	}
	figure, half := w, ""
	for _, suffix := range [...]string{"am", "pm"} {
		if cut, ok := strings.CutSuffix(w, suffix); ok {
			figure, half = cut, suffix
		}
	}
	hours, minutes, split := strings.Cut(figure, ":")
	h, ok := digits(hours, 2)
	if split && ok {
		m, ok = digits(minutes, 2)
		ok = ok && len(minutes) == 2
	}
	if !ok {
		return 0, 0, i
	}
	return s.resolveHalfDay(i, j+1, h, m, half, split)
}

// resolveHalfDay applies am or pm to the time before token j. It returns the end i if that is not a time of day.
func (s *scan) resolveHalfDay(i, j, h, m int, half string, split bool) (int, int, int) {
	if half == "" {
		switch w := s.next(j); {
		case w == "am" || w == "pm":
			half, j = w, j+1
		case (w == "a" || w == "p") && s.word(j+1) == "m":
			half, j = w+"m", j+2
		case w == "o'clock":
			j++
			if h >= 1 && h <= 7 { // "five o'clock" is in the afternoon
				h += 12
			}
		case !split:
			return 0, 0, i
		}
	}
	switch {
	case half != "" && (h < 1 || h > 12), h > 23, m > 59:
		return 0, 0, i
	case half == "pm" && h < 12:
		h += 12
	case half == "am" && h == 12:
		h = 0
	}
	return h, m, j
}
