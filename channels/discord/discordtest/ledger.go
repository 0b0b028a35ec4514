package discordtest

import (
	"net/http"
	"strings"
	"time"
)

// Request is one received REST call.
type Request struct {
	Method, Path string
	Body         []byte
	Header       http.Header
	// Status is the response status, 0 if the connection was dropped.
	Status int
	At     time.Time
}

// Requests returns the calls whose "METHOD /path" contains what, oldest first.
func (c *calls) Requests(what string) []Request {
	c.mu.Lock()
	defer c.mu.Unlock()
	var all []Request
	for _, r := range c.requests {
		if strings.Contains(r.Method+" "+r.Path, what) {
			all = append(all, r)
		}
	}
	return all
}

// Messages returns the bot's public messages in a channel, oldest first.
func (s *Server) Messages(channel string) []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []Message
	for _, m := range s.channels[channel].messages {
		if m.Author.ID == s.Bot.ID && m.ShownTo == "" && (m.Content != "" || len(m.Attachments) > 0) {
			all = append(all, *m)
		}
	}
	return all
}

// Shown returns the texts of Messages.
func (s *Server) Shown(channel string) []string { return texts(s.Messages(channel)) }

// Ephemeral returns the texts in a channel that only one person sees, oldest first.
func (s *Server) Ephemeral(channel string, to User) []string {
	return texts(s.EphemeralMessages(channel, to))
}

// EphemeralMessages returns the messages of Ephemeral.
func (s *Server) EphemeralMessages(channel string, to User) (all []Message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range s.channels[channel].messages {
		if m.ShownTo == to.ID && m.Content != "" {
			all = append(all, *m)
		}
	}
	return all
}

func texts(all []Message) []string {
	var shown []string
	for _, m := range all {
		shown = append(shown, m.Content)
	}
	return shown
}

// Reactions returns the bot's reactions to a message.
func (s *Server) Reactions(channel, id string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []string
	for _, r := range s.channels[channel].find(id).Reactions {
		all = append(all, r.Emoji.Name)
	}
	return all
}

// TypingCount returns how often the bot showed the typing indicator in a channel.
func (s *Server) TypingCount(channel string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.typed[channel]
}

// Interaction returns the state of a command, false if it has expired.
func (s *Server) Interaction(id string) (Interaction, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i, ok := s.interactions["secret-of-"+id]
	if !ok {
		return Interaction{}, false
	}
	return *i, true
}
