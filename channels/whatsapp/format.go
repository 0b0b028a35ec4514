package whatsapp

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"familiar/channels/markdown"
)

// format converts md to WhatsApp's format. WhatsApp has no marks for underlined text, spoilers, headings and links:
// headings become bold, and a link's target follows its text.
func format(md string) string {
	doc := markdown.Parse(md).Map(func(s markdown.Span) (markdown.Span, bool) {
		if s.Kind == markdown.Heading {
			s.Kind = markdown.Bold
		}
		return s, s.Kind != markdown.Underline && s.Kind != markdown.Spoiler
	})
	return doc.Write(markdown.Form{Mark: mark})
}

func mark(s markdown.Span, inside string, tight bool) string {
	switch s.Kind {
	case markdown.Bold:
		return wrapMark("*", inside, tight)
	case markdown.Italic:
		return wrapMark("_", inside, tight)
	case markdown.Strike:
		return wrapMark("~", inside, tight)
	case markdown.Code:
		return wrapMark("`", inside, tight)
	case markdown.Pre:
		return "```\n" + strings.ReplaceAll(inside, "```", "`\u200b``") + "\n```"
	case markdown.Link:
		if inside != s.Info && s.Info != "" {
			return inside + " (" + s.Info + ")"
		}
	case markdown.Quote:
		return markdown.Prefix(inside, "> ")
	case markdown.Bullet:
		return "-"
	}
	return inside
}

// wrapMark puts c on both sides of inside, unless WhatsApp would show it literally: next to a letter, or if inside
// contains c.
func wrapMark(c, inside string, tight bool) string {
	if tight || strings.Contains(inside, c) {
		return inside
	}
	return c + inside + c
}

// toMarkdown converts WhatsApp's marks to Markdown.
func toMarkdown(text string) string {
	return markdown.SplitCode(text, func(text string) string {
		text = widen(text, '*', "**")
		return widen(text, '~', "~~")
	}, block)
}

// widen replaces pairs of the mark c around text in a line by wide. If several marks could open a pair, the last one
// does.
func widen(text string, c byte, wide string) string {
	var out strings.Builder
	written, open := 0, -1
	for i := range len(text) {
		switch {
		case text[i] == '\n':
			open = -1
		case text[i] != c:
		case open >= 0 && closes(text, i, c):
			out.WriteString(text[written:open] + wide + text[open+1:i] + wide)
			written, open = i+1, -1
		case opens(text, i, c):
			open = i
		}
	}
	return out.String() + text[written:]
}

// opens reports whether the mark c at i is followed by a word and not preceded by one.
func opens(text string, i int, c byte) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	after, _ := utf8.DecodeRuneInString(text[i+1:])
	return !markdown.IsWordRune(before) && before != rune(c) && !isBoundary(after) && after != rune(c)
}

// closes reports whether the mark c at i is preceded by a word and not followed by one.
func closes(text string, i int, c byte) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	after, _ := utf8.DecodeRuneInString(text[i+1:])
	return !isBoundary(before) && before != rune(c) && !markdown.IsWordRune(after) && after != rune(c)
}

// isBoundary reports whether r is white space or an end of the text.
func isBoundary(r rune) bool { return r == utf8.RuneError || unicode.IsSpace(r) }

// block puts a code block on its own lines; a code span stays inline.
func block(ticks int, inside string) string {
	marks := strings.Repeat("`", ticks)
	switch {
	case ticks < 3:
		return marks + inside + marks
	case !strings.Contains(inside, "\n"):
		return markdown.Ticks(inside)
	}
	return marks + "\n" + strings.Trim(inside, "\n") + "\n" + marks
}
