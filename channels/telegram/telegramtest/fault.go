package telegramtest

import (
	"net/http"
	"slices"
	"strconv"
	"time"
)

// Point is where a request goes wrong.
type Point int

// The points.
const (
	// Answers sends Status with Description, RetryAfter and MoveTo, and nothing is done.
	Answers Point = iota
	// DropsBefore breaks the connection and nothing is done.
	DropsBefore
	// DropsAfter does what is asked and breaks the connection instead of answering.
	DropsAfter
	// GarblesAfter does what is asked and answers with half a JSON object.
	GarblesAfter
	// Page answers with Status and a page of HTML, as a gateway does, and nothing is done.
	Page
	// Hangs never answers, and nothing is done.
	Hangs
	// HangsAfter does what is asked and never answers.
	HangsAfter
	// Delays waits for Delay, then all goes well.
	Delays
)

// Fault makes requests go wrong.
type Fault struct {
	// Method is whose requests, Times how many of them from now on.
	Method string
	Times  int
	// Chat is the one chat they are about, 0 for any.
	Chat  int64
	Point Point
	// Status and the rest are for Answers, Status also for Page.
	Status      int
	Description string
	RetryAfter  int
	MoveTo      int64
	Delay       time.Duration
	// Struck, where there is one, is called when Hangs or HangsAfter leave a request without an answer.
	Struck func()
}

// Break lets f happen. Faults of one method happen in the order they were given.
func (s *Server) Break(f Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f.Times == 0 {
		f.Times = 1
	}
	s.faults = append(s.faults, &f)
}

// Mend lets no fault happen any more.
func (s *Server) Mend() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = nil
}

// fault is the one that strikes a request for method, nil when none does.
func (s *Server) fault(method string, params map[string]string) *Fault {
	i := slices.IndexFunc(s.faults, func(f *Fault) bool {
		return f.Method == method && (f.Chat == 0 || strconv.FormatInt(f.Chat, 10) == params["chat_id"])
	})
	if i < 0 {
		return nil
	}
	f := s.faults[i]
	if f.Times--; f.Times == 0 {
		s.faults = slices.Delete(s.faults, i, i+1)
	}
	return f
}

// before does what happens instead of the request and says whether anything did.
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

// hang ends a request without an answer once the caller goes away.
func (f *Fault) hang(r *http.Request, done <-chan struct{}) {
	if f.Struck != nil {
		f.Struck()
	}
	select {
	case <-r.Context().Done():
	case <-done:
	}
	panic(http.ErrAbortHandler)
}

// after does what happens instead of the answer and says whether anything did.
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
