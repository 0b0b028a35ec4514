package telegramtest

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// updatesFor answers a poll: at once if there are updates, otherwise when there are or the poll times out.
func (s *Server) updatesFor(r *http.Request, params map[string]string) response {
	s.mu.Lock()
	if s.webhook != "" {
		s.mu.Unlock()
		return refuse(http.StatusConflict, "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first")
	}
	s.wake("Conflict: terminated by other getUpdates request; make sure that only one bot instance is running")
	ended := make(chan string, 1)
	s.poll = ended
	s.confirm(params)
	seconds, _ := strconv.Atoi(params["timeout"])
	if s.hasty {
		seconds = 0
	}
	s.mu.Unlock()

	over := time.NewTimer(time.Duration(min(seconds, 50)) * time.Second)
	defer over.Stop()
	for {
		found, news := s.ready(ended, params)
		if len(found) > 0 || seconds <= 0 {
			return grant(found)
		}
		select {
		case conflict := <-ended:
			if conflict == "" {
				return refuse(http.StatusUnauthorized, "Unauthorized")
			}
			return refuse(http.StatusConflict, conflict)
		case <-over.C:
			seconds = 0
		case <-news:
		case <-r.Context().Done():
			return grant([]any{})
		case <-s.done:
			panic(http.ErrAbortHandler)
		}
	}
}

// confirm removes the updates before the offset and stores the requested kinds.
func (s *Server) confirm(params map[string]string) {
	if offset, err := strconv.ParseInt(params["offset"], 10, 64); err == nil {
		s.updates = slices.DeleteFunc(s.updates, func(u queued) bool { return u.id < offset })
	}
	var kinds []string
	if json.Unmarshal([]byte(params["allowed_updates"]), &kinds) == nil && len(kinds) > 0 {
		s.allowed = make(map[string]bool)
		for _, k := range kinds {
			s.allowed[k] = true
		}
	}
}

// ready returns the pending updates, and a channel that signals more.
func (s *Server) ready(ended chan string, params map[string]string) ([]any, <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	limit, err := strconv.Atoi(params["limit"])
	if err != nil || limit < 1 || limit > 100 {
		limit = 100
	}
	found := []any{}
	s.updates = slices.DeleteFunc(s.updates, func(u queued) bool { return s.allowed != nil && !s.allowed[u.kind] })
	for _, u := range s.updates[:min(limit, len(s.updates))] {
		found = append(found, map[string]any{"update_id": u.id, u.kind: u.body})
	}
	if len(found) > 0 && s.poll == ended {
		s.poll = nil
	}
	return found, s.news
}
