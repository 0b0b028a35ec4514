package telegramtest

import (
	"net/http"
	"slices"
	"strconv"
	"time"
)

// Point says how a request fails.
type Point int

// The points. "After" means that the request is executed first.
const (
	// Answers responds with Status, Description, RetryAfter and MoveTo.
	Answers Point = iota
	// DropsBefore closes the connection.
	DropsBefore
	// DropsAfter executes the request and closes the connection.
	DropsAfter
	// GarblesAfter executes the request and responds with half a JSON object.
	GarblesAfter
	// Page responds with Status and an HTML page, as a gateway does.
	Page
	// Hangs never responds.
	Hangs
	// HangsAfter executes the request and never responds.
	HangsAfter
	// Delays waits for Delay, then continues normally.
	Delays
)

// Fault makes requests fail.
type Fault struct {
	// Method selects the requests, "" for any. After the next Skip of them, so many Times fail.
	Method      string
	Skip, Times int
	// Chat limits the fault to one chat, 0 for any.
	Chat  int64
	Point Point
	// Status and the following fields are for Answers, Status also for Page.
	Status      int
	Description string
	RetryAfter  int
	MoveTo      int64
	Delay       time.Duration
	// OnHang is called, if set, when Hangs or HangsAfter leave a request without a response.
	OnHang func()
}

// AddFault adds f. Faults of one method occur in the order they were added.
func (s *Server) AddFault(f Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f.Times == 0 {
		f.Times = 1
	}
	s.faults = append(s.faults, &f)
}

// ClearFaults removes all faults.
func (s *Server) ClearFaults() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = nil
}

// fault returns the fault that applies to a request, or nil.
func (s *Server) fault(method string, params map[string]string) *Fault {
	i := slices.IndexFunc(s.faults, func(f *Fault) bool {
		return (f.Method == "" || f.Method == method) && (f.Chat == 0 || strconv.FormatInt(f.Chat, 10) == params["chat_id"])
	})
	if i < 0 {
		return nil
	}
	f := s.faults[i]
	if f.Skip--; f.Skip >= 0 {
		return nil
	}
	if f.Times--; f.Times == 0 {
		s.faults = slices.Delete(s.faults, i, i+1)
	}
	return f
}

// before applies f in place of the request and reports whether it did.
func (f *Fault) before(w http.ResponseWriter, r *http.Request, done <-chan struct{}) bool {
	switch f.Point {
	case Answers:
		a := refuse(f.Status, f.Description)
		a.Parameters = map[string]any{}
		if f.RetryAfter > 0 {
			a.Parameters["retry_after"] = f.RetryAfter
		}
		if f.MoveTo != 0 {
			a.Parameters["migrate_to_chat_id"] = f.MoveTo
		}
		reply(w, a)
	case DropsBefore:
		panic(http.ErrAbortHandler)
	case Page:
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(f.Status)
		_, _ = w.Write([]byte("<html><h1>" + http.StatusText(f.Status) + "</h1></html>"))
	case Hangs:
		f.hang(r, done)
	case Delays:
		wait := time.NewTimer(f.Delay)
		defer wait.Stop()
		select {
		case <-wait.C:
		case <-done:
		}
		return false
	case DropsAfter, GarblesAfter, HangsAfter:
		return false
	}
	return true
}

// hang ends a request without a response once the caller gives up.
func (f *Fault) hang(r *http.Request, done <-chan struct{}) {
	if f.OnHang != nil {
		f.OnHang()
	}
	select {
	case <-r.Context().Done():
	case <-done:
	}
	panic(http.ErrAbortHandler)
}

// after applies f in place of the response and reports whether it did.
func (f *Fault) after(w http.ResponseWriter, r *http.Request, done <-chan struct{}) bool {
	switch f.Point {
	case HangsAfter:
		f.hang(r, done)
	case DropsAfter:
		panic(http.ErrAbortHandler)
	case GarblesAfter:
		_, _ = w.Write([]byte(`{"ok":true,"result":{"message_i`))
		return true
	}
	return false
}
