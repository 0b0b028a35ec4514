package discordtest

import (
	"net/http"
	"slices"
	"strings"
	"time"
)

// Request is one REST call that arrived.
type Request struct {
	Method, Path string
	Body         []byte
	Header       http.Header
	// Status is what it was answered, 0 when its connection was dropped.
	Status int
	At     time.Time
}

// Requests are the calls whose "METHOD /path" contains what, oldest first.
func (s *Server) Requests(what string) []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []Request
	for _, r := range s.requests {
		if strings.Contains(r.Method+" "+r.Path, what) {
			all = append(all, r)
		}
	}
	return all
}

// FullText are the bot's messages in a channel that everybody there sees, oldest first.
func (s *Server) FullText(channel string) []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []Message
	for _, m := range s.channels[channel].messages {
		if m.Author.ID == s.Bot.ID && m.ShownTo == "" && m.Content != "" {
			all = append(all, *m)
		}
	}
	return all
}

// Shown are the texts of Said.
func (s *Server) Shown(channel string) []string { return texts(s.FullText(channel)) }

// Whispered are the texts in a channel that only one person sees, oldest first.
func (s *Server) Whispered(channel string, to User) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []Message
	for _, m := range s.channels[channel].messages {
		if m.ShownTo == to.ID && m.Content != "" {
			all = append(all, *m)
		}
	}
	return texts(all)
}

func texts(all []Message) []string {
	var shown []string
	for _, m := range all {
		shown = append(shown, m.Content)
	}
	return shown
}

// Reacted are the emojis the bot put to a message.
func (s *Server) Reacted(channel, id string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []string
	for _, r := range s.channels[channel].find(id).Reactions {
		all = append(all, r.Emoji.Name)
	}
	return all
}

// Typed is how often the bot showed in a channel that it writes.
func (s *Server) Typed(channel string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.typed[channel]
}

// Commands are those the bot told of last.
func (s *Server) Commands() []Command {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.commands)
}

// Interaction is the state of a command somebody used, false when it has expired.
func (s *Server) Interaction(id string) (Interaction, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i, ok := s.interactions["secret-of-"+id]
	if !ok {
		return Interaction{}, false
	}
	return *i, true
}

// Identifies are the sessions that were asked for, oldest first.
func (s *Server) Identifies() []Identify {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.identifies)
}

// Resumes is how many sessions were resumed.
func (s *Server) Resumes() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.resumes
}

// Compressed is how many frames were sent compressed.
func (s *Server) Compressed() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.compressed
}

// Listening is how many connections are past READY or RESUMED.
func (s *Server) Listening() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, session := range s.sessions {
		if session.conn != nil {
			n++
		}
	}
	return n
}
