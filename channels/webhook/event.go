package webhook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"familiar/channels"
)

// Event is one message as a program posts it.
type Event struct {
	// ID identifies the event within its room. It is the same for every attempt and equals the Webhook-Id.
	ID string `json:"id"`
	// Room is the id of the conversation. Thread is the id of a thread in it, empty for none.
	Room   string `json:"room"`
	Thread string `json:"thread,omitempty"`
	// Group reports that the room has several people; otherwise it contains only the author and the persona.
	Group bool `json:"group,omitempty"`
	// Title is the display name of a group.
	Title  string `json:"title,omitempty"`
	Author Author `json:"author"`
	Text   string `json:"text"`
	// Addressed reports that a message in a group is meant for the persona.
	Addressed bool `json:"addressed,omitempty"`
	// ReplyTo is the id of the event or reply that this one answers.
	ReplyTo string `json:"reply_to,omitempty"`
	// At is the time of the message, by default the time of the signature.
	At time.Time `json:"at,omitzero"`
	// Edits or Deletes is the id of an earlier event by the same author, which this one edits or deletes.
	Edits   string `json:"edits,omitempty"`
	Deletes string `json:"deletes,omitempty"`
	// Attachments are files that come with the text, or instead of one.
	Attachments []Attachment `json:"attachments,omitempty"`
}

// Author is who wrote a message.
type Author struct {
	ID   string `json:"id"`
	Name string `json:"name,omitempty"`
	// Bot reports an automated account.
	Bot bool `json:"bot,omitempty"`
}

// Reply is one chunk of what the persona writes, as posted to the receiver. ID equals the Webhook-Id. The receiver must show
// each ID once.
type Reply struct {
	ID     string `json:"id"`
	Room   string `json:"room"`
	Thread string `json:"thread,omitempty"`
	// ReplyTo is the id of the event being answered.
	ReplyTo string `json:"reply_to,omitempty"`
	// Text is Markdown.
	Text string `json:"text"`
}

// maxID is the maximum length of ids and names in bytes, maxSaid that of a text, several times a typed message.
const maxID, maxSaid = 256, 64 << 10

// parse reads the event in a request with this id and time of signing. Its errors are meant for the sender.
func parse(body []byte, id string, signed time.Time) (channels.Message, error) {
	var e Event
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&e); err != nil {
		return channels.Message{}, fmt.Errorf("the body is not an event in JSON: %w", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return channels.Message{}, errors.New("there is data after the event: send one event per request")
	}
	if err := e.check(id); err != nil {
		return channels.Message{}, err
	}
	if e.At.IsZero() || e.At.After(signed) {
		e.At = signed
	}
	return e.message(), nil
}

// check reports what is missing or contradictory.
func (e Event) check(id string) error {
	for _, f := range []struct {
		name, value string
		needed      bool
	}{
		{"id", e.ID, true},
		{"room", e.Room, true},
		{"author.id", e.Author.ID, true},
		{"author.name", e.Author.Name, false},
		{"thread", e.Thread, false},
		{"title", e.Title, false},
		{"reply_to", e.ReplyTo, false},
		{"edits", e.Edits, false},
		{"deletes", e.Deletes, false},
	} {
		switch {
		case f.needed && strings.TrimSpace(f.value) == "":
			return fmt.Errorf("%s is missing", f.name)
		case len(f.value) > maxID:
			return fmt.Errorf("%s is longer than %d bytes", f.name, maxID)
		}
	}
	switch {
	case len(e.Text) > maxSaid:
		return fmt.Errorf("text is longer than %d bytes", maxSaid)
	case e.ID != id:
		return errors.New("id differs from the header " + headerID)
	case e.Edits != "" && e.Deletes != "":
		return errors.New("an event either edits or deletes")
	case e.Deletes == "" && strings.TrimSpace(e.Text) == "" && len(e.Attachments) == 0:
		return errors.New("text is missing")
	case e.Deletes != "" && e.Text != "":
		return errors.New("an event that deletes has no text")
	}
	return e.checkAttachments()
}

// message converts the event.
func (e Event) message() channels.Message {
	m := channels.Message{
		ID:     e.ID,
		Room:   channels.Room{Channel: name, ID: e.Room, Thread: e.Thread},
		Author: channels.Author{Handle: channels.Handle{Channel: name, ID: e.Author.ID}, Name: e.Author.Name, Bot: e.Author.Bot},
		Direct: !e.Group, Text: e.Text, ReplyTo: e.ReplyTo, At: e.At,
		Addressed: !e.Group || e.Addressed,
	}
	if e.Group {
		m.RoomTitle = e.Title
	}
	for _, a := range e.Attachments {
		m.Attachments = append(m.Attachments, a.attachment())
	}
	switch {
	case e.Edits != "":
		m.Action, m.TargetID = channels.Edit, e.Edits
	case e.Deletes != "":
		m.Action, m.TargetID = channels.Delete, e.Deletes
	}
	return m
}
