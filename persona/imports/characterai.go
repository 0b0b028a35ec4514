package imports

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Character.AI has no published format. Its own export and the common exporters nest the same two kinds of messages
// differently, so the reader looks for lists with their names at any place.
var (
	caiLists = map[string]bool{"histories": true, "chats": true, "conversations": true, "chat_history": true, "characters": true}
	caiTurns = map[string]bool{"turns": true, "msgs": true, "messages": true}
	caiNames = map[string]bool{"character_name": true, "char_name": true, "participant__name": true}
)

// caiMessage is a turn with its candidate answers, or a message of the earlier kind.
type caiMessage struct {
	Key struct {
		ID   loose `json:"turn_id"`
		Chat loose `json:"chat_id"`
	} `json:"turn_key"`
	UUID       loose      `json:"uuid"`
	ID         loose      `json:"id"`
	Created    moment     `json:"create_time"`
	Made       moment     `json:"created"`
	MadeAt     moment     `json:"created_at"`
	Stamp      moment     `json:"timestamp"`
	Author     caiSpeaker `json:"author"`
	Source     caiSpeaker `json:"src"`
	Name       caiSpeaker `json:"name"`
	Human      *bool      `json:"is_human"`
	Text       loose      `json:"text"`
	Content    loose      `json:"content"`
	Message    loose      `json:"message"`
	Other      bool       `json:"is_alternative"`
	Primary    loose      `json:"primary_candidate_id"`
	Candidates []struct {
		ID   loose `json:"candidate_id"`
		Text loose `json:"raw_content"`
	} `json:"candidates"`
}

// caiSpeaker is who wrote a message: an object that says whether that is a human, or a word.
type caiSpeaker struct{ known, human bool }

// UnmarshalJSON implements json.Unmarshaler.
func (s *caiSpeaker) UnmarshalJSON(data []byte) error {
	var object struct {
		Human bool `json:"is_human"`
	}
	var word loose
	switch {
	case json.Unmarshal(data, &object) == nil:
		s.known, s.human = string(data) != "null", object.Human
	case word.UnmarshalJSON(data) == nil && word != "":
		s.known, s.human = true, slices.Contains([]string{"human", "user", "you"}, strings.ToLower(string(word)))
	}
	return nil
}

// caiReader collects one conversation at a time: turns come newest first, and the id may follow them.
type caiReader struct {
	*jsonReader
	name  string
	count int
}

// caiTalk is a conversation while it is read.
type caiTalk struct {
	id      string
	created moment
	lines   []Line
	bytes   int
}

// readCharacterAI reads an export of conversations with one or more characters.
func readCharacterAI(r *jsonReader) error {
	c := &caiReader{jsonReader: r}
	var talk caiTalk
	begin := func() error { talk = caiTalk{}; return nil }
	return r.each(func(key string) error { return c.member(&talk, key, 0) }, begin, func() error { return c.end(&talk) })
}

// member reads one member of an object that is, or contains, conversations.
func (c *caiReader) member(talk *caiTalk, key string, depth int) error {
	var text loose
	switch {
	case depth > maxNesting:
		return fmt.Errorf("conversations are nested more than %d deep", maxNesting)
	case key == "external_id", key == "chat_id", key == "history_external_id":
		err := c.value(&text)
		talk.id = string(text)
		return err
	case key == "created", key == "create_time":
		return c.value(&talk.created)
	case caiNames[key]:
		err := c.value(&text)
		c.name = cmp.Or(string(text), c.name)
		return err
	case key == "info", key == "character":
		return c.character()
	case caiTurns[key]:
		return c.array(key, func() error { return c.message(talk) })
	case caiLists[key]:
		return c.nested(depth)
	}
	return c.skip()
}

// nested reads an object or a list of objects with conversations in it.
func (c *caiReader) nested(depth int) error {
	var talk caiTalk
	begin := func() error { talk = caiTalk{}; return nil }
	return c.each(func(key string) error { return c.member(&talk, key, depth+1) }, begin, func() error { return c.end(&talk) })
}

// character reads the character's name.
func (c *caiReader) character() error {
	var info struct {
		Name      loose `json:"name"`
		Character struct {
			Name loose `json:"name"`
		} `json:"character"`
	}
	if err := c.value(&info); err != nil {
		return err
	}
	c.name = strings.TrimSpace(cmp.Or(string(info.Character.Name), string(info.Name), c.name))
	return nil
}

func (c *caiReader) message(talk *caiTalk) error {
	var m caiMessage
	if err := c.value(&m); err != nil {
		return err
	}
	own, known := m.own()
	switch {
	case m.Other:
		c.sink.Skip("other swipes", 1)
		return nil
	case !known:
		return errors.New("a message does not say whether a person or the character wrote it")
	}
	if n := len(m.Candidates); n > 1 {
		c.sink.Skip("other swipes", n-1)
	}
	if talk.id == "" {
		talk.id = string(m.Key.Chat)
	}
	at := cmp.Or(m.Created.Time, m.Made.Time, m.MadeAt.Time, m.Stamp.Time)
	line := Line{ID: cmp.Or(string(m.Key.ID), string(m.UUID), string(m.ID)), Own: own, Text: m.said(), At: at}
	if talk.bytes += len(line.Text); talk.bytes > maxConversation {
		return fmt.Errorf("a conversation has more than %d MiB of text", maxConversation>>20)
	}
	talk.lines = append(talk.lines, line)
	return nil
}

// own reports whether the character wrote the message. known is false if it does not say so.
func (m *caiMessage) own() (own, known bool) {
	switch {
	case m.Human != nil:
		return !*m.Human, true
	case m.Author.known:
		return !m.Author.human, true
	case m.Source.known:
		return !m.Source.human, true
	}
	return !m.Name.human, m.Name.known
}

// said returns the chosen candidate, the first if none is marked.
func (m *caiMessage) said() string {
	for _, c := range m.Candidates {
		if c.ID == m.Primary {
			return string(c.Text)
		}
	}
	if len(m.Candidates) > 0 {
		return string(m.Candidates[0].Text)
	}
	return string(cmp.Or(m.Text, m.Content, m.Message))
}

// end passes a conversation on, in the order of its times: those without one stay where they are.
func (c *caiReader) end(talk *caiTalk) error {
	if len(talk.lines) == 0 {
		return nil
	}
	if !slices.ContainsFunc(talk.lines, func(l Line) bool { return l.At.IsZero() }) {
		slices.SortStableFunc(talk.lines, func(a, b Line) int { return a.At.Compare(b.At) })
	}
	c.count++
	title := "Character.AI"
	if c.name != "" {
		title = "chat with " + c.name
	}
	c.begin(cmp.Or(talk.id, fmt.Sprintf("%s-%d", c.stem, c.count)), title, talk.created.Time)
	for _, l := range talk.lines {
		if err := c.say(l); err != nil {
			return err
		}
	}
	return c.emitter.end()
}
