package lexical

import "strings"

// Gist is the set of content words of a text in its language, for comparison with other texts.
type Gist struct {
	lang  *Language
	terms map[string]bool
}

// GistOf analyzes texts as one text in the language it detects.
func GistOf(texts ...string) Gist {
	whole := strings.Join(texts, "\n")
	g := Gist{lang: Detect(whole), terms: map[string]bool{}}
	for _, t := range g.lang.Terms(whole) {
		g.terms[t] = true
	}
	return g
}

// Language returns the language in which the gist was read.
func (g Gist) Language() *Language { return g.lang }

// Terms returns the content terms of another text, read in the gist's language so that they are comparable.
func (g Gist) Terms(text string) []string { return g.lang.Terms(text) }

// Has reports whether the gist contains term.
func (g Gist) Has(term string) bool { return g.terms[term] }

// Shared returns how many of the gist's terms text contains.
func (g Gist) Shared(text string) int {
	seen := map[string]bool{}
	for _, t := range g.Terms(text) {
		if g.terms[t] {
			seen[t] = true
		}
	}
	return len(seen)
}
