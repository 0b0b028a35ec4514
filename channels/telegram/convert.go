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

// channelName is the Channel of every room and handle here.
const channelName = "telegram"

// wordlessReaction stands for a reaction that has a picture and no character.
const wordlessReaction = "✨"

// identity is who the bot is.
type identity struct {
	ID       int64  `json:"id"`
	Username string `json:"username"`
	// HearsAll says that privacy mode is off: the bot hears all that is said in its groups.
	HearsAll bool `json:"can_read_all_group_messages"`
	// commands are the names of the commands the bot answers to.
	commands map[string]bool
}

// heard is a message with the network's ids of its attachments' files, one for each, empty where there is none.
type heard struct {
	channels.Message
	files []string
}

// convert is the message an update that came at a moment carries. It says false for one that carries none.
func convert(u update, self identity, came time.Time) (heard, bool) {
	switch {
	case u.Message != nil:
		return said(u.Message, self)
	case u.Edited != nil && u.Edited.Location != nil:
		return heard{}, false // somebody who shares where they are moves: nothing else of it can be edited
	case u.Edited != nil:
		h, ok := said(u.Edited, self)
		h.Action, h.TargetID, h.Arrival = channels.Edit, h.ID, false
		h.ID = eventID(h.TargetID, u.ID)
		if u.Edited.EditDate != 0 {
			h.At = time.Unix(int64(u.Edited.EditDate), 0).UTC()
		}
		return h, ok
	case u.Callback != nil && u.Callback.Message != nil && u.Callback.Message.Chat != nil:
		return pressed(u.Callback, came), true
	case u.Reaction != nil:
		return reacted(u)
	}
	return heard{}, false
}

// eventID names an event about the message of, by the update that brought it.
func eventID(of string, update int64) string { return fmt.Sprintf("%s~%d", of, update) }

// said is the message m. News that nobody said, such as a new title, are none; a group that became a supergroup moves.
func said(m *message, self identity) (heard, bool) {
	if m.Chat == nil || m.From != nil && m.From.ID == self.ID {
		return heard{}, false
	}
	h := heard{Message: channels.Message{
		ID: strconv.Itoa(m.MessageID), Room: roomOf(m), Author: author(m), Direct: m.Chat.IsPrivate(),
		RoomTitle: m.Chat.Title, At: time.Unix(int64(m.Date), 0).UTC(),
	}}
	if m.MigrateToChatID != 0 {
		h.Action, h.TargetID = channels.Move, strconv.FormatInt(m.MigrateToChatID, 10)
		return h, true
	}
	text, entities := m.Text, m.Entities
	if m.Caption != "" {
		text, entities = m.Caption, m.CaptionEntities
	}
	entities = within(text, entities)
	if re := replied(m); re != nil {
		h.ReplyTo = strconv.Itoa(re.MessageID)
		h.Addressed = re.From != nil && re.From.ID == self.ID
	}
	h.Addressed = h.Direct || h.Addressed || mentions(text, entities, self)
	text, entities = withoutAddress(text, entities, self)
	h.Text = unformat(bareCommand(text, entities, self))
	h.attach(m)
	if h.Direct && h.Text == "/start" { // the button that opens the room says this
		h.Arrival, h.Text = true, ""
	}
	return h, h.Arrival || h.Text != "" || len(h.Attachments) > 0
}

// roomOf is where m was said. Only a topic of a forum is a room of its own: a thread of replies is not, nor is the
// general topic, which has no id.
func roomOf(m *message) channels.Room {
	room := channels.Room{Channel: channelName, ID: strconv.FormatInt(m.Chat.ID, 10)}
	if m.IsTopic && m.ThreadID != 0 {
		room.Thread = strconv.Itoa(m.ThreadID)
	}
	return room
}

// replied is the message m answers. Everything in a topic answers the topic's first message in form only.
func replied(m *message) *message {
	if m.Replied == nil || m.IsTopic && m.Replied.MessageID == m.ThreadID {
		return nil
	}
	return m.Replied
}

// author is who wrote m. Who writes in a chat's name, such as an anonymous administrator, is that chat.
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

// mentions says that text speaks to the bot: by its name, or by a command that is the bot's.
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

// withoutAddress leaves out that the bot is spoken to at the very start, unless nothing else is said: its name is no word of
// the message, and would be found as one ever after.
func withoutAddress(text string, entities []tgbotapi.MessageEntity, self identity) (string, []tgbotapi.MessageEntity) {
	if len(entities) == 0 || entities[0].Type != "mention" || entities[0].Offset != 0 || !mentions(text, entities[:1], self) {
		return text, entities
	}
	rest := strings.TrimLeft(text[1+len(self.Username):], " ,:\n")
	if rest == "" {
		return text, entities
	}
	moved := slices.Clone(entities[1:])
	for i := range moved {
		moved[i].Offset -= len(text) - len(rest) // ASCII: bytes are units
	}
	return rest, moved
}

// bareCommand takes the bot's name from a command that text begins with: "/memory@bot dogs" is "/memory dogs".
func bareCommand(text string, entities []tgbotapi.MessageEntity, self identity) (string, []tgbotapi.MessageEntity) {
	if len(entities) == 0 || entities[0].Type != "bot_command" || entities[0].Offset != 0 {
		return text, entities
	}
	command := slice16(text, 0, entities[0].Length)
	name, at, named := strings.Cut(command, "@")
	if !named || !strings.EqualFold(at, self.Username) {
		return text, entities
	}
	shift := len(command) - len(name) // command and name of a bot are ASCII: bytes are units
	moved := make([]tgbotapi.MessageEntity, len(entities))
	copy(moved, entities)
	moved[0].Length -= shift
	for i := range moved[1:] {
		moved[i+1].Offset -= shift
	}
	return name + text[len(command):], moved
}

// within is the entities that lie in text: no others can be what Telegram meant.
func within(text string, entities []tgbotapi.MessageEntity) (in []tgbotapi.MessageEntity) {
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

// slice16 is the part of text that an entity covers, which counts in UTF-16 units.
func slice16(text string, offset, length int) string {
	return string(utf16.Decode(utf16.Encode([]rune(text))[offset : offset+length]))
}

// pressed is a button of a keyboard: what it stands for, said by who pressed it. The network does not tell when, only
// when the message with the button was sent: it is taken to be when the press came.
func pressed(c *callback, came time.Time) heard {
	return heard{Message: channels.Message{
		ID: "press~" + c.ID, Room: roomOf(c.Message), Author: userAuthor(c.From), Direct: c.Message.Chat.IsPrivate(),
		RoomTitle: c.Message.Chat.Title, Text: c.Data, ReplyTo: strconv.Itoa(c.Message.MessageID), Addressed: true,
		At: came.UTC(),
	}}
}

// reacted is a change of what somebody has put to a message: the newest emoji, or none.
func reacted(u update) (heard, bool) {
	r := u.Reaction
	of := strconv.Itoa(r.MessageID)
	h := heard{Message: channels.Message{
		ID: eventID(of, u.ID), Action: channels.React, TargetID: of, Direct: r.Chat.IsPrivate(), RoomTitle: r.Chat.Title,
		Room: channels.Room{Channel: channelName, ID: strconv.FormatInt(r.Chat.ID, 10)},
		Text: newest(r.Old, r.New), At: time.Unix(int64(r.Date), 0).UTC(),
	}}
	switch {
	case r.User != nil:
		h.Author = userAuthor(*r.User)
	case r.Actor != nil:
		h.Author = chatAuthor(*r.Actor)
	default:
		return heard{}, false
	}
	return h, true
}

// newest is the first of now that was not there before, else the first, empty when all are gone.
func newest(before, now []emoji) string {
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
	return wordlessReaction
}

// join adds another part of the same album: its words and its files.
func (h *heard) join(part heard) {
	if part.Text != "" {
		h.Text = strings.TrimPrefix(h.Text+"\n"+part.Text, "\n")
	}
	h.Attachments = append(h.Attachments, part.Attachments...)
	h.files = append(h.files, part.files...)
	h.Addressed = h.Addressed || part.Addressed
}
