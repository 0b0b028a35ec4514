// Package discordtest is a Discord on the loopback: REST v9 and the gateway, for one bot, with people the test moves,
// faults the test asks for, and a ledger of what arrived.
package discordtest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"sync"
	"time"
)

// Token is the bot's token, as the adapter is told it.
const Token = "MTA.test-token.of-a-bot"

// nonceWindow is how long a nonce is known.
const nonceWindow = 3 * time.Minute

// Server is one Discord. It may be used from many goroutines; Close ends it.
type Server struct {
	// URL is where REST is spoken.
	URL string
	// Bot is the account behind Token, App its application.
	Bot User
	App string

	http *httptest.Server

	mu           sync.Mutex
	lastID       uint64
	guilds       map[string]*Guild
	channels     map[string]*Channel
	people       map[string]User
	files        map[string][]byte
	interactions map[string]*Interaction // by token
	nonces       map[string]nonce
	commands     []Command
	typed        map[string]int
	forbidden    map[string]int // channel → Discord's code
	blocked      map[string]bool
	buckets      map[string]*bucket
	perWindow    int
	window       time.Duration
	noContent    bool
	heartbeat    time.Duration
	starts       int
	faults       []*Fault
	requests     []Request
	sessions     map[string]*session
	conns        map[*conn]bool
	refuse       int
	deaf         bool
	identifies   []Identify
	resumes      int
	compressed   int
}

type nonce struct {
	message string
	at      time.Time
}

type bucket struct {
	left  int
	reset time.Time
}

// Start starts a Discord with a bot in no server.
func Start() *Server {
	s := &Server{
		guilds: map[string]*Guild{}, channels: map[string]*Channel{}, people: map[string]User{}, files: map[string][]byte{},
		interactions: map[string]*Interaction{}, nonces: map[string]nonce{}, typed: map[string]int{}, forbidden: map[string]int{},
		blocked: map[string]bool{}, buckets: map[string]*bucket{}, sessions: map[string]*session{}, conns: map[*conn]bool{},
		heartbeat: 41250 * time.Millisecond, starts: 1000,
	}
	s.Bot = s.Person("Familiar")
	s.Bot.Bot = true
	s.people[s.Bot.ID] = s.Bot
	s.App = s.Bot.ID
	s.http = httptest.NewServer(s.routes())
	s.URL = s.http.URL
	return s
}

// Close ends every connection and the server.
func (s *Server) Close() {
	s.mu.Lock()
	for c := range s.conns {
		c.drop()
	}
	s.mu.Unlock()
	s.http.CloseClientConnections()
	s.http.Close()
}

// id is the next id. The caller holds the lock.
func (s *Server) id() string {
	n := uint64(max(0, now().UnixMilli()-1420070400000)) << 22
	if n <= s.lastID {
		n = s.lastID + 1
	}
	s.lastID = n
	return strconv.FormatUint(n, 10)
}

// Person is somebody new.
func (s *Server) Person(name string) User {
	s.mu.Lock()
	defer s.mu.Unlock()
	u := User{ID: s.id(), Username: name}
	s.people[u.ID] = u
	return u
}

// Program is another bot.
func (s *Server) Program(name string) User {
	u := s.Person(name)
	s.mu.Lock()
	defer s.mu.Unlock()
	u.Bot = true
	s.people[u.ID] = u
	return u
}

// Guild is a new server with the bot in it; it gets no channels by itself.
func (s *Server) Guild(name string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := &Guild{ID: s.id(), Name: name}
	s.guilds[g.ID] = g
	return g.ID
}

// Text is a new text channel of a server.
func (s *Server) Text(guild, name string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := &Channel{ID: s.id(), GuildID: guild, Name: name, Type: 0}
	s.channels[c.ID] = c
	s.emit("CHANNEL_CREATE", c, c)
	return c.ID
}

// Thread is a new thread in a channel.
func (s *Server) Thread(parent, name string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.channels[parent]
	c := &Channel{ID: s.id(), GuildID: p.GuildID, ParentID: parent, Name: name, Type: 11}
	s.channels[c.ID] = c
	s.emit("THREAD_CREATE", c, c)
	return c.ID
}

// DM is the direct channel with somebody. The bot is not told of it.
func (s *Server) DM(with User) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.direct(with.ID).ID
}

func (s *Server) direct(with string) *Channel {
	for _, c := range s.channels {
		if c.Type == 1 && c.With == with {
			return c
		}
	}
	c := &Channel{ID: s.id(), Type: 1, With: with}
	s.channels[c.ID] = c
	return c
}

// File is a new file that can be attached.
func (s *Server) File(name, contentType string, content []byte) Attachment {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := Attachment{ID: s.id(), Filename: name, ContentType: contentType, Size: int64(len(content))}
	s.files[a.ID] = content
	a.URL = fmt.Sprintf("%s/attachments/%s/%s", s.URL, a.ID, url.PathEscape(name))
	return a
}

// Forbid has the bot refused in a channel, with Discord's code, 0 for not at all.
func (s *Server) Forbid(channel string, code int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forbidden[channel] = code
}

// Block has somebody take no direct messages of the bot.
func (s *Server) Block(by User) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.blocked[by.ID] = true
}

// Limit lets so many messages into one channel in a window.
func (s *Server) Limit(messages int, window time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.perWindow, s.window = messages, window
}

// WithholdContent leaves Message Content Intent switched off in the portal.
func (s *Server) WithholdContent() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.noContent = true
}

// ForgetNonces lets the time pass in which a nonce is known.
func (s *Server) ForgetNonces() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.nonces)
}

// ExpireInteractions lets the time pass in which commands can be answered.
func (s *Server) ExpireInteractions() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.interactions)
}

// Starts is how many new sessions the bot may still have today.
func (s *Server) Starts(left int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.starts = left
}

// fail answers with one of Discord's errors.
func fail(w http.ResponseWriter, status, code int, text string) {
	reply(w, status, map[string]any{"code": code, "message": text})
}
