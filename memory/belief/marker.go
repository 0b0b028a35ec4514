package belief

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"familiar/internal/text"
	"familiar/memory/lexical"
	"familiar/memory/model"
	"familiar/memory/understand/rel"
)

// Markers in recalled text for a value that no longer holds. MarkCorrected replaces a value that was never true.
// MarkChanged follows a value that was true once. MarkRetold follows a value that was later told differently, when no
// belief decides between the two.
const (
	MarkCorrected = "[corrected]"
	MarkChanged   = "[no longer current]"
	MarkRetold    = "[told differently since]"
)

// Marker marks replaced values in text, so that none is shown without its mark.
type Marker struct {
	// byFirst maps the normalized first word to the replaced values that begin with it, longest first.
	byFirst map[string][]staleValue
	// first are the first bytes of the keys of byFirst. Most words begin with none of them.
	first byteSet
}

// byteSet is a set of bytes.
type byteSet [4]uint64

func (s *byteSet) add(b byte) { s[b/64] |= 1 << (b % 64) }

func (s *byteSet) has(b byte) bool { return s[b/64]&(1<<(b%64)) != 0 }

// staleValue is a replaced value with the contexts in which it was replaced.
type staleValue struct {
	words    []string
	contexts []staleContext
}

// staleContext is a context in which a value was replaced.
type staleContext struct {
	mark string
	wish bool // the value was part of a standing wish
	// about are the words of the subject, none for a known person.
	about []string
	until time.Time
}

// NewMarker returns a marker for replaced values.
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
		m.first.add(words[0][0])
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

// CleanLine returns l clipped and without invisible characters, so that its words can be found.
func CleanLine(l model.SnippetLine) model.SnippetLine {
	l.Author, l.Text = model.CleanName(l.Author), CleanText(lexical.Clip(l.Text))
	return l
}

// Mark returns the line's text with replaced values masked or marked.
func (m Marker) Mark(l model.SnippetLine) string { return m.MarkPart(l, l.Text) }

// MarkPart marks a line that was cut from whole, which may name a subject that the part only refers to.
func (m Marker) MarkPart(l model.SnippetLine, whole string) string {
	if len(m.byFirst) == 0 {
		return l.Text
	}
	var b strings.Builder
	content := lineContent{text: whole}
	done := 0
	for start, end := range text.Words(l.Text, nil) {
		if start < done {
			continue
		}
		of, length := m.match(&l, &content, start, end)
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
	if done == 0 {
		return l.Text // most lines need no mark
	}
	b.WriteString(l.Text[done:])
	return b.String()
}

// WishWithdrawn reports whether the line asks for something that is no longer wanted: "call me Captain" before "stop
// calling me Captain".
func (m Marker) WishWithdrawn(l model.SnippetLine) bool {
	content := lineContent{text: l.Text}
	for start, end := range text.Words(l.Text, nil) {
		if of, _ := m.match(&l, &content, start, end); of.wish {
			return true
		}
	}
	return false
}

// match finds the longest replaced value that starts at start in l, where the first word ends at end, and that concerns
// l. It returns the value's context and its length in bytes, 0 if none matches.
func (m *Marker) match(l *model.SnippetLine, content *lineContent, start, end int) (of staleContext, length int) {
	for _, v := range m.startingWith(l.Text[start:end]) {
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

// startingWith returns the replaced values that begin with a word, which need not be normalized.
func (m *Marker) startingWith(word string) []staleValue {
	if first := lowerASCII(word[0]); first < utf8.RuneSelf && !m.first.has(first) {
		return nil
	}
	var room [maxLowered]byte
	if len(word) > len(room) {
		return m.byFirst[strings.ToLower(word)]
	}
	for i := range len(word) {
		if word[i] >= utf8.RuneSelf {
			return m.byFirst[strings.ToLower(word)]
		}
		room[i] = lowerASCII(word[i])
	}
	return m.byFirst[string(room[:len(word)])] // allocates nothing: every word of a line passes through here
}

// lowerASCII returns an ASCII letter in lower case and any other byte as it is.
func lowerASCII(b byte) byte {
	if 'A' <= b && b <= 'Z' {
		b += 'a' - 'A'
	}
	return b
}

// maxLowered is the length in bytes of the longest word that is put into lower case without an allocation.
const maxLowered = 32

// lineContent is what a line may be about. It is read when it is first needed.
type lineContent struct {
	text   string
	read   bool
	words  []string
	refers bool // by a pronoun
}

func (c *lineContent) load() {
	if c.read {
		return
	}
	c.read, c.words = true, NormalizedWords(c.text)
	c.refers = slices.ContainsFunc(c.words, func(w string) bool { return referringWords[w] })
}

// concerns reports whether the line may use the value in its old meaning: any person's text up to the time of
// replacement, and the persona's text at any time, since it may repeat the value. What people say later is new
// information. A value that was replaced for one subject may still hold for another, so the line must name the subject
// or leave it open.
func (o staleContext) concerns(l *model.SnippetLine, c *lineContent, value int) bool {
	if meant := l.PersonID == 0 || o.until.IsZero() || !l.At.After(o.until); !meant || len(o.about) == 0 {
		return meant
	}
	c.load()
	return c.refers || len(c.words) <= value+maxOpenWords || containsRun(c.words, o.about)
}

// containsRun reports whether words occur in all, in order and without gaps.
func containsRun(all, words []string) bool {
	for i := range all {
		if all[i] == words[0] && len(words) <= len(all)-i && slices.Equal(words, all[i:i+len(words)]) {
			return true
		}
	}
	return false
}

// maxOpenWords is how many words besides the value are too few to identify a subject: "it's", "yes, a".
const maxOpenWords = 3

// referringWords are pronouns that refer to something named before.
var referringWords = map[string]bool{
	"he": true, "him": true, "his": true, "she": true, "her": true, "hers": true, "it": true, "its": true, "they": true,
	"them": true, "their": true, "theirs": true, "that": true, "this": true, "there": true,
}

// StartsWith reports whether text begins with words, which must be normalized, and their length in bytes.
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

// bytesPerWord is about how many bytes of a text there are for each word.
const bytesPerWord = 5

// NormalizedWords returns the words of text in lower case.
func NormalizedWords(said string) []string {
	words := make([]string, 0, len(said)/bytesPerWord+1)
	for start, end := range text.Words(said, nil) {
		words = append(words, strings.ToLower(said[start:end]))
	}
	return words
}

// CleanText removes what could forge how a text is displayed: invalid bytes, control, zero-width and bidirectional
// characters. Line breaks become spaces, since an item shows one line per message.
func CleanText(text string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' || r == '\t' || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, model.StripInvisible(strings.ToValidUTF8(text, "\uFFFD"))))
}
