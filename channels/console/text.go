package console

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

// harmless makes text that others wrote safe to print: it keeps newlines and tabs and drops every other control
// character, so that nothing can move the cursor, change colours or set the title, and drops the characters that
// turn the direction of writing, so that nothing reads as what it is not. Right-to-left letters keep their own.
func harmless(text string) string {
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

// tab is what a tab takes at a terminal.
const tab = "    "

// wrap lays text out in rows of at most width columns, between words where that is possible.
func wrap(text string, width int) []string {
	text = ansi.Wrap(strings.ReplaceAll(text, "\t", tab), width, "")
	return strings.Split(ansi.Hardwrap(text, width, true), "\n") // Wrap lets a hyphen stand out
}

// hang lays text out behind a lead, the rows after the first one indented to stand below the text.
func hang(lead, text string, width int) []string {
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
