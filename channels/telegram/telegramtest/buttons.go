package telegramtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
)

// maxData is how much a button may carry, in bytes.
const maxData = 64

// Button is a button below a message of the bot.
type Button struct {
	Text string `json:"text"`
	// Data is what the bot gets when it is pressed.
	Data string `json:"callback_data"`
}

// Told is how the bot answered a pressed button.
type Told struct {
	// Text is what only the person who pressed it sees, "" for nothing.
	Text  string
	Alert bool
}

// Press presses the button with a text below a message of the bot, as a user, and returns the id of the press. It panics if there
// is no such button.
func (s *Server) Press(chat, person int64, message int, text string) string {
	for _, m := range s.Sent(chat) {
		for _, b := range m.Buttons {
			if m.ID == message && b.Text == text {
				return s.PressData(chat, person, message, b.Data)
			}
		}
	}
	panic(fmt.Sprintf("telegramtest: message %d has no button %q", message, text))
}

// PressData presses a button that carries data, as an app may that somebody wrote for it.
func (s *Server) PressData(chat, person int64, message int, data string) string {
	s.mu.Lock()
	s.presses++
	id := fmt.Sprint("press", s.presses)
	s.mu.Unlock()
	s.Update("callback_query", map[string]any{
		"id": id, "from": Person(person, "Ann"), "chat_instance": "1", "data": data,
		"message": map[string]any{"message_id": message, "date": s.now().Unix(), "chat": s.Chat(chat)},
	})
	return id
}

// Told returns how the bot answered a press, and whether it did.
func (s *Server) Told(press string) (Told, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	told, ok := s.told[press]
	return told, ok
}

func (s *Server) answerPress(params map[string]string) response {
	id := params["callback_query_id"]
	if _, answered := s.told[id]; answered {
		return refuse(http.StatusBadRequest, "Bad Request: query is too old and response timeout expired or query ID is invalid")
	}
	s.told[id] = Told{Text: params["text"], Alert: params["show_alert"] == "true"}
	return grant(true)
}

// setButtons sets the buttons of m from params.
func setButtons(m *Sent, params map[string]string) response {
	m.Buttons = nil
	if params["reply_markup"] == "" {
		return grant(nil)
	}
	var markup struct {
		Rows [][]Button `json:"inline_keyboard"`
	}
	if json.Unmarshal([]byte(params["reply_markup"]), &markup) != nil {
		return refuse(http.StatusBadRequest, "Bad Request: can't parse reply keyboard markup JSON object")
	}
	m.Buttons = slices.Concat(markup.Rows...)
	for _, b := range m.Buttons {
		if b.Text == "" || b.Data == "" || len(b.Data) > maxData {
			return refuse(http.StatusBadRequest, "Bad Request: BUTTON_DATA_INVALID")
		}
	}
	return grant(nil)
}

// editButtons replaces only the buttons of a message.
func (s *Server) editButtons(c *Chat, params map[string]string) response {
	i := s.find(c, params["message_id"])
	if i < 0 {
		return refuse(http.StatusBadRequest, "Bad Request: message to edit not found")
	}
	m := s.messages[i]
	var now Sent
	if a := setButtons(&now, params); !a.OK {
		return a
	}
	if slices.Equal(m.Buttons, now.Buttons) {
		return refuse(http.StatusBadRequest, "Bad Request: message is not modified")
	}
	m.Buttons = now.Buttons
	return grant(s.shown(c, m))
}
