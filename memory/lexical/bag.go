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
	authors     []int64
	when, count bool
	// turn and session length averages over all scopes.
	turnLength, sessionLength float32
}

type weighted struct {
	stem     string
	idf      float32
	sessions float32 // its idf over sessions
}

// fill reads text against scopes. asker, when not 0, is whom "I" and "my" mean.
func fill(scopes []*Index, lang *Language, text string, asker int64) bag {
	var b bag
	words := slices.Collect(Words(text))
	b.when, b.count = asks(words, lang.asksWhen), asks(words, lang.asksHowMany)
	capital := capitalised(text)
	var stems, named []string
	for _, w := range words {
		if asker != 0 && lang.first[w] && !slices.Contains(b.authors, asker) {
			b.authors = append(b.authors, asker)
		}
		if lang.stop[w] {
			continue
		}
		stem := lang.stem(w)
		if who := meant(scopes, w, capital[w]); len(who) > 0 {
			b.authors = union(b.authors, who)
			named = append(named, stem)
			continue
		}
		stems = append(stems, stem)
	}
	if len(stems) == 0 {
		stems = named // only a name was asked for: then it is the content
	}
	b.weigh(scopes, stems)
	return b
}

// capitalised are the folded words that text writes with a capital, which a short form of a name must have.
func capitalised(text string) map[string]bool {
	capital := map[string]bool{}
	parted := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) }
	for _, w := range strings.FieldsFunc(clip(text), parted) {
		if first, _ := utf8.DecodeRuneInString(w); unicode.IsUpper(first) {
			capital[fold(w)] = true
		}
	}
	return capital
}

// shortestNick is how many letters a short form needs to mean a longer name: "Mel" for "Melanie".
const shortestNick = 3

// meant are the authors word names: in full, or with a capital also by the beginning of their name.
func meant(scopes []*Index, word string, capital bool) []int64 {
	var who []int64
	for _, x := range scopes {
		who = union(who, x.names[word])
		if !capital || utf8.RuneCountInString(word) < shortestNick {
			continue
		}
		for name, authors := range x.names {
			if len(name) > len(word) && name[:len(word)] == word {
				who = union(who, authors)
			}
		}
	}
	slices.Sort(who)
	return who
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
func (b *bag) weigh(scopes []*Index, stems []string) {
	var turns, sessions, turnTerms, sessionTerms int64
	for _, x := range scopes {
		turns += int64(len(x.rows))
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
	for _, s := range stems {
		if seen[s] {
			continue
		}
		seen[s] = true
		var inTurns, inSessions int
		for _, x := range scopes {
			if t, known := x.terms[s]; known {
				inTurns += len(x.turns[t])
				inSessions += len(x.sessions[t])
			}
		}
		w := weighted{stem: s, idf: idf(turns, inTurns), sessions: idf(sessions, inSessions)}
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
