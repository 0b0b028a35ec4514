package discordtest

import (
	"regexp"
	"strings"
)

var mention = regexp.MustCompile(`<@!?(\d+)>`)

// Say sends a message to a channel as a user; with changes the message first. It returns the message id.
func (s *Server) Say(channel string, by User, text string, with ...func(*Message)) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.channels[channel]
	m := &Message{
		ID: s.id(), ChannelID: c.ID, GuildID: c.GuildID, Content: text, Author: by, Timestamp: now().UTC(),
		Mentions: s.mentioned(text), Attachments: []Attachment{}, Embeds: []any{}, Everyone: strings.Contains(text, "@everyone"),
	}
	for _, change := range with {
		change(m)
	}
	s.add(c, m)
	s.emit("MESSAGE_CREATE", c, m)
	return m.ID
}

// ReplyTo makes a message a reply to another in the same channel; ping mentions its author, Discord's default.
func (s *Server) ReplyTo(channel, id string, ping bool) func(*Message) {
	return func(m *Message) {
		to := s.channels[channel].find(id)
		m.Type, m.Reference, m.Referenced = 19, &Reference{MessageID: id, ChannelID: channel}, to
		if ping {
			m.Mentions = append(m.Mentions, to.Author)
		}
	}
}

// Redeliver sends a message event again.
func (s *Server) Redeliver(channel, id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.channels[channel]
	s.emit("MESSAGE_CREATE", c, c.find(id))
}

// Edit replaces the text of a message as its author.
func (s *Server) Edit(channel, id, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.channels[channel]
	m := c.find(id)
	at := now().UTC()
	m.Content, m.Edited, m.Mentions = text, &at, s.mentioned(text)
	s.emit("MESSAGE_UPDATE", c, m)
}

// Embed adds a link preview to a message, as Discord does.
func (s *Server) Embed(channel, id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.channels[channel]
	m := c.find(id)
	m.Embeds = append(m.Embeds, map[string]any{"title": "a page", "url": "https://example.org"})
	s.emit("MESSAGE_UPDATE", c, m)
}

// Delete deletes messages; several at once count as a moderator's bulk deletion.
func (s *Server) Delete(channel string, ids ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.deleteMessages(s.channels[channel], ids...)
}

// deleteMessages removes messages and sends the event. The caller holds the lock.
func (s *Server) deleteMessages(c *Channel, ids ...string) {
	for _, id := range ids {
		c.remove(id)
	}
	payload := map[string]any{"channel_id": c.ID}
	if c.GuildID != "" {
		payload["guild_id"] = c.GuildID
	}
	if len(ids) == 1 {
		payload["id"] = ids[0]
		s.emit("MESSAGE_DELETE", c, payload)
		return
	}
	payload["ids"] = ids
	s.emit("MESSAGE_DELETE_BULK", c, payload)
}

// React sets or removes a user's reaction to a message.
func (s *Server) React(channel, id string, by User, emoji string, put bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.channels[channel]
	payload := map[string]any{
		"user_id": by.ID, "message_id": id, "channel_id": c.ID, "emoji": map[string]any{"id": nil, "name": emoji},
	}
	kind := "MESSAGE_REACTION_REMOVE"
	if c.GuildID != "" {
		payload["guild_id"] = c.GuildID
	}
	if put {
		kind = "MESSAGE_REACTION_ADD"
		if c.GuildID != "" {
			payload["member"] = map[string]any{"user": by}
		}
	}
	s.emit(kind, c, payload)
}

// Use runs a command as a user, who fills its options with text; see filled. It returns the interaction id.
func (s *Server) Use(channel string, by User, command, text string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.interact(channel, by, &Interaction{}, 2, map[string]any{"name": command, "type": 1, "options": s.filled(command, text)})
}

// Type types text into an option of a command, without using the command. It returns the interaction id.
func (s *Server) Type(channel string, by User, command, option, text string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	typed := map[string]any{"name": option, "type": 3, "value": text, "focused": true}
	return s.interact(channel, by, &Interaction{Typing: true}, 4, map[string]any{"name": command, "type": 1, "options": []any{typed}})
}

// interact sends an interaction of a kind: a command, one that somebody is typing, or a pressed button. It returns the interaction id.
func (s *Server) interact(channel string, by User, i *Interaction, kind int, data map[string]any) string {
	c := s.channels[channel]
	i.ID, i.Channel, i.User, i.kind = s.id(), channel, by.ID, kind
	i.Token = "secret-of-" + i.ID
	s.interactions[i.Token] = i
	payload := map[string]any{
		"id": i.ID, "application_id": s.App, "type": kind, "token": i.Token, "channel_id": c.ID, "version": 1, "data": data,
		"app_permissions": "0",
	}
	if c.GuildID != "" {
		payload["guild_id"] = c.GuildID
		payload["member"] = map[string]any{"user": by, "nick": nil, "permissions": "0"}
	} else {
		payload["user"] = by
	}
	if kind == 3 {
		payload["message"] = i.Pressed
	}
	s.emit("INTERACTION_CREATE", nil, payload)
	return i.ID
}

// Archive archives a thread: the bot receives no more events about it.
func (s *Server) Archive(thread string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.channels[thread].archived = true
}

func (s *Server) mentioned(text string) []User {
	all := []User{}
	for _, found := range mention.FindAllStringSubmatch(text, -1) {
		if u, ok := s.people[found[1]]; ok {
			all = append(all, u)
		}
	}
	return all
}

func (s *Server) add(c *Channel, m *Message) {
	c.messages = append(c.messages, m)
	c.LastMessageID = m.ID
}

func (c *Channel) find(id string) *Message {
	for _, m := range c.messages {
		if m.ID == id {
			return m
		}
	}
	return nil
}

func (c *Channel) remove(id string) {
	for i, m := range c.messages {
		if m.ID == id {
			c.messages = append(c.messages[:i], c.messages[i+1:]...)
			return
		}
	}
}
