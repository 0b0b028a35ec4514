package discordtest

import (
	"net/http"
	"strings"
	"time"
)

// Fault makes REST calls go wrong.
type Fault struct {
	// On is contained in the "METHOD /path" of the calls it is for.
	On string
	// Whole says that On is all of it.
	Whole bool
	// Skip is how many calls pass first, Times how many it is for then, 0 for all.
	Skip, Times int
	// Status answers with an error; Code is Discord's own. For 429 RetryAfter is told, and Global makes it the bot's.
	Status, Code int
	RetryAfter   time.Duration
	Global       bool
	// DropBefore ends the connection before anything is done, DropAfter once all is done and before the answer.
	DropBefore, DropAfter bool
	// Hold keeps the call waiting until it is closed, before anything is done.
	Hold <-chan struct{}
	// HoldAfter keeps the caller waiting until it goes away, once all is done.
	HoldAfter bool
	// Struck, where there is one, is called when Hold or HoldAfter begin to wait.
	Struck func()
	// Garble answers with what is no JSON, after all is done.
	Garble bool
	used   int
}

// Break asks for a fault.
func (s *Server) Break(f Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, &f)
}

// Mend ends all faults.
func (s *Server) Mend() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = nil
}

func (s *Server) fault(r *http.Request) Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range s.faults {
		if f.meets(r.Method+" "+r.URL.Path) && (f.Times == 0 || f.used < f.Skip+f.Times) {
			if f.used++; f.used > f.Skip {
				return *f
			}
		}
	}
	return Fault{}
}

// faulty answers through next unless a fault is asked for, and writes the call down.
func (s *Server) faulty(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		entry, err := readEntry(r)
		if err != nil {
			return // the caller went away
		}
		f := s.fault(r)
		if f.Hold != nil {
			f.strike()
			select {
			case <-f.Hold:
			case <-r.Context().Done():
				return
			}
		}
		answer := newAnswer()
		switch {
		case f.DropBefore:
		case f.Status == http.StatusTooManyRequests:
			tooMany(answer, f.RetryAfter, f.Global)
		case f.Status != 0:
			fail(answer, f.Status, f.Code, "as the test asked")
		default:
			next.ServeHTTP(answer, r)
		}
		dropped := f.DropBefore || f.DropAfter || f.HoldAfter
		if !dropped {
			entry.Status = answer.status
		}
		s.mu.Lock()
		s.requests = append(s.requests, entry)
		s.mu.Unlock()
		switch {
		case f.HoldAfter:
			f.strike()
			<-r.Context().Done()
			panic(http.ErrAbortHandler)
		case dropped:
			panic(http.ErrAbortHandler)
		case f.Garble:
			answer.body.Reset()
			answer.body.WriteString("<html>")
		}
		answer.send(w)
	})
}

// meets says that f is for call.
func (f *Fault) meets(call string) bool {
	return f.Whole && call == f.On || !f.Whole && strings.Contains(call, f.On)
}

func (f *Fault) strike() {
	if f.Struck != nil {
		f.Struck()
	}
}
