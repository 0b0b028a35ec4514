// Package toolserver connects to programs that offer tools over the Model Context Protocol, as child processes or over HTTP.
// Such a program may hang, lie, flood and change its mind: what it can cost is bounded, and what it says is text of a stranger.
package toolserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"familiar/internal/sleep"
)

// The limits of one server.
const (
	// MaxTools is how many tools of a server are offered. Each takes room in every prompt.
	MaxTools = 64
	// MaxText is how much of a result is kept, in bytes.
	MaxText = 64 << 10

	connectTime  = 30 * time.Second // a child may have to be downloaded first
	listTime     = 10 * time.Second
	relistAfter  = 10 * time.Minute // servers over HTTP do not say that their list changed
	relistPause  = 5 * time.Second  // between two lists that a server asks for
	firstPause   = time.Second      // before a connection is tried again
	longestPause = 5 * time.Minute
	patience     = 2 // calls in a row that may time out before the connection is given up
)

// Settings say how a server is reached: by Command or by URL.
type Settings struct {
	// Name is the server's name in the configuration.
	Name string
	// Command is the program and its arguments, Dir where it runs, Env its whole environment as NAME=value.
	Command []string
	Dir     string
	Env     []string
	// URL is the address of a streamable HTTP endpoint, Headers what is sent there and nowhere else.
	URL     string
	Headers map[string]string
	// Secrets are values that must not be shown: they are removed from everything that the server says.
	Secrets []string
}

// Tool is one tool of a server. Its description is the server's, cut.
type Tool struct {
	Name        string
	Description string
	// Schema is the JSON schema of the arguments, an object.
	Schema json.RawMessage
}

// State is how a server is doing.
type State struct {
	Connected bool
	// Tools are those of the last list, Left why others are not offered.
	Tools []Tool
	Left  []string
	// Problem says why there is no connection, "" if there is one or none was tried.
	Problem string
}

// Server is a connection that is renewed. It is safe for concurrent use.
type Server struct {
	settings Settings
	log      *slog.Logger
	now      func() time.Time
	changed  func(tools []Tool)
	// relistPause is at least between two lists that a server asks for.
	relistPause time.Duration

	mu      sync.Mutex
	session *session
	state   State
	late    int // calls in a row that timed out
}

// New returns a server that is not connected. changed is called by Run with each list of tools; it may be nil.
func New(s Settings, log *slog.Logger, now func() time.Time, changed func([]Tool)) *Server {
	if changed == nil {
		changed = func([]Tool) {}
	}
	return &Server{settings: s, log: log, now: now, changed: changed, relistPause: relistPause}
}

// Name returns the server's name in the configuration.
func (s *Server) Name() string { return s.settings.Name }

// State returns how the server is doing.
func (s *Server) State() State {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state
}

// Run keeps the connection until ctx ends, and then ends the child process. A connection that fails is tried again after a
// pause that grows.
func (s *Server) Run(ctx context.Context) {
	pause := firstPause
	for ctx.Err() == nil {
		started := s.now()
		err := s.connected(ctx)
		s.set(func(st *State) { st.Connected, st.Problem = false, said(err) })
		if ctx.Err() != nil {
			return
		}
		if s.now().Sub(started) > longestPause {
			pause = firstPause
		}
		s.log.Warn("a tool server is not connected", "server", s.settings.Name, "why", said(err), "again", pause)
		if !sleep.For(ctx, pause/2+rand.N(pause/2+1)) { //nolint:gosec // jitter is no secret
			return
		}
		pause = min(2*pause, longestPause)
	}
}

// connected is one connection, from its beginning to its end.
func (s *Server) connected(ctx context.Context) error {
	session, err := s.open(ctx)
	if err != nil {
		return err
	}
	defer session.close()
	for {
		if err := s.relist(ctx, session); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-session.done:
			return session.fault(errors.New("it ended the connection"))
		case <-session.listChanged:
			if !sleep.For(ctx, s.relistPause) {
				return ctx.Err()
			}
		case <-time.After(relistAfter):
		}
	}
}

// open connects and makes the session the one that calls use.
func (s *Server) open(ctx context.Context) (*session, error) {
	session, err := connect(ctx, s.settings, s.now)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.session, s.late = session, 0
	return session, nil
}

func (s *Server) relist(ctx context.Context, session *session) error {
	tools, left, err := session.list(ctx)
	if err != nil {
		return err
	}
	s.set(func(st *State) { *st = State{Connected: true, Tools: tools, Left: left} })
	s.changed(tools)
	return nil
}

func (s *Server) set(change func(*State)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(&s.state)
}

// Look connects once, lists the tools and ends the connection.
func (s *Server) Look(ctx context.Context) State {
	session, err := s.open(ctx)
	if err != nil {
		return State{Problem: said(err)}
	}
	defer session.close()
	if err := s.relist(ctx, session); err != nil {
		return State{Problem: said(err)}
	}
	return s.State()
}

// ErrTool is wrapped by the error of a tool that was called and failed. Its text is the tool's.
var ErrTool = errors.New("the tool failed")

// Call calls a tool and returns what it says as text. It returns when ctx ends, whatever the server does. Errors are for the
// model: they say nothing of how the server is reached.
func (s *Server) Call(ctx context.Context, tool string, arguments []byte) (string, error) {
	s.mu.Lock()
	session := s.session
	s.mu.Unlock()
	if session == nil || session.ended() {
		return "", fmt.Errorf("the tool server %s is not connected at the moment", s.settings.Name)
	}
	text, err := session.call(ctx, tool, arguments)
	s.judge(ctx, session)
	return text, err
}

// judge gives up a connection on which calls time out one after another: its server may not even read any more.
func (s *Server) judge(ctx context.Context, session *session) {
	s.mu.Lock()
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		s.late++
	} else {
		s.late = 0
	}
	give := s.late >= patience && s.session == session
	s.mu.Unlock()
	if give {
		session.giveUp(errors.New("it does not answer"))
	}
}

// said returns the text of an error, "" for none.
func said(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// noAbilities offers a server nothing: no files, no model, no questions to the person.
var noAbilities = &mcp.ClientCapabilities{}
