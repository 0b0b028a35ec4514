package channels

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"familiar/channels/markdown"
)

// Split cuts text, which is Markdown, into chunks a network takes: none longer than l.Text in l.Unit once l.Format has
// formatted it, none blank.
//
// Chunks end after a paragraph, else a line, a sentence or a word; only what has no such place in reach is cut
// between two characters as a reader sees them (grapheme clusters). A single grapheme longer than the limit is cut
// between runes; a rune never is, even where the limit is smaller than one.
//
// The chunks joined are the text, with two exceptions. Each chunk is read alone: what was open at its end, such as a
// block of code, bold text, a quote or a table, is closed there where it needs closing, and opened again in the next one,
// with its language or head. Links, and what is short beside the limit, are not cut at all. Marks that would take more
// than half of the limit are cut like other text, and so is a link longer than it. And white space that would make a chunk
// by itself is left out. Invalid UTF-8 is replaced by U+FFFD.
func Split(text string, l Limits) []string {
	text = strings.ToValidUTF8(text, string(utf8.RuneError))
	if blank(text) {
		return nil
	}
	s := splitter{text: text, Limits: l}
	if l.Text <= 0 || fits(text, l.Text, l.Unit) && s.over(text) <= 0 {
		return []string{text}
	}
	s.regions = markdown.Regions(text)
	for i := range s.regions {
		s.temper(&s.regions[i])
	}
	return s.chunks()
}

// splitter cuts one text.
type splitter struct {
	Limits
	text    string
	regions []markdown.Region
	// at is where the chunk that is being made starts, line where the line it starts in does.
	at, line int
}

// over is by how much chunk is too long once it is formatted.
func (s *splitter) over(chunk string) int {
	if s.Format == nil {
		return 0
	}
	return size(s.Format(chunk), s.Unit) - s.Text
}

// chunks cuts the text.
func (s *splitter) chunks() []string {
	var chunks []string
	for before := (seam{}); s.at < len(s.text); {
		end, after, chunk := s.chunk(before)
		if !blank(s.text[s.at:end]) {
			chunks = append(chunks, chunk)
		}
		s.line = s.lineOf(end)
		s.at, before = end, after
	}
	return chunks
}

// chunk makes the next chunk. One that grows too long when it is formatted is made anew from less.
func (s *splitter) chunk(before seam) (end int, after seam, chunk string) {
	for room := s.Text - size(before.opening(), s.Unit); ; {
		end, after = s.next(s.at, room)
		chunk = before.join(s.at, s.text[s.at:end], after)
		over := s.over(chunk)
		if over <= 0 || room <= 1 {
			return end, after, chunk
		}
		room = max(1, min(room-1, room*s.Text/(s.Text+over)))
	}
}

// next finds where the chunk that starts at offset at ends within room units, and what is closed and opened again
// there. Room for what closes is set aside and the cut made anew until both fit.
func (s *splitter) next(at, room int) (end int, after seam) {
	if fits(s.text[at:], room, s.Unit) {
		return len(s.text), seam{}
	}
	for reserve := 0; ; {
		end = s.settle(at, s.cut(at, room-reserve), room-reserve)
		after = s.seam(end)
		closing := after.closing(s.text[at:end])
		need := size(closing, s.Unit)
		if need <= reserve || fits(s.text[at:end]+closing, room, s.Unit) {
			return end, after
		}
		reserve = need
	}
}

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
