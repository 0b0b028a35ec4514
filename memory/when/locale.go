package when

import (
	"strings"
	"sync"
	"time"

	"familiar/internal/lazyregexp"
	"familiar/memory/lexical"
)

// locale is the vocabulary of time expressions in a language other than English. All words are normalized, without
// accents. Phrases have up to maxPhraseWords words separated by single spaces.
type locale struct {
	// days maps phrases for one day to days from today.
	days map[string]int
	// shifts maps words before or after a week, weekend, month, year or weekday to units from now.
	shifts map[string]int
	// units are the words for units of time. Those that mean a weekend are also in weekends.
	units    map[string]unit
	weekends map[string]bool
	weekdays map[string]time.Weekday
	months   map[string]time.Month
	numbers  map[string]int
	// ago and ahead are phrases before an amount ("vor drei Tagen"), agoAfter phrases after one ("drie dagen geleden").
	ago, ahead, agoAfter map[string]bool
	// prepositions make a bare month or four digits a time. connectors are between day, month and year.
	prepositions, connectors map[string]bool
	// bareOne reports that a unit without a number means one of it, because the language has no articles: "неделю назад".
	bareOne bool
	// every are words before recurring times, dayPart words before a word for "tomorrow" that here means "morning".
	every, dayPart map[string]bool
	// past matches verbs in the past tense, as written.
	past *lazyregexp.Regexp
}

// maxPhraseWords is the number of words in the longest phrase.
const maxPhraseWords = 4

// locales are the vocabularies by language tag, built on first use.
var locales = map[string]func() *locale{
	"de": sync.OnceValue(german), "es": sync.OnceValue(spanish), "fr": sync.OnceValue(french), "pt": sync.OnceValue(portuguese),
	"it": sync.OnceValue(italian), "nl": sync.OnceValue(dutch), "ru": sync.OnceValue(russian),
}

// localeScan is the state of parsing a text with a locale.
type localeScan struct {
	scan
	*locale
	// words are the tokens without accents and elided articles.
	words []string
	past  bool
}

// findIn returns the times that a text in the language of tag names. For a language without a locale it finds only dates
// in digits.
func findIn(tag, text string, at time.Time) []Span {
	if tag == "ja" {
		return findJapanese(text, at)
	}
	t := &locale{}
	if load, known := locales[tag]; known {
		t = load()
	}
	f := localeScan{scan: scan{toks: tokenize(text), at: at}, locale: t}
	for _, tok := range f.toks {
		w := lexical.Normalize(tok.word)
		if _, known := t.days[w]; !known {
			w = w[strings.LastIndexByte(w, '\'')+1:] // l'année
		}
		f.words = append(f.words, w)
		f.past = f.past || t.past != nil && t.past.MatchString(tok.word) && !seemsPast[lexical.Normalize(tok.word)]
	}
	return f.spans(text, f.readExpression)
}

// seemsPast are words that only look like a past tense.
var seemsPast = words("estou sabato если или café après gegen")

// readExpression parses the expression at token i.
func (f *localeScan) readExpression(i int) (interval, int) {
	if f.every[f.token(i-1)] || f.every[f.token(i-2)] {
		return interval{}, 0
	}
	for _, rule := range []func(*localeScan, int) (interval, int){
		(*localeScan).dayPhrase, (*localeScan).amountPhrase, (*localeScan).shiftedPhrase, (*localeScan).calendarDate, (*localeScan).monthPhrase, (*localeScan).yearPhrase,
	} {
		if r, end := rule(f, i); end > i {
			return r, end
		}
	}
	return interval{}, 0
}

// token returns the normalized token i, or "" out of range.
func (f *localeScan) token(i int) string {
	if i < 0 || i >= len(f.words) {
		return ""
	}
	return f.words[i]
}

// phrase looks up the longest phrase at token i that is in table and returns its end, or i if there is none.
func phrase[V any](f *localeScan, i int, table map[string]V) (value V, end int) {
	for n := min(maxPhraseWords, len(f.words)-i); n > 0; n-- {
		if v, known := table[strings.Join(f.words[i:i+n], " ")]; known {
			return v, i + n
		}
	}
	return value, i
}

// skip returns the token after i if token i is in table, else i.
func (f *localeScan) skip(i int, table map[string]bool) int {
	if table[f.token(i)] {
		return i + 1
	}
	return i
}

// directed sets past or future by the sign of shift.
func directed(r interval, shift int) interval {
	r.past, r.future = shift < 0, shift > 0
	return r
}

// dayPhrase parses "gestern", "pasado mañana", "avant-hier".
func (f *localeScan) dayPhrase(i int) (interval, int) {
	n, end := phrase(f, i, f.days)
	if end == i || n == 1 && f.dayPart[f.token(i-1)] {
		return interval{}, 0
	}
	return directed(days(f.scan.at, n, 1), n), end
}

// amountPhrase parses "vor drei Tagen", "hace dos semanas", "drie dagen geleden", "через неделю".
func (f *localeScan) amountPhrase(i int) (interval, int) {
	_, at := phrase(f, i, f.locale.ago)
	past := at > i
	if !past {
		_, at = phrase(f, i, f.locale.ahead)
	}
	led := at > i
	n, counted := digits(f.token(at), 3)
	if !counted {
		n, counted = f.numbers[f.token(at)]
	}
	end := at + 1
	if !counted && f.bareOne {
		n, end = 1, at
	}
	u, known := f.units[f.token(end)]
	if !known || n < 1 || n > amountLimit || f.weekends[f.token(end)] {
		return interval{}, 0
	}
	end++
	if !led {
		if _, after := phrase(f, end, f.locale.agoAfter); after > end {
			return asPast(f.offset(-n, u, false)), after
		}
		return interval{}, 0
	}
	if past {
		return asPast(f.offset(-n, u, false)), end
	}
	return asFuture(f.offset(n, u, false)), end
}

// shiftedPhrase parses "letzte Woche", "la semana pasada", "vendredi prochain", and a bare weekday.
func (f *localeScan) shiftedPhrase(i int) (interval, int) {
	shift, at := phrase(f, i, f.shifts)
	led := at > i
	name, end := f.token(at), at+1
	if !led {
		if n, after := phrase(f, end, f.shifts); after > end {
			shift, led, end = n, true, after
		}
	}
	if wd, known := f.weekdays[name]; known {
		return f.weekdayPhrase(wd, shift, led), end
	}
	u, known := f.units[name]
	if !known || !led {
		return interval{}, 0
	}
	y, m, _ := f.scan.at.Date()
	switch {
	case f.weekends[name]:
		return directed(weekendOf(f.scan.at, shift), shift), end
	case u == week:
		return directed(weekOf(f.scan.at, shift), shift), end
	case u == month:
		return directed(monthSpan(y, m+time.Month(shift), 1, f.scan.at.Location()), shift), end
	case u == year:
		return directed(yearSpan(y+shift, f.scan.at.Location()), shift), end
	}
	return interval{}, 0
}

// weekdayPhrase returns the last such weekday if shift or the tense is past, else the coming one.
func (f *localeScan) weekdayPhrase(wd time.Weekday, shift int, led bool) interval {
	toCome := (int(wd-f.scan.at.Weekday()) + 7) % 7
	switch {
	case led && shift > 0:
		return asFuture(days(f.scan.at, monday(f.scan.at)+(int(wd)+6)%7+7, 1))
	case led && shift < 0, !led && f.past:
		return asPast(days(f.scan.at, lastShift(toCome), 1))
	}
	return asFuture(days(f.scan.at, toCome, 1))
}

// direction returns the tense of the text.
func (f *localeScan) direction() tense {
	if f.past {
		return past
	}
	return unknown
}

// calendarDate parses "7. Mai 2023", "el 7 de mayo", "1er mai", "7 мая".
func (f *localeScan) calendarDate(i int) (interval, int) {
	if y, m, d, ok := isoDate(f.token(i)); ok {
		return days(midnight(y, m, d, f.scan.at.Location()), 0, 1), i + 1
	}
	w := strings.TrimRight(f.token(i), "eroº") // 1er
	d, ok := digits(w, 2)
	at := f.skip(i+1, f.connectors)
	m, named := f.months[f.token(at)]
	if !ok || !named || !validDate(2024, m, d) {
		return interval{}, 0
	}
	loc := f.scan.at.Location()
	in := func(y int) interval {
		return interval{from: midnight(y, m, d, loc), until: midnight(y, m, d+1, loc)}
	}
	if y, ok := yearNumber(f.token(f.skip(at+1, f.connectors))); ok {
		if !validDate(y, m, d) {
			return interval{}, 0
		}
		return in(y), f.skip(at+1, f.connectors) + 1
	}
	return nearestYear(f.scan.at, f.direction(), in), at + 1
}

// monthPhrase parses "im Mai", "en mayo de 2023", "mai 2023".
func (f *localeScan) monthPhrase(i int) (interval, int) {
	at := f.skip(i, f.prepositions)
	m, named := f.months[f.token(at)]
	if !named {
		return interval{}, 0
	}
	loc := f.scan.at.Location()
	in := func(y int) interval { return monthSpan(y, m, 1, loc) }
	if y, ok := yearNumber(f.token(f.skip(at+1, f.connectors))); ok {
		return in(y), f.skip(at+1, f.connectors) + 1
	}
	if at == i {
		return interval{}, 0
	}
	return nearestYear(f.scan.at, f.direction(), in), at + 1
}

// yearPhrase parses "im Jahr 2019", "en 2019", "в 2019 году".
func (f *localeScan) yearPhrase(i int) (interval, int) {
	at := f.skip(i, f.prepositions)
	if at == i {
		return interval{}, 0
	}
	if f.units[f.token(at)] == year {
		at++
	}
	y, ok := yearNumber(f.token(at))
	if !ok {
		return interval{}, 0
	}
	return yearSpan(y, f.scan.at.Location()), at + 1
}
