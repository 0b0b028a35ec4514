package llmtest

import (
	"fmt"
	"net/http"
	"sync"
	"time"
)

// Rejects answers with refusal as long as a request has a field, and with answer when it is gone. A field within an
// object is called OBJECT.FIELD.
func Rejects(field string, refusal, answer Answer) Answer {
	return func(w http.ResponseWriter, r *Request) {
		if r.Has(field) {
			refusal(w, r)
			return
		}
		answer(w, r)
	}
}

// Says400 rejects a request with this body, as OpenAI-compatible servers reject what they do not take.
func Says400(body string) Answer { return Sends(http.StatusBadRequest, body) }

// Page answers like a proxy or a login page: with HTML and status 200.
func Page() Answer {
	return func(w http.ResponseWriter, _ *Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body>Please sign in to go on.</body></html>")
	}
}

// Revokes answers with answer until the key is revoked, which revoke does.
func Revokes(answer Answer) (revoking Answer, revoke func()) {
	var mu sync.Mutex
	var revoked bool
	revoking = func(w http.ResponseWriter, r *Request) {
		mu.Lock()
		gone := revoked
		mu.Unlock()
		if gone {
			Sends(http.StatusUnauthorized, `{"error":{"message":"Incorrect API key provided.","type":"invalid_request_error","code":"invalid_api_key"}}`)(w, r)
			return
		}
		answer(w, r)
	}
	return revoking, func() {
		mu.Lock()
		defer mu.Unlock()
		revoked = true
	}
}

// Slots is a provider that serves a few requests at a time and turns away the others.
type Slots struct {
	places int
	takes  time.Duration
	text   string

	mu        sync.Mutex
	now, most int
	turned    int
}

// NewSlots returns a provider that serves that many requests at a time, each with text after takes.
func NewSlots(places int, takes time.Duration, text string) *Slots {
	return &Slots{places: places, takes: takes, text: text}
}

// Answer answers a request.
func (s *Slots) Answer(w http.ResponseWriter, r *Request) {
	if !s.enter() {
		Busy("1")(w, r)
		return
	}
	defer s.leave()
	After(s.takes, Says(s.text))(w, r)
}

// Served returns the most requests that came at a time, and how many were turned away.
func (s *Slots) Served() (most, turnedAway int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.most, s.turned
}

func (s *Slots) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.most = max(s.most, s.now+1); s.now == s.places {
		s.turned++
		return false
	}
	s.now++
	return true
}

func (s *Slots) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now--
}
