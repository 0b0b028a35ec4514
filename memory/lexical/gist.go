package lexical

import "strings"

// Gist is the content words of a text in its language, to hold other texts against.
type Gist struct {
	lang  *Language
	terms map[string]bool
}

// GistOf reads texts as one, in the language they show.
func GistOf(texts ...string) Gist {
	whole := strings.Join(texts, "\n")
	g := Gist{lang: Detect(whole), terms: map[string]bool{}}
	for _, t := range g.lang.Terms(whole) {
		g.terms[t] = true
	}
	return g
}

// Language is what the gist was read as.
func (g Gist) Language() *Language { return g.lang }

// Terms are the content terms of another text, read in the gist's language so that they compare.
func (g Gist) Terms(text string) []string { return g.lang.Terms(text) }

// Has says that term is one of the gist's.
func (g Gist) Has(term string) bool { return g.terms[term] }

// Shared is how many of the gist's terms text holds.
func (g Gist) Shared(text string) int {
	seen := map[string]bool{}
	for _, t := range g.Terms(text) {
		if g.terms[t] {
			seen[t] = true
		}
	}
	return len(seen)
}
