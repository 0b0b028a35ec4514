package belief

import (
	"sync"

	"familiar/memory/model"
)

// maxMarkedLines bounds the marked lines cached for a room. When the cache is full, all of them are dropped.
const maxMarkedLines = 256

// markedLines caches what a Marker makes of lines: every turn marks the same conversation and much of the same recalled
// talk again. A line is found by everything that its mark depends on, so an edited one is marked anew. Its zero value is
// empty and ready; a nil one keeps nothing.
type markedLines struct {
	mu    sync.Mutex
	texts map[markedLine]string
}

// markedLine is what the mark of a line depends on, besides the marker.
type markedLine struct {
	persona bool // the persona said it
	seconds int64
	nanos   int
	text    string
}

func markedLineOf(l *model.SnippetLine) markedLine {
	return markedLine{l.PersonID == 0, l.At.Unix(), l.At.Nanosecond(), l.Text}
}

// mark is m.Mark.
func (c *markedLines) mark(m Marker, l *model.SnippetLine) string {
	if c == nil {
		return m.Mark(*l)
	}
	key := markedLineOf(l)
	c.mu.Lock()
	text, done := c.texts[key]
	c.mu.Unlock()
	if done {
		return text
	}
	text = m.Mark(*l)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.texts == nil || len(c.texts) >= maxMarkedLines {
		c.texts = map[markedLine]string{}
	}
	c.texts[key] = text
	return text
}

// MarkPart is Marker.MarkPart. It caches the results for whole lines.
func (b *VisibleBeliefs) MarkPart(l *model.SnippetLine, whole string) string {
	if len(b.Marker.byFirst) == 0 {
		return l.Text
	}
	if l.Text != whole {
		return b.Marker.MarkPart(*l, whole)
	}
	return b.marked.mark(b.Marker, l)
}

// MarkAll marks the texts of messages.
func (b *VisibleBeliefs) MarkAll(messages []model.Message) []string {
	texts := make([]string, len(messages))
	for i := range messages {
		m := &messages[i]
		texts[i] = b.MarkPart(&model.SnippetLine{PersonID: m.PersonID, At: m.At, Text: m.Text}, m.Text)
	}
	return texts
}
