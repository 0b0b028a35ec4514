package discordtest

import (
	"slices"
	"time"

	"github.com/gorilla/websocket"
)

// Drop breaks every gateway connection. Sessions can be resumed.
func (g *gateway) Drop() { g.each(func(c *conn) { c.drop() }) }

// CloseWith closes every gateway connection with a code.
func (g *gateway) CloseWith(code int) { g.each(func(c *conn) { c.close(code) }) }

// Reconnect asks the bot to reconnect.
func (g *gateway) Reconnect() {
	g.each(func(c *conn) { c.push(websocket.TextMessage, marshal(frame{Op: opReconnect})) })
}

// Garble sends a frame that is not an event.
func (g *gateway) Garble() {
	g.each(func(c *conn) {
		c.push(websocket.TextMessage, []byte(`{"op":0,"t":"MESSAGE_CREATE","s":`))
		c.push(websocket.BinaryMessage, []byte("not zlib data"))
	})
}

// DropShard breaks the connections of a shard. Its sessions can be resumed.
func (g *gateway) DropShard(index int) {
	g.server.mu.Lock()
	defer g.server.mu.Unlock()
	for _, session := range g.sessions {
		if shard := session.identify.Shard; shard != nil && shard[0] == index && session.conn != nil {
			session.conn.drop()
		}
	}
}

// MisplaceNext answers the next session as that of another shard.
func (g *gateway) MisplaceNext() {
	g.server.mu.Lock()
	defer g.server.mu.Unlock()
	g.misplaced++
}

// PaceShards refuses a session of a shard that begins sooner than gap after another one, if they may not begin at the same time.
func (g *gateway) PaceShards(gap time.Duration) {
	g.server.mu.Lock()
	defer g.server.mu.Unlock()
	g.gap = gap
}

// Hasty returns how many sessions were refused because they began too soon.
func (g *gateway) Hasty() int {
	g.server.mu.Lock()
	defer g.server.mu.Unlock()
	return g.hasty
}

// Shards returns the shards that are connected, sorted, each as often as it has a connection.
func (g *gateway) Shards() []int {
	g.server.mu.Lock()
	defer g.server.mu.Unlock()
	var all []int
	for _, session := range g.sessions {
		if session.identify.Shard != nil && session.conn != nil {
			all = append(all, session.identify.Shard[0])
		}
	}
	slices.Sort(all)
	return all
}

// SendEvent sends an event of any kind to every session that receives its guild.
func (g *gateway) SendEvent(kind string, event any) {
	g.server.mu.Lock()
	defer g.server.mu.Unlock()
	g.emit(kind, nil, event)
}

// ExpireSessions invalidates every session and tells the connected ones.
func (g *gateway) ExpireSessions() {
	g.server.mu.Lock()
	defer g.server.mu.Unlock()
	clear(g.sessions)
	for c := range g.conns {
		c.push(websocket.TextMessage, marshal(frame{Op: opInvalid, Data: marshal(false)}))
	}
}

// ExpireAndDrop invalidates every session and breaks its connection.
func (g *gateway) ExpireAndDrop() {
	g.server.mu.Lock()
	clear(g.sessions)
	g.server.mu.Unlock()
	g.Drop()
}

// Refuse closes every connection that identifies, or resumes a valid session, with a code; 0 for none.
func (g *gateway) Refuse(code int) {
	g.server.mu.Lock()
	defer g.server.mu.Unlock()
	g.refuse = code
}

// IgnoreHeartbeats sets whether heartbeats stay unanswered.
func (g *gateway) IgnoreHeartbeats(deaf bool) {
	g.server.mu.Lock()
	defer g.server.mu.Unlock()
	g.ignoreHeartbeats = deaf
}

// IgnoreResumes sets whether requests to resume a session stay unanswered, neither confirmed nor refused.
func (g *gateway) IgnoreResumes(deaf bool) {
	g.server.mu.Lock()
	defer g.server.mu.Unlock()
	g.ignoreResumes = deaf
}

// IgnoredResumes returns how many requests to resume were left unanswered.
func (g *gateway) IgnoredResumes() int {
	g.server.mu.Lock()
	defer g.server.mu.Unlock()
	return g.ignored
}

// Heartbeat sets the heartbeat interval of future connections.
func (g *gateway) Heartbeat(every time.Duration) {
	g.server.mu.Lock()
	defer g.server.mu.Unlock()
	g.heartbeat = every
}

func (g *gateway) each(do func(*conn)) {
	g.server.mu.Lock()
	defer g.server.mu.Unlock()
	for c := range g.conns {
		do(c)
	}
}

// Identifies returns the requested sessions, oldest first.
func (g *gateway) Identifies() []Identify {
	g.server.mu.Lock()
	defer g.server.mu.Unlock()
	return slices.Clone(g.identifies)
}

// Resumes returns the number of resumed sessions.
func (g *gateway) Resumes() int {
	g.server.mu.Lock()
	defer g.server.mu.Unlock()
	return g.resumes
}

// Compressed returns the number of compressed frames sent.
func (g *gateway) Compressed() int {
	g.server.mu.Lock()
	defer g.server.mu.Unlock()
	return g.compressed
}

// Connected returns the number of connections past READY or RESUMED.
func (g *gateway) Connected() int {
	g.server.mu.Lock()
	defer g.server.mu.Unlock()
	n := 0
	for _, session := range g.sessions {
		if session.conn != nil {
			n++
		}
	}
	return n
}
