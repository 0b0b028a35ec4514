package channels

import (
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"familiar/channels/markdown"
)

// seam holds the marks a cut needs so that both chunks read correctly alone: open constructs are closed and reopened.
type seam struct {
	// block reopens line-level constructs, inline reopens constructs within a line. outdent is how many more spaces the
	// lines of a reopened block are indented than its opening line; it applies up to offset until.
	block, inline  string
	outdent, until int
	// inlineClose and blockClose close them.
	inlineClose, blockClose string
}

func (s seam) opening() string { return s.block + s.inline }

// closing returns the marks to write after body.
func (s seam) closing(body string) string {
	if s.blockClose == "" || strings.HasSuffix(body, "\n") {
		return s.inlineClose + s.blockClose
	}
	return s.inlineClose + "\n" + s.blockClose
}

// join builds the chunk of body, which begins at offset at with seam s and ends with seam after. Inline marks must
// touch the words they mark.
func (s seam) join(at int, body string, after seam) string {
	lead, tail := "", ""
	if s.inline != "" {
		words := strings.TrimLeftFunc(body, unicode.IsSpace)
		lead, body = body[:len(body)-len(words)], words
	}
	if after.inlineClose != "" {
		words := strings.TrimRightFunc(body, unicode.IsSpace)
		body, tail = words, body[len(words):]
	}
	shut := strings.TrimPrefix(after.closing(body+tail), after.inlineClose)
	rest := lead + s.inline + body + after.inlineClose + tail + shut
	if s.outdent > 0 {
		n := min(len(rest), s.until-at)
		if after.until == s.until {
			n = len(rest)
		}
		rest = outdent(rest[:n], s.outdent) + rest[n:]
	}
	return s.block + rest
}

// outdent removes up to n spaces from the start of each line of text.
func outdent(text string, n int) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		trimmed := strings.TrimLeft(line, " ")
		b.WriteString(line[min(n, len(line)-len(trimmed)):])
	}
	return b.String()
}

// limitRegion adapts r to the limit: short regions stay whole, regions too long to preserve become plain text.
func (s *splitter) limitRegion(r *markdown.Region) {
	inside := s.text[r.Start:r.End]
	switch {
	case r.Indivisible() && !fits(inside, s.Text, s.Unit), size(r.Open+r.Close, s.Unit)+1 > s.Text/2:
		r.Body, r.BodyEnd, r.Open, r.Close, r.Multiline = r.Start, r.End, "", "", false
	case !r.Multiline && fits(inside, s.Text/8, s.Unit):
		r.Body, r.BodyEnd, r.Open, r.Close = r.End, r.End, "", ""
	}
}

// innermost returns the index of the innermost region around offset p, or -1.
func (s *splitter) innermost(p int) int {
	i := sort.Search(len(s.regions), func(i int) bool { return s.regions[i].Start >= p }) - 1
	for i >= 0 && s.regions[i].End <= p {
		i = s.regions[i].Parent
	}
	return i
}

// adjustCut moves a cut at p out of regions that stay whole and off the marks of the others: before an opening mark, or
// after a closing mark if that fits into room.
func (s *splitter) adjustCut(at, p, room int) int {
	for i := s.innermost(p); i >= 0; i = s.regions[i].Parent {
		r := s.regions[i]
		switch {
		case p <= r.Start || p >= r.End:
		case p <= r.Body && r.Start > at && !blank(s.text[at:r.Start]):
			p = r.Start
		case (p >= r.BodyEnd || r.Indivisible()) && fits(s.text[at:r.End], room, s.Unit):
			p = r.End
		case p > r.BodyEnd && r.BodyEnd > max(at, r.Body):
			p = r.BodyEnd
		}
	}
	return p
}

// seamAt returns the seam of a cut at p. Of nested open constructs only the outer ones are reopened, as far as their
// marks take at most half of a chunk.
func (s *splitter) seamAt(p int) seam {
	var open []markdown.Region
	for i := s.innermost(p); i >= 0; i = s.regions[i].Parent {
		if r := s.regions[i]; r.Open != "" && r.Body < p && p <= r.BodyEnd {
			open = append(open, r)
		}
	}
	slices.Reverse(open)
	var at seam
	cost, most := 0, s.Text/2
	if most < utf8.UTFMax { // no room for text between the marks
		return at
	}
	for _, r := range open {
		if cost += size(r.Open+r.Close, s.Unit) + 1; cost > most {
			break
		}
		if r.Multiline {
			at.block, at.blockClose, at.outdent, at.until = at.block+r.Open, r.Close+at.blockClose, r.Indent, r.End
			continue
		}
		at.inline, at.inlineClose = at.inline+r.Open, r.Close+at.inlineClose
	}
	if marks := s.quotePrefixAt(p, at.block); cost+size(marks, s.Unit) <= most {
		at.block += marks
	}
	return at
}

// quotePrefixAt returns the quote marks of the line cut at p, or "" between lines. In a reopened block these are the
// marks of its opening line: any more would be code.
func (s *splitter) quotePrefixAt(p int, block string) string {
	line := s.text[s.lineStart(p):p]
	if block != "" {
		line = line[:min(len(line), len(quotePrefix(block)))]
	}
	marks := quotePrefix(line)
	if marks == line || !strings.Contains(marks, ">") {
		return ""
	}
	return marks
}

// lineStart returns the start of the line that contains p. It looks no further back than the current chunk.
func (s *splitter) lineStart(p int) int {
	if i := strings.LastIndexByte(s.text[s.pos:p], '\n'); i >= 0 {
		return s.pos + i + 1
	}
	return s.lineBegin
}

// quotePrefix returns the quote marks and spaces at the start of line.
func quotePrefix(line string) string { return line[:len(line)-len(strings.TrimLeft(line, " >"))] }
