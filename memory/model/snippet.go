package model

import (
	"time"
)

// String formats the line as its tokens are counted: "[2026-01-05 09:00] Ann: good morning".
func (l SnippetLine) String() string {
	when := ""
	if !l.At.IsZero() {
		when = "[" + l.At.Format("2006-01-02 15:04") + "] "
	}
	if l.Author == "" { // lore and summaries have no author
		return when + l.Text
	}
	return when + l.Author + ": " + l.Text
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
