package lexical

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxTerms is the maximum number of terms that a query searches for. A pasted page keeps its rarest ones. The limit
// fits a bit mask.
const maxTerms = 32

// bag is a prepared query: its terms, weighted over all scopes, and the kind of answer its wording asks for.
type bag struct {
	terms []weighted
	// idf is the sum over terms, the value of a perfect match.
	idf float32
	// authors are the people that the query names, by name or as "I".
	authors           []int64
	when, count, name bool
	// addressed reports that the query asks what the persona said, you that it is about the persona and not about the
	// asker.
	addressed, you bool
	// turnLength, passageLength and sessionLength are averages over all scopes.
	turnLength, passageLength, sessionLength float32
	// style is how long the lines of the talk are: 0 in a messenger, 1 for an assistant's long answers.
	style float32
	// concepts are the concepts that the query mentions, conceptIDF the sum over them.
	concepts   []askedConcept
	conceptIDF float32
}

// asks reports whether the query says anything that could be answered.
func (b *bag) asks() bool {
	return len(b.terms) > 0 || len(b.authors) > 0 || len(b.concepts) > 0 || b.when || b.count || b.name
}

// weighted is one term of a query.
type weighted struct {
	// stems are the stems of the word in each language that the conversation may use, without duplicates.
	stems    []string
	idf      float32
	sessions float32 // idf over sessions
}

// prepare analyzes a query against scopes.
func prepare(scopes []*Index, q *Query) bag {
	var b bag
	text, asker := q.Text, q.Asker
	asked := slices.Collect(words(text))
	lang, in := questionLanguages(scopes, asked)
	lists := lang.lists()
	b.when, b.count, b.name = asks(asked, lists.asksWhen), asks(asked, lists.asksHowMany), lang.asksName(asked)
	b.addressed, b.you = lists.asksWhatYouSaid(asked), lists.isAboutYou(asked)
	people := make([]bool, len(asked))
	capital := capitalised(text)
	var content, named [][]string
	var last word // the content word directly before, empty after any other word
	for i, w := range asked {
		before := last
		last = word{}
		if asker != 0 && !b.addressed && lists.firstPerson[w.folded] && !slices.Contains(b.authors, asker) {
			b.authors = append(b.authors, asker)
		}
		if lists.stop[w.folded] {
			continue
		}
		stems := stemsIn(w, lang, in)
		if who := namedAuthors(scopes, lang, w, capital[w.folded]); len(who) > 0 {
			b.authors = union(b.authors, who)
			named, people[i] = append(named, stems), true
			continue
		}
		if one := compoundStem(scopes, lang, before, w); one != "" {
			stems = append(stems, one)
			content[len(content)-1] = append(content[len(content)-1], one)
		}
		content = append(content, stems)
		last = w
	}
	if len(content) == 0 {
		content = named // the query holds only a name, so the name is the content
	}
	b.weigh(scopes, content)
	if !q.WithoutConcepts {
		b.findConcepts(scopes, lang, asked, people)
	}
	return b
}

// questionLanguages returns the language of a question to scopes and all the languages its answer may be in.
func questionLanguages(scopes []*Index, asked []word) (*Language, languageSet) {
	var talk tally
	for _, x := range scopes {
		talk.add(&x.talk)
	}
	as := detect(cluesOf(asked), &talk, scopes[0].lang)
	return as.lang, talk.used() | as.lang.bit() | as.others
}

// stemsIn returns the stems of w in each of the languages, without duplicates. The language of the question comes
// first.
func stemsIn(w word, lang *Language, in languageSet) []string {
	stems := []string{lang.stem(w)}
	for l := range (in &^ lang.bit()).each {
		if l.lists().stop[w.folded] {
			continue
		}
		if stem := l.stem(w); !slices.Contains(stems, stem) {
			stems = append(stems, stem)
		}
	}
	return stems
}

// compoundStem returns the stem of two consecutive words if the conversation also writes them as one word ("icecream" for
// "ice cream"), else "".
func compoundStem(scopes []*Index, lang *Language, first, second word) string {
	if first.written == "" {
		return ""
	}
	stem := lang.stem(word{first.written + second.written, first.folded + second.folded})
	for _, x := range scopes {
		if turns, _, _ := x.lists(stem); len(turns) > 0 {
			return stem
		}
	}
	return ""
}

// capitalised returns the folded words that text capitalizes. The short form of a name must be capitalized.
func capitalised(text string) map[string]bool {
	capital := map[string]bool{}
	parted := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) }
	for _, w := range strings.FieldsFunc(Clip(text), parted) {
		if first, _ := utf8.DecodeRuneInString(w); unicode.IsUpper(first) {
			capital[Normalize(w)] = true
		}
	}
	return capital
}

// minNickname is the minimum number of letters in a short form that stands for a longer name: "Mel" for "Melanie".
const minNickname = 3

// namedAuthors returns the authors that w names. A full name always matches. A capitalized word also matches as the beginning
// of a name and as an inflected form of it in lang.
func namedAuthors(scopes []*Index, lang *Language, w word, capital bool) []int64 {
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

// shortens reports whether nick is the beginning of name.
func shortens(nick, name string) bool {
	return len(name) > len(nick) && strings.HasPrefix(name, nick) && utf8.RuneCountInString(nick) >= minNickname
}

// inflects reports whether w is an inflected form of name.
func (l *Language) inflects(w word, name string) bool {
	if !strings.HasPrefix(w.folded, firstRunes(name, minNickname-1)) {
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

// weigh assigns each stem its inverse document frequency over all scopes and keeps the maxTerms rarest. Terms that
// occur in no turn come last, because in a pasted page they would crowd out all others.
func (b *bag) weigh(scopes []*Index, asked [][]string) {
	var turns, parts, sessions, turnTerms, typical, sessionTerms int64
	for _, x := range scopes {
		turns += int64(len(x.rows) - x.removed)
		parts += int64(x.parts)
		typical += x.typical
		sessions += int64(len(x.threads))
		turnTerms += x.length
		sessionTerms += x.threadLength
	}
	b.turnLength = float32(turnTerms) / float32(max(turns, 1))
	b.passageLength = float32(turnTerms) / float32(max(parts, 1))
	b.style = styleOf(float32(typical) / float32(max(turns, 1)))
	b.sessionLength = float32(sessionTerms) / float32(max(sessions, 1))
	seen := map[string]bool{}
	var absent []weighted
	for _, stems := range asked {
		if seen[stems[0]] {
			continue
		}
		seen[stems[0]] = true
		var inTurns, inSessions int
		for _, x := range scopes {
			t, s, _ := x.postings(stems)
			inTurns += len(t)
			inSessions += len(s)
		}
		w := weighted{stems: stems, idf: idf(turns, inTurns), sessions: idf(sessions, inSessions)}
		if inTurns == 0 {
			absent = append(absent, w)
		} else {
			b.terms = append(b.terms, w)
		}
	}
	slices.SortStableFunc(b.terms, func(p, q weighted) int { return cmp.Compare(q.idf, p.idf) })
	b.terms = append(b.terms, absent...)
	b.terms = b.terms[:min(len(b.terms), maxTerms)]
	for _, t := range b.terms {
		b.idf += t.idf
	}
}

// idf returns the Robertson-Spärck Jones weight with 1 added inside the logarithm, so that it is never negative.
func idf(total int64, holding int) float32 {
	n, df := float64(total), float64(holding)
	return float32(math.Log(1 + (n-df+0.5)/(df+0.5)))
}

// The mean length of a line, in content terms, from which a talk counts as more than a messenger's, and up to which it may
// grow.
const (
	shortLines = 12
	longLines  = 200
)

// styleOf returns the style of a talk by the mean length of its lines.
func styleOf(length float32) float32 {
	s := math.Log(float64(length)/shortLines) / math.Log(float64(longLines)/shortLines)
	return float32(max(0, min(1, s)))
}

// postings returns the turns, sessions and passages of long turns that contain one of stems.
func (x *Index) postings(stems []string) (turns, sessions, passages []posting) {
	for _, s := range stems {
		t, in, parts := x.lists(s)
		turns, sessions, passages = merge(turns, t), merge(sessions, in), merge(passages, parts)
	}
	return turns, sessions, passages
}

// lists returns the posting lists of a stem.
func (x *Index) lists(stem string) (turns, sessions, passages []posting) {
	t, known := x.words.lookup(stem)
	if !known {
		return nil, nil, nil
	}
	lists := x.terms.of(t)
	if lists == nil {
		return nil, nil, nil
	}
	return x.terms.all(&lists.turns), x.terms.all(&lists.sessions), x.terms.all(&lists.passages)
}

// merge combines two posting lists. For an ordinal in both lists it keeps the higher count, because the other entry is
// the same word read in another language.
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
