package discordtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
)

// Discord error codes.
const (
	unknownChannel     = 10003
	unknownMessage     = 10008
	unknownWebhook     = 10015
	unknownInteraction = 10062
	alreadyAnswered    = 40060
	cannotSendToUser   = 50007
	invalidForm        = 50035
	ephemeral          = 1 << 6
	flagVoice          = 1 << 13
	loading            = 1 << 7
)

func (s *Server) routes() http.Handler {
	api, commands := http.NewServeMux(), commandAPI{s}
	api.HandleFunc("GET /api/v9/gateway", s.authorised(s.getGateway))
	api.HandleFunc("GET /api/v9/gateway/bot", s.authorised(s.getGateway))
	api.HandleFunc("GET /api/v9/users/@me", s.authorised(func(w http.ResponseWriter, _ *http.Request) { reply(w, http.StatusOK, s.Bot) }))
	api.HandleFunc("GET /api/v9/applications/@me", s.authorised(s.getApplication))
	api.HandleFunc("POST /api/v9/users/@me/channels", s.authorised(s.postDM))
	api.HandleFunc("GET /api/v9/channels/{channel}", s.inChannel(s.getChannel))
	api.HandleFunc("GET /api/v9/channels/{channel}/messages", s.inChannel(s.getMessages))
	api.HandleFunc("POST /api/v9/channels/{channel}/messages", s.inChannel(s.postMessage))
	api.HandleFunc("GET /api/v9/channels/{channel}/messages/{message}", s.inChannel(s.getMessage))
	api.HandleFunc("PATCH /api/v9/channels/{channel}/messages/{message}", s.inChannel(s.patchMessage))
	api.HandleFunc("DELETE /api/v9/channels/{channel}/messages/{message}", s.inChannel(s.deleteMessage))
	api.HandleFunc("POST /api/v9/channels/{channel}/typing", s.inChannel(s.postTyping))
	api.HandleFunc("PUT /api/v9/channels/{channel}/messages/{message}/reactions/{emoji}/@me", s.inChannel(s.putReaction))
	api.HandleFunc("DELETE /api/v9/channels/{channel}/messages/{message}/reactions/{emoji}/@me", s.inChannel(s.deleteReaction))
	api.HandleFunc("PUT /api/v9/applications/{app}/commands", s.authorised(s.putCommands))
	api.HandleFunc("POST /api/v9/interactions/{id}/{token}/callback", commands.postCallback)
	api.HandleFunc("PATCH /api/v9/webhooks/{app}/{token}/messages/@original", commands.patchOriginal)
	api.HandleFunc("DELETE /api/v9/webhooks/{app}/{token}/messages/@original", commands.deleteOriginal)
	api.HandleFunc("POST /api/v9/webhooks/{app}/{token}", commands.postFollowUp)
	api.HandleFunc("GET /attachments/{id}/{name}", s.getFile)
	mux := http.NewServeMux()
	mux.Handle("/", s.faulty(api))
	mux.HandleFunc("/socket/", s.gateway.serve)
	return mux
}

// contentLimited is the application flag for the message content intent of bots in few servers.
const contentLimited = 1 << 19

func (s *Server) getApplication(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	flags := contentLimited
	if s.noContent {
		flags = 0
	}
	reply(w, http.StatusOK, map[string]any{"id": s.App, "name": s.Bot.Username, "flags": flags})
}

// authorised rejects requests without the bot's token.
func (s *Server) authorised(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bot "+Token {
			fail(w, http.StatusUnauthorized, 0, "401: Unauthorized")
			return
		}
		next(w, r)
	}
}

// inChannel finds the channel and checks access; next is called with the lock held.
func (s *Server) inChannel(next func(http.ResponseWriter, *http.Request, *Channel)) http.HandlerFunc {
	return s.authorised(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		id := r.PathValue("channel")
		if _, err := strconv.ParseUint(id, 10, 64); err != nil {
			fail(w, http.StatusBadRequest, invalidForm, "Invalid Form Body")
			return
		}
		c, ok := s.channels[id]
		switch {
		case !ok:
			fail(w, http.StatusNotFound, unknownChannel, "Unknown Channel")
		case s.forbidden[id] != 0:
			fail(w, http.StatusForbidden, s.forbidden[id], "Missing Access")
		case r.Method == http.MethodPost && c.With != "" && s.blocked[c.With]:
			fail(w, http.StatusForbidden, cannotSendToUser, "Cannot send messages to this user")
		default:
			next(w, r, c)
		}
	})
}

func (s *Server) getGateway(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	payload := map[string]any{"url": "ws://" + strings.TrimPrefix(s.URL, "http://") + "/socket"}
	if strings.HasSuffix(r.URL.Path, "/bot") {
		payload["shards"] = 1
		payload["session_start_limit"] = map[string]any{"total": 1000, "remaining": s.starts, "reset_after": 3600000, "max_concurrency": s.concurrency}
	}
	reply(w, http.StatusOK, payload)
}

func (s *Server) postDM(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		To string `json:"recipient_id"`
	}
	if !read(w, r, &asked) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	reply(w, http.StatusOK, s.direct(asked.To))
}

func (s *Server) getChannel(w http.ResponseWriter, _ *http.Request, c *Channel) {
	reply(w, http.StatusOK, c)
}

// getMessages returns the first messages after a cursor, or the last ones, newest first.
func (s *Server) getMessages(w http.ResponseWriter, r *http.Request, c *Channel) {
	limit, err := strconv.Atoi(r.URL.Query().Get("limit"))
	if err != nil {
		limit = 50
	}
	if limit < 1 || limit > 100 {
		fail(w, http.StatusBadRequest, invalidForm, "Invalid Form Body")
		return
	}
	var page []Message
	after := r.URL.Query().Get("after")
	for _, m := range c.messages {
		if m.ShownTo != "" || !after0(m.ID, after) {
			continue
		}
		seen := *s.visible(m, !s.noContent)
		seen.GuildID, seen.Nonce = "", "" // only gateway events contain them
		page = append(page, seen)
	}
	if len(page) > limit {
		if after != "" {
			page = page[:limit]
		} else {
			page = page[len(page)-limit:]
		}
	}
	slices.Reverse(page)
	if page == nil {
		page = []Message{}
	}
	reply(w, http.StatusOK, page)
}

func after0(id, cursor string) bool {
	return cursor == "" || len(id) > len(cursor) || (len(id) == len(cursor) && id > cursor)
}

// visible returns m as the bot may see it: in servers without content it may not read.
func (s *Server) visible(m *Message, content bool) *Message {
	named := slices.ContainsFunc(m.Mentions, func(u User) bool { return u.ID == s.Bot.ID })
	if content || m.GuildID == "" || named || m.Author.ID == s.Bot.ID {
		return m
	}
	stripped := *m
	stripped.Content, stripped.Attachments, stripped.Embeds = "", []Attachment{}, []any{}
	return &stripped
}

// posted is a message sent by the bot.
type posted struct {
	Content   string          `json:"content"`
	Nonce     string          `json:"nonce"`
	Enforce   bool            `json:"enforce_nonce"`
	Flags     int             `json:"flags"`
	Allowed   json.RawMessage `json:"allowed_mentions"`
	Reference *Reference      `json:"message_reference"`
	// Rows are the buttons; nil leaves those of an edited message.
	Rows *[]buttonRow `json:"components"`
	// About describes the files.
	About []Attachment `json:"attachments"`
	files []Attachment
}

func (s *Server) postMessage(w http.ResponseWriter, r *http.Request, c *Channel) {
	var p posted
	if !s.withinLimit(w, c) || !readPosted(w, r, &p) || !valid(w, p) {
		return
	}
	if known, ok := s.nonces[c.ID+" "+p.Nonce]; ok && p.Enforce && p.Nonce != "" && now().Sub(known.at) < nonceWindow {
		if m := c.find(known.message); m != nil {
			reply(w, http.StatusOK, m)
			return
		}
	}
	if p.Reference != nil && c.find(p.Reference.MessageID) == nil {
		if p.Reference.FailIfNotExists == nil || *p.Reference.FailIfNotExists {
			fail(w, http.StatusBadRequest, invalidForm, "Unknown message")
			return
		}
		p.Reference = nil
	}
	m := s.newMessage(c, p)
	if p.Nonce != "" {
		s.nonces[c.ID+" "+p.Nonce] = nonce{message: m.ID, at: now()}
	}
	s.emit("MESSAGE_CREATE", c, m)
	reply(w, http.StatusOK, m)
}

// newMessage returns a new message by the bot.
func (s *Server) newMessage(c *Channel, p posted) *Message {
	m := &Message{
		ID: s.id(), ChannelID: c.ID, GuildID: c.GuildID, Content: strings.TrimSpace(p.Content), Author: s.Bot, Nonce: p.Nonce,
		Timestamp: now().UTC(), Mentions: []User{}, Attachments: []Attachment{}, Embeds: []any{}, Flags: p.Flags,
		Allowed: p.Allowed, Reference: p.Reference,
	}
	m.Attachments = append(m.Attachments, p.files...)
	m.setButtons(p)
	if p.Reference != nil {
		m.Type = 19
	}
	s.add(c, m)
	return m
}

// valid reports whether Discord would accept p, and otherwise sends an error response.
func valid(w http.ResponseWriter, p posted) bool {
	if strings.TrimSpace(p.Content) == "" && len(p.files) == 0 {
		fail(w, http.StatusBadRequest, 50006, "Cannot send an empty message")
		return false
	}
	if p.Flags&flagVoice != 0 && (p.Content != "" || len(p.files) != 1 || p.files[0].Seconds <= 0 || p.files[0].Waveform == "") {
		fail(w, http.StatusBadRequest, 50161, "Voice messages must have a single audio attachment, its duration and its waveform, and no content.")
		return false
	}
	if len(utf16.Encode([]rune(p.Content))) > 2000 || len(p.Nonce) > 25 {
		fail(w, http.StatusBadRequest, invalidForm, "Invalid Form Body")
		return false
	}
	return p.Rows == nil || validRows(w, *p.Rows)
}

// setButtons sets the buttons of m if p has any.
func (m *Message) setButtons(p posted) {
	if p.Rows != nil {
		m.Rows = *p.Rows
	}
}

// withinLimit counts a message against the channel's limit. If the limit is reached, it sends an error response.
func (s *Server) withinLimit(w http.ResponseWriter, c *Channel) bool {
	if s.perWindow == 0 {
		return true
	}
	b, at := s.buckets[c.ID], now()
	if b == nil || at.After(b.reset) {
		b = &bucket{left: s.perWindow, reset: at.Add(s.window)}
		s.buckets[c.ID] = b
	}
	wait := b.reset.Sub(at)
	w.Header().Set("X-RateLimit-Limit", fmt.Sprint(s.perWindow))
	w.Header().Set("X-RateLimit-Reset-After", fmt.Sprintf("%.3f", wait.Seconds()))
	if b.left == 0 {
		w.Header().Set("X-RateLimit-Remaining", "0")
		tooMany(w, wait, false)
		return false
	}
	b.left--
	w.Header().Set("X-RateLimit-Remaining", fmt.Sprint(b.left))
	return true
}

// findMessage finds the requested message. If there is none, it sends an error response.
func findMessage(w http.ResponseWriter, r *http.Request, c *Channel) *Message {
	m := c.find(r.PathValue("message"))
	if m == nil {
		fail(w, http.StatusNotFound, unknownMessage, "Unknown Message")
	}
	return m
}

func (s *Server) getMessage(w http.ResponseWriter, r *http.Request, c *Channel) {
	if m := findMessage(w, r, c); m != nil {
		reply(w, http.StatusOK, m)
	}
}

func (s *Server) patchMessage(w http.ResponseWriter, r *http.Request, c *Channel) {
	var p struct {
		posted
		Content *string `json:"content"`
	}
	m := findMessage(w, r, c)
	if m == nil || !read(w, r, &p) {
		return
	}
	if p.posted.Content = m.Content; p.Content != nil {
		p.posted.Content = *p.Content
	}
	if !valid(w, p.posted) {
		return
	}
	at := now().UTC()
	m.Content, m.Edited, m.Allowed = strings.TrimSpace(p.posted.Content), &at, p.Allowed
	m.setButtons(p.posted)
	s.emit("MESSAGE_UPDATE", c, m)
	reply(w, http.StatusOK, m)
}

func (s *Server) deleteMessage(w http.ResponseWriter, r *http.Request, c *Channel) {
	if m := findMessage(w, r, c); m != nil {
		s.deleteMessages(c, m.ID)
		w.WriteHeader(http.StatusNoContent)
	}
}

func (s *Server) postTyping(w http.ResponseWriter, _ *http.Request, c *Channel) {
	s.typed[c.ID]++
	w.WriteHeader(http.StatusNoContent)
}

func emojiOf(r *http.Request) Emoji {
	text, err := url.PathUnescape(r.PathValue("emoji"))
	if err != nil {
		text = r.PathValue("emoji")
	}
	name, id, _ := strings.Cut(text, ":")
	return Emoji{Name: name, ID: id}
}

func (s *Server) putReaction(w http.ResponseWriter, r *http.Request, c *Channel) {
	if m := findMessage(w, r, c); m != nil {
		if e := (Reaction{Me: true, Emoji: emojiOf(r)}); !slices.Contains(m.Reactions, e) {
			m.Reactions = append(m.Reactions, e)
		}
		w.WriteHeader(http.StatusNoContent)
	}
}

func (s *Server) deleteReaction(w http.ResponseWriter, r *http.Request, c *Channel) {
	if m := findMessage(w, r, c); m != nil {
		gone := Reaction{Me: true, Emoji: emojiOf(r)}
		m.Reactions = slices.DeleteFunc(slices.Clone(m.Reactions), func(e Reaction) bool { return e == gone })
		w.WriteHeader(http.StatusNoContent)
	}
}

func (s *Server) getFile(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	content, ok := s.files[r.PathValue("id")]
	s.mu.Unlock()
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Write(content) //nolint:errcheck // the caller may have gone away
}
