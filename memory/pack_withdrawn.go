package memory

import (
	"strings"

	"familiar/memory/understand/retraction"
)

// withdrawals are what people said that may take back or change what they said before, in words that nothing is
// believed of.
type withdrawals struct {
	said  retraction.List
	lines []SnippetLine // by the number of what is said
}

// add notes a line if it takes something back.
func (w *withdrawals) add(l SnippetLine) {
	if l.PersonID != 0 && w.said.Add(l.Text) {
		w.lines = append(w.lines, l)
	}
}

// addAll notes the messages that take something back.
func (w *withdrawals) addAll(messages []Message) {
	for _, m := range messages {
		w.add(asLine(m))
	}
}

// asLine is a message as a line.
func asLine(m Message) SnippetLine {
	return SnippetLine{MessageID: m.ID, PersonID: m.PersonID, At: m.At, Text: m.Text}
}

// mark is the text of a line with a note behind what the same person took back later; where the persona repeated it, behind
// what anybody did.
func (w *withdrawals) mark(l SnippetLine, text string) string {
	later := func(n int) bool {
		return w.lines[n].At.After(l.At) && (l.PersonID == 0 || w.lines[n].PersonID == l.PersonID)
	}
	if len(w.lines) == 0 || isMarked(text) {
		return text
	}
	if at, ok := w.said.Of(retraction.Parse(text), later); ok {
		return text[:at] + " " + MarkRetold + text[at:]
	}
	return text
}

// isMarked says that something in a text is marked as no longer so.
func isMarked(text string) bool {
	return strings.Contains(text, MarkChanged) || strings.Contains(text, MarkCorrected) || strings.Contains(text, MarkRetold)
}
