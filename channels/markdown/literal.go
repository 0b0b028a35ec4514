package markdown

import (
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/util"
)

// Escape returns Markdown that shows text as it is written, so that what people said is quoted and not rendered. Text
// without marks is returned unchanged.
func Escape(text string) string {
	if shownAsWritten(text) {
		return text
	}
	text = anywhere.ReplaceAllString(text, `\$0`)
	return atStart.ReplaceAllString(text, `$1\$2`)
}

var (
	// anywhere matches characters that may be marks wherever they stand.
	anywhere = regexp.MustCompile("[\\\\`*_~|<&\\[\\]]")
	// atStart matches what makes a line a heading, a quote, a list item, a rule or the underline of a heading or a table.
	atStart = regexp.MustCompile(`(?m)^([ \t]*[0-9]*)([-#>+=:.)])`)
)

// shownAsWritten reports whether text is its own Markdown. Blank space does not count.
func shownAsWritten(text string) bool {
	doc := Parse(text)
	return len(doc.Spans) == 0 && slices.Equal(strings.Fields(doc.Text), strings.Fields(clean(text)))
}

// Unescape returns md with the escapes outside code resolved, for a reader who sees its marks as they are.
func Unescape(md string) string {
	var out strings.Builder
	for at := 0; at < len(md); {
		end := at + 1
		switch {
		case md[at] == '\\' && end < len(md) && util.IsPunct(md[end]):
			at, end = end, end+1
		case md[at] == '`':
			_, ticks := run(md, at)
			end = at + ticks
			if shut := closing(md, end, ticks); shut >= 0 {
				end = shut + ticks
			}
		}
		out.WriteString(md[at:end])
		at = end
	}
	return out.String()
}
