// Package discordtest is a loopback Discord server: REST v9 and the gateway for one bot, with simulated users,
// injectable faults and a ledger of requests.
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

// Token is the bot's token.
const Token = "MTA.test-token.of-a-bot"

// nonceWindow is how long a nonce is remembered.
const nonceWindow = 3 * time.Minute

// Server is a Discord server. It is safe for concurrent use; Close ends it.
type Server struct {
	// URL is the REST base URL.
	URL string
	// Bot is the account of Token, App its application.
	Bot User
	App string

	gateway
	calls
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
	forbidden    map[string]int // channel → Discord error code
	blocked      map[string]bool
	buckets      map[string]*bucket
	perWindow    int
	window       time.Duration
	noContent    bool
	starts       int
	concurrency  int
}

type nonce struct {
	message string
	at      time.Time
}

type bucket struct {
	left  int
	reset time.Time
}

// Start starts a server; its bot is in no guild.
func Start() *Server {
	s := &Server{
		guilds: map[string]*Guild{}, channels: map[string]*Channel{}, people: map[string]User{}, files: map[string][]byte{},
		interactions: map[string]*Interaction{}, nonces: map[string]nonce{}, typed: map[string]int{}, forbidden: map[string]int{},
		blocked: map[string]bool{}, buckets: map[string]*bucket{}, starts: 1000, concurrency: 1,
	}
	s.gateway = gateway{server: s, heartbeat: 41250 * time.Millisecond, sessions: map[string]*session{}, conns: map[*conn]bool{}, began: map[int]time.Time{}}
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

// id returns the next id. The caller holds the lock.
func (s *Server) id() string {
	n := uint64(max(0, now().UnixMilli()-1420070400000)) << 22
	if n <= s.lastID {
		n = s.lastID + 1
	}
	s.lastID = n
	return strconv.FormatUint(n, 10)
}

// Person adds a user.
func (s *Server) Person(name string) User {
	s.mu.Lock()
	defer s.mu.Unlock()
	u := User{ID: s.id(), Username: name}
	s.people[u.ID] = u
	return u
}

// OtherBot adds another bot.
func (s *Server) OtherBot(name string) User {
	u := s.Person(name)
	s.mu.Lock()
	defer s.mu.Unlock()
	u.Bot = true
	s.people[u.ID] = u
	return u
}

// Guild adds a guild with the bot in it and no channels.
func (s *Server) Guild(name string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := &Guild{ID: s.id(), Name: name}
	s.guilds[g.ID] = g
	return g.ID
}

// GuildOn adds a guild that belongs to one of several shards.
func (s *Server) GuildOn(name string, shard, shards int) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := s.id()
	for shardOf(id, shards) != shard {
		s.lastID += 1 << 22
		id = strconv.FormatUint(s.lastID, 10)
	}
	s.guilds[id] = &Guild{ID: id, Name: name}
	return id
}

// Text adds a text channel to a guild.
func (s *Server) Text(guild, name string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := &Channel{ID: s.id(), GuildID: guild, Name: name, Type: 0}
	s.channels[c.ID] = c
	s.emit("CHANNEL_CREATE", c, c)
	return c.ID
}

// GuildOfChannel returns the guild of a channel, "" for a direct one.
func (s *Server) GuildOfChannel(channel string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.channels[channel].GuildID
}

// Thread adds a thread to a channel.
func (s *Server) Thread(parent, name string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.channels[parent]
	c := &Channel{ID: s.id(), GuildID: p.GuildID, ParentID: parent, Name: name, Type: 11}
	s.channels[c.ID] = c
	s.emit("THREAD_CREATE", c, c)
	return c.ID
}

// DM adds the direct channel with a user. The bot receives no event about it.
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

// File adds a file for use as an attachment.
func (s *Server) File(name, contentType string, content []byte) Attachment {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := Attachment{ID: s.id(), Filename: name, ContentType: contentType, Size: int64(len(content))}
	s.files[a.ID] = content
	a.URL = fmt.Sprintf("%s/attachments/%s/%s", s.URL, a.ID, url.PathEscape(name))
	return a
}

// Forbid makes Discord refuse the bot in a channel with an error code, 0 for none.
func (s *Server) Forbid(channel string, code int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forbidden[channel] = code
}

// Block makes a user refuse direct messages from the bot.
func (s *Server) Block(by User) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.blocked[by.ID] = true
}

// Limit sets the number of messages per channel in a window.
func (s *Server) Limit(messages int, window time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.perWindow, s.window = messages, window
}

// WithholdContent disables Message Content Intent in the portal.
func (s *Server) WithholdContent() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.noContent = true
}

// ForgetNonces acts as if all nonces had expired.
func (s *Server) ForgetNonces() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.nonces)
}

// ExpireInteractions acts as if all commands could no longer be answered.
func (s *Server) ExpireInteractions() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.interactions)
}

// LimitSessions sets how many new sessions the bot may start today.
func (s *Server) LimitSessions(left int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.starts = left
}

// StartTogether sets how many shards may begin sessions at the same time.
func (s *Server) StartTogether(shards int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.concurrency = shards
}

// guildJSON returns a server with its channels and threads.
func (s *Server) guildJSON(g *Guild) map[string]any {
	channels, threads := []*Channel{}, []*Channel{}
	for _, c := range s.channels {
		switch {
		case c.GuildID != g.ID || c.archived:
		case c.ParentID != "":
			threads = append(threads, c)
		default:
			channels = append(channels, c)
		}
	}
	return map[string]any{"id": g.ID, "name": g.Name, "channels": channels, "threads": threads}
}

// fail sends an error response.
func fail(w http.ResponseWriter, status, code int, text string) {
	reply(w, status, map[string]any{"code": code, "message": text})
}
