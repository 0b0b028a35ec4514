// Package telegramtest is a loopback Bot API server for tests. It holds polls, keeps updates until a later offset
// confirms them, checks entities in UTF-16 units, refuses what Telegram refuses, injects faults and keeps a ledger of
// requests.
package telegramtest

import (
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Chat is a chat the bot is in.
type Chat struct {
	ID int64
	// Type is "private", "group" or "supergroup".
	Type  string
	Title string
	// Topics are the ids of a forum's topics, except the General topic, which has none.
	Topics []int
}

// Sent is a message by the bot, as people see it now.
type Sent struct {
	ID, Thread, ReplyTo int
	Chat                int64
	Text                string
	Entities            []Entity
	Buttons             []Button
	// Edits is how often it was edited, At when it was last changed.
	Edits int
	At    time.Time
	// File is the name of the file that it shows, empty for none.
	File string
	// Voice is what it plays as a voice message of so many Seconds, nil for none.
	Voice   []byte
	Seconds int
}

// Entity is a text entity, in UTF-16 units.
type Entity struct {
	Type   string `json:"type"`
	Offset int    `json:"offset"`
	Length int    `json:"length"`
}

// Call is one received request.
type Call struct {
	Method string
	Params map[string]string
	At     time.Time
}

// Options configures a server.
type Options struct {
	// Token is the accepted token, Bot its account.
	Token string
	Bot   Bot
	Now   func() time.Time
	// Pipe uses in-memory pipes instead of a socket, so that a synctest bubble contains both ends.
	Pipe bool
}

// Bot is the result of getMe.
type Bot struct {
	ID       int64  `json:"id"`
	IsBot    bool   `json:"is_bot"`
	Name     string `json:"first_name"`
	Username string `json:"username"`
	HearsAll bool   `json:"can_read_all_group_messages"`
}

// Server is a Telegram server for one bot.
type Server struct {
	// URL is the server's URL, for the adapter's Endpoint.
	URL string

	token string
	now   func() time.Time
	http  *http.Server
	pipes *pipes
	conns atomic.Int64
	done  chan struct{}

	mu       sync.Mutex
	bot      Bot
	revoked  bool
	webhook  string
	chats    map[int64]*Chat
	blocked  map[int64]string
	noVoice  map[int64]bool
	moved    map[int64]int64
	messages []*Sent
	// lastMessageID is the last message id assigned in any chat.
	lastMessageID int
	reactions     map[string]string
	// presses counts the pressed buttons, told is how the bot answered them.
	presses int
	told    map[string]Told
	menus   map[string][]Command
	files   map[string]file
	calls   []Call
	faults  []*Fault

	// watch is told of what people see.
	watch func(Sent)

	updates []queued
	nextID  int64
	allowed map[string]bool
	// hasty answers polls at once.
	hasty bool
	// poll ends the held poll: with an error, or to check again.
	poll chan string
	news chan struct{}
}

// queued is an unconfirmed update.
type queued struct {
	id   int64
	kind string
	body map[string]any
}

type file struct {
	path    string
	content []byte
}

// Start serves until Close.
func Start(o Options) *Server {
	s := &Server{
		token: o.Token, bot: o.Bot, now: o.Now, done: make(chan struct{}), chats: make(map[int64]*Chat), blocked: make(map[int64]string),
		noVoice: make(map[int64]bool), told: make(map[string]Told),
		moved: make(map[int64]int64), reactions: make(map[string]string), menus: make(map[string][]Command), files: make(map[string]file), nextID: 1000,
		lastMessageID: 100, news: make(chan struct{}),
	}
	s.bot.IsBot = true
	var listener net.Listener
	if o.Pipe {
		s.pipes = newPipes()
		s.URL, listener = "http://telegram.test", s.pipes
	} else {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			panic(fmt.Sprintf("telegramtest: listen: %v", err))
		}
		s.URL, listener = "http://"+l.Addr().String(), l
	}
	s.http = &http.Server{Handler: s, ConnState: s.count, ReadHeaderTimeout: time.Minute}
	go func() { _ = s.http.Serve(listener) }()
	return s
}

func (s *Server) count(_ net.Conn, state http.ConnState) {
	if state == http.StateNew {
		s.conns.Add(1)
	}
}

// Connections returns the number of connections opened.
func (s *Server) Connections() int { return int(s.conns.Load()) }

// Close ends everything at once, including held polls.
func (s *Server) Close() {
	close(s.done)
	_ = s.http.Close()
}

// Client returns a client for the server's pipes or socket.
func (s *Server) Client() *http.Client {
	transport := &http.Transport{}
	if s.pipes != nil {
		transport.DialContext = s.pipes.dial
	}
	return &http.Client{Transport: transport}
}

// ServeHTTP handles one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if path, ok := strings.CutPrefix(r.URL.Path, "/file/bot"+s.token+"/"); ok {
		s.serveFile(w, path)
		return
	}
	token, method, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/bot"), "/")
	params, err := read(r)
	if err != nil {
		reply(w, refuse(http.StatusBadRequest, "Bad Request: "+err.Error()))
		return
	}
	s.mu.Lock()
	known := token == s.token && !s.revoked
	s.calls = append(s.calls, Call{Method: method, Params: params, At: s.now()})
	fault := s.fault(method, params)
	s.mu.Unlock()
	switch {
	case !known && strings.Contains(token, ":"):
		reply(w, refuse(http.StatusUnauthorized, "Unauthorized"))
		return
	case !known:
		reply(w, refuse(http.StatusNotFound, "Not Found"))
		return
	case fault != nil && fault.before(w, r, s.done):
		return
	}
	a := s.respond(r, strings.ToLower(method), params)
	if fault != nil && fault.after(w, r, s.done) {
		return
	}
	reply(w, a)
}

// read returns the fields of a request in any encoding.
func read(r *http.Request) (map[string]string, error) {
	params := make(map[string]string)
	if strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
		var fields map[string]json.RawMessage
		if err := json.NewDecoder(r.Body).Decode(&fields); err != nil {
			return nil, err
		}
		for name, raw := range fields {
			var text string
			if json.Unmarshal(raw, &text) != nil {
				text = string(raw)
			}
			params[name] = text
		}
		return params, nil
	}
	if strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/") {
		if err := r.ParseMultipartForm(50 << 20); err != nil {
			return nil, err
		}
		for name, parts := range r.MultipartForm.File {
			params[name] = "attach://" + parts[0].Filename
			if name == "voice" {
				content, err := contentOf(parts[0])
				if err != nil {
					return nil, err
				}
				params[name] = string(content)
			}
		}
	} else if err := r.ParseForm(); err != nil {
		return nil, err
	}
	for name, values := range r.Form {
		params[name] = values[0]
	}
	return params, nil
}

// response is a Bot API response.
type response struct {
	OK          bool           `json:"ok"`
	Result      any            `json:"result,omitempty"`
	Code        int            `json:"error_code,omitempty"`
	Description string         `json:"description,omitempty"`
	Parameters  map[string]any `json:"parameters,omitempty"`
}

func grant(result any) response { return response{OK: true, Result: result} }

func refuse(code int, description string) response {
	return response{Code: code, Description: description}
}

func reply(w http.ResponseWriter, a response) {
	w.Header().Set("Content-Type", "application/json")
	if !a.OK {
		w.WriteHeader(a.Code)
	}
	_ = json.NewEncoder(w).Encode(a)
}

// Sent returns the bot's messages in chat, oldest first.
func (s *Server) Sent(chat int64) []Sent {
	s.mu.Lock()
	defer s.mu.Unlock()
	var sent []Sent
	for _, m := range s.messages {
		if m.Chat == chat {
			sent = append(sent, *m)
		}
	}
	return sent
}

// Texts returns the texts of Sent.
func (s *Server) Texts(chat int64) []string {
	var texts []string
	for _, m := range s.Sent(chat) {
		texts = append(texts, m.Text)
	}
	return texts
}

// Calls returns the requests for method, oldest first.
func (s *Server) Calls(method string) []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(s.calls), func(c Call) bool { return c.Method != method })
}

// Pending returns the ids of the unconfirmed updates.
func (s *Server) Pending() []int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	var ids []int64
	for _, u := range s.updates {
		ids = append(ids, u.id)
	}
	return ids
}

// Reaction returns the reactions the bot last set on a message.
func (s *Server) Reaction(chat int64, message int) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.reactions[fmt.Sprint(chat, " ", message)]
}

func contentOf(part *multipart.FileHeader) ([]byte, error) {
	f, err := part.Open()
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // it was only read
	return io.ReadAll(f)
}
