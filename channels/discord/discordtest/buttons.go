package discordtest

import (
	"fmt"
	"net/http"
)

// buttonRow is a row of buttons below a message.
type buttonRow struct {
	Type    int      `json:"type"`
	Buttons []Button `json:"components"`
}

// Button is a button below a message of the bot.
type Button struct {
	Type  int    `json:"type"`
	Style int    `json:"style"`
	Label string `json:"label"`
	// Data is what the bot gets when it is pressed.
	Data string `json:"custom_id"`
}

// Buttons returns the buttons below m.
func (m Message) Buttons() (all []Button) {
	for _, row := range m.Rows {
		all = append(all, row.Buttons...)
	}
	return all
}

// validRows reports whether Discord would accept the buttons, and otherwise sends an error response.
func validRows(w http.ResponseWriter, rows []buttonRow) bool {
	for _, row := range rows {
		wrong := row.Type != 1 || len(row.Buttons) == 0 || len(row.Buttons) > 5
		for _, b := range row.Buttons {
			wrong = wrong || b.Type != 2 || b.Style < 1 || b.Style > 4 || b.Label == "" || len(b.Label) > 80 || b.Data == "" || len(b.Data) > 100
		}
		if wrong {
			fail(w, http.StatusBadRequest, invalidForm, "Invalid Form Body: components")
			return false
		}
	}
	return true
}

// Press presses the button with a label below a message, as a user. It returns the interaction id, and panics if there is no such
// button.
func (s *Server) Press(channel, message string, by User, label string) string {
	s.mu.Lock()
	for _, b := range s.channels[channel].find(message).Buttons() {
		if b.Label == label {
			s.mu.Unlock()
			return s.PressData(channel, message, by, b.Data)
		}
	}
	s.mu.Unlock()
	panic(fmt.Sprintf("discordtest: message %s has no button %q", message, label))
}

// PressData presses a button that carries data, such as one of a message of long ago.
func (s *Server) PressData(channel, message string, by User, data string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := &Interaction{Pressed: s.channels[channel].find(message)}
	return s.interact(channel, by, i, 3, map[string]any{"component_type": 2, "custom_id": data})
}

// pressed answers the press of a button.
func (s commandAPI) pressed(w http.ResponseWriter, i *Interaction, c callback) {
	switch c.Type {
	case 4:
		if !valid(w, c.Data.posted) {
			return
		}
		i.Told, i.Private = c.Data.Content, c.Data.Flags&ephemeral != 0
	case 6:
	case 7:
		if i.Pressed != nil && c.Data.Rows != nil {
			i.Pressed.Rows = *c.Data.Rows
		}
	default:
		fail(w, http.StatusBadRequest, invalidForm, "discordtest does not know this response to a button")
		return
	}
	i.Deferred = now()
	w.WriteHeader(http.StatusNoContent)
}
