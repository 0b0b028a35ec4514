package discordtest

import (
	"time"

	"github.com/gorilla/websocket"
)

// Drop breaks every gateway connection. Sessions can be resumed.
func (s *Server) Drop() { s.each(func(c *conn) { c.drop() }) }

// CloseWith closes every gateway connection with a code.
func (s *Server) CloseWith(code int) { s.each(func(c *conn) { c.close(code) }) }

// Reconnect asks the bot to reconnect.
func (s *Server) Reconnect() {
	s.each(func(c *conn) { c.push(websocket.TextMessage, marshal(frame{Op: opReconnect})) })
}

// Garble sends a frame that is not an event.
func (s *Server) Garble() {
	s.each(func(c *conn) {
		c.push(websocket.TextMessage, []byte(`{"op":0,"t":"MESSAGE_CREATE","s":`))
		c.push(websocket.BinaryMessage, []byte("not zlib data"))
	})
}

// SendEvent sends an event of any kind to every session.
func (s *Server) SendEvent(kind string, event any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.emit(kind, nil, event)
}

// ExpireSessions invalidates every session and tells the connected ones.
func (s *Server) ExpireSessions() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.sessions)
	for c := range s.conns {
		c.push(websocket.TextMessage, marshal(frame{Op: opInvalid, Data: marshal(false)}))
	}
}

// ExpireAndDrop invalidates every session and breaks its connection.
func (s *Server) ExpireAndDrop() {
	s.mu.Lock()
	clear(s.sessions)
	s.mu.Unlock()
	s.Drop()
}

// Refuse closes every connection that identifies, or resumes a valid session, with a code; 0 for none.
func (s *Server) Refuse(code int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refuse = code
}

// IgnoreHeartbeats sets whether heartbeats stay unanswered.
func (s *Server) IgnoreHeartbeats(deaf bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ignoreHeartbeats = deaf
}

// Heartbeat sets the heartbeat interval of future connections.
func (s *Server) Heartbeat(every time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.heartbeat = every
}

func (s *Server) each(do func(*conn)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.conns {
		do(c)
	}
}
