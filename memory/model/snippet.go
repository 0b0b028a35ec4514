package model

import (
	"time"
)

// String is the line as it is counted: "[2026-01-05 09:00] Ann: good morning".
func (l SnippetLine) String() string {
	when := ""
	if !l.At.IsZero() {
		when = "[" + l.At.Format("2006-01-02 15:04") + "] "
	}
	if l.Author == "" { // lore and summaries are nobody's words
		return when + l.Text
	}
	return when + l.Author + ": " + l.Text
}

// SnippetLine is one line of an item. Replaced values are already marked or left out in Text, see MarkCorrected. An
// item's tokens are those of its lines as String writes them.
type SnippetLine struct {
	MessageID int64
	PersonID  int64
	Author    string
	At        time.Time
	Text      string
	Hit       bool
}
