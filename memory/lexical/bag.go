package lexical

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxTerms is how many terms of a query are looked for: a pasted page asks for its rarest ones. It fits a bit mask.
const maxTerms = 32

// bag is a query made ready: what to look for, weighed over all scopes, and what its wording hints at.
type bag struct {
	terms []weighted
	// idf is the sum over terms, what a perfect match is worth.
	idf float32
	// authors are those the query names, by name or as "I".
	authors           []int64
	when, count, name bool
	// turn and session length averages over all scopes.
	turnLength, sessionLength float32
}

// weighted is one word asked for.
type weighted struct {
	// stems are what the word is in each language the talk may hold it in, without repetition.
	stems    []string
	idf      float32
	sessions float32 // its idf over sessions
}

// fill reads text against scopes. asker, when not 0, is whom "I" and "my" mean.
func fill(scopes []*Index, text string, asker int64) bag {
	var b bag
	asked := slices.Collect(words(text))
	lang, in := tongues(scopes, asked)
	b.when, b.count, b.name = asks(asked, lang.asksWhen), asks(asked, lang.asksHowMany), lang.asksName(asked)
	capital := capitalised(text)
	var content, named [][]string
	var last word // the content word said just before, none after any other
	for _, w := range asked {
		before := last
		last = word{}
		if asker != 0 && lang.first[w.folded] && !slices.Contains(b.authors, asker) {
			b.authors = append(b.authors, asker)
		}
		if lang.stop[w.folded] {
			continue
		}
		stems := stemsIn(w, lang, in)
		if who := meant(scopes, lang, w, capital[w.folded]); len(who) > 0 {
			b.authors = union(b.authors, who)
			named = append(named, stems)
			continue
		}
		if one := joined(scopes, lang, before, w); one != "" {
			stems = append(stems, one)
			content[len(content)-1] = append(content[len(content)-1], one)
		}
		content = append(content, stems)
		last = w
	}
	if len(content) == 0 {
		content = named // only a name was asked for: then it is the content
	}
	b.weigh(scopes, content)
	return b
}

// tongues are the language a question to scopes is in, and all the languages its answer may be in.
func tongues(scopes []*Index, asked []word) (*Language, languageSet) {
	var talk tally
	for _, x := range scopes {
		talk.add(&x.talk)
	}
	as := judge(tellAll(asked), &talk, scopes[0].lang)
	return as.lang, talk.held() | as.lang.bit() | as.others
}

// stemsIn are what w is in each of the languages, that of the question first, without repetition.
func stemsIn(w word, lang *Language, in languageSet) []string {
	stems := []string{lang.stem(w)}
	for l := range (in &^ lang.bit()).each {
		if l.stop[w.folded] {
			continue
		}
		if stem := l.stem(w); !slices.Contains(stems, stem) {
			stems = append(stems, stem)
		}
	}
	return stems
}

// joined is the stem of two words in a row where the talk also writes them as one, else "": "icecream" for "ice cream".
func joined(scopes []*Index, lang *Language, first, second word) string {
	if first.written == "" {
		return ""
	}
	stem := lang.stem(word{first.written + second.written, first.folded + second.folded})
	for _, x := range scopes {
		if t, known := x.words.terms[stem]; known && len(x.turns[t]) > 0 {
			return stem
		}
	}
	return ""
}

// capitalised are the folded words that text writes with a capital, which a short form of a name must have.
func capitalised(text string) map[string]bool {
	capital := map[string]bool{}
	parted := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) }
	for _, w := range strings.FieldsFunc(Clip(text), parted) {
		if first, _ := utf8.DecodeRuneInString(w); unicode.IsUpper(first) {
			capital[Fold(w)] = true
		}
	}
	return capital
}

// shortestNick is how many letters a short form needs to mean a longer name: "Mel" for "Melanie".
const shortestNick = 3

// meant are the authors w names: in full, or with a capital also by the beginning of their name and in the forms a name
// takes in lang.
func meant(scopes []*Index, lang *Language, w word, capital bool) []int64 {
	var who []int64
	for _, x := range scopes {
		who = union(who, x.names[w.folded])
		if !capital {
			continue
		}
		for name, authors := range x.names {
			if shortens(w.folded, name) || lang != English && lang.inflects(w, name) {
				who = union(who, authors)
			}
		}
	}
	slices.Sort(who)
	return who
}

// shortens says that nick is how name begins.
func shortens(nick, name string) bool {
	return len(name) > len(nick) && strings.HasPrefix(name, nick) && utf8.RuneCountInString(nick) >= shortestNick
}

// inflects says that w is a form of name.
func (l *Language) inflects(w word, name string) bool {
	if !strings.HasPrefix(w.folded, firstRunes(name, shortestNick-1)) {
		return false
	}
	return l.genitive != "" && w.folded == name+l.genitive || l.stem(w) == l.stem(word{name, name})
}

func union(into, more []int64) []int64 {
	for _, id := range more {
		if !slices.Contains(into, id) {
			into = append(into, id)
		}
	}
	return into
}

// weigh gives each stem its inverse document frequency over all scopes together and keeps the maxTerms rarest, what
// nobody ever said last: in a pasted page it would leave no room for anything else.
func (b *bag) weigh(scopes []*Index, asked [][]string) {
	var turns, sessions, turnTerms, sessionTerms int64
	for _, x := range scopes {
		turns += int64(len(x.rows) - x.gone)
		sessions += int64(len(x.threads))
		turnTerms += x.length
		for _, t := range x.threads {
			sessionTerms += int64(t.length)
		}
	}
	b.turnLength = float32(turnTerms) / float32(max(turns, 1))
	b.sessionLength = float32(sessionTerms) / float32(max(sessions, 1))
	seen := map[string]bool{}
	var unheard []weighted
	for _, stems := range asked {
		if seen[stems[0]] {
			continue
		}
		seen[stems[0]] = true
		var inTurns, inSessions int
		for _, x := range scopes {
			t, s := x.postings(stems)
			inTurns += len(t)
			inSessions += len(s)
		}
		w := weighted{stems: stems, idf: idf(turns, inTurns), sessions: idf(sessions, inSessions)}
		if inTurns == 0 {
			unheard = append(unheard, w)
		} else {
			b.terms = append(b.terms, w)
		}
	}
	slices.SortStableFunc(b.terms, func(p, q weighted) int { return cmp.Compare(q.idf, p.idf) })
	b.terms = append(b.terms, unheard...)
	b.terms = b.terms[:min(len(b.terms), maxTerms)]
	for _, t := range b.terms {
		b.idf += t.idf
	}
}

// idf is the Robertson-Spärck Jones weight with 1 added inside the logarithm, so that it is never negative.
func idf(total int64, holding int) float32 {
	n, df := float64(total), float64(holding)
	return float32(math.Log(1 + (n-df+0.5)/(df+0.5)))
}

// postings are the turns and sessions that hold one of stems.
func (x *Index) postings(stems []string) (turns, sessions []posting) {
	for _, s := range stems {
		if t, known := x.words.terms[s]; known {
			turns, sessions = merge(turns, x.turns[t]), merge(sessions, x.sessions[t])
		}
	}
	return turns, sessions
}

// merge is two posting lists as one. Where both hold an ordinal, the word stands there as often as in the one that has
// it more often: the other is the same word read in another language.
func merge(a, b []posting) []posting {
	switch {
	case len(a) == 0:
		return b
	case len(b) == 0:
		return a
	}
	both := make([]posting, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].ordinal() < b[0].ordinal():
			both, a = append(both, a[0]), a[1:]
		case a[0].ordinal() > b[0].ordinal():
			both, b = append(both, b[0]), b[1:]
		default:
			both, a, b = append(both, max(a[0], b[0])), a[1:], b[1:]
		}
	}
	return append(append(both, a...), b...)
}
