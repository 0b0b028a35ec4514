package whatsapp

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"familiar/channels/markdown"
)

// format converts md to WhatsApp's format. WhatsApp has no marks for underlined text, spoilers and headings: headings
// become bold. Text that only resembles a mark is shown literally.
func format(md string) string {
	doc := markdown.Shown(md).Map(func(s markdown.Span) (markdown.Span, bool) {
		if s.Kind == markdown.Heading {
			s.Kind = markdown.Bold
		}
		return s, s.Kind != markdown.Underline && s.Kind != markdown.Spoiler
	})
	pairs := pairable(doc)
	return doc.Write(markdown.Form{Mark: mark, Text: func(text string, start bool) string { return literal(text, pairs, start) }})
}

// marks are WhatsApp's marks, each with the kind of span it makes.
var marks = map[byte]markdown.Kind{'*': markdown.Bold, '_': markdown.Italic, '~': markdown.Strike, '`': markdown.Code}

// pairable returns the marks that a mark in the text of doc could pair with: those that the text has twice, or that are
// written for a span.
func pairable(doc markdown.Document) string {
	var pairs strings.Builder
	for c, kind := range marks {
		written := slices.ContainsFunc(doc.Spans, func(s markdown.Span) bool { return s.Kind == kind })
		if written || strings.Count(doc.Text, string(c)) > 1 {
			pairs.WriteByte(c)
		}
	}
	return pairs.String()
}

// hairSpace is the narrowest white space: WhatsApp has no escapes, but a mark before white space opens nothing.
const hairSpace = "\u200a"

// literal keeps WhatsApp from reading marks in text: pairs are the marks that could pair, start reports that text starts
// a line.
func literal(text, pairs string, start bool) string {
	var out strings.Builder
	for i := range len(text) {
		if text[i] == '>' && (start && i == 0 || i > 0 && text[i-1] == '\n') {
			out.WriteString("\u200b") // a quote begins a line
		}
		out.WriteByte(text[i])
		if strings.IndexByte(pairs, text[i]) >= 0 && couldOpen(text, i) {
			out.WriteString(hairSpace)
		}
	}
	return out.String()
}

// couldOpen reports whether the mark at i could open a pair: it is preceded by no word and not followed by white space. What
// is outside text may be anything.
func couldOpen(text string, i int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	after, size := utf8.DecodeRuneInString(text[i+1:])
	return !markdown.IsWordRune(before) && (size == 0 || !unicode.IsSpace(after))
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
