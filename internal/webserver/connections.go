package webserver

import (
	"container/list"
	"context"
	"net"
	"net/http"
	"sync"
)

// connections bounds the connections of a server. A connection is busy while a handler runs for it; the others wait for the beginning
// of a request or for its header. When there are too many, the one that has waited longest is closed. So clients that open connections
// and send nothing, or very slowly ("slowloris"), keep nobody out.
type connections struct {
	max int

	mu      sync.Mutex
	open    map[net.Conn]*connection
	waiting *list.List // of *connection, the longest first
}

// connection is an open connection. Its fields are guarded by connections.mu.
type connection struct {
	net.Conn
	// waiting is its element in connections.waiting, nil while it is busy.
	waiting *list.Element
}

// connectionKey is where a request's connection stands in its context.
type connectionKey struct{}

func newConnections(limit int) *connections {
	return &connections{max: limit, open: make(map[net.Conn]*connection), waiting: list.New()}
}

// opened is http.Server.ConnContext. It adds a connection, and closes one if there are too many: the one that has waited longest,
// or the new one if all others are busy.
func (c *connections) opened(ctx context.Context, conn net.Conn) context.Context {
	c.mu.Lock()
	defer c.mu.Unlock()
	m := &connection{Conn: conn}
	c.open[conn] = m
	m.waiting = c.waiting.PushBack(m)
	if len(c.open) > c.max {
		c.drop(c.waiting.Front().Value.(*connection))
	}
	return context.WithValue(ctx, connectionKey{}, m)
}

// drop closes a connection that waits. The caller holds c.mu.
func (c *connections) drop(m *connection) {
	c.waiting.Remove(m.waiting)
	m.waiting = nil
	delete(c.open, m.Conn)
	_ = m.Close() // its reader notices
}

// changed is http.Server.ConnState. It forgets connections that have ended.
func (c *connections) changed(conn net.Conn, state http.ConnState) {
	if state != http.StateClosed && state != http.StateHijacked {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if m := c.open[conn]; m != nil {
		if m.waiting != nil {
			c.waiting.Remove(m.waiting)
		}
		delete(c.open, conn)
	}
}

// limit returns a handler for whose time a connection is busy.
func (c *connections) limit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m, ok := r.Context().Value(connectionKey{}).(*connection)
		if !ok || !c.begin(m) {
			panic(http.ErrAbortHandler) // it was closed meanwhile
		}
		defer c.end(m)
		next.ServeHTTP(w, r)
	})
}

// begin notes that a connection is busy. It reports whether it still exists.
func (c *connections) begin(m *connection) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if m.waiting == nil {
		return false
	}
	c.waiting.Remove(m.waiting)
	m.waiting = nil
	return true
}

// end notes that a connection waits again.
func (c *connections) end(m *connection) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open[m.Conn] == m {
		m.waiting = c.waiting.PushBack(m)
	}
}
