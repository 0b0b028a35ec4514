package discord

import (
	"net/url"
	"regexp"
	"strings"

	"familiar/channels/markdown"
)

// format writes md in Discord's own Markdown. Text that only looks like a mark or a mention is shown as it is: mentions are
// parted from those they name by a character nobody sees, because what a model writes must not call anybody. They are in
// code as well: what is code to Discord is not for us to say.
func format(md string) string {
	doc := markdown.Parse(md).Map(func(s markdown.Span) (markdown.Span, bool) {
		if s.Kind == markdown.Heading && s.Info > "3" { // Discord knows three levels
			s.Kind = markdown.Bold
		}
		return s, true
	})
	return quiet(doc.Write(markdown.Form{Text: plain, Mark: mark}))
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
		return "```" + s.Info + "\n" + strings.ReplaceAll(inside, "```", "`"+unseen+"``") + "\n```"
	case markdown.Link:
		return link(inside, s.Info)
	case markdown.Quote:
		return markdown.Prefix(inside, "> ")
	case markdown.Heading:
		return markdown.HeadingMark(s) + strings.ReplaceAll(inside, "\n", " ")
	case markdown.Bullet:
		return "-"
	}
	return inside
}

// link masks target, which Discord does for the web only, and never behind words that are an address themselves.
func link(inside, target string) string {
	u, err := url.Parse(target)
	web := err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
	target = strings.NewReplacer("(", "%28", ")", "%29", " ", "%20", "<", "%3C", ">", "%3E", "@", "%40", "\n", "").Replace(target)
	switch {
	case inside == target:
		return inside
	case !web || address.MatchString(inside):
		return inside + " (" + target + ")"
	}
	return "[" + inside + "](" + target + ")"
}

// unseen is the zero width space.
const unseen = "\u200b"

var (
	address = regexp.MustCompile(`https?://[^\s<>]+`)
	// mention is what Discord takes for a call: everyone, here, a person, a role or a room.
	mention = regexp.MustCompile(`@(?:everyone|here)|<(?:@[!&]?|#)[0-9]+>`)
	unsaid  = regexp.MustCompile(`([@<])` + unseen + `((?:everyone|here)|(?:@[!&]?|#)[0-9]+>)`)
	// opener is what would make a heading, small print or a quote of a line.
	opener = regexp.MustCompile(`(?m)^( *)(#{1,3} |-# |>)`)
)

// plain escapes text outside of the addresses in it, in which a backslash would be part of the address.
func plain(text string, start bool) string {
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

// quiet parts mentions from those they name.
func quiet(text string) string {
	return mention.ReplaceAllStringFunc(text, func(m string) string { return m[:1] + unseen + m[1:] })
}

// escape puts a backslash before what Discord would take for a mark; start says that text starts a line.
func escape(text string, start bool) string {
	var out strings.Builder
	for i := range len(text) {
		if marks(text, i) {
			out.WriteByte('\\')
		}
		out.WriteByte(text[i])
	}
	escaped := out.String()
	if start {
		return opener.ReplaceAllString(escaped, `$1\$2`)
	}
	first, rest, more := strings.Cut(escaped, "\n")
	if !more {
		return first
	}
	return first + "\n" + opener.ReplaceAllString(rest, `$1\$2`)
}

// marks says that the byte of text at i would be read as a mark.
func marks(text string, i int) bool {
	before, after := byte('x'), byte('x') // what is beside the text may be a mark too
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
	case '_': // inside of a word it is none, unless there are two
		return i == 0 || i+1 == len(text) || !wordy(before) || !wordy(after)
	case '~', '|':
		return before == c || after == c || i == 0 || i+1 == len(text)
	case ']':
		return after == '('
	}
	return false
}

// wordy says that c is part of a word; of a letter beyond ASCII it sees one byte.
func wordy(c byte) bool { return c >= 0x80 || markdown.Wordy(rune(c)) }

var underline = regexp.MustCompile(`(^|[^\\_])__([^\s_](?:[^\n]*?[^\s_\\])??)__($|[^_])`)

// unformat makes Markdown of what people write on Discord, which has marks of its own for underlined text and quotes.
func unformat(content string) string {
	content = unsaid.ReplaceAllString(content, "$1$2")
	return markdown.Around(content, func(text string) string {
		for { // two that share what stands between them take two turns
			next := underline.ReplaceAllString(text, "$1<u>$2</u>$3")
			if next == text {
				return text
			}
			text = next
		}
	}, block)
}

// block gives a block of code lines of its own.
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
