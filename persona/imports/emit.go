package imports

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"
)

const (
	// chunkLines is how many messages the sink gets at a time.
	chunkLines = 256
	// maxConversation bounds the texts of a conversation that must be sorted before it can be passed on, in bytes.
	maxConversation = 16 << 20
	// maxLine bounds a message, in bytes: it must fit into a store and a prompt.
	maxLine = 256 << 10
)

// earliest is before every chat program that an export can come from.
var earliest = time.Date(1990, time.January, 1, 0, 0, 0, 0, time.UTC)

// emitter completes what a reader found and passes it on.
type emitter struct {
	sink Sink
	now  time.Time
	// fallback is the time of messages in a file without times.
	fallback time.Time
	talk     Conversation
	created  time.Time
	last     time.Time
	seen     map[string]int
	found    bool
}

// begin begins a conversation. created may be zero.
func (e *emitter) begin(id, title string, created time.Time) {
	e.talk = Conversation{ID: shortID(id), Title: strings.TrimSpace(title)}
	e.created, e.last, e.seen = created, time.Time{}, map[string]int{}
}

// say adds a message to the conversation. Without an ID it gets one from its content. A message without a time, or with one
// that cannot be right, gets the time of the message before.
func (e *emitter) say(l Line) error {
	l.Text = strings.TrimSpace(l.Text)
	if !e.fits(l.Text) {
		return nil
	}
	if l.ID == "" {
		l.ID = contentID(l)
	}
	l.ID = shortID(l.ID)
	if e.seen[l.ID]++; e.seen[l.ID] > 1 {
		l.ID = fmt.Sprintf("%s-%d", l.ID, e.seen[l.ID])
	}
	l.At = e.timeOf(l.At)
	return e.add(l)
}

// fits reports whether a text can be a message, and counts it if not.
func (e *emitter) fits(text string) bool {
	switch {
	case text == "":
		e.sink.Skip("messages without text", 1)
		return false
	case len(text) > maxLine:
		e.sink.Skip(fmt.Sprintf("messages longer than %d KiB", maxLine>>10), 1)
		return false
	}
	return true
}

// add adds a complete message, and passes on what there is when it is enough.
func (e *emitter) add(l Line) error {
	e.talk.Lines = append(e.talk.Lines, l)
	e.found = true
	if len(e.talk.Lines) < chunkLines {
		return nil
	}
	return e.end()
}

// end passes on what the conversation has left.
func (e *emitter) end() error {
	if len(e.talk.Lines) == 0 {
		return nil
	}
	talk := e.talk
	e.talk.Lines = nil
	return e.sink.Conversation(talk)
}

// plausible reports whether a message can be from t.
func (e *emitter) plausible(t time.Time) bool {
	return t.After(earliest) && t.Before(e.now.Add(24*time.Hour))
}

// timeOf returns the time of the next message.
func (e *emitter) timeOf(at time.Time) time.Time {
	if !at.IsZero() && !e.plausible(at) {
		e.sink.Skip("times that cannot be right", 1)
	}
	switch {
	case e.plausible(at):
	case !e.last.IsZero():
		at = e.last.Add(time.Second)
	case e.plausible(e.created):
		at = e.created
	case e.plausible(e.fallback):
		at = e.fallback
	default:
		at = e.now
	}
	if at.After(e.now) {
		at = e.now
	}
	e.last = at.UTC()
	return e.last
}

// document passes a document on. One without text is nothing.
func (e *emitter) document(d Document) error {
	if strings.TrimSpace(d.Text) == "" {
		return nil
	}
	e.found = true
	return e.sink.Document(d)
}

// persona passes a persona on.
func (e *emitter) persona(p Persona) error {
	e.found = true
	return e.sink.Persona(p)
}

// contentID returns an id that depends only on what the file says about the message.
func contentID(l Line) string {
	return digest(fmt.Sprint(l.Own), l.At.UTC().Format(time.RFC3339Nano), l.Text)
}

// maxID is the longest id that is kept as it is, in bytes.
const maxID = 100

// shortID returns id, or its hash if it is long or has unusual characters.
func shortID(id string) string {
	plain := func(r rune) bool { return r > ' ' && r < 0x7f }
	if id != "" && len(id) <= maxID && strings.IndexFunc(id, func(r rune) bool { return !plain(r) }) < 0 {
		return id
	}
	return digest(id)
}

// digest returns a hash of the parts.
func digest(parts ...string) string {
	sum := sha256.New()
	for _, part := range parts {
		fmt.Fprintf(sum, "%d:%s", len(part), part)
	}
	return hex.EncodeToString(sum.Sum(nil)[:12])
}
