package memory

import (
	"slices"
	"strings"
	"time"
	"unicode"
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
type marker struct {
	// byFirst are the replaced values by their first word, folded, longest first.
	byFirst map[string][]staleValue
}

type staleValue struct {
	words     []string
	corrected bool
	subject   int64
	until     time.Time
}

func newMarker(replaced []Replaced) marker {
	m := marker{byFirst: make(map[string][]staleValue, len(replaced))}
	for _, r := range replaced {
		words := foldedWords(r.Value)
		if len(words) == 0 {
			continue
		}
		m.byFirst[words[0].text] = append(m.byFirst[words[0].text], staleValue{
			words: texts(words), corrected: r.Why == ChangeCorrected, subject: r.SubjectPerson, until: r.At,
		})
	}
	for _, values := range m.byFirst {
		slices.SortStableFunc(values, func(a, b staleValue) int { return len(b.words) - len(a.words) })
	}
	return m
}

// cleanLine is l with nothing in it that cannot be seen.
func cleanLine(l SnippetLine) SnippetLine {
	l.Author, l.Text = CleanName(l.Author), cleanText(l.Text)
	return l
}

// mark is the line's text with replaced values masked or marked.
func (m marker) mark(l SnippetLine) string {
	if len(m.byFirst) == 0 {
		return l.Text
	}
	words := foldedWords(l.Text)
	var b strings.Builder
	done := 0
	for i := 0; i < len(words); {
		v, found := m.at(words[i:], l)
		if !found {
			i++
			continue
		}
		start, end := words[i].start, words[i+len(v.words)-1].end
		b.WriteString(l.Text[done:start])
		if v.corrected {
			b.WriteString(MarkCorrected)
		} else {
			b.WriteString(l.Text[start:end] + " " + MarkChanged)
		}
		done = end
		i += len(v.words)
	}
	b.WriteString(l.Text[done:])
	return b.String()
}

// at is the longest replaced value that words start with and that concerns l.
func (m marker) at(words []word, l SnippetLine) (staleValue, bool) {
	for _, v := range m.byFirst[words[0].text] {
		if v.concerns(l) && startsWith(words, v.words) {
			return v, true
		}
	}
	return staleValue{}, false
}

// concerns says that the line may hold the value as it was meant: anybody's words up to when the value was replaced,
// and the persona's own at any time, which may repeat it. What people say of it later is new.
func (v staleValue) concerns(l SnippetLine) bool {
	return l.PersonID == 0 || v.until.IsZero() || !l.At.After(v.until)
}

func startsWith(words []word, value []string) bool {
	if len(words) < len(value) {
		return false
	}
	for i, w := range value {
		if words[i].text != w {
			return false
		}
	}
	return true
}

// word is one folded word of a text and where it stands.
type word struct {
	text       string
	start, end int
}

// foldedWords are the runs of letters, digits and marks in text, lower case.
func foldedWords(text string) []word {
	var words []word
	start := -1
	for i, r := range text {
		in := unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
		if in && start < 0 {
			start = i
		}
		if !in && start >= 0 {
			words = append(words, word{strings.ToLower(text[start:i]), start, i})
			start = -1
		}
	}
	if start >= 0 {
		words = append(words, word{strings.ToLower(text[start:]), start, len(text)})
	}
	return words
}

func texts(words []word) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = w.text
	}
	return out
}

// cleanText takes out what cannot be seen and could forge how a text is shown: invalid bytes, control, zero-width and
// bidirectional characters. Line breaks become spaces, since an item shows one line for each thing said.
func cleanText(text string) string {
	clean := strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\r' || r == '\t' || r == '\u2028' || r == '\u2029':
			return ' '
		case r == '\u200d': // joins emoji
			return r
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	return strings.TrimSpace(clean)
}
