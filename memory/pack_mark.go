package memory

import (
	"iter"
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
		m.byFirst[words[0]] = append(m.byFirst[words[0]], staleValue{
			words: words, corrected: r.Why == ChangeCorrected, subject: r.SubjectPerson, until: r.At,
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
	var b strings.Builder
	done := 0
	for start, end := range eachWord(l.Text) {
		if start < done {
			continue
		}
		v, length, found := m.at(l, start, end)
		if !found {
			continue
		}
		b.WriteString(l.Text[done:start])
		done = start + length
		if v.corrected {
			b.WriteString(MarkCorrected)
		} else {
			b.WriteString(l.Text[start:done] + " " + MarkChanged)
		}
	}
	b.WriteString(l.Text[done:])
	return b.String()
}

// at is the longest replaced value that stands in l from start on, where a word ends at end, and that concerns l, with
// how many bytes it takes there.
func (m marker) at(l SnippetLine, start, end int) (v staleValue, length int, found bool) {
	for _, v := range m.byFirst[strings.ToLower(l.Text[start:end])] {
		if v.concerns(l) {
			if length, found := startsWith(l.Text[start:], v.words); found {
				return v, length, true
			}
		}
	}
	return staleValue{}, 0, false
}

// concerns says that the line may hold the value as it was meant: anybody's words up to when the value was replaced,
// and the persona's own at any time, which may repeat it. What people say of it later is new.
func (v staleValue) concerns(l SnippetLine) bool {
	return l.PersonID == 0 || v.until.IsZero() || !l.At.After(v.until)
}

// startsWith says that text begins with words, which are folded, and in how many bytes.
func startsWith(text string, words []string) (length int, ok bool) {
	n := 0
	for start, end := range eachWord(text) {
		if strings.ToLower(text[start:end]) != words[n] {
			return 0, false
		}
		if n++; n == len(words) {
			return end, true
		}
	}
	return 0, false
}

// foldedWords are the words of text, lower case.
func foldedWords(text string) (words []string) {
	for start, end := range eachWord(text) {
		words = append(words, strings.ToLower(text[start:end]))
	}
	return words
}

// eachWord yields where the runs of letters, digits and marks in text begin and end.
func eachWord(text string) iter.Seq2[int, int] {
	return func(yield func(start, end int) bool) {
		start := -1
		for i, r := range text {
			in := unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
			if in && start < 0 {
				start = i
			}
			if !in && start >= 0 {
				if !yield(start, i) {
					return
				}
				start = -1
			}
		}
		if start >= 0 {
			yield(start, len(text))
		}
	}
}

// cleanText takes out what cannot be seen and could forge how a text is shown: invalid bytes, control, zero-width and
// bidirectional characters. Line breaks become spaces, since an item shows one line for each thing said.
func cleanText(text string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' || r == '\t' || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, Visible(strings.ToValidUTF8(text, "\uFFFD"))))
}
