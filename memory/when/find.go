package when

import (
	"strings"
	"time"

	"familiar/memory/lexical"
)

// Find returns the times a text names, in the order written, never overlapping. at is when the text was said and its
// location is the speaker's. Only the first 16 KiB are read. Recurring times ("every Friday", "on Mondays") name no
// one stretch and are left out, as are dates whose reading differs between countries ("05/07").
func Find(text string, at time.Time) []Span {
	if lang := lexical.Detect(text); lang != lexical.English {
		return findIn(lang.Tag(), text, at)
	}
	s := scan{toks: tokenize(text), at: at}
	return s.spans(text, s.read)
}

// spans ties what read makes of each token to its place in text.
func (s *scan) spans(text string, read func(i int) (reading, int)) (spans []Span) {
	for i := 0; i < len(s.toks); {
		r, end := read(i)
		if end <= i || !r.from.Before(r.until) {
			i++
			continue
		}
		start, stop := s.toks[i].start, s.toks[end-1].end
		spans = append(spans, r.span(text, start, stop))
		i = end
	}
	return spans
}

// span ties a reading to its place in text.
func (r reading) span(text string, start, stop int) Span {
	return Span{
		From: r.from, Until: r.until, Text: text[start:stop], Start: start, End: stop,
		Future: r.future, Past: r.past, Vague: dayOf(r.from, 1).Before(r.until) && r.until.Sub(r.from) > 26*time.Hour,
		Clock: r.clock,
	}
}

// scan is one text being read.
type scan struct {
	toks []token
	at   time.Time
}

// reading is a stretch of time before it is tied to its place in the text.
type reading struct {
	from, until  time.Time
	future, past bool
	clock        bool // only a time of day was named
}

// read tries every rule at token i and returns what the first that fits makes of it, and the token after it; the
// token is i when none fits.
func (s *scan) read(i int) (reading, int) {
	if !s.starts(i) || s.recurs(i) {
		return reading{}, 0
	}
	if r, end := s.timed(i); end > i {
		return r, end
	}
	for _, rule := range rules {
		if r, end := rule(s, i); end > i {
			return s.within(r, end)
		}
	}
	return reading{}, 0
}

// rules in order: the longer wording comes first.
var rules = []func(s *scan, i int) (reading, int){
	(*scan).fromTo, (*scan).relativeDay, (*scan).ago, (*scan).ahead, (*scan).lasting, (*scan).since, (*scan).weekday,
	(*scan).stretch, (*scan).feast, (*scan).date, (*scan).ordinal, (*scan).monthOrYear, (*scan).season,
}

// word is the folded word at token i, empty past the ends.
func (s *scan) word(i int) string {
	if i < 0 || i >= len(s.toks) {
		return ""
	}
	return s.toks[i].word
}

// next is word, but empty where a sentence starts: an expression never reaches over a full stop.
func (s *scan) next(i int) string {
	if i < len(s.toks) && i >= 0 && s.toks[i].opens {
		return ""
	}
	return s.word(i)
}

// starts says that an expression may begin at token i.
func (s *scan) starts(i int) bool {
	w := s.word(i)
	return w[0] >= '0' && w[0] <= '9' || starters[w] || strings.HasPrefix(w, "mid-") || strings.HasSuffix(w, "'s") && starters[w[:len(w)-2]]
}

// recurs says that token i is part of something that happens again and again.
func (s *scan) recurs(i int) bool {
	switch s.word(i - 1) {
	case "every", "each", "most", "usually", "always":
		return s.word(i) != "today"
	}
	return false
}

// tenseReach is how many words on either side may say whether an expression is behind or ahead.
const tenseReach = 12

// tense is what the nearest verb around tokens [i, end) says.
func (s *scan) tense(i, end int) tense {
	if s.rescheduled(i) {
		return future
	}
	for d := 1; d <= tenseReach; d++ {
		if i-d >= 0 && !s.crosses(i-d, i) {
			if t := s.verb(i - d); t != unknown {
				return t
			}
		}
		if j := end + d - 1; j < len(s.toks) && !s.crosses(end-1, j) {
			if t := s.verb(j); t != unknown {
				return t
			}
		}
	}
	return unknown
}

// rescheduleReach is how many words may stand between "moved" and what it was moved to.
const rescheduleReach = 6

// rescheduled says that the expression at token i is what something was moved to: that is ahead, though "moved" is past.
func (s *scan) rescheduled(i int) bool {
	if w, before := s.word(i), s.word(i-1); !movesTo[w] && !movesTo[before] || s.toks[i].opens {
		return false
	}
	return s.followsRescheduling(i)
}

// followsRescheduling says that a verb of rescheduling stands shortly before token i.
func (s *scan) followsRescheduling(i int) bool {
	for k := i - 1; k >= 0 && k >= i-rescheduleReach && !s.crosses(k, i); k-- {
		if rescheduling[s.word(k)] {
			return true
		}
	}
	return false
}

// crosses says that a sentence begins after token a and up to token b.
func (s *scan) crosses(a, b int) bool {
	for k := a + 1; k <= b && k < len(s.toks); k++ {
		if s.toks[k].opens {
			return true
		}
	}
	return false
}

// verb is the tense of the word at token i.
func (s *scan) verb(i int) tense {
	w := s.word(i)
	if t, ok := tenses[w]; ok {
		switch next := s.word(i + 1); {
		case w == "got" && strings.HasSuffix(s.word(i-1), "ve"):
			return present
		case t == present && (next == "been" || next == "gone" || next == "done"):
			return past
		case t == present && strings.HasSuffix(next, "ing") && w != "have" && w != "has":
			return future
		}
		return t
	}
	switch {
	case w == "getting" || s.word(i-1) == "getting":
		return future // "my brother's getting married in June"
	case len(w) >= 5 && strings.HasSuffix(w, "ed") && !notPast[w]:
		return past
	}
	return unknown
}
