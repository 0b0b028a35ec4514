package console

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

// sanitize makes text from others safe to print. It keeps newlines and tabs and removes all other control characters,
// so that nothing can move the cursor, change colours or set the title. It also removes characters that change the
// writing direction, so that text cannot be disguised. Right-to-left letters are not affected.
func sanitize(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	text = newlines.Replace(text)
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) && r != '\u200e' && r != '\u200f' && r != '\u061c':
			return -1
		}
		return r
	}, text)
}

var newlines = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n")

// tab is the expansion of a tab at a terminal.
const tab = "    "

// wrap lays out text in rows of at most width columns, breaking between words where possible.
func wrap(text string, width int) []string {
	text = ansi.Wrap(strings.ReplaceAll(text, "\t", tab), width, "")
	return strings.Split(ansi.Hardwrap(text, width, true), "\n") // Wrap lets a trailing hyphen exceed the width
}

// hangingIndent lays out text after a lead, with the following rows indented to align with the text.
func hangingIndent(lead, text string, width int) []string {
	indent := ansi.StringWidth(lead)
	rows := wrap(text, max(width-indent, 1))
	for i := range rows {
		if i == 0 {
			rows[i] = lead + rows[i]
		} else {
			rows[i] = strings.Repeat(" ", indent) + rows[i]
		}
	}
	return rows
}
