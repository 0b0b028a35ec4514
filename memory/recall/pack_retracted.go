package recall

import (
	"strings"

	"familiar/memory/belief"
	"familiar/memory/model"
	"familiar/memory/understand/retraction"
)

// withdrawals are what people said that may take back or change what they said before, in words that nothing is
// believed of.
type retractions struct {
	said  retraction.List
	lines []model.SnippetLine // by the number of what is said
}

// add notes a line if it takes something back.
func (w *retractions) add(l model.SnippetLine) {
	if l.PersonID != 0 && w.said.Add(l.Text) {
		w.lines = append(w.lines, l)
	}
}

// addAll notes the messages that take something back.
func (w *retractions) addAll(messages []model.Message) {
	for _, m := range messages {
		w.add(asLine(m))
	}
}

// asLine is a message as a line.
func asLine(m model.Message) model.SnippetLine {
	return model.SnippetLine{MessageID: m.ID, PersonID: m.PersonID, At: m.At, Text: m.Text}
}

// mark is the text of a line with a note behind what the same person took back later; where the persona repeated it, behind
// what anybody did.
func (w *retractions) mark(l model.SnippetLine, text string) string {
	later := func(n int) bool {
		return w.lines[n].At.After(l.At) && (l.PersonID == 0 || w.lines[n].PersonID == l.PersonID)
	}
	if len(w.lines) == 0 || isMarked(text) {
		return text
	}
	if at, ok := w.said.Of(retraction.Parse(text), later); ok {
		return text[:at] + " " + belief.MarkRetold + text[at:]
	}
	return text
}

// isMarked says that something in a text is marked as no longer so.
func isMarked(text string) bool {
	return strings.Contains(text, belief.MarkChanged) || strings.Contains(text, belief.MarkCorrected) || strings.Contains(text, belief.MarkRetold)
}
