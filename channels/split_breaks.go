package channels

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// breakKind ranks places to cut, best first.
type breakKind int

const (
	paragraph breakKind = iota
	line
	sentence
	word
	breakKinds
)

// cut returns the best end for a chunk that starts at offset at and takes at most room units.
func (s *splitter) cut(at, room int) int {
	var best [breakKinds]int
	fitted, used, state, hasText := at, 0, -1, false
	for rest, cluster := s.text[at:], ""; rest != ""; {
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if used += size(cluster, s.Unit); used > room {
			break
		}
		fitted += len(cluster)
		hasText = hasText || !blank(cluster)
		if kind, ok := s.breakAfter(fitted, rest); ok && hasText {
			best[kind] = fitted
		}
	}
	if fitted == at {
		return at + runesWithin(s.text[at:], room, s.Unit)
	}
	// A better kind of break justifies a shorter chunk, but not one less than half full.
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

// breakAfter returns the kind of break at offset p; rest is the text that follows. White space belongs to the chunk
// before it. Code and tables are cut only between lines, and never directly after their opening lines.
func (s *splitter) breakAfter(p int, rest string) (breakKind, bool) {
	before := s.text[:p]
	newline := strings.HasSuffix(before, "\n")
	if i := s.innermost(p); i >= 0 {
		switch r := s.regions[i]; {
		case r.Indivisible():
			return word, false
		case r.Multiline && p <= r.BodyEnd:
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

// endsBlankLine reports whether the newline at the end of before is on an otherwise empty line.
func endsBlankLine(before string) bool {
	before = strings.TrimSuffix(strings.TrimSuffix(before, "\n"), "\r")
	return before == "" || strings.HasSuffix(before, "\n")
}

// endsSentence reports whether the words before a run of spaces end a sentence, possibly inside quotes or brackets.
func endsSentence(before string) bool {
	before = strings.TrimRight(before, " \t")
	before = strings.TrimRight(before, "\"'”’»)]*_")
	last, _ := utf8.DecodeLastRuneInString(before)
	return strings.ContainsRune(".!?…", last)
}

// fullWidthStop reports whether r ends a sentence in scripts that put no space after it.
func fullWidthStop(r rune) bool { return strings.ContainsRune("。！？", r) }

// endsInMark reports whether the last word of before consists of Markdown marks, as in "2 * ": closing marks after it
// would merge with them.
func endsInMark(before string) bool {
	before = strings.TrimRight(before, " \t")
	word := strings.TrimRight(before, "*_~|`")
	return len(word) < len(before) && (word == "" || strings.HasSuffix(word, " "))
}

// startsBlock reports whether text would be read as a list item, a heading or another block at the start of a line.
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
