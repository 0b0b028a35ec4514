package discord

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"

	"familiar/channels"
	"familiar/internal/sleep"
)

// The pause between connections doubles from firstPause to maxPause, and starts again after a connection that lasted
// stableAfter. Discord allows 1000 new sessions a day and then resets the token.
const (
	firstPause  = 500 * time.Millisecond
	maxPause    = 2 * time.Minute
	stableAfter = time.Minute
	// idleTimeout ends a connection that receives nothing: Discord answers heartbeats about every 41 s.
	idleTimeout = 100 * time.Second
	// handshakeTimeout bounds the time to connect.
	handshakeTimeout = 20 * time.Second
	// answerTimeout ends a connection on which Discord neither confirms nor refuses the session, and sends no event of it.
	// Such a session is not resumed.
	answerTimeout = 20 * time.Second
)

var (
	// errUnanswered ends a connection whose session Discord neither confirmed nor refused.
	errUnanswered = errors.New("it does not confirm the session")
	// errMisplaced ends a connection that receives the messages of other servers than it asked for.
	errMisplaced = errors.New("it answers for another shard")
)

// intents are the events that need no privilege.
const intents = discordgo.IntentGuilds | discordgo.IntentGuildMessages | discordgo.IntentGuildMessageReactions |
	discordgo.IntentDirectMessages | discordgo.IntentDirectMessageReactions

// gateway keeps a connection open. The library would reconnect forever, whatever Discord answers, so its reconnecting
// is disabled.
type gateway struct {
	*shard
	receiver *receiver
}

// run connects again and again until ctx ends or Discord refuses for good.
func (g *gateway) run(ctx context.Context) error {
	g.rest.limits.resetToken()
	g.report(channels.Connecting, "", "")
	var s *session
	for failures := 0; ; failures++ {
		if s == nil {
			s = g.newSession(ctx)
		}
		began := g.host.Now()
		ended := s.connect(ctx)
		if contextDone(ctx) {
			return nil
		}
		if err := g.connectionEnded(ended); err != nil {
			return err
		}
		if !s.resumable(ended) {
			s = nil
		}
		if g.host.Now().Sub(began) > stableAfter {
			failures = 0
		}
		pause := max(min(firstPause<<min(failures, 16), maxPause), retryAfter(ended))
		sleep.For(ctx, pause+g.host.Jitter(pause/2))
	}
}

// session is a library session. It can be resumed as long as Discord keeps it.
type session struct {
	dg    *discordgo.Session
	ended chan struct{}
	// id is Discord's name of the session.
	id atomic.Pointer[string]
	// ready reports that the current connection received READY or RESUMED, unanswered that it ended because neither came, and
	// misplaced because the session is that of another shard.
	ready, unanswered, misplaced atomic.Bool
	// patience is how long to wait for them.
	patience time.Duration

	mu      sync.Mutex
	conn    net.Conn
	waiting *time.Timer
}

func (g *gateway) newSession(ctx context.Context) *session {
	dg, err := discordgo.New("Bot " + g.token)
	if err != nil {
		panic(err) // cannot fail
	}
	s := &session{dg: dg, ended: make(chan struct{}, 1), patience: g.answerTimeout}
	s.id.Store(new(string))
	// At any higher level the library logs the token.
	dg.LogLevel = -1
	dg.ShouldReconnectOnError = false
	dg.ShouldRetryOnRateLimit = false
	dg.StateEnabled = false
	// Handle events in order, on the reading goroutine.
	dg.SyncEvents = true
	dg.Identify.Intents = intents
	if g.readsContent() {
		dg.Identify.Intents |= discordgo.IntentMessageContent
	}
	if n := len(g.shards); n > 1 {
		dg.Identify.Shard = &[2]int{g.index, n}
	}
	dg.Client = &http.Client{Transport: &gatewayTransport{ctx: ctx, rest: g.rest, await: g.awaitIdentify}}
	dg.Dialer = &websocket.Dialer{
		Proxy: http.ProxyFromEnvironment, HandshakeTimeout: handshakeTimeout,
		NetDialContext: func(_ context.Context, network, address string) (net.Conn, error) {
			return s.dial(ctx, network, address)
		},
	}
	dg.AddHandler(func(_ *discordgo.Session, e *discordgo.Event) { g.dispatch(ctx, s, e) })
	dg.AddHandler(func(*discordgo.Session, *discordgo.Disconnect) {
		select {
		case s.ended <- struct{}{}:
		default:
		}
	})
	return s
}

// connect opens a connection and returns when it has ended, with an error if it was refused.
func (s *session) connect(ctx context.Context) error {
	select {
	case <-s.ended: // drain the signal of the last connection
	default:
	}
	s.ready.Store(false)
	s.unanswered.Store(false)
	s.misplaced.Store(false)
	defer s.stopWaiting()
	// The library does not support contexts: a connection attempt can only be stopped by closing its connection.
	stop := context.AfterFunc(ctx, s.hangUp)
	err := s.dg.Open()
	stop()
	if err == nil {
		select {
		case <-s.ended:
		case <-ctx.Done():
		}
		// Several goroutines of the library may notice the end. Close twice, so that they cannot affect the next
		// connection.
		_ = s.dg.Close() // errors no longer matter
	}
	switch {
	case s.unanswered.Load():
		return errUnanswered
	case s.misplaced.Load():
		return errMisplaced
	}
	return withoutURL(err)
}

// resumable reports whether Discord may resume this session.
func (s *session) resumable(err error) bool {
	if err == nil {
		return s.ready.Load()
	}
	if errors.Is(err, errUnanswered) || errors.Is(err, errMisplaced) {
		return false
	}
	_, closed := errors.AsType[*websocket.CloseError](err)
	return !closed
}

// wait ends the connection unless READY, RESUMED or an event comes in time.
func (s *session) wait() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.waiting != nil {
		s.waiting.Stop()
	}
	s.waiting = time.AfterFunc(s.patience, func() {
		if !s.ready.Load() {
			s.unanswered.Store(true)
			s.hangUp()
		}
	})
}

func (s *session) stopWaiting() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.waiting != nil {
		s.waiting.Stop()
	}
}

func (s *session) hangUp() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn != nil {
		s.conn.Close() //nolint:errcheck // it is only to end what reads from it
	}
}

func (s *session) dial(ctx context.Context, network, address string) (net.Conn, error) {
	dialer := net.Dialer{Timeout: handshakeTimeout}
	conn, err := dialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	s.wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.conn = conn
	return &idleTimeoutConn{Conn: conn, timeout: time.AfterFunc(idleTimeout, func() { conn.Close() })}, nil //nolint:errcheck // as in hangUp
}

// idleTimeoutConn is a connection that ends after a period without data.
type idleTimeoutConn struct {
	net.Conn
	timeout *time.Timer
}

// Read reads and restarts the timeout.
func (a *idleTimeoutConn) Read(p []byte) (int, error) {
	n, err := a.Conn.Read(p)
	a.timeout.Reset(idleTimeout)
	return n, err
}

// Close closes the connection.
func (a *idleTimeoutConn) Close() error {
	a.timeout.Stop()
	return a.Conn.Close()
}

// gatewayTransport answers the library's only REST request, the gateway URL. The library's own endpoints are global to
// the process and ignore contexts.
type gatewayTransport struct {
	ctx  context.Context
	rest *client
	// await waits until a new session may be opened.
	await func(ctx context.Context, concurrency int)
}

// RoundTrip returns the gateway URL, when it is the connection's turn.
func (b *gatewayTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	var at struct {
		URL   string `json:"url"`
		Limit struct {
			Total     int   `json:"total"`
			Remaining int   `json:"remaining"`
			ResetMS   int64 `json:"reset_after"`
			// Concurrency is how many sessions may be opened at the same time.
			Concurrency int `json:"max_concurrency"`
		} `json:"session_start_limit"`
	}
	if err := b.rest.do(b.ctx, call{method: http.MethodGet, path: "/gateway/bot"}, &at); err != nil {
		return nil, err
	}
	if at.Limit.Total > 0 && at.Limit.Remaining == 0 {
		wait := time.Duration(at.Limit.ResetMS) * time.Millisecond
		return nil, &apiError{Status: http.StatusTooManyRequests, Message: "no new session allowed today", RetryAfter: wait, NotSent: true}
	}
	b.await(b.ctx, at.Limit.Concurrency)
	body, err := json.Marshal(map[string]string{"url": at.URL})
	if err != nil {
		return nil, err
	}
	return &http.Response{
		StatusCode: http.StatusOK, Status: http.StatusText(http.StatusOK), Header: http.Header{}, Request: req,
		Body: io.NopCloser(bytes.NewReader(body)),
	}, nil
}

// dispatch passes gateway events to the receiver. It runs on the reading goroutine. Discord sends missed events before it
// confirms a resumed session, and is not waited for while the receiver is busy with one.
func (g *gateway) dispatch(ctx context.Context, s *session, e *discordgo.Event) {
	s.stopWaiting()
	switch e.Type {
	case "READY":
		g.begin(s, e)
	case "RESUMED":
		s.ready.Store(true)
	}
	if s.misplaced.Load() {
		s.hangUp()
		return
	}
	g.receiver.enqueue(ctx, event{kind: e.Type, name: fmt.Sprintf("%s:%d", *s.id.Load(), e.Sequence), data: e.RawData})
	if !s.ready.Load() {
		s.wait()
	}
}

// begin notes that a new session begins.
func (g *gateway) begin(s *session, e *discordgo.Event) {
	var r ready
	if err := json.Unmarshal(e.RawData, &r); err != nil {
		g.log.Warn("parse Discord's READY event", "error", err)
	} else {
		g.identity.set(r)
		s.id.Store(&r.SessionID)
		s.misplaced.Store(!g.isOwn(r))
	}
	s.ready.Store(true)
}

// isOwn reports whether a session is that of the shard.
func (g *gateway) isOwn(r ready) bool {
	asked := [2]int{g.index, len(g.shards)}
	if r.Shard == nil {
		return asked[1] == 1
	}
	return *r.Shard == asked
}
