package lifecycle

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"familiar/memory/internal/db"
)

// EmbeddingTask is a memory that waits for its vector.
type EmbeddingTask struct {
	MemoryID int64
	Text     string
	// Speaker is the name of who said it, empty if nobody did.
	Speaker string
	// Before is what was said before it in the same session, empty for nothing. It belongs to the same audience.
	Before string
}

// gistRunes is how many characters of the message before are embedded with a memory.
const gistRunes = 60

// Input returns what is embedded: who said it, what they said, and first the beginning of what it may answer. A line of
// talk alone says too little: "Yes, in May!". Changing the form requires a new entry.EmbeddingForm.
func (w EmbeddingTask) Input() string {
	line := w.Text
	if w.Speaker != "" {
		line = w.Speaker + ": " + line
	}
	if gist := cutGist(w.Before); gist != "" {
		return gist + "\n" + line
	}
	return line
}

// cutGist returns the beginning of a text up to the last whole word within gistRunes.
func cutGist(text string) string {
	text = strings.TrimSpace(text)
	if utf8.RuneCountInString(text) <= gistRunes {
		return text
	}
	head := string([]rune(text)[:gistRunes])
	if at := strings.LastIndexFunc(head, unicode.IsSpace); at > 0 {
		head = head[:at]
	}
	return strings.TrimSpace(head)
}

// embeddingTasks selects memories m as tasks. Append a condition.
const embeddingTasks = `SELECT m.id, m.text, coalesce(p.name, ''), coalesce(b.text, '') FROM memories m
	LEFT JOIN people p ON p.id = m.author_id
	LEFT JOIN memories b ON b.id = m.parent_id AND m.origin = 'said' AND b.origin = 'said' AND b.audience = m.audience
		AND coalesce(b.audience_person, 0) = coalesce(m.audience_person, 0) AND coalesce(b.audience_room, 0) = coalesce(m.audience_room, 0)`

func scanEmbeddingTask(row db.Scanner) (w EmbeddingTask, err error) {
	err = row.Scan(&w.MemoryID, &w.Text, &w.Speaker, &w.Before)
	return w, err
}
