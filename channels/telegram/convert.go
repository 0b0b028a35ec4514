package telegram

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"familiar/channels"
)

// channelName is the Channel of all rooms and handles here.
const channelName = "telegram"

// imageReaction stands for a reaction that is an image rather than a character.
const imageReaction = "✨"

// identity is the bot's account.
type identity struct {
	ID       int64  `json:"id"`
	Username string `json:"username"`
	// ReadsAll reports that privacy mode is off: the bot receives all messages in its groups.
	ReadsAll bool `json:"can_read_all_group_messages"`
	// commands are the names of the bot's commands.
	commands map[string]bool
}

// incoming is a message with the file ids of its attachments, one each, empty where there is no file.
type incoming struct {
	channels.Message
	files []string
}

// convert converts an update received at came. It returns false if there is no message in it.
func convert(u update, self identity, received time.Time) (incoming, bool) {
	switch {
	case u.Message != nil:
		return convertMessage(u.Message, self)
	case u.Edited != nil && u.Edited.Location != nil:
		return incoming{}, false // a live location moves; nothing else about it can be edited
	case u.Edited != nil:
		h, ok := convertMessage(u.Edited, self)
		h.Action, h.TargetID, h.Arrival = channels.Edit, h.ID, false
		h.ID = eventID(h.TargetID, u.ID)
		if u.Edited.EditDate != 0 {
			h.At = time.Unix(int64(u.Edited.EditDate), 0).UTC()
		}
		return h, ok
	case u.Callback != nil:
		return convertPress(u.Callback, received)
	case u.Reaction != nil:
		return convertReaction(u)
	}
	return incoming{}, false
}

// eventID returns the id of an event about a message, made from the update id.
func eventID(of string, update int64) string { return fmt.Sprintf("%s~%d", of, update) }

// convertMessage converts m. It returns false for service messages such as a new title; a group that became a
// supergroup is a Move.
func convertMessage(m *message, self identity) (incoming, bool) {
	if m.Chat == nil || m.From != nil && m.From.ID == self.ID {
		return incoming{}, false
	}
	h := incoming{Message: channels.Message{
		ID: strconv.Itoa(m.MessageID), Room: roomOf(m), Author: author(m), Direct: m.Chat.IsPrivate(),
		RoomTitle: m.Chat.Title, At: time.Unix(int64(m.Date), 0).UTC(),
	}}
	if m.MigrateToChatID != 0 {
		h.Action, h.TargetID = channels.Move, strconv.FormatInt(m.MigrateToChatID, 10)
		return h, true
	}
	said, entities := m.Text, m.Entities
	if m.Caption != "" {
		said, entities = m.Caption, m.CaptionEntities
	}
	entities = entitiesWithin(said, entities)
	if re := repliedTo(m); re != nil {
		h.ReplyTo = strconv.Itoa(re.MessageID)
		h.Addressed = re.From != nil && re.From.ID == self.ID
	}
	h.Addressed = h.Direct || h.Addressed || mentions(said, entities, self)
	said, entities = stripAddress(said, entities, self)
	h.Text = toMarkdown(stripBotName(said, entities, self))
	h.relay(m)
	h.attach(m)
	if h.Direct && h.Text == "/start" { // the button that opens the room sends this
		h.Arrival, h.Text = true, ""
	}
	return h, h.Arrival || h.Text != "" || len(h.Attachments) > 0
}

// relay makes the text an attachment if its author only passes it on. A channel's posts in its discussion group are its own.
func (h *incoming) relay(m *message) {
	kind := ""
	switch {
	case m.isForwarded():
		kind = channels.Forwarded
	case m.ViaBot != nil && !m.Automatic:
		kind = channels.ViaBot
	}
	if kind != "" && h.Text != "" {
		h.add(kind, "", "", h.Text, 0)
		h.Text = ""
	}
}

// roomOf returns the room of m. Only forum topics are rooms of their own: reply threads and the General topic, which
// has no id, are not.
func roomOf(m *message) channels.Room {
	room := channels.Room{Channel: channelName, ID: strconv.FormatInt(m.Chat.ID, 10)}
	if m.IsTopic && m.ThreadID != 0 {
		room.Thread = strconv.Itoa(m.ThreadID)
	}
	return room
}

// repliedTo returns the message m replies to. In a topic every message formally replies to the topic's first one; that
// does not count.
func repliedTo(m *message) *message {
	if m.Replied == nil || m.IsTopic && m.Replied.MessageID == m.ThreadID {
		return nil
	}
	return m.Replied
}

// author returns the author of m. A message in the name of a chat, such as an anonymous administrator's, has that chat
// as its author.
func author(m *message) channels.Author {
	if m.SenderChat != nil {
		return chatAuthor(*m.SenderChat)
	}
	if m.From == nil {
		return chatAuthor(*m.Chat)
	}
	return userAuthor(*m.From)
}

func userAuthor(u tgbotapi.User) channels.Author {
	name := strings.TrimSpace(u.FirstName + " " + u.LastName)
	if name == "" {
		name = u.UserName
	}
	return channels.Author{Handle: handle(u.ID), Name: name, Bot: u.IsBot}
}

func chatAuthor(c tgbotapi.Chat) channels.Author {
	return channels.Author{Handle: handle(c.ID), Name: c.Title}
}

func handle(id int64) channels.Handle {
	return channels.Handle{Channel: channelName, ID: strconv.FormatInt(id, 10)}
}

// mentions reports whether text addresses the bot, by its name or by one of its commands.
func mentions(text string, entities []tgbotapi.MessageEntity, self identity) bool {
	for _, e := range entities {
		part := slice16(text, e.Offset, e.Length)
		switch e.Type {
		case "mention":
			if self.Username != "" && strings.EqualFold(part, "@"+self.Username) {
				return true
			}
		case "text_mention":
			if e.User != nil && e.User.ID == self.ID {
				return true
			}
		case "bot_command":
			name, at, named := strings.Cut(strings.TrimPrefix(part, "/"), "@")
			if named && strings.EqualFold(at, self.Username) || !named && self.commands[strings.ToLower(name)] {
				return true
			}
		}
	}
	return false
}

// stripAddress removes a mention of the bot at the start, unless there is nothing else. Otherwise the bot's name would
// be indexed as a word of every message.
func stripAddress(text string, entities []tgbotapi.MessageEntity, self identity) (string, []tgbotapi.MessageEntity) {
	if len(entities) == 0 || entities[0].Type != "mention" || entities[0].Offset != 0 || !mentions(text, entities[:1], self) {
		return text, entities
	}
	rest := strings.TrimLeft(text[1+len(self.Username):], " ,:\n")
	if rest == "" {
		return text, entities
	}
	moved := slices.Clone(entities[1:])
	for i := range moved {
		moved[i].Offset -= len(text) - len(rest) // ASCII: bytes equal units
	}
	return rest, moved
}

// stripBotName removes the bot's name from a command at the start of text: "/memory@bot dogs" becomes "/memory dogs".
func stripBotName(text string, entities []tgbotapi.MessageEntity, self identity) (string, []tgbotapi.MessageEntity) {
	if len(entities) == 0 || entities[0].Type != "bot_command" || entities[0].Offset != 0 {
		return text, entities
	}
	command := slice16(text, 0, entities[0].Length)
	name, at, named := strings.Cut(command, "@")
	if !named || !strings.EqualFold(at, self.Username) {
		return text, entities
	}
	shift := len(command) - len(name) // a bot's commands and name are ASCII: bytes equal units
	moved := make([]tgbotapi.MessageEntity, len(entities))
	copy(moved, entities)
	moved[0].Length -= shift
	for i := range moved[1:] {
		moved[i+1].Offset -= shift
	}
	return name + text[len(command):], moved
}

// entitiesWithin returns the entities that lie inside text. Others are invalid.
func entitiesWithin(text string, entities []tgbotapi.MessageEntity) (in []tgbotapi.MessageEntity) {
	units := 0
	for _, r := range text {
		units += utf16.RuneLen(r)
	}
	for _, e := range entities {
		if e.Offset >= 0 && e.Length >= 0 && e.Offset <= units && e.Length <= units-e.Offset {
			in = append(in, e)
		}
	}
	return in
}

// slice16 returns the part of text covered by an entity, whose offsets count UTF-16 units.
func slice16(text string, offset, length int) string {
	return string(utf16.Decode(utf16.Encode([]rune(text))[offset : offset+length]))
}

// convertReaction converts a change of a user's reactions: the newest emoji, or none.
func convertReaction(u update) (incoming, bool) {
	r := u.Reaction
	of := strconv.Itoa(r.MessageID)
	h := incoming{Message: channels.Message{
		ID: eventID(of, u.ID), Action: channels.React, TargetID: of, Direct: r.Chat.IsPrivate(), RoomTitle: r.Chat.Title,
		Room: channels.Room{Channel: channelName, ID: strconv.FormatInt(r.Chat.ID, 10)},
		Text: newReaction(r.Old, r.New), At: time.Unix(int64(r.Date), 0).UTC(),
	}}
	switch {
	case r.User != nil:
		h.Author = userAuthor(*r.User)
	case r.Actor != nil:
		h.Author = chatAuthor(*r.Actor)
	default:
		return incoming{}, false
	}
	return h, true
}

// newReaction returns the first emoji of now that was not there before, else the first, or "" if all are gone.
func newReaction(before, now []emoji) string {
	had := make(map[emoji]bool)
	for _, e := range before {
		had[e] = true
	}
	for _, e := range now {
		if !had[e] {
			return e.text()
		}
	}
	if len(now) > 0 {
		return now[0].text()
	}
	return ""
}

func (e emoji) text() string {
	if e.Emoji != "" {
		return e.Emoji
	}
	return imageReaction
}

// merge adds another part of the same album: its text and its files.
func (h *incoming) merge(part incoming) {
	if part.Text != "" {
		h.Text = strings.TrimPrefix(h.Text+"\n"+part.Text, "\n")
	}
	h.Attachments = append(h.Attachments, part.Attachments...)
	h.files = append(h.files, part.files...)
	h.Addressed = h.Addressed || part.Addressed
}
