package words

import (
	"iter"
	"slices"
	"strings"

	"familiar/internal/text"
)

// Set is a set of lower-case words.
type Set map[string]bool

// Has reports whether w is in the set.
func (s Set) Has(w string) bool { return s[w] }

// Of returns the set of the words in list.
func Of(list string) Set {
	all := strings.Fields(list)
	set := make(Set, len(all))
	for _, w := range all {
		set[w] = true
	}
	return set
}

// StopWords carry no topic. Texts that share only these have nothing in common.
var StopWords = Of("a an the and or but so of to in on at by for from with about as is are am was were be been being do does did " +
	"doing have has had having i i'm i've i'd i'll you you're you've you'd you'll your yours me my mine we us our he she it its it's they them " +
	"his her their this that these those there here what which who whom whose when where why how can could will would shall should " +
	"may might must not no yes if then than too very just also really some any all one ever never again still tell told know " +
	"remember remind said say says think thought like got get gets going go went go gone let please much many more most soon another")

// wordLimit bounds how many words of a text are read: the meaning of a chat message is in its beginning.
const wordLimit = 400

// Tokens returns the first 400 words of a text in lower case, with plain apostrophes.
func Tokens(text string) []string {
	tokens := make([]string, 0, min(len(text)/wordBytes+1, wordLimit))
	for w := range Each(text) {
		tokens = append(tokens, w)
	}
	return tokens
}

// wordBytes is about how many bytes a word and the space after it take.
const wordBytes = 5

// Same reports whether the words of a text are tokens.
func Same(tokens []string, text string) bool {
	n := 0
	for w := range Each(text) {
		if n == len(tokens) || tokens[n] != w {
			return false
		}
		n++
	}
	return n == len(tokens)
}

// Each yields the words that Tokens returns.
func Each(said string) iter.Seq[string] {
	return func(yield func(string) bool) {
		n := 0
		if said = Head(said); text.IsASCII(said) {
			said = strings.ToLower(said) // the whole at once allocates less
		}
		for t := range text.Tokens(said, joins) {
			if n++; !yield(t.Norm) || n == wordLimit {
				return
			}
		}
	}
}

// joins reports whether r joins two parts of a word, as apostrophes and hyphens do.
func joins(_, mark, after rune) bool {
	return (mark == '\'' || mark == '’' || mark == '-') && text.IsWord(after)
}

// headLimit is how much of a text is read, in bytes: far more than wordLimit ordinary words.
const headLimit = 8 << 10

// Head returns the beginning of a text, cut at a rune.
func Head(text string) string {
	if len(text) <= headLimit {
		return text
	}
	return strings.ToValidUTF8(text[:headLimit], "")
}

// Content returns the set of stems of a text's content words.
func Content(text string) Set {
	set := make(Set)
	for w := range Each(text) {
		if !StopWords.Has(w) {
			set[Stem(w)] = true
		}
	}
	return set
}

// Shared counts the members that two sets have in common.
func Shared(a, b Set) int {
	n := 0
	for w := range a {
		if b.Has(w) {
			n++
		}
	}
	return n
}

// SharedWith counts the members of set in the content of texts, without building that set.
func SharedWith(set Set, texts ...string) int {
	var room [8]string
	found := room[:0]
	for _, text := range texts {
		for w := range Each(text) {
			if StopWords.Has(w) {
				continue
			}
			if w = Stem(w); set.Has(w) && !slices.Contains(found, w) {
				found = append(found, w)
			}
		}
	}
	return len(found)
}

// irregular are past forms that share no beginning with their verb, as pairs.
var irregular = pairs("ran run bought buy wrote write saw see met meet ate eat drove drive flew fly swam swim taught teach caught catch " +
	"found find lost lose made make gave give took take came come left leave won win sold sell sent send built build broke break " +
	"chose choose grew grow slept sleep spoke speak spent spend felt feel kept keep paid pay sang sing wore wear began begin " +
	"became become held hold heard hear brought bring drew draw rode ride rang ring woke wake threw throw forgot forget fell fall " +
	"stood stand understood understand children child people person")

// pairs maps every other word of a list to the word after it.
func pairs(list string) map[string]string {
	fields := strings.Fields(list)
	m := make(map[string]string, len(fields)/2)
	for i := 0; i+1 < len(fields); i += 2 {
		m[fields[i]] = fields[i+1]
	}
	return m
}

// Stem cuts common English endings, so that "painting", "paints" and "paint" match. It is deliberately rough: it only
// compares words of short texts with each other.
func Stem(w string) string {
	w = strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "s'")
	if present, ok := irregular[w]; ok {
		w = present
	}
	for _, ending := range []struct{ from, to string }{{"ies", "y"}, {"ing", ""}, {"ied", "y"}, {"ed", ""}, {"es", ""}, {"s", ""}} {
		if root, ok := strings.CutSuffix(w, ending.from); ok && len(root) >= 3 && !strings.HasSuffix(root, "s") {
			w = root + ending.to
			break
		}
	}
	if n := len(w); n > 3 && w[n-1] == w[n-2] && w[n-1] != 'l' && w[n-1] != 's' {
		w = w[:n-1]
	}
	if len(w) > 3 {
		w = strings.TrimSuffix(w, "e")
	}
	return w
}

// Sentences splits a text after ".", "!" and "?" at the end of a word, and at line ends.
func Sentences(said string) (found []string) {
	for line := range strings.Lines(said) {
		for _, s := range text.Sentences(line) {
			if s = strings.TrimSpace(s); s != "" {
				found = append(found, s)
			}
		}
	}
	return found
}

// Holds reports whether text contains phrase as whole words, ignoring case.
func Holds(text, phrase string) bool {
	p := Tokens(phrase)
	if len(p) == 0 || !strings.Contains(p[0], "'") && !strings.Contains(strings.ToLower(text), p[0]) {
		return false
	}
	return HoldsAll(Tokens(text), p)
}

// HoldsAll is Holds for the tokens of a text and of a phrase.
func HoldsAll(text, phrase []string) bool {
	for i := 0; len(phrase) > 0 && i+len(phrase) <= len(text); i++ {
		if slices.EqualFunc(text[i:i+len(phrase)], phrase, isOrOwns) {
			return true
		}
	}
	return false
}

// isOrOwns reports whether a token is a word, perhaps with "'s".
func isOrOwns(token, word string) bool {
	owner, owns := strings.CutSuffix(token, "'s")
	return token == word || owns && owner == word
}
