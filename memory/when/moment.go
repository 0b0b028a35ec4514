package when

import (
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"familiar/internal/lazyregexp"
)

// Moment is a point in time at the head of a text: "tomorrow at 9 call mum".
type Moment struct {
	At time.Time
	// Rest is the text after the time, without what joins them.
	Rest string
	// Wall reports that the text names a date or a time of day rather than a distance ("in ten minutes").
	Wall bool
}

// MorningHour is the hour of a day that is named without one.
const MorningHour = 9

// shortestDay is the length from which a span is a day or more: clocks may change in a day.
const shortestDay = 20 * time.Hour

// clockAhead matches a time of day at the head of a text: after a preposition or with a mark of its own.
var clockAhead = lazyregexp.New(`^(?i)[\s,]*(?:(at|@|um|gegen|à|a las|a la|alle|às|om|kl\.?|kello|o|в)\s+)?(\d{1,2})(?:[:.h](\d{2}))?(?:\s*(am\b|pm\b|a\.m\.|p\.m\.|uhr\b|o'clock\b|h\b))?`)

// isoAhead matches a date with a time as programs write them.
var isoAhead = lazyregexp.New(`^\s*(\d{4}-\d{2}-\d{2})[T ](\d{1,2}:\d{2})\b`)

// secondsAhead matches a distance in seconds, which Find leaves out: nothing that people tell happens at a second.
var secondsAhead = lazyregexp.New(`^(?i)\s*in\s+(\d{1,4})\s+se[ck]\p{L}*`)

// ReadMoment reads the time at the head of text, said at now in the person's zone. A time of day that is over today is
// tomorrow's, a day without a time of day means MorningHour. It returns false if text does not begin with a time.
func ReadMoment(text string, now time.Time) (Moment, bool) {
	if m := isoAhead.FindStringSubmatch(text); m != nil {
		at, err := time.ParseInLocation("2006-01-02 15:04", m[1]+" "+m[2], now.Location())
		return Moment{at, afterTime(text[len(m[0]):]), true}, err == nil
	}
	if m := secondsAhead.FindStringSubmatch(text); m != nil {
		n, _ := strconv.Atoi(m[1]) // the pattern has digits only
		return Moment{now.Add(time.Duration(n) * time.Second), afterTime(text[len(m[0]):]), false}, true
	}
	if hour, minute, length, ok := clockOf(text); ok {
		return clockFirst(text, hour, minute, length, now)
	}
	span, ok := spanAhead(text, now)
	if !ok {
		return Moment{}, false
	}
	after := text[span.End:]
	if span.Until.Sub(span.From) < shortestDay {
		return Moment{middle(span), afterTime(after), span.Clock || !span.Future}, true
	}
	hour, minute, length, ok := clockOf(after)
	if !ok {
		hour, minute, length = MorningHour, 0, 0
	}
	return Moment{onDay(span.From, hour, minute), afterTime(after[length:]), true}, true
}

// clockFirst reads a time of day that may be followed by its day: "at 9 tomorrow".
func clockFirst(text string, hour, minute, length int, now time.Time) (Moment, bool) {
	after := text[length:]
	if span, ok := spanAhead(after, now); ok && span.Until.Sub(span.From) >= shortestDay {
		return Moment{onDay(span.From, hour, minute), afterTime(after[span.End:]), true}, true
	}
	at := onDay(now, hour, minute)
	if !at.After(now) {
		at = onDay(now.AddDate(0, 0, 1), hour, minute)
	}
	return Moment{at, afterTime(after), true}, true
}

// clockOf reads a time of day at the head of a text and returns how long it is.
func clockOf(text string) (hour, minute, length int, ok bool) {
	m := clockAhead.FindStringSubmatch(text)
	if m == nil || m[1] == "" && m[3] == "" && (m[4] == "" || strings.EqualFold(m[4], "h")) {
		return 0, 0, 0, false
	}
	hour, _ = strconv.Atoi(m[2])
	minute, _ = strconv.Atoi(m[3])
	switch half := strings.ToLower(m[4]); {
	case strings.HasPrefix(half, "p") && hour < 12:
		hour += 12
	case strings.HasPrefix(half, "a") && hour == 12:
		hour = 0
	}
	next, _ := utf8.DecodeRuneInString(text[len(m[0]):])
	partial := next != utf8.RuneError && (unicode.IsLetter(next) || unicode.IsDigit(next)) // "at 9th" or "1000"
	return hour, minute, len(m[0]), hour < 24 && minute < 60 && !partial
}

// spanAhead returns the time expression at the head of a text. At most a short word may stand before it.
func spanAhead(text string, now time.Time) (Span, bool) {
	for _, span := range Find(text, now) {
		before := strings.TrimSpace(text[:span.Start])
		if len(strings.Fields(before)) <= 1 && utf8.RuneCountInString(before) <= 3 {
			return span, true
		}
	}
	return Span{}, false
}

// middle returns the moment that a span of less than a day means. A distance in hours spans half an hour to either side.
func middle(s Span) time.Time {
	if !s.Future || s.Clock || s.Until.Sub(s.From) != time.Hour {
		return s.From
	}
	for i, r := range s.Text {
		if i > 0 && r == ' ' {
			if _, _, _, ok := clockOf(s.Text[i:]); ok {
				return s.From
			}
		}
	}
	return s.From.Add(time.Hour / 2)
}

func onDay(day time.Time, hour, minute int) time.Time {
	y, m, d := day.Date()
	return time.Date(y, m, d, hour, minute, 0, 0, day.Location())
}

// afterTime returns what is said after a time, without the punctuation or the "to" between them, in the languages that have one.
func afterTime(text string) string {
	text = strings.TrimLeft(text, " ,:;–—-")
	for _, joint := range []string{"to ", "daran, ", "daran ", "d'", "d’"} {
		if cut, ok := strings.CutPrefix(text, joint); ok {
			text = cut
			break
		}
	}
	return strings.TrimSpace(text)
}

// FindMoment returns the first moment after now that a text names, wherever it stands.
func FindMoment(text string, now time.Time) (Moment, bool) {
	start := true
	for i, r := range text {
		if start && r != ' ' {
			if m, ok := ReadMoment(text[i:], now); ok && m.At.After(now) {
				return m, true
			}
		}
		start = r == ' '
	}
	return Moment{}, false
}
