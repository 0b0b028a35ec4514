package channels

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"familiar/channels/markdown"
)

// Split cuts Markdown text into chunks that a network accepts. No chunk is longer than l.Text in l.Unit after l.Format,
// and none is blank.
//
// Split prefers to cut after a paragraph, then a line, a sentence or a word. If no such place is in reach, it cuts
// between grapheme clusters. A single grapheme cluster longer than the limit is cut between runes. A rune is never cut,
// even if the limit is smaller.
//
// The chunks joined give the text, with two exceptions. First, each chunk must read correctly alone: constructs open at
// its end (code blocks, bold text, quotes, tables) are closed there if needed and reopened in the next chunk, with
// their language or header. Links, and constructs that are short compared with the limit, are not cut at all. Marks
// that would take more than half of the limit are cut like other text, as are links longer than the limit. Second,
// white space that would form a chunk by itself is dropped. Invalid UTF-8 is replaced by U+FFFD.
func Split(text string, l Limits) []string {
	text = strings.ToValidUTF8(text, string(utf8.RuneError))
	if blank(text) {
		return nil
	}
	s := splitter{text: text, Limits: l}
	if l.Text <= 0 || fits(text, l.Text, l.Unit) && s.excess(text) <= 0 {
		return []string{text}
	}
	s.regions = markdown.Regions(text)
	for i := range s.regions {
		s.limitRegion(&s.regions[i])
	}
	return s.chunks()
}

// splitter splits one text.
type splitter struct {
	Limits
	text    string
	regions []markdown.Region
	// pos is the start of the current chunk; lineBegin is the start of the line that contains pos.
	pos, lineBegin int
}

// excess returns how many units chunk is too long after formatting, negative or 0 if it fits.
func (s *splitter) excess(chunk string) int {
	if s.Format == nil {
		return 0
	}
	return size(s.Format(chunk), s.Unit) - s.Text
}

// chunks splits the text.
func (s *splitter) chunks() []string {
	var chunks []string
	for before := (seam{}); s.pos < len(s.text); {
		end, after, chunk := s.chunk(before)
		if !blank(s.text[s.pos:end]) {
			chunks = append(chunks, chunk)
		}
		s.lineBegin = s.lineStart(end)
		s.pos, before = end, after
	}
	return chunks
}

// chunk builds the next chunk. If formatting makes it too long, it is rebuilt from less text.
func (s *splitter) chunk(before seam) (end int, after seam, chunk string) {
	for room := s.Text - size(before.opening(), s.Unit); ; {
		end, after = s.next(s.pos, room)
		chunk = before.join(s.pos, s.text[s.pos:end], after)
		over := s.excess(chunk)
		if over <= 0 || room <= 1 {
			return end, after, chunk
		}
		room = max(1, min(room-1-room/16, room*s.Text/(s.Text+over)))
	}
}

// next finds the end of the chunk that starts at offset at and fits into room units, and the seam there. It reserves
// space for the closing marks and repeats the cut until both fit.
func (s *splitter) next(at, room int) (end int, after seam) {
	if fits(s.text[at:], room, s.Unit) {
		return len(s.text), seam{}
	}
	for reserve := 0; ; {
		end = s.adjustCut(at, s.cut(at, room-reserve), room-reserve)
		after = s.seamAt(end)
		closing := after.closing(s.text[at:end])
		need := size(closing, s.Unit)
		if need <= reserve || fits(s.text[at:end]+closing, room, s.Unit) {
			return end, after
		}
		reserve = need
	}
}

// runesWithin returns the length in bytes of the longest prefix of whole runes that fits into room units, at least one
// rune.
func runesWithin(text string, room int, unit Unit) int {
	used := 0
	for i, r := range text {
		if used += runeSize(r, unit); used > room && i > 0 {
			return i
		}
	}
	return len(text)
}

// fits reports whether text takes at most room units. It stops reading once the limit is exceeded.
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
