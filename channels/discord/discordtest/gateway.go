package discordtest

import (
	"bytes"
	"compress/zlib"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// The gateway's operations.
const (
	opDispatch     = 0
	opHeartbeat    = 1
	opIdentify     = 2
	opResume       = 6
	opReconnect    = 7
	opInvalid      = 9
	opHello        = 10
	opHeartbeatAck = 11
)

// The intents that decide which events a session receives.
const (
	IntentGuilds          = 1 << 0
	IntentGuildMessages   = 1 << 9
	IntentGuildReactions  = 1 << 10
	IntentDirectMessages  = 1 << 12
	IntentDirectReactions = 1 << 13
	IntentMessageContent  = 1 << 15
	privileged            = 1<<1 | 1<<8 | IntentMessageContent
	known                 = 1<<25 - 1
)

// sendsPerMinute is how many frames a connection may send per minute.
const sendsPerMinute = 120

// Identify is the request for a new session.
type Identify struct {
	Token    string `json:"token"`
	Intents  int    `json:"intents"`
	Compress bool   `json:"compress"`
	// Shard is the number of the shard and how many there are, nil for all guilds.
	Shard *[2]int `json:"shard"`
}

// receives reports whether the session receives what happens in a guild; "" is what happens in none.
func (i Identify) receives(guild string) bool {
	if i.Shard == nil {
		return true
	}
	return shardOf(guild, i.Shard[1]) == i.Shard[0]
}

// shardOf returns which shard receives what happens in a guild.
func shardOf(guild string, shards int) int {
	n, err := strconv.ParseUint(guild, 10, 64)
	if err != nil {
		return 0
	}
	return int(n >> 22 % uint64(shards)) //nolint:gosec // both are small
}

// fits reports whether the shard exists.
func (i Identify) fits() bool {
	return i.Shard == nil || i.Shard[0] >= 0 && i.Shard[0] < i.Shard[1]
}

type frame struct {
	Op   int             `json:"op"`
	Data json.RawMessage `json:"d"`
	Seq  int64           `json:"s,omitempty"`
	Type string          `json:"t,omitempty"`
}

// session can be resumed: it keeps all events sent to it.
type session struct {
	id       string
	identify Identify
	log      []frame
	conn     *conn
}

// conn is one connection. It has its own outgoing queue, so that a client that does not read blocks nobody else.
type conn struct {
	ws   *websocket.Conn
	mu   sync.Mutex
	line []outFrame
	wake chan struct{}
	done chan struct{}
}

type outFrame struct {
	kind int
	data []byte
}

func (c *conn) push(kind int, data []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.line = append(c.line, outFrame{kind, data})
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// write sends the queued frames until the connection ends.
func (c *conn) write() {
	for {
		c.mu.Lock()
		line := c.line
		c.line = nil
		c.mu.Unlock()
		for _, f := range line {
			if c.ws.WriteMessage(f.kind, f.data) != nil {
				return
			}
			if f.kind == websocket.CloseMessage {
				c.drop()
				return
			}
		}
		select {
		case <-c.wake:
		case <-c.done:
			return
		}
	}
}

func (c *conn) drop() { c.ws.Close() } //nolint:errcheck // it ends either way

func (c *conn) close(code int) {
	c.push(websocket.CloseMessage, websocket.FormatCloseMessage(code, ""))
}

// gateway is the server's side of the websocket: its sessions and connections. The server's lock guards it.
type gateway struct {
	server           *Server
	heartbeat        time.Duration
	sessions         map[string]*session
	conns            map[*conn]bool
	refuse           int
	ignoreHeartbeats bool
	ignoreResumes    bool
	ignored          int
	identifies       []Identify
	resumes          int
	compressed       int
	// misplaced is how many of the next sessions are those of another shard.
	misplaced int
	// began is when the last session of a shard began, by the remainder of its number. gap is the shortest time until the next, and
	// hasty counts those that came sooner.
	began map[int]time.Time
	gap   time.Duration
	hasty int
}

func (g *gateway) serve(w http.ResponseWriter, r *http.Request) {
	up := websocket.Upgrader{CheckOrigin: func(*http.Request) bool { return true }}
	ws, err := up.Upgrade(w, r, nil)
	if err != nil {
		return // the client has had its response
	}
	c := &conn{ws: ws, wake: make(chan struct{}, 1), done: make(chan struct{})}
	var writing sync.WaitGroup
	writing.Go(c.write)
	g.server.mu.Lock()
	g.conns[c] = true
	g.send(c, nil, frame{Op: opHello, Data: marshal(map[string]any{"heartbeat_interval": g.heartbeat.Milliseconds()})})
	g.server.mu.Unlock()
	g.read(c)
	g.server.mu.Lock()
	delete(g.conns, c)
	for _, session := range g.sessions {
		if session.conn == c {
			session.conn = nil
		}
	}
	g.server.mu.Unlock()
	close(c.done)
	c.drop()
	writing.Wait()
}

// read handles frames from the bot until the connection ends.
func (g *gateway) read(c *conn) {
	since, count := now(), 0
	for {
		var f frame
		if err := c.ws.ReadJSON(&f); err != nil {
			return
		}
		if now().Sub(since) > time.Minute {
			since, count = now(), 0
		}
		if count++; count > sendsPerMinute {
			c.close(4008)
			continue
		}
		g.server.mu.Lock()
		g.take(c, f)
		g.server.mu.Unlock()
	}
}

func (g *gateway) take(c *conn, f frame) {
	switch f.Op {
	case opHeartbeat:
		if !g.ignoreHeartbeats {
			g.send(c, nil, frame{Op: opHeartbeatAck})
		}
	case opIdentify:
		g.identify(c, f)
	case opResume:
		g.resume(c, f)
	default:
		c.close(4001)
	}
}

func (g *gateway) identify(c *conn, f frame) {
	var asks Identify
	if err := json.Unmarshal(f.Data, &asks); err != nil {
		c.close(4002)
		return
	}
	g.identifies = append(g.identifies, asks)
	switch {
	case g.refuse != 0:
		c.close(g.refuse)
		return
	case asks.Token != "Bot "+Token:
		c.close(4004)
		return
	case !asks.fits():
		c.close(4010)
		return
	case asks.Intents&^known != 0:
		c.close(4013)
		return
	case g.server.noContent && asks.Intents&privileged != 0:
		c.close(4014)
		return
	}
	if g.tooSoon(asks) {
		g.send(c, nil, frame{Op: opInvalid, Data: marshal(false)})
		return
	}
	if g.misplaced > 0 {
		g.misplaced--
		asks.Shard = &[2]int{(asks.Shard[0] + 1) % asks.Shard[1], asks.Shard[1]}
	}
	g.begin(c, asks)
}

// tooSoon reports whether another session began a moment ago, of a shard that may not begin at the same time.
func (g *gateway) tooSoon(asks Identify) bool {
	if asks.Shard == nil || g.gap == 0 {
		return false
	}
	turn := asks.Shard[0] % g.server.concurrency
	if now().Sub(g.began[turn]) < g.gap {
		g.hasty++
		return true
	}
	g.began[turn] = now()
	return false
}

// begin begins a session.
func (g *gateway) begin(c *conn, asks Identify) {
	session := &session{id: fmt.Sprintf("session-%d", len(g.identifies)), identify: asks, conn: c}
	g.sessions[session.id] = session
	guilds := []any{}
	for _, in := range g.server.guilds {
		if asks.receives(in.ID) {
			guilds = append(guilds, map[string]any{"id": in.ID, "unavailable": true})
		}
	}
	ready := map[string]any{
		"v": 9, "session_id": session.id, "user": g.server.Bot, "application": map[string]any{"id": g.server.App, "flags": 0}, "guilds": guilds,
		"private_channels": []any{}, "resume_gateway_url": "ws://" + c.ws.LocalAddr().String() + "/socket",
	}
	if asks.Shard != nil {
		ready["shard"] = asks.Shard
	}
	g.sendTo(session, "READY", marshal(ready))
	for _, in := range g.server.guilds {
		if asks.receives(in.ID) {
			g.sendTo(session, "GUILD_CREATE", marshal(g.server.guildJSON(in)))
		}
	}
}

func (g *gateway) resume(c *conn, f frame) {
	var asks struct {
		Token   string `json:"token"`
		Session string `json:"session_id"`
		Seq     int64  `json:"seq"`
	}
	if err := json.Unmarshal(f.Data, &asks); err != nil {
		c.close(4002)
		return
	}
	session, ok := g.sessions[asks.Session]
	switch {
	case g.ignoreResumes:
		g.ignored++
		return
	case !ok:
		g.send(c, nil, frame{Op: opInvalid, Data: marshal(false)})
		return
	case g.refuse != 0:
		c.close(g.refuse)
		return
	case asks.Token != "Bot "+Token:
		c.close(4004)
		return
	case asks.Seq > int64(len(session.log)):
		c.close(4007)
		return
	}
	if session.conn != nil {
		session.conn.drop()
	}
	session.conn = c
	g.resumes++
	for _, missed := range session.log[asks.Seq:] {
		g.send(c, session, missed)
	}
	g.sendTo(session, "RESUMED", marshal(map[string]any{"_trace": []string{}}))
}

// emit sends an event of channel to every session with the required intent that receives its guild; channel may be nil.
func (g *gateway) emit(kind string, channel *Channel, event any) {
	guild := guildOf(channel, event)
	for _, session := range g.sessions {
		if !session.identify.receives(guild) {
			continue
		}
		if need := intentFor(kind, channel); need != 0 && session.identify.Intents&need == 0 {
			continue
		}
		payload := event
		if m, ok := event.(*Message); ok {
			if m.ShownTo != "" {
				continue
			}
			payload = g.server.visible(m, session.identify.Intents&IntentMessageContent != 0)
		}
		g.sendTo(session, kind, marshal(payload))
	}
}

// guildOf returns the guild in which an event happened, "" for none.
func guildOf(channel *Channel, event any) string {
	if channel != nil {
		return channel.GuildID
	}
	var in struct {
		Guild string `json:"guild_id"`
	}
	if json.Unmarshal(marshal(event), &in) != nil {
		return "" // not an object
	}
	return in.Guild
}

// intentFor returns the intent required for an event, 0 for none.
func intentFor(kind string, channel *Channel) int {
	if channel == nil {
		return 0
	}
	direct := channel.GuildID == ""
	switch kind {
	case "MESSAGE_CREATE", "MESSAGE_UPDATE", "MESSAGE_DELETE", "MESSAGE_DELETE_BULK":
		if direct {
			return IntentDirectMessages
		}
		return IntentGuildMessages
	case "MESSAGE_REACTION_ADD", "MESSAGE_REACTION_REMOVE":
		if direct {
			return IntentDirectReactions
		}
		return IntentGuildReactions
	}
	return IntentGuilds
}

// sendTo adds an event to the session. The client receives it now or when it resumes.
func (g *gateway) sendTo(to *session, kind string, data json.RawMessage) {
	f := frame{Op: opDispatch, Data: data, Seq: int64(len(to.log)) + 1, Type: kind}
	to.log = append(to.log, f)
	if to.conn != nil {
		g.send(to.conn, to, f)
	}
}

// send queues a frame, compressed if it is large and the session requested compression.
func (g *gateway) send(c *conn, to *session, f frame) {
	text := marshal(f)
	if to == nil || !to.identify.Compress || (f.Type != "READY" && len(text) < 8<<10) {
		c.push(websocket.TextMessage, text)
		return
	}
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	z.Write(text) //nolint:errcheck // a buffer takes everything
	z.Close()     //nolint:errcheck // as above
	g.compressed++
	c.push(websocket.BinaryMessage, packed.Bytes())
}

func marshal(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // all types here can be encoded
	}
	return text
}

func madeAt(id string) time.Time {
	n, err := strconv.ParseUint(id, 10, 64)
	if err != nil {
		return time.Time{}
	}
	return time.UnixMilli(int64(n>>22) + 1420070400000)
}
