package channels

import (
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"familiar/channels/markdown"
)

// seam is what a cut needs for the chunks on both sides to be read alone: what was open is closed and opened again.
type seam struct {
	// block opens what stands on lines, inline what stands in them; outdent is by how much the lines of a block that is
	// opened again are indented more than its opening line, until offset until.
	block, inline  string
	outdent, until int
	// inlineShut and blockShut close them.
	inlineShut, blockShut string
}

func (s seam) opening() string { return s.block + s.inline }

// closing is what must be written after body.
func (s seam) closing(body string) string {
	if s.blockShut == "" || strings.HasSuffix(body, "\n") {
		return s.inlineShut + s.blockShut
	}
	return s.inlineShut + "\n" + s.blockShut
}

// join makes the chunk of body, which begins at offset at and seam s and ends at seam after. Marks in a line stand right
// beside its words.
func (s seam) join(at int, body string, after seam) string {
	lead, tail := "", ""
	if s.inline != "" {
		words := strings.TrimLeftFunc(body, unicode.IsSpace)
		lead, body = body[:len(body)-len(words)], words
	}
	if after.inlineShut != "" {
		words := strings.TrimRightFunc(body, unicode.IsSpace)
		body, tail = words, body[len(words):]
	}
	shut := strings.TrimPrefix(after.closing(body+tail), after.inlineShut)
	rest := lead + s.inline + body + after.inlineShut + tail + shut
	if s.outdent > 0 {
		n := min(len(rest), s.until-at)
		if after.until == s.until {
			n = len(rest)
		}
		rest = outdent(rest[:n], s.outdent) + rest[n:]
	}
	return s.block + rest
}

// outdent takes up to n spaces from the start of each line of text.
func outdent(text string, n int) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		bare := strings.TrimLeft(line, " ")
		b.WriteString(line[min(n, len(line)-len(bare)):])
	}
	return b.String()
}

// temper makes of r what the limit allows: what is short stays whole, what is too long to be kept is text.
func (s *splitter) temper(r *markdown.Region) {
	inside := s.text[r.Start:r.End]
	switch {
	case r.Whole() && !fits(inside, s.Text, s.Unit), size(r.Open+r.Close, s.Unit)+1 > s.Text/2:
		r.Body, r.Shut, r.Open, r.Close, r.Lines = r.Start, r.End, "", "", false
	case !r.Lines && fits(inside, s.Text/8, s.Unit):
		r.Body, r.Shut, r.Open, r.Close = r.End, r.End, "", ""
	}
}

// around is the innermost region around offset p, -1 for none.
func (s *splitter) around(p int) int {
	i := sort.Search(len(s.regions), func(i int) bool { return s.regions[i].Start >= p }) - 1
	for i >= 0 && s.regions[i].End <= p {
		i = s.regions[i].Parent
	}
	return i
}

// settle moves a cut at p off what stays whole and off the marks of what does not: before an opening one, after a closing
// one where that fits into room.
func (s *splitter) settle(at, p, room int) int {
	for i := s.around(p); i >= 0; i = s.regions[i].Parent {
		r := s.regions[i]
		switch {
		case p <= r.Start || p >= r.End:
		case p <= r.Body && r.Start > at && !blank(s.text[at:r.Start]):
			p = r.Start
		case (p >= r.Shut || r.Whole()) && fits(s.text[at:r.End], room, s.Unit):
			p = r.End
		case p > r.Shut && r.Shut > max(at, r.Body):
			p = r.Shut
		}
	}
	return p
}

// seam is the seam of a cut at p. Of many things open at once only the outer ones are kept, as far as they take no more
// than half of a chunk.
func (s *splitter) seam(p int) seam {
	var open []markdown.Region
	for i := s.around(p); i >= 0; i = s.regions[i].Parent {
		if r := s.regions[i]; r.Open != "" && r.Body < p && p <= r.Shut {
			open = append(open, r)
		}
	}
	slices.Reverse(open)
	var at seam
	cost, most := 0, s.Text/2
	if most < utf8.UTFMax { // no room for words beside marks
		return at
	}
	for _, r := range open {
		if cost += size(r.Open+r.Close, s.Unit) + 1; cost > most {
			break
		}
		if r.Lines {
			at.block, at.blockShut, at.outdent, at.until = at.block+r.Open, r.Close+at.blockShut, r.Indent, r.End
			continue
		}
		at.inline, at.inlineShut = at.inline+r.Open, r.Close+at.inlineShut
	}
	if marks := s.quoted(p, at.block); cost+size(marks, s.Unit) <= most {
		at.block += marks
	}
	return at
}

// quoted is the marks of the quotes that the line cut at p stands in, empty between lines. In a block that is opened again
// they are those of its opening line: more of them would be code.
func (s *splitter) quoted(p int, block string) string {
	line := s.text[s.lineOf(p):p]
	if block != "" {
		line = line[:min(len(line), len(marksOf(block)))]
	}
	marks := marksOf(line)
	if marks == line || !strings.Contains(marks, ">") {
		return ""
	}
	return marks
}

// lineOf is where the line of p starts, which is looked for no further back than the chunk that is being made.
func (s *splitter) lineOf(p int) int {
	if i := strings.LastIndexByte(s.text[s.at:p], '\n'); i >= 0 {
		return s.at + i + 1
	}
	return s.line
}

// marksOf is the run of quote marks and spaces line begins with.
func marksOf(line string) string { return line[:len(line)-len(strings.TrimLeft(line, " >"))] }
