package model

import (
	"time"

	"familiar/internal/tokens"
)

// stampLayout is how a line shows its time.
const stampLayout = "[2006-01-02 15:04] "

// String formats the line as its tokens are counted: "[2026-01-05 09:00] Ann: good morning".
func (l SnippetLine) String() string {
	when := ""
	if !l.At.IsZero() {
		when = l.At.Format(stampLayout)
	}
	if l.Author == "" { // lore and summaries have no author
		return when + l.Text
	}
	return when + l.Author + ": " + l.Text
}

// Tokens returns the estimated tokens of the line as String formats it, without formatting it.
func (l SnippetLine) Tokens() int {
	when := ""
	if year := l.At.Year(); year < 0 || year > 9999 {
		when = l.At.Format(stampLayout)
	} else if !l.At.IsZero() {
		when = stampLayout // as long as the stamp of a year of four digits
	}
	separator := ": "
	if l.Author == "" {
		separator = ""
	}
	return tokens.EstimateAll(when, l.Author, separator, l.Text)
}

// SnippetLine is one line of a recalled item. In Text, replaced values are already marked or left out (see
// belief.MarkCorrected). An item's tokens are those of its lines as String formats them.
type SnippetLine struct {
	MessageID int64
	PersonID  int64
	Author    string
	At        time.Time
	Text      string
	Hit       bool
}
