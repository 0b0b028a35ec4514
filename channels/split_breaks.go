package channels

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

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
	fitted, used, state, said := at, 0, -1, false
	for rest, cluster := s.text[at:], ""; rest != ""; {
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if used += size(cluster, s.Unit); used > room {
			break
		}
		fitted += len(cluster)
		said = said || !blank(cluster)
		if kind, ok := s.breakAfter(fitted, rest); ok && said {
			best[kind] = fitted
		}
	}
	if fitted == at {
		return at + runesWithin(s.text[at:], room, s.Unit)
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
// the chunk before. Code and tables are only broken between lines, and never from their opening lines.
func (s *splitter) breakAfter(p int, rest string) (breakKind, bool) {
	before := s.text[:p]
	newline := strings.HasSuffix(before, "\n")
	if i := s.around(p); i >= 0 {
		switch r := s.regions[i]; {
		case r.Whole():
			return word, false
		case r.Lines && p <= r.Shut:
			return line, newline && p > r.Body
		}
	}
	last, _ := utf8.DecodeLastRuneInString(before)
	following, _ := utf8.DecodeRuneInString(rest)
	switch {
	case newline && endsBlankLine(before) && following != '\n' && following != '\r':
		return paragraph, true
	case newline:
		return line, true
	case !unicode.IsSpace(last) && !fullWidthStop(last), unicode.IsSpace(following), startsBlock(rest), endsInMark(before):
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

// endsInMark says that the last word before is made of marks, as in "2 * ": what is closed after it would join them.
func endsInMark(before string) bool {
	before = strings.TrimRight(before, " \t")
	word := strings.TrimRight(before, "*_~|`")
	return len(word) < len(before) && (word == "" || strings.HasSuffix(word, " "))
}

// startsBlock says that text would be read as an item, a heading or the like at the start of a line.
func startsBlock(text string) bool {
	first := text[:min(len(text), 16)]
	if i := strings.IndexFunc(first, unicode.IsSpace); i >= 0 {
		first = first[:i]
	}
	number := strings.TrimLeft(first, "0123456789")
	switch {
	case first == "":
		return false
	case first[0] == '>', strings.HasPrefix(first, "```"), strings.HasPrefix(first, "~~~"):
		return true
	case number != first:
		return number == "." || number == ")"
	}
	return first == "*" || strings.Trim(first, "#") == "" || strings.Trim(first, "+-") == ""
}
