package markdown

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Form says how a network writes a Document with its own marks.
type Form struct {
	// Text writes plain text; start reports that it starts a line. Nil writes it unchanged.
	Text func(text string, start bool) string
	// Mark writes inside as the span s. For Code and Pre inside is plain text, otherwise it is already written. Tight
	// reports that a letter or digit is directly next to it.
	Mark func(s Span, inside string, tight bool) string
}

// Write writes d in the form f. Inline spans are marked on each line separately, and blocks occupy whole lines.
func (d Document) Write(f Form) string {
	if f.Text == nil {
		f.Text = func(text string, _ bool) string { return text }
	}
	d = d.PerLine()
	w := writer{Form: f, text: d.Text, spans: d.Spans}
	return w.write(0, len(d.Text))
}

// writer writes one document. Its spans are those not written yet.
type writer struct {
	Form
	text  string
	spans []Span
}

// write writes the text from offset at to end with its spans.
func (w *writer) write(at, end int) string {
	var out strings.Builder
	atStart := func() bool { return out.Len() == 0 || strings.HasSuffix(out.String(), "\n") }
	for len(w.spans) > 0 && w.spans[0].Start < end {
		s := w.spans[0]
		w.spans = w.spans[1:]
		out.WriteString(w.plain(at, s.Start))
		own := s.Kind == Pre || s.Kind == Quote
		if own && !atStart() {
			out.WriteByte('\n')
		}
		out.WriteString(w.Mark(s, w.inside(s), w.tight(s)))
		at = s.End
		if own && at < end && w.text[at] != '\n' {
			out.WriteByte('\n')
		}
	}
	out.WriteString(w.plain(at, end))
	return out.String()
}

func (w *writer) plain(at, end int) string {
	if at == end {
		return ""
	}
	return w.Text(w.text[at:end], at == 0 || w.text[at-1] == '\n')
}

func (w *writer) inside(s Span) string {
	if s.Kind != Code && s.Kind != Pre {
		return w.write(s.Start, s.End)
	}
	for len(w.spans) > 0 && w.spans[0].Start < s.End { // code contains no other spans
		w.spans = w.spans[1:]
	}
	return w.text[s.Start:s.End]
}

func (w *writer) tight(s Span) bool {
	before, _ := utf8.DecodeLastRuneInString(w.text[:s.Start])
	after, _ := utf8.DecodeRuneInString(w.text[s.End:])
	return IsWordRune(before) || IsWordRune(after)
}

// IsWordRune reports whether r is part of a word.
func IsWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// Map replaces every span by another one, or removes it if keep is false.
func (d Document) Map(to func(Span) (s Span, keep bool)) Document {
	var spans []Span
	for _, s := range d.Spans {
		if s, ok := to(s); ok {
			spans = append(spans, s)
		}
	}
	return Document{Text: d.Text, Spans: spans}.Normalize()
}

// Markdown writes d as Markdown for people and models: text that looks like a mark is not escaped.
func (d Document) Markdown() string {
	return strings.TrimRight(d.Write(Form{Mark: mark}), "\n")
}

func mark(s Span, inside string, tight bool) string {
	switch s.Kind {
	case Bold:
		return "**" + inside + "**"
	case Italic:
		if tight {
			return "*" + inside + "*"
		}
		return "_" + inside + "_"
	case Strike:
		return "~~" + inside + "~~"
	case Underline:
		return "<u>" + inside + "</u>"
	case Spoiler:
		return "||" + inside + "||"
	case Code:
		return Ticks(inside)
	case Pre:
		fence := strings.Repeat("`", max(3, longestRun(inside)+1))
		return fence + s.Info + "\n" + inside + "\n" + fence
	case Link:
		return link(inside, s.Info)
	case Quote:
		return Prefix(inside, "> ") + "\n" // a line directly below would belong to it
	case Heading:
		return HeadingMark(s) + strings.ReplaceAll(inside, "\n", " ")
	case Bullet:
		return "-"
	}
	return inside
}

func link(inside, target string) string {
	switch {
	case inside == target:
		return inside
	case strings.ContainsAny(target, " ()<>"):
		target = "<" + strings.NewReplacer("<", "%3C", ">", "%3E", "\n", "%0A").Replace(target) + ">"
	}
	return "[" + inside + "](" + target + ")"
}

// HeadingMark returns the # characters and the space before the heading s.
func HeadingMark(s Span) string { return strings.Repeat("#", max(1, int(s.Info[0]-'0'))) + " " }

// Prefix puts p before every line of text.
func Prefix(text, p string) string { return p + strings.ReplaceAll(text, "\n", "\n"+p) }

// Ticks puts code between as many backticks as necessary.
func Ticks(code string) string {
	ticks := strings.Repeat("`", longestRun(code)+1)
	if len(ticks) > 1 || strings.HasPrefix(code, " ") && strings.HasSuffix(code, " ") {
		code = " " + code + " "
	}
	return ticks + code + ticks
}

// longestRun returns the length of the longest run of backticks in s.
func longestRun(s string) int {
	longest, run := 0, 0
	for i := range len(s) {
		if run++; s[i] != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}

// SplitCode processes text with a network's code marks: outside receives text that is not code, code the text between
// runs of ticks backticks. An unclosed run belongs to outside.
func SplitCode(text string, outside func(string) string, code func(ticks int, inside string) string) string {
	var out strings.Builder
	for at := 0; at < len(text); {
		start, ticks := run(text, at)
		end := closing(text, start+ticks, ticks)
		if end < 0 {
			end = start + ticks
			out.WriteString(outside(text[at:end]))
			at = end
			continue
		}
		out.WriteString(outside(text[at:start]))
		out.WriteString(code(ticks, text[start+ticks:end]))
		at = end + ticks
	}
	return out.String()
}

// run returns the start and length of the next run of backticks at or after offset at, or the end of text.
func run(text string, at int) (start, ticks int) {
	n := strings.IndexByte(text[at:], '`')
	if n < 0 {
		return len(text), 0
	}
	start = at + n
	return start, len(text[start:]) - len(strings.TrimLeft(text[start:], "`"))
}

// closing returns the start of the run of ticks backticks that closes code starting before offset at, or -1.
func closing(text string, at, ticks int) int {
	for ticks > 0 && at < len(text) {
		start, n := run(text, at)
		if n == ticks {
			return start
		}
		at = start + n
	}
	return -1
}
