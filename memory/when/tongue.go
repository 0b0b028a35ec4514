package when

import (
	"strings"
	"time"

	"familiar/internal/lazyregexp"
	"familiar/memory/lexical"
)

// tongue is how a language other than English names times. All its words are folded, accents off, by table; phrases are
// up to phraseReach words with single spaces.
type tongue struct {
	// days are phrases for one day, in days from today.
	days map[string]int
	// shifts stand before or after a week, weekend, month, year or weekday, in units from now.
	shifts map[string]int
	// units are stretches and measures, weekends those of the stretches that are Saturday and Sunday.
	units    map[string]unit
	weekends map[string]bool
	weekdays map[string]time.Weekday
	months   map[string]time.Month
	numbers  map[string]int
	// ago and ahead are phrases before an amount ("vor drei Tagen"), agoAfter those after one ("drie dagen geleden").
	ago, ahead, agoAfter map[string]bool
	// leads make a month that stands alone, or four digits, a time; joins stand between day, month and year.
	leads, joins map[string]bool
	// bareOne says that a unit without a number is one of it, since there are no articles: "неделю назад".
	bareOne bool
	// every stands before what happens again and again, dayPart before a word for tomorrow that means the morning there.
	every, dayPart map[string]bool
	// past are the words as written that tell of what was.
	past *lazyregexp.Regexp
}

// phraseReach is how many words the longest phrase has.
const phraseReach = 4

// tongues by language.
var tongues = map[string]*tongue{
	"de": &german, "es": &spanish, "fr": &french, "pt": &portuguese, "it": &italian, "nl": &dutch, "ru": &russian,
}

// foreign is a text in a language with a tongue being read.
type foreign struct {
	scan
	*tongue
	// folded are the tokens without accents and elided articles.
	folded []string
	past   bool
}

// findIn returns the times a text in the language of tag names. In a language without a table these are dates in
// digits alone.
func findIn(tag, text string, at time.Time) []Span {
	if tag == "ja" {
		return findJapanese(text, at)
	}
	t, known := tongues[tag]
	if !known {
		t = &tongue{}
	}
	f := foreign{scan: scan{toks: tokenize(text), at: at}, tongue: t}
	for _, tok := range f.toks {
		w := lexical.Fold(tok.word)
		if _, known := t.days[w]; !known {
			w = w[strings.LastIndexByte(w, '\'')+1:] // l'année
		}
		f.folded = append(f.folded, w)
		f.past = f.past || t.past != nil && t.past.MatchString(tok.word) && !seemsPast[lexical.Fold(tok.word)]
	}
	return f.spans(text, f.readForeign)
}

// seemsPast are words that only look like a past tense in their language.
var seemsPast = words("estou sabato если или café après gegen")

// readForeign reads the expression at token i.
func (f *foreign) readForeign(i int) (reading, int) {
	if f.every[f.token(i-1)] || f.every[f.token(i-2)] {
		return reading{}, 0
	}
	for _, rule := range []func(*foreign, int) (reading, int){
		(*foreign).aDay, (*foreign).anAmount, (*foreign).shifted, (*foreign).aDate, (*foreign).aMonth, (*foreign).aYear,
	} {
		if r, end := rule(f, i); end > i {
			return r, end
		}
	}
	return reading{}, 0
}

// token is the folded token i, empty past the ends.
func (f *foreign) token(i int) string {
	if i < 0 || i >= len(f.folded) {
		return ""
	}
	return f.folded[i]
}

// phrase looks up the longest phrase at token i that stands in table and returns its end, i when there is none.
func phrase[V any](f *foreign, i int, table map[string]V) (value V, end int) {
	for n := min(phraseReach, len(f.folded)-i); n > 0; n-- {
		if v, known := table[strings.Join(f.folded[i:i+n], " ")]; known {
			return v, i + n
		}
	}
	return value, i
}

// skip passes over one word of table at token i.
func (f *foreign) skip(i int, table map[string]bool) int {
	if table[f.token(i)] {
		return i + 1
	}
	return i
}

// directed marks a reading by how many units from now it is.
func directed(r reading, shift int) reading {
	r.past, r.future = shift < 0, shift > 0
	return r
}

// aDay reads "gestern", "pasado mañana", "avant-hier".
func (f *foreign) aDay(i int) (reading, int) {
	n, end := phrase(f, i, f.days)
	if end == i || n == 1 && f.dayPart[f.token(i-1)] {
		return reading{}, 0
	}
	return directed(days(f.scan.at, n, 1), n), end
}

// anAmount reads "vor drei Tagen", "hace dos semanas", "drie dagen geleden", "через неделю".
func (f *foreign) anAmount(i int) (reading, int) {
	_, at := phrase(f, i, f.tongue.ago)
	past := at > i
	if !past {
		_, at = phrase(f, i, f.tongue.ahead)
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
		return reading{}, 0
	}
	end++
	if !led {
		if _, after := phrase(f, end, f.tongue.agoAfter); after > end {
			return behind(f.away(-n, u, false)), after
		}
		return reading{}, 0
	}
	if past {
		return behind(f.away(-n, u, false)), end
	}
	return ahead(f.away(n, u, false)), end
}

// shifted reads "letzte Woche", "la semana pasada", "vendredi prochain", and a weekday alone.
func (f *foreign) shifted(i int) (reading, int) {
	shift, at := phrase(f, i, f.shifts)
	led := at > i
	name, end := f.token(at), at+1
	if !led {
		if n, after := phrase(f, end, f.shifts); after > end {
			shift, led, end = n, true, after
		}
	}
	if wd, known := f.weekdays[name]; known {
		return f.aWeekday(wd, shift, led), end
	}
	u, known := f.units[name]
	if !known || !led {
		return reading{}, 0
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
	return reading{}, 0
}

// aWeekday is the one last week's side of today when shift or the text says past, else the coming one.
func (f *foreign) aWeekday(wd time.Weekday, shift int, led bool) reading {
	toCome := (int(wd-f.scan.at.Weekday()) + 7) % 7
	switch {
	case led && shift > 0:
		return ahead(days(f.scan.at, monday(f.scan.at)+(int(wd)+6)%7+7, 1))
	case led && shift < 0, !led && f.past:
		return behind(days(f.scan.at, lastShift(toCome), 1))
	}
	return ahead(days(f.scan.at, toCome, 1))
}

// tenseOf is what the text says about its direction.
func (f *foreign) tenseOf() tense {
	if f.past {
		return past
	}
	return unknown
}

// aDate reads "7. Mai 2023", "el 7 de mayo", "1er mai", "7 мая".
func (f *foreign) aDate(i int) (reading, int) {
	if y, m, d, ok := isoDate(f.token(i)); ok {
		return days(midnight(y, m, d, f.scan.at.Location()), 0, 1), i + 1
	}
	w := strings.TrimRight(f.token(i), "eroº") // 1er
	d, ok := digits(w, 2)
	at := f.skip(i+1, f.joins)
	m, named := f.months[f.token(at)]
	if !ok || !named || !real(2024, m, d) {
		return reading{}, 0
	}
	loc := f.scan.at.Location()
	in := func(y int) reading {
		return reading{from: midnight(y, m, d, loc), until: midnight(y, m, d+1, loc)}
	}
	if y, ok := yearNumber(f.token(f.skip(at+1, f.joins))); ok {
		if !real(y, m, d) {
			return reading{}, 0
		}
		return in(y), f.skip(at+1, f.joins) + 1
	}
	return nearest(f.scan.at, f.tenseOf(), in), at + 1
}

// aMonth reads "im Mai", "en mayo de 2023", "mai 2023".
func (f *foreign) aMonth(i int) (reading, int) {
	at := f.skip(i, f.leads)
	m, named := f.months[f.token(at)]
	if !named {
		return reading{}, 0
	}
	loc := f.scan.at.Location()
	in := func(y int) reading { return monthSpan(y, m, 1, loc) }
	if y, ok := yearNumber(f.token(f.skip(at+1, f.joins))); ok {
		return in(y), f.skip(at+1, f.joins) + 1
	}
	if at == i {
		return reading{}, 0
	}
	return nearest(f.scan.at, f.tenseOf(), in), at + 1
}

// aYear reads "im Jahr 2019", "en 2019", "в 2019 году".
func (f *foreign) aYear(i int) (reading, int) {
	at := f.skip(i, f.leads)
	if at == i {
		return reading{}, 0
	}
	if f.units[f.token(at)] == year {
		at++
	}
	y, ok := yearNumber(f.token(at))
	if !ok {
		return reading{}, 0
	}
	return yearSpan(y, f.scan.at.Location()), at + 1
}
