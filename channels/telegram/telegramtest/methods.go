package telegramtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
)

// maxText is the limit of a message's text in UTF-16 units, without markup.
const maxText = 4096

// respond executes method.
func (s *Server) respond(r *http.Request, method string, params map[string]string) response {
	if method == "getupdates" {
		return s.updatesFor(r, params)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch method {
	case "getme":
		return grant(s.bot)
	case "getwebhookinfo":
		return grant(map[string]any{"url": s.webhook, "pending_update_count": len(s.updates)})
	case "deletewebhook":
		s.webhook = ""
	case "setmycommands":
		return s.setCommands(params)
	case "deletemycommands":
		delete(s.menus, menuKey(params))
	case "answercallbackquery":
		return s.answerPress(params)
	case "getfile":
		return s.getFile(params["file_id"])
	case "sendmessage", "editmessagetext", "editmessagereplymarkup", "deletemessage", "deletemessages", "sendchataction", "setmessagereaction",
		"sendphoto", "senddocument", "sendvoice":
		return s.inChat(method, params)
	default:
		return refuse(http.StatusNotFound, "Not Found: method not found")
	}
	return grant(true)
}

func (s *Server) getFile(id string) response {
	f, ok := s.files[id]
	if !ok {
		return refuse(http.StatusBadRequest, "Bad Request: invalid file_id")
	}
	return grant(map[string]any{
		"file_id": id, "file_unique_id": "U" + id, "file_size": len(f.content), "file_path": f.path,
	})
}

// inChat executes a method about a chat, if the bot has access.
func (s *Server) inChat(method string, params map[string]string) response {
	id, err := strconv.ParseInt(params["chat_id"], 10, 64)
	c := s.chats[id]
	if why := s.blocked[id]; why != "" {
		return refuse(http.StatusForbidden, "Forbidden: "+why)
	}
	if to := s.moved[id]; to != 0 {
		a := refuse(http.StatusBadRequest, "Bad Request: group chat was upgraded to a supergroup chat")
		a.Parameters = map[string]any{"migrate_to_chat_id": to}
		return a
	}
	if err != nil || c == nil {
		return refuse(http.StatusBadRequest, "Bad Request: chat not found")
	}
	thread, _ := strconv.Atoi(params["message_thread_id"])
	if thread != 0 && !slices.Contains(c.Topics, thread) {
		return refuse(http.StatusBadRequest, "Bad Request: message thread not found")
	}
	switch method {
	case "sendmessage":
		return s.send(c, thread, params)
	case "editmessagetext":
		return s.edit(c, params)
	case "editmessagereplymarkup":
		return s.editButtons(c, params)
	case "sendphoto", "senddocument":
		return s.add(c, &Sent{Thread: thread, Text: params["caption"], File: strings.TrimPrefix(params["document"], "attach://")})
	case "sendvoice":
		return s.voice(c, thread, params)
	case "deletemessage", "deletemessages":
		return s.remove(c, params)
	case "setmessagereaction":
		s.reactions[fmt.Sprint(id, " ", params["message_id"])] = params["reaction"]
	}
	return grant(true)
}

// voice takes a voice message, unless the person accepts none.
func (s *Server) voice(c *Chat, thread int, params map[string]string) response {
	if s.noVoice[c.ID] {
		return refuse(http.StatusBadRequest, "Bad Request: VOICE_MESSAGES_FORBIDDEN")
	}
	seconds, _ := strconv.Atoi(params["duration"])
	return s.add(c, &Sent{Thread: thread, Voice: []byte(params["voice"]), Seconds: seconds})
}

func (s *Server) send(c *Chat, thread int, params map[string]string) response {
	m := &Sent{Thread: thread}
	if a := write(m, params); !a.OK {
		return a
	}
	var re struct {
		ID      int  `json:"message_id"`
		Without bool `json:"allow_sending_without_reply"`
	}
	if text := params["reply_parameters"]; text != "" {
		if err := json.Unmarshal([]byte(text), &re); err != nil {
			return refuse(http.StatusBadRequest, "Bad Request: can't parse reply parameters JSON object")
		}
		if known := re.ID > 100 && re.ID <= s.lastMessageID; known {
			m.ReplyTo = re.ID
		} else if !re.Without {
			return refuse(http.StatusBadRequest, "Bad Request: message to be replied not found")
		}
	}
	return s.add(c, m)
}

func (s *Server) add(c *Chat, m *Sent) response {
	s.lastMessageID++
	m.ID, m.Chat, m.At = s.lastMessageID, c.ID, s.now()
	s.messages = append(s.messages, m)
	s.tell(m)
	return grant(s.shown(c, m))
}

// tell tells the watcher of a message that is shown or was edited.
func (s *Server) tell(m *Sent) {
	if s.watch != nil {
		s.watch(*m)
	}
}

func (s *Server) shown(c *Chat, m *Sent) map[string]any {
	return map[string]any{"message_id": m.ID, "date": m.At.Unix(), "chat": chat(c), "from": s.bot, "text": m.Text}
}

func (s *Server) edit(c *Chat, params map[string]string) response {
	i := s.find(c, params["message_id"])
	if i < 0 {
		return refuse(http.StatusBadRequest, "Bad Request: message to edit not found")
	}
	var now Sent
	if a := write(&now, params); !a.OK {
		return a
	}
	m := s.messages[i]
	if m.Text == now.Text && slices.Equal(m.Entities, now.Entities) && slices.Equal(m.Buttons, now.Buttons) {
		return refuse(http.StatusBadRequest, "Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message")
	}
	m.Text, m.Entities, m.Buttons, m.At = now.Text, now.Entities, now.Buttons, s.now()
	m.Edits++
	s.tell(m)
	return grant(s.shown(c, m))
}

func (s *Server) remove(c *Chat, params map[string]string) response {
	ids := []json.Number{json.Number(params["message_id"])}
	if list := params["message_ids"]; list != "" && json.Unmarshal([]byte(list), &ids) != nil {
		return refuse(http.StatusBadRequest, "Bad Request: can't parse message identifiers JSON object")
	}
	for _, id := range ids {
		i := s.find(c, id.String())
		if i < 0 && len(ids) == 1 {
			return refuse(http.StatusBadRequest, "Bad Request: message to delete not found")
		}
		if i >= 0 {
			s.messages = slices.Delete(s.messages, i, i+1)
		}
	}
	return grant(true)
}

func (s *Server) find(c *Chat, id string) int {
	return slices.IndexFunc(s.messages, func(m *Sent) bool { return m.Chat == c.ID && strconv.Itoa(m.ID) == id })
}

// write sets the text, entities and buttons of m from params, if they are valid.
func write(m *Sent, params map[string]string) response {
	text := params["text"]
	if params["parse_mode"] != "" {
		return refuse(http.StatusBadRequest, "Bad Request: telegramtest reads entities only")
	}
	length := len(utf16.Encode([]rune(text)))
	var entities []Entity
	if list := params["entities"]; list != "" {
		if json.Unmarshal([]byte(list), &entities) != nil {
			return refuse(http.StatusBadRequest, "Bad Request: can't parse entities JSON object")
		}
	}
	for _, e := range entities {
		if e.Type == "" || e.Offset < 0 || e.Length < 0 || e.Offset+e.Length > length || splits(text, e) {
			return refuse(http.StatusBadRequest, fmt.Sprintf("Bad Request: can't parse entities: entity beginning at UTF-16 offset %d ends outside of the text or inside of a character", e.Offset))
		}
	}
	switch {
	case strings.TrimSpace(text) == "":
		return refuse(http.StatusBadRequest, "Bad Request: message text is empty")
	case length > maxText:
		return refuse(http.StatusBadRequest, "Bad Request: message is too long")
	}
	m.Text, m.Entities = text, entities
	return setButtons(m, params)
}

// splits reports whether e begins or ends between the two units of one character.
func splits(text string, e Entity) bool {
	units := utf16.Encode([]rune(text))
	inside := func(i int) bool {
		return i > 0 && i < len(units) && utf16.IsSurrogate(rune(units[i])) && utf16.IsSurrogate(rune(units[i-1])) &&
			units[i] >= 0xDC00 && units[i-1] < 0xDC00
	}
	return inside(e.Offset) || inside(e.Offset+e.Length)
}
