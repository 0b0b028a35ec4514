package discord

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"familiar/channels/markdown"
)

// format writes md in Discord's Markdown. Text that only resembles a mark or a mention is shown literally. Mentions are
// broken by an invisible character, because text from a model must not notify anybody. This also applies inside code:
// Discord decides what it treats as code.
func format(md string) string {
	doc := markdown.Shown(md).Map(func(s markdown.Span) (markdown.Span, bool) {
		if s.Kind == markdown.Heading && s.Info > "3" { // Discord has three heading levels
			s.Kind = markdown.Bold
		}
		return s, true
	})
	return breakMentions(doc.Write(markdown.Form{Text: escapeOutsideLinks, Mark: mark}))
}

func mark(s markdown.Span, inside string, _ bool) string {
	switch s.Kind {
	case markdown.Bold:
		return "**" + inside + "**"
	case markdown.Italic:
		return "*" + inside + "*"
	case markdown.Strike:
		return "~~" + inside + "~~"
	case markdown.Underline:
		return "__" + inside + "__"
	case markdown.Spoiler:
		return "||" + inside + "||"
	case markdown.Code:
		return markdown.Ticks(inside)
	case markdown.Pre:
		return "```" + s.Info + "\n" + strings.ReplaceAll(inside, "```", "`"+zeroWidthSpace+"``") + "\n```"
	case markdown.Quote:
		return markdown.Prefix(inside, "> ")
	case markdown.Heading:
		return markdown.HeadingMark(s) + strings.ReplaceAll(inside, "\n", " ")
	case markdown.Bullet:
		return "-"
	}
	return inside
}

// zeroWidthSpace is invisible.
const zeroWidthSpace = "\u200b"

var (
	// address matches a web address. A bracket ends it: otherwise a masked link could begin in it.
	address = regexp.MustCompile(`https?://[^\s<>\[\]]+`)
	// mention matches what Discord treats as a mention: everyone, here, a user, a role or a channel.
	mention = regexp.MustCompile(`@(?:everyone|here)|<(?:@[!&]?|#)[0-9]+>`)
	unsaid  = regexp.MustCompile(`([@<])` + zeroWidthSpace + `((?:everyone|here)|(?:@[!&]?|#)[0-9]+>)`)
	// blockStart matches the start of a heading, small print, a quote or a list item.
	blockStart = regexp.MustCompile(`(?m)^( *)(#{1,3} |-# |>|[-+] )`)
)

// escapeOutsideLinks escapes text except for the URLs in it, where a backslash would become part of the URL.
func escapeOutsideLinks(text string, start bool) string {
	var out strings.Builder
	at := 0
	for _, m := range address.FindAllStringIndex(text, -1) {
		out.WriteString(escape(text[at:m[0]], start && at == 0))
		out.WriteString(text[m[0]:m[1]])
		at = m[1]
	}
	out.WriteString(escape(text[at:], start && at == 0))
	return out.String()
}

// breakMentions inserts an invisible character into mentions.
func breakMentions(text string) string {
	return mention.ReplaceAllStringFunc(text, func(m string) string { return m[:1] + zeroWidthSpace + m[1:] })
}

// escape puts a backslash before characters Discord would treat as marks; start reports that text starts a line.
func escape(text string, start bool) string {
	var out strings.Builder
	for i := range len(text) {
		if isMark(text, i) {
			out.WriteByte('\\')
		}
		out.WriteByte(text[i])
	}
	escaped := out.String()
	if start {
		return blockStart.ReplaceAllString(escaped, `$1\$2`)
	}
	first, rest, more := strings.Cut(escaped, "\n")
	if !more {
		return first
	}
	return first + "\n" + blockStart.ReplaceAllString(rest, `$1\$2`)
}

// isMark reports whether the byte of text at i would be read as a mark.
func isMark(text string, i int) bool {
	before, after := byte('x'), byte('x') // characters outside text may be marks too
	if i > 0 {
		before = text[i-1]
	}
	if i+1 < len(text) {
		after = text[i+1]
	}
	switch c := text[i]; c {
	case '`', '\\':
		return true
	case '*':
		return before != ' ' || after != ' '
	case '_': // inside a word it is a mark only if doubled
		return i == 0 || i+1 == len(text) || !isWordByte(before) || !isWordByte(after)
	case '~', '|':
		return before == c || after == c || i == 0 || i+1 == len(text)
	case ']':
		return after == '('
	}
	return false
}

// isWordByte reports whether Discord takes c for a part of a word: letters beyond ASCII are none.
func isWordByte(c byte) bool { return c < utf8.RuneSelf && markdown.IsWordRune(rune(c)) }

var underline = regexp.MustCompile(`(^|[^\\_])__([^\s_](?:[^\n]*?[^\s_\\])??)__($|[^_])`)

// toMarkdown converts Discord's format to Markdown. Discord has its own marks for underlined text and quotes.
func toMarkdown(content string) string {
	content = unsaid.ReplaceAllString(content, "$1$2")
	return markdown.SplitCode(content, func(text string) string {
		for { // matches that share a separator need two passes
			next := underline.ReplaceAllString(text, "$1<u>$2</u>$3")
			if next == text {
				return text
			}
			text = next
		}
	}, block)
}

// block puts a code block on its own lines.
func block(ticks int, inside string) string {
	marks := strings.Repeat("`", ticks)
	if ticks < 3 {
		return marks + inside + marks
	}
	if !strings.Contains(inside, "\n") {
		return markdown.Ticks(inside)
	}
	return marks + strings.TrimRight(inside, "\n ") + "\n" + marks
}
