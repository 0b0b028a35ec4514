package channels

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// Split cuts text into chunks a network takes: none longer than l.Text in l.Unit, none blank.
//
// Chunks end after a paragraph, else a line, a sentence or a word; only what has no such place in reach is cut
// between two characters as a reader sees them (grapheme clusters). A single grapheme longer than the limit is cut
// between runes; a rune never is, even where the limit is smaller than one.
//
// The chunks joined are the text, with two exceptions. A chunk that ends inside a fenced code block has the fence
// closed at its end and the next one opens it again with its language, both on lines of their own; a fence whose two
// lines would take more than half of the limit is cut like other text. And white space that would make a chunk by
// itself is left out. Invalid UTF-8 is replaced by U+FFFD.
func Split(text string, l Limits) []string {
	text = strings.ToValidUTF8(text, string(utf8.RuneError))
	if blank(text) {
		return nil
	}
	if l.Text <= 0 || fits(text, l.Text, l.Unit) {
		return []string{text}
	}
	s := splitter{text: text, limit: l.Text, unit: l.Unit}
	for _, f := range fences(text) {
		if s.repair(f) <= l.Text/2 {
			s.fences = append(s.fences, f)
		}
	}
	return s.chunks()
}

// splitter cuts one text; the fences are those it keeps whole, in order.
type splitter struct {
	text   string
	limit  int
	unit   Unit
	fences []fence
}

// repair is what opening and closing f once more costs.
func (s *splitter) repair(f fence) int {
	return size(f.opener+"\n", s.unit) + size("\n"+f.marker, s.unit)
}

func (s *splitter) chunks() []string {
	var chunks []string
	for at, opening := 0, ""; at < len(s.text); {
		end, closing, reopening := s.next(at, s.limit-size(opening, s.unit))
		if body := s.text[at:end]; !blank(body) {
			chunks = append(chunks, opening+body+closing)
		}
		at, opening = end, reopening
	}
	return chunks
}

// next finds where the chunk that starts at offset at ends within room units, and what must be written to close a
// fence there and to open it again. What must be written is set aside and the cut made anew until both fit; as no
// fence costs more than half of the limit, there is always room for the text.
func (s *splitter) next(at, room int) (end int, closing, reopening string) {
	if fits(s.text[at:], room, s.unit) {
		return len(s.text), "", ""
	}
	for reserve := 0; ; {
		end = s.settle(at, s.cut(at, room-reserve), room)
		f, inside := s.fenceAt(end)
		if !inside {
			return end, "", ""
		}
		closing = f.marker
		if !strings.HasSuffix(s.text[:end], "\n") {
			closing = "\n" + closing
		}
		if fits(s.text[at:end]+closing, room, s.unit) {
			return end, closing, f.opener + "\n"
		}
		reserve = max(reserve, size(closing, s.unit))
	}
}

// fenceAt is the fence whose code offset p lies in.
func (s *splitter) fenceAt(p int) (fence, bool) {
	f, ok := s.fenceBefore(p)
	return f, ok && f.body < p && p <= f.shut && p < len(s.text)
}

// fenceBefore is the last fence that starts before offset p.
func (s *splitter) fenceBefore(p int) (fence, bool) {
	i := sort.Search(len(s.fences), func(i int) bool { return s.fences[i].start >= p })
	if i == 0 {
		return fence{}, false
	}
	return s.fences[i-1], true
}

// settle moves a cut at p off the two lines of a fence: before an opening line, after a closing one where that fits.
func (s *splitter) settle(at, p, room int) int {
	f, ok := s.fenceBefore(p)
	switch {
	case !ok || p >= f.end:
		return p
	case p <= f.body && f.start > at && !blank(s.text[at:f.start]):
		return f.start
	case p >= f.shut && fits(s.text[at:f.end], room, s.unit):
		return f.end
	case p >= f.shut && f.shut > max(at, f.body):
		return f.shut
	}
	return p
}

// breakKind is how good a place to cut is, best first.
type breakKind int

const (
	paragraph breakKind = iota
	line
	sentence
	word
	breakKinds
)

// cut is the best place to end a chunk that starts at offset at and takes at most room units.
func (s *splitter) cut(at, room int) int {
	var best [breakKinds]int
	fitted, used, state := at, 0, -1
	for rest, cluster := s.text[at:], ""; rest != ""; {
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if used += size(cluster, s.unit); used > room {
			break
		}
		fitted += len(cluster)
		if kind, ok := s.breakAfter(fitted, rest); ok && !blank(s.text[at:fitted]) {
			best[kind] = fitted
		}
	}
	if fitted == at {
		return at + runesWithin(s.text[at:], room, s.unit)
	}
	// A better kind of break is worth a shorter chunk, but not one less than half full.
	latest := 0
	for _, p := range best {
		if p-at >= (fitted-at)/2 && p > at {
			return p
		}
		latest = max(latest, p)
	}
	if latest > at {
		return latest
	}
	return fitted
}

// breakAfter says what kind of place offset p is to cut at; rest is the text that follows it. White space belongs to
// the chunk before. Code is only broken between lines, and never from its opening line.
func (s *splitter) breakAfter(p int, rest string) (breakKind, bool) {
	before := s.text[:p]
	newline := strings.HasSuffix(before, "\n")
	if f, ok := s.fenceBefore(p); ok && p <= f.shut {
		return line, newline && p > f.body
	}
	last, _ := utf8.DecodeLastRuneInString(before)
	following, _ := utf8.DecodeRuneInString(rest)
	switch {
	case newline && endsBlankLine(before) && following != '\n' && following != '\r':
		return paragraph, true
	case newline:
		return line, true
	case !unicode.IsSpace(last) && !fullWidthStop(last), unicode.IsSpace(following):
		return word, false
	case fullWidthStop(last) || endsSentence(before):
		return sentence, true
	}
	return word, true
}

// endsBlankLine says that the newline before ends with stands on a line of its own.
func endsBlankLine(before string) bool {
	before = strings.TrimSuffix(strings.TrimSuffix(before, "\n"), "\r")
	return before == "" || strings.HasSuffix(before, "\n")
}

// endsSentence says that the words before a run of spaces end a sentence, perhaps inside quotes or brackets.
func endsSentence(before string) bool {
	before = strings.TrimRight(before, " \t")
	before = strings.TrimRight(before, "\"'”’»)]*_")
	last, _ := utf8.DecodeLastRuneInString(before)
	return strings.ContainsRune(".!?…", last)
}

// fullWidthStop says that r ends a sentence in scripts that put no space after it.
func fullWidthStop(r rune) bool { return strings.ContainsRune("。！？", r) }

// runesWithin is the length in bytes of the longest run of whole runes of text within room units, at least one rune.
func runesWithin(text string, room int, unit Unit) int {
	used := 0
	for i, r := range text {
		if used += runeSize(r, unit); used > room && i > 0 {
			return i
		}
	}
	return len(text)
}

// fits says that text takes at most room units. It looks no further than that.
func fits(text string, room int, unit Unit) bool {
	for _, r := range text {
		if room -= runeSize(r, unit); room < 0 {
			return false
		}
	}
	return true
}

func size(text string, unit Unit) int {
	n := 0
	for _, r := range text {
		n += runeSize(r, unit)
	}
	return n
}

func runeSize(r rune, unit Unit) int {
	switch unit {
	case Bytes:
		return utf8.RuneLen(r)
	case UTF16:
		return utf16.RuneLen(r)
	default:
		return 1
	}
}

func blank(text string) bool { return strings.TrimSpace(text) == "" }
