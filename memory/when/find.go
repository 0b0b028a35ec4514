package when

import (
	"strings"
	"time"

	"familiar/memory/lexical"
)

// Find returns the times that a text names, in order and without overlaps. at is the time of the message in the author's
// timezone. Find reads only the first 16 KiB. It ignores recurring times ("every Friday", "on Mondays"), which are no
// single interval, and dates that countries read differently ("05/07").
func Find(text string, at time.Time) []Span {
	if lang := lexical.Detect(text); lang != lexical.English {
		return findIn(lang.Tag(), text, at)
	}
	s := scan{toks: tokenize(text), at: at}
	return s.spans(text, s.read)
}

// spans applies read at each token and returns the results with their place in text.
func (s *scan) spans(text string, read func(i int) (interval, int)) (spans []Span) {
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

// span converts an interval to a Span at text[start:stop].
func (r interval) span(text string, start, stop int) Span {
	return Span{
		From: r.from, Until: r.until, Text: text[start:stop], Start: start, End: stop,
		Future: r.future, Past: r.past, Vague: dayOf(r.from, 1).Before(r.until) && r.until.Sub(r.from) > 26*time.Hour,
		Clock: r.clock,
	}
}

// scan is the state of parsing one text.
type scan struct {
	toks []token
	at   time.Time
}

// interval is a parsed time, without its place in the text.
type interval struct {
	from, until  time.Time
	future, past bool
	clock        bool // only a time of day was named
}

// read returns the result of the first rule that matches at token i and the token after it, or 0 if none matches.
func (s *scan) read(i int) (interval, int) {
	if !s.canStart(i) || s.recurs(i) {
		return interval{}, 0
	}
	if r, end := s.timeOfDay(i); end > i {
		return r, end
	}
	for _, rule := range rules {
		if r, end := rule(s, i); end > i {
			return s.narrow(r, end)
		}
	}
	return interval{}, 0
}

// rules are tried in order, longer wordings first.
var rules = []func(s *scan, i int) (interval, int){
	(*scan).dayRange, (*scan).relativeDay, (*scan).ago, (*scan).fromNow, (*scan).duration, (*scan).since, (*scan).weekday,
	(*scan).period, (*scan).holiday, (*scan).date, (*scan).ordinal, (*scan).monthOrYear, (*scan).season,
}

// word returns the normalized word at token i, or "" out of range.
func (s *scan) word(i int) string {
	if i < 0 || i >= len(s.toks) {
		return ""
	}
	return s.toks[i].word
}

// next is like word but returns "" at the start of a sentence, because no expression spans two sentences.
func (s *scan) next(i int) string {
	if i < len(s.toks) && i >= 0 && s.toks[i].opens {
		return ""
	}
	return s.word(i)
}

// canStart reports whether an expression can begin at token i.
func (s *scan) canStart(i int) bool {
	w := s.word(i)
	return w[0] >= '0' && w[0] <= '9' || starters[w] || strings.HasPrefix(w, "mid-") || strings.HasSuffix(w, "'s") && starters[w[:len(w)-2]]
}

// recurs reports whether token i is part of a recurring time.
func (s *scan) recurs(i int) bool {
	switch s.word(i - 1) {
	case "every", "each", "most", "usually", "always":
		return s.word(i) != "today"
	}
	return false
}

// maxTenseDistance is the maximum number of words between an expression and the verb that gives its tense.
const maxTenseDistance = 12

// tense returns the tense of the verb nearest to tokens [i, end).
func (s *scan) tense(i, end int) tense {
	if s.rescheduled(i) {
		return future
	}
	for d := 1; d <= maxTenseDistance; d++ {
		if i-d >= 0 && !s.crossesSentence(i-d, i) {
			if t := s.verbTense(i - d); t != unknown {
				return t
			}
		}
		if j := end + d - 1; j < len(s.toks) && !s.crossesSentence(end-1, j) {
			if t := s.verbTense(j); t != unknown {
				return t
			}
		}
	}
	return unknown
}

// maxRescheduleDistance is the maximum number of words between "moved" and the new time.
const maxRescheduleDistance = 6

// rescheduled reports whether something was moved to the time at token i: that is in the future, although "moved" is in
// the past tense.
func (s *scan) rescheduled(i int) bool {
	if w, before := s.word(i), s.word(i-1); !movesTo[w] && !movesTo[before] || s.toks[i].opens {
		return false
	}
	return s.followsRescheduling(i)
}

// followsRescheduling reports whether a verb of rescheduling is shortly before token i.
func (s *scan) followsRescheduling(i int) bool {
	for k := i - 1; k >= 0 && k >= i-maxRescheduleDistance && !s.crossesSentence(k, i); k-- {
		if rescheduling[s.word(k)] {
			return true
		}
	}
	return false
}

// crossesSentence reports whether a sentence begins in tokens (a, b].
func (s *scan) crossesSentence(a, b int) bool {
	for k := a + 1; k <= b && k < len(s.toks); k++ {
		if s.toks[k].opens {
			return true
		}
	}
	return false
}

// verbTense returns the tense of the word at token i.
func (s *scan) verbTense(i int) tense {
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
