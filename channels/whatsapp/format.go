package whatsapp

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"familiar/channels/markdown"
)

// format writes md in WhatsApp's marks. It has none for underlined or hidden text, headings and links: headings become
// bold, and the target of a link stands behind it.
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
		return around("*", inside, tight)
	case markdown.Italic:
		return around("_", inside, tight)
	case markdown.Strike:
		return around("~", inside, tight)
	case markdown.Code:
		return around("`", inside, tight)
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

// around puts c on both sides of inside, unless WhatsApp would show it: beside a letter, or where inside has the same.
func around(c, inside string, tight bool) string {
	if tight || strings.Contains(inside, c) {
		return inside
	}
	return c + inside + c
}

// unformat makes Markdown of WhatsApp's marks.
func unformat(text string) string {
	return markdown.Around(text, func(text string) string {
		text = widen(text, '*', "**")
		return widen(text, '~', "~~")
	}, block)
}

// widen writes pairs of the mark c around words of a line as wide ones. Of several that could open one, the last does.
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

// opens says that the mark c at i stands before a word and after none.
func opens(text string, i int, c byte) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	after, _ := utf8.DecodeRuneInString(text[i+1:])
	return !markdown.Wordy(before) && before != rune(c) && !nothing(after) && after != rune(c)
}

// closes says that the mark c at i stands after a word and before none.
func closes(text string, i int, c byte) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	after, _ := utf8.DecodeRuneInString(text[i+1:])
	return !nothing(before) && before != rune(c) && !markdown.Wordy(after) && after != rune(c)
}

// nothing says that r is white space, or no character: an end of the text.
func nothing(r rune) bool { return r == utf8.RuneError || unicode.IsSpace(r) }

// block gives a block of code lines of its own; one in a line is code in a line.
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
