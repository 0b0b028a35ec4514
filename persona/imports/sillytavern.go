package imports

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
)

// tavernMillis matches the milliseconds at the end of SillyTavern's times: "2023-6-19@14h20m30s123ms".
var tavernMillis = regexp.MustCompile(`(\ds) ?\d{1,3}ms$`)

// lineReader streams a JSONL file.
type lineReader struct {
	*emitter
	in     *guard
	buffer *bufio.Reader
	stem   string
	number int
}

func newLineReader(in *guard, stem string, e *emitter) *lineReader {
	return &lineReader{emitter: e, in: in, buffer: bufio.NewReader(in), stem: stem}
}

// each calls do for every line that is not empty.
func (r *lineReader) each(do func(raw []byte) error) error {
	var err error
	for err == nil {
		r.number++
		r.in.renew()
		var raw []byte
		if raw, err = r.buffer.ReadBytes('\n'); err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("line %d: %w", r.number, err)
		}
		if line := bytes.TrimSpace(raw); len(line) > 0 {
			if bad := do(line); bad != nil {
				return fmt.Errorf("line %d: %w", r.number, plainError(bad))
			}
		}
	}
	return nil
}

// tavernLine is a line of a SillyTavern chat: the header, or a message. A message holds the swipe that was chosen.
type tavernLine struct {
	Character loose           `json:"character_name"`
	Begun     loose           `json:"create_date"`
	Metadata  json.RawMessage `json:"chat_metadata"`

	Name   loose           `json:"name"`
	IsUser bool            `json:"is_user"`
	System bool            `json:"is_system"`
	Sent   moment          `json:"send_date"`
	Text   *loose          `json:"mes"`
	Swipe  int             `json:"swipe_id"`
	Swipes []loose         `json:"swipes"`
	Extra  json.RawMessage `json:"extra"`
}

// isHeader reports whether the line says what the chat is.
func (l *tavernLine) isHeader() bool { return l.Text == nil && len(l.Swipes) == 0 }

// text returns the message as it was shown.
func (l *tavernLine) text() string {
	switch {
	case l.Text != nil:
		return string(*l.Text)
	case l.Swipe >= 0 && l.Swipe < len(l.Swipes):
		return string(l.Swipes[l.Swipe])
	}
	return string(l.Swipes[0])
}

// kind returns the kind of a message that the program wrote, such as "narrator", "" for all others.
func (l *tavernLine) kind() string {
	var extra struct {
		Type loose `json:"type"`
	}
	if json.Unmarshal(l.Extra, &extra) != nil {
		return ""
	}
	return string(extra.Type)
}

// tavernChat reads the messages of a chat.
type tavernChat struct {
	*lineReader
	// character is whom the persona continues: what others say in a group chat begins with their names.
	character string
	begun     bool
}

// readSillyTavern reads a chat: a header, then a message per line. The chats of a group have no character in their header.
func readSillyTavern(r *lineReader) error {
	chat := &tavernChat{lineReader: r}
	if err := r.each(chat.line); err != nil {
		return err
	}
	return r.end()
}

func (c *tavernChat) line(raw []byte) error {
	var l tavernLine
	if err := json.Unmarshal(raw, &l); err != nil {
		return fmt.Errorf("it is not a line of a SillyTavern chat: %w", plainError(err))
	}
	if l.isHeader() {
		if c.begun {
			c.sink.Skip("lines that are no message", 1)
			return nil
		}
		c.header(&l)
		return nil
	}
	if !c.begun {
		c.header(&tavernLine{})
	}
	if others := len(l.Swipes) - 1; others > 0 {
		c.sink.Skip("other swipes", others)
	}
	if l.System && l.kind() != "" || !l.IsUser && l.kind() == "narrator" {
		c.sink.Skip("system messages", 1)
		return nil
	}
	return c.say(Line{Own: !l.IsUser, Text: c.spoken(&l), At: l.Sent.Time})
}

// header begins the chat. The character and the time of its creation name it, so that the file may be renamed.
func (c *tavernChat) header(l *tavernLine) {
	c.begun = true
	if name := strings.TrimSpace(string(l.Character)); name != "unused" {
		c.character = name
	}
	id := c.stem
	if c.character != "" && l.Begun != "" {
		id = digest(c.character, string(l.Begun))
	}
	title := c.stem
	if c.character != "" {
		title = "chat with " + c.character
	}
	c.begin(id, title, readTime(string(l.Begun)))
}

// spoken returns the text, after the name of a character who is not the chat's.
func (c *tavernChat) spoken(l *tavernLine) string {
	name, text := strings.TrimSpace(string(l.Name)), l.text()
	if l.IsUser || name == "" || strings.TrimSpace(text) == "" {
		return text
	}
	if c.character == "" {
		c.character = name
	}
	if name == c.character {
		return text
	}
	return name + ": " + text
}
