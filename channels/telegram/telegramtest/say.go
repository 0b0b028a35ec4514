package telegramtest

import (
	"net/http"
)

// AddChat adds a chat.
func (s *Server) AddChat(c Chat) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.chats[c.ID] = &c
}

// Block blocks the bot in a private chat or a group; why is Telegram's description, such as "bot was blocked by the
// user".
func (s *Server) Block(chat int64, why string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.blocked[chat] = why
}

// ForbidVoice lets the person of a chat accept no voice messages.
func (s *Server) ForbidVoice(chat int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.noVoice[chat] = true
}

// Watch calls seen with each message of the bot as it is shown, and again as it is edited. seen must not call the server.
func (s *Server) Watch(seen func(Sent)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.watch = seen
}

// Revoke invalidates the token.
func (s *Server) Revoke() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.revoked = true
	s.wake("")
}

// SetWebhook sets a webhook, or removes it if url is empty.
func (s *Server) SetWebhook(url string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.webhook = url
	if url != "" {
		s.wake("Conflict: terminated by setWebhook request")
	}
}

// AnswerPollsAtOnce no longer holds polls until there are updates.
func (s *Server) AnswerPollsAtOnce() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hasty = true
}

// Migrate turns a group into a supergroup with another id.
func (s *Server) Migrate(from, to int64) {
	s.mu.Lock()
	c := *s.chats[from]
	c.ID, c.Type = to, "supergroup"
	s.chats[to], s.moved[from] = &c, to
	s.mu.Unlock()
	s.Message(map[string]any{"chat": chat(&Chat{ID: from, Type: "group", Title: c.Title}), "migrate_to_chat_id": to})
}

// SetNextID sets the id of the next update.
func (s *Server) SetNextID(id int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.nextID = id
}

// AddFile adds a file, which is downloaded from path.
func (s *Server) AddFile(id, path string, content []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files[id] = file{path: path, content: content}
}

// Person returns a user as in the field "from".
func Person(id int64, name string) map[string]any {
	return map[string]any{"id": id, "is_bot": false, "first_name": name}
}

// Say sends text to a chat as a user and returns the ids of the update and the message. A bot can write to a person
// only after they have written to it.
func (s *Server) Say(chatID, person int64, text string) (int64, int) {
	s.mu.Lock()
	if s.chats[chatID] == nil && chatID > 0 {
		s.chats[chatID] = &Chat{ID: chatID, Type: "private"}
	}
	s.mu.Unlock()
	return s.Message(map[string]any{"chat": s.Chat(chatID), "from": Person(person, "Ann"), "text": text})
}

// Chat returns a chat as in the field "chat". An unknown chat is private.
func (s *Server) Chat(id int64) map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c, ok := s.chats[id]; ok {
		return chat(c)
	}
	return map[string]any{"id": id, "type": "private", "first_name": "Ann"}
}

// Message sends a message with fields, adding an id and a date, and returns the ids of the update and the message.
func (s *Server) Message(fields map[string]any) (int64, int) {
	s.mu.Lock()
	s.lastMessageID++
	id := s.lastMessageID
	s.mu.Unlock()
	fields["message_id"] = id
	fields["date"] = s.now().Unix()
	return s.Update("message", fields), id
}

// Update queues an update of a kind such as "message_reaction" and returns its id.
func (s *Server) Update(kind string, body map[string]any) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := s.nextID
	s.nextID++
	s.queue(queued{id: id, kind: kind, body: body})
	return id
}

// Redeliver queues an update again under the same id, as if it had not been confirmed.
func (s *Server) Redeliver(id int64, kind string, body map[string]any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queue(queued{id: id, kind: kind, body: body})
}

func (s *Server) queue(u queued) {
	s.updates = append(s.updates, u)
	close(s.news)
	s.news = make(chan struct{})
}

// wake ends a held poll: with a conflict, or to check for updates again.
func (s *Server) wake(conflict string) {
	if s.poll == nil {
		return
	}
	s.poll <- conflict
	s.poll = nil
}

func chat(c *Chat) map[string]any {
	m := map[string]any{"id": c.ID, "type": c.Type}
	if c.Title != "" {
		m["title"] = c.Title
	}
	if len(c.Topics) > 0 {
		m["is_forum"] = true
	}
	return m
}

func (s *Server) serveFile(w http.ResponseWriter, path string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range s.files {
		if f.path == path {
			_, _ = w.Write(f.content)
			return
		}
	}
	reply(w, refuse(http.StatusNotFound, "Not Found"))
}
