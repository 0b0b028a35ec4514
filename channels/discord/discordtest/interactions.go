package discordtest

import (
	"net/http"
	"strings"
	"time"
)

// callbackWithin is the time within which Discord expects the first response to a command.
const callbackWithin = 3 * time.Second

// commandAPI is the part of the REST API that answers commands.
type commandAPI struct{ *Server }

// callback is the first response to an interaction.
type callback struct {
	Type int `json:"type"`
	Data struct {
		posted
		Choices []struct {
			Name  string `json:"name"`
			Value string `json:"value"`
		} `json:"choices"`
	} `json:"data"`
}

func (s commandAPI) postCallback(w http.ResponseWriter, r *http.Request) {
	var payload callback
	if !read(w, r, &payload) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	i, ok := s.interactions[r.PathValue("token")]
	switch {
	case !ok || now().Sub(madeAt(i.ID)) > callbackWithin:
		fail(w, http.StatusNotFound, unknownInteraction, "Unknown interaction")
	case !i.Deferred.IsZero():
		fail(w, http.StatusBadRequest, alreadyAnswered, "Interaction has already been acknowledged.")
	case i.kind == 3:
		s.pressed(w, i, payload)
	case i.Typing && payload.Type == 8 && len(payload.Data.Choices) <= 25:
		i.Suggested = []string{}
		for _, c := range payload.Data.Choices {
			i.Suggested = append(i.Suggested, c.Value)
		}
		w.WriteHeader(http.StatusNoContent)
	case i.Typing:
		fail(w, http.StatusBadRequest, invalidForm, "only up to 25 suggestions are supported")
	case payload.Type != 5:
		fail(w, http.StatusBadRequest, invalidForm, "only deferred responses are supported")
	default:
		i.Deferred, i.Private = now(), payload.Data.Flags&ephemeral != 0
		i.original = s.answerTo(i, posted{Flags: payload.Data.Flags | loading})
		w.WriteHeader(http.StatusNoContent)
	}
}

// answerTo returns a new message that answers i.
func (s commandAPI) answerTo(i *Interaction, p posted) *Message {
	m := s.newMessage(s.channels[i.Channel], p)
	m.Type = 20
	if p.Flags&ephemeral != 0 {
		m.ShownTo = i.User
	}
	return m
}

// deferred finds the interaction of the request. If there is none, it sends an error response.
func (s commandAPI) deferred(w http.ResponseWriter, r *http.Request) *Interaction {
	i, ok := s.interactions[r.PathValue("token")]
	if !ok || r.PathValue("app") != s.App || i.original == nil {
		fail(w, http.StatusNotFound, unknownWebhook, "Unknown Webhook")
		return nil
	}
	return i
}

func (s commandAPI) patchOriginal(w http.ResponseWriter, r *http.Request) {
	var p posted
	s.mu.Lock()
	defer s.mu.Unlock()
	i := s.deferred(w, r)
	if i == nil || !read(w, r, &p) || !valid(w, p) {
		return
	}
	if i.Removed {
		fail(w, http.StatusNotFound, unknownMessage, "Unknown Message")
		return
	}
	i.original.Content, i.original.Allowed = strings.TrimSpace(p.Content), p.Allowed
	i.original.setButtons(p)
	i.original.Flags &^= loading
	reply(w, http.StatusOK, i.original)
}

func (s commandAPI) deleteOriginal(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := s.deferred(w, r); i != nil {
		i.Removed = true
		s.channels[i.Channel].remove(i.original.ID)
		w.WriteHeader(http.StatusNoContent)
	}
}

func (s commandAPI) postFollowUp(w http.ResponseWriter, r *http.Request) {
	var p posted
	s.mu.Lock()
	defer s.mu.Unlock()
	i := s.deferred(w, r)
	if i == nil || !read(w, r, &p) || !valid(w, p) {
		return
	}
	reply(w, http.StatusOK, s.answerTo(i, p))
}
