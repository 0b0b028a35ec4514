package discordtest

import (
	"time"

	"github.com/gorilla/websocket"
)

// Drop breaks every gateway connection off. Sessions can be resumed.
func (s *Server) Drop() { s.each(func(c *conn) { c.drop() }) }

// CloseWith closes every gateway connection with a code.
func (s *Server) CloseWith(code int) { s.each(func(c *conn) { c.close(code) }) }

// Reconnect asks the bot to connect anew.
func (s *Server) Reconnect() {
	s.each(func(c *conn) { c.push(websocket.TextMessage, marshal(frame{Op: opReconnect})) })
}

// Garble sends what is no event.
func (s *Server) Garble() {
	s.each(func(c *conn) {
		c.push(websocket.TextMessage, []byte(`{"op":0,"t":"MESSAGE_CREATE","s":`))
		c.push(websocket.BinaryMessage, []byte("no zlib"))
	})
}

// Invent tells an event of any kind to every session.
func (s *Server) Invent(kind string, event any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.emit(kind, nil, event)
}

// Forget lets every session expire, and says so on those that are connected.
func (s *Server) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.sessions)
	for c := range s.conns {
		c.push(websocket.TextMessage, marshal(frame{Op: opInvalid, Data: marshal(false)}))
	}
}

// Expire lets every session expire behind a broken connection.
func (s *Server) Expire() {
	s.mu.Lock()
	clear(s.sessions)
	s.mu.Unlock()
	s.Drop()
}

// Refuse closes every connection that identifies, or resumes a session that has not expired, with a code; 0 for none.
func (s *Server) Refuse(code int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refuse = code
}

// Deafen leaves heartbeats unanswered, or answers them again.
func (s *Server) Deafen(deaf bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.deaf = deaf
}

// Heartbeat is how often bots that connect from now on give a sign of life.
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
