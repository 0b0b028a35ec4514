package belief

import (
	"slices"
	"strings"
	"sync"
	"time"

	"familiar/internal/text"
	"familiar/memory/lexical"
	"familiar/memory/model"
	"familiar/memory/understand/rel"
)

// What stands in recalled words for a value that no longer holds: a corrected one was never so and is left out, one
// that changed was so once and is kept with a note. What was only said again differently, with nothing believed about
// it either way, gets a note of that.
const (
	MarkCorrected = "[corrected]"
	MarkChanged   = "[no longer current]"
	MarkRetold    = "[told differently since]"
)

// marker sees to it that no replaced value is shown without its mark.
type Marker struct {
	// byFirst are the replaced values by their first word, folded, longest first.
	byFirst map[string][]staleValue
}

// staleValue is a value that was replaced, of one thing or of several.
type staleValue struct {
	words    []string
	contexts []staleContext
}

// staleContext is where a value was replaced.
type staleContext struct {
	mark string
	wish bool // it was what a standing wish asked for
	// about are the words of what it was said of, none for a person of ours.
	about []string
	until time.Time
}

func NewMarker(replaced []Replacement) Marker {
	m := Marker{byFirst: make(map[string][]staleValue, len(replaced))}
	for _, r := range replaced {
		words := NormalizedWords(r.Value)
		if len(words) == 0 {
			continue
		}
		of := staleContext{
			mark: markFor(r.Why), wish: r.Relation == rel.CallMe || r.Relation == rel.Wish, until: r.At,
		}
		if r.SubjectPerson == 0 {
			of.about = NormalizedWords(r.Subject)
		}
		values := m.byFirst[words[0]]
		i := slices.IndexFunc(values, func(v staleValue) bool { return slices.Equal(v.words, words) })
		if i < 0 {
			i, values = len(values), append(values, staleValue{words: words})
		}
		values[i].contexts = append(values[i].contexts, of)
		m.byFirst[words[0]] = values
	}
	for _, values := range m.byFirst {
		slices.SortStableFunc(values, func(a, b staleValue) int { return len(b.words) - len(a.words) })
	}
	return m
}

func markFor(why string) string {
	switch why {
	case ChangeCorrected:
		return MarkCorrected
	case changeRetold:
		return MarkRetold
	}
	return MarkChanged
}

// cleanLine is l with nothing in it that cannot be seen, as far as its words are found.
func CleanLine(l model.SnippetLine) model.SnippetLine {
	l.Author, l.Text = model.CleanName(l.Author), CleanText(lexical.Clip(l.Text))
	return l
}

// mark is the line's text with replaced values masked or marked.
func (m Marker) Mark(l model.SnippetLine) string { return m.MarkPart(l, l.Text) }

// markPart marks a line that is cut from whole, which may name what the part only speaks of.
func (m Marker) MarkPart(l model.SnippetLine, whole string) string {
	if len(m.byFirst) == 0 {
		return l.Text
	}
	var b strings.Builder
	content := sync.OnceValue(func() lineContent { return contentOf(whole) })
	done := 0
	for start, end := range text.Words(l.Text, nil) {
		if start < done {
			continue
		}
		of, length := m.match(l, content, start, end)
		if length == 0 {
			continue
		}
		b.WriteString(l.Text[done:start])
		done = start + length
		if of.mark == MarkCorrected {
			b.WriteString(of.mark)
		} else {
			b.WriteString(l.Text[start:done] + " " + of.mark)
		}
	}
	b.WriteString(l.Text[done:])
	return b.String()
}

// withdrawn says that the line asks for what is no longer wished for: "call me Captain", before "stop calling me Captain".
func (m Marker) WishWithdrawn(l model.SnippetLine) bool {
	content := sync.OnceValue(func() lineContent { return contentOf(l.Text) })
	for start, end := range text.Words(l.Text, nil) {
		if of, _ := m.match(l, content, start, end); of.wish {
			return true
		}
	}
	return false
}

// match is what the longest replaced value stands for that stands in l from start on, where a word ends at end, and that
// concerns l, with how many bytes it takes there; nothing when none does.
func (m Marker) match(l model.SnippetLine, content func() lineContent, start, end int) (of staleContext, length int) {
	for _, v := range m.byFirst[strings.ToLower(l.Text[start:end])] {
		length, found := StartsWith(l.Text[start:], v.words)
		if !found {
			continue
		}
		for _, of := range v.contexts {
			if of.concerns(l, content, len(v.words)) {
				return of, length
			}
		}
	}
	return staleContext{}, 0
}

// lineContent is what a line may speak of.
type lineContent struct {
	words  []string
	refers bool // by a pronoun, to what was named before
}

func contentOf(text string) lineContent {
	words := NormalizedWords(text)
	return lineContent{words, slices.ContainsFunc(words, func(w string) bool { return referringWords[w] })}
}

// concerns says that the line may hold the value as it was meant: anybody's words up to when the
// value was replaced, and the persona's own at any time, which may repeat it. What people say of it later is new. What
// was replaced of one thing may still hold of another: the line must name it, or leave open what it speaks of.
func (o staleContext) concerns(l model.SnippetLine, content func() lineContent, value int) bool {
	if meant := l.PersonID == 0 || o.until.IsZero() || !l.At.After(o.until); !meant || len(o.about) == 0 {
		return meant
	}
	c := content()
	return c.refers || len(c.words) <= value+maxOpenWords || containsRun(c.words, o.about)
}

// containsRun says that the words stand in all in that order, one after the other.
func containsRun(all, words []string) bool {
	for i := range all {
		if all[i] == words[0] && len(words) <= len(all)-i && slices.Equal(words, all[i:i+len(words)]) {
			return true
		}
	}
	return false
}

// maxOpenWords is how many words beside a value are too few to tell what it is said of: "it's", "yes, a".
const maxOpenWords = 3

// referringWords are the pronouns for what was named before.
var referringWords = map[string]bool{
	"he": true, "him": true, "his": true, "she": true, "her": true, "hers": true, "it": true, "its": true, "they": true,
	"them": true, "their": true, "theirs": true, "that": true, "this": true, "there": true,
}

// startsWith says that a text begins with words, which are folded, and in how many bytes.
func StartsWith(said string, words []string) (length int, ok bool) {
	n := 0
	for start, end := range text.Words(said, nil) {
		if strings.ToLower(said[start:end]) != words[n] {
			return 0, false
		}
		if n++; n == len(words) {
			return end, true
		}
	}
	return 0, false
}

// foldedWords are the words of a text, lower case.
func NormalizedWords(said string) (words []string) {
	for start, end := range text.Words(said, nil) {
		words = append(words, strings.ToLower(said[start:end]))
	}
	return words
}

// cleanText takes out what cannot be seen and could forge how a text is shown: invalid bytes, control, zero-width and
// bidirectional characters. Line breaks become spaces, since an item shows one line for each thing said.
func CleanText(text string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' || r == '\t' || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, model.StripInvisible(strings.ToValidUTF8(text, "\uFFFD"))))
}
