package recall

import (
	"strings"

	"familiar/memory/belief"
	"familiar/memory/model"
	"familiar/memory/understand/retraction"
)

// retractions are statements that may take back or change earlier ones in words that no belief is made from.
type retractions struct {
	said  retraction.List
	lines []model.SnippetLine // parallel to said
}

// add records a line if it is a retraction.
func (w *retractions) add(l *model.SnippetLine) {
	if l.PersonID != 0 && w.said.Add(l.Text) {
		w.lines = append(w.lines, *l)
	}
}

// addAll records the messages that are retractions.
func (w *retractions) addAll(messages []model.Message) {
	for i := range messages {
		l := asLine(&messages[i])
		w.add(&l)
	}
}

// asLine returns a message as a line.
func asLine(m *model.Message) model.SnippetLine {
	return model.SnippetLine{MessageID: m.ID, PersonID: m.PersonID, At: m.At, Text: m.Text}
}

// mark returns the text of a line with a note after what its author took back later. For the persona's lines, anybody's
// retraction counts: it repeats what others said.
func (w *retractions) mark(l *model.SnippetLine, text string) string {
	if len(w.lines) == 0 || isMarked(text) {
		return text
	}
	later := func(n int) bool {
		return w.lines[n].At.After(l.At) && (l.PersonID == 0 || w.lines[n].PersonID == l.PersonID)
	}
	n := 0
	for n < len(w.lines) && !later(n) {
		n++
	}
	if n == len(w.lines) { // nobody took anything back since
		return text
	}
	if at, ok := w.said.Of(parseText(text), later); ok {
		return text[:at] + " " + belief.MarkRetold + text[at:]
	}
	return text
}

// isMarked reports whether something in a text is marked as outdated.
func isMarked(text string) bool {
	return strings.Contains(text, belief.MarkChanged) || strings.Contains(text, belief.MarkCorrected) || strings.Contains(text, belief.MarkRetold)
}
