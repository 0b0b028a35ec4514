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
)

// The pauses between connections: doubling from firstPause to lastPause, from the start again after a connection that
// held for steady. Discord takes 1000 new sessions a day and then resets the token.
const (
	firstPause = 500 * time.Millisecond
	lastPause  = 2 * time.Minute
	steady     = time.Minute
	// silence is after how long without a word a connection is dead: heartbeats are answered about every 41 s.
	silence = 100 * time.Second
	// handshake bounds how long a connection may take to be made.
	handshake = 20 * time.Second
)

// intents are what the persona hears of without any privilege.
const intents = discordgo.IntentGuilds | discordgo.IntentGuildMessages | discordgo.IntentGuildMessageReactions |
	discordgo.IntentDirectMessages | discordgo.IntentDirectMessageReactions

// gateway keeps a connection up. The library would reconnect for ever, whatever Discord says, so that is done here.
type gateway struct {
	*Channel
	hearer *hearer
}

// stay connects again and again until ctx ends or Discord refuses for good.
func (g *gateway) stay(ctx context.Context) error {
	g.rest.limits.renew()
	g.report(channels.Connecting, "", "")
	var s *session
	for failures := 0; ; failures++ {
		if s == nil {
			s = g.newSession(ctx)
		}
		began := g.host.Now()
		ended := s.once(ctx)
		if over(ctx) {
			return nil
		}
		if err := g.judge(ended); err != nil {
			return err
		}
		if !s.resumable(ended) {
			s = nil
		}
		if g.host.Now().Sub(began) > steady {
			failures = 0
		}
		pause := max(min(firstPause<<min(failures, 16), lastPause), retryAfter(ended))
		sleep(ctx, pause+g.host.Jitter(pause/2))
	}
}

// session is one of the library's: it can be resumed as long as Discord keeps it.
type session struct {
	dg    *discordgo.Session
	ended chan struct{}
	// ready says that the present connection got as far as READY or RESUMED.
	ready atomic.Bool

	mu   sync.Mutex
	conn net.Conn
}

func (g *gateway) newSession(ctx context.Context) *session {
	dg, err := discordgo.New("Bot " + g.token)
	if err != nil {
		panic(err) // it has no way to fail
	}
	s := &session{dg: dg, ended: make(chan struct{}, 1)}
	// At any higher level the library prints the token.
	dg.LogLevel = -1
	dg.ShouldReconnectOnError = false
	dg.ShouldRetryOnRateLimit = false
	dg.StateEnabled = false
	// In order, on the goroutine that reads.
	dg.SyncEvents = true
	dg.Identify.Intents = intents
	if g.hearsAll() {
		dg.Identify.Intents |= discordgo.IntentMessageContent
	}
	dg.Client = &http.Client{Transport: &addressBook{ctx: ctx, rest: g.rest}}
	dg.Dialer = &websocket.Dialer{
		Proxy: http.ProxyFromEnvironment, HandshakeTimeout: handshake,
		NetDialContext: func(_ context.Context, network, address string) (net.Conn, error) {
			return s.dial(ctx, network, address)
		},
	}
	dg.AddHandler(func(_ *discordgo.Session, e *discordgo.Event) { g.take(ctx, s, e) })
	dg.AddHandler(func(*discordgo.Session, *discordgo.Disconnect) {
		select {
		case s.ended <- struct{}{}:
		default:
		}
	})
	return s
}

// once connects and returns when the connection has ended, with an error when it was refused.
func (s *session) once(ctx context.Context) error {
	select {
	case <-s.ended: // what the last connection left
	default:
	}
	s.ready.Store(false)
	// The library knows no context: while it connects, only its connection can be taken away.
	stop := context.AfterFunc(ctx, s.hangUp)
	err := s.dg.Open()
	stop()
	if err != nil {
		return withoutAddress(err)
	}
	select {
	case <-s.ended:
	case <-ctx.Done():
	}
	// More than one goroutine of the library may notice an end: closed twice, the next connection is safe from the last.
	_ = s.dg.Close() // what is left of it does not matter
	return nil
}

// resumable says that Discord may go on with this session where it ended.
func (s *session) resumable(err error) bool {
	if err == nil {
		return s.ready.Load()
	}
	_, closed := errors.AsType[*websocket.CloseError](err)
	return !closed
}

func (s *session) hangUp() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn != nil {
		s.conn.Close() //nolint:errcheck // it is only to end what reads from it
	}
}

func (s *session) dial(ctx context.Context, network, address string) (net.Conn, error) {
	dialer := net.Dialer{Timeout: handshake}
	conn, err := dialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.conn = conn
	return &attentive{Conn: conn, patience: time.AfterFunc(silence, func() { conn.Close() })}, nil //nolint:errcheck // as in hangUp
}

// attentive is a connection that ends when it is silent for too long.
type attentive struct {
	net.Conn
	patience *time.Timer
}

// Read reads, and has patience anew.
func (a *attentive) Read(p []byte) (int, error) {
	n, err := a.Conn.Read(p)
	a.patience.Reset(silence)
	return n, err
}

// Close closes the connection.
func (a *attentive) Close() error {
	a.patience.Stop()
	return a.Conn.Close()
}

// addressBook answers the one thing the library asks over REST, where the gateway is: its own addresses are the same for
// the whole process, and it knows no context.
type addressBook struct {
	ctx  context.Context
	rest *client
}

// RoundTrip says where the gateway is.
func (b *addressBook) RoundTrip(req *http.Request) (*http.Response, error) {
	var at struct {
		URL   string `json:"url"`
		Limit struct {
			Total     int   `json:"total"`
			Remaining int   `json:"remaining"`
			ResetMS   int64 `json:"reset_after"`
		} `json:"session_start_limit"`
	}
	if err := b.rest.do(b.ctx, call{method: http.MethodGet, path: "/gateway/bot"}, &at); err != nil {
		return nil, err
	}
	if at.Limit.Total > 0 && at.Limit.Remaining == 0 {
		wait := time.Duration(at.Limit.ResetMS) * time.Millisecond
		return nil, &apiError{Status: http.StatusTooManyRequests, Message: "no new session today", RetryAfter: wait, Unasked: true}
	}
	body, err := json.Marshal(map[string]string{"url": at.URL})
	if err != nil {
		return nil, err
	}
	return &http.Response{
		StatusCode: http.StatusOK, Status: http.StatusText(http.StatusOK), Header: http.Header{}, Request: req,
		Body: io.NopCloser(bytes.NewReader(body)),
	}, nil
}

// take hands what the gateway tells to the hearer. It runs on the goroutine that reads.
func (g *gateway) take(ctx context.Context, s *session, e *discordgo.Event) {
	switch e.Type {
	case "READY":
		var r ready
		if err := json.Unmarshal(e.RawData, &r); err != nil {
			g.log.Warn("understand Discord's READY", "error", err)
		} else {
			g.identity.set(r)
		}
		s.ready.Store(true)
	case "RESUMED":
		s.ready.Store(true)
	}
	g.hearer.put(ctx, event{kind: e.Type, name: fmt.Sprintf("%s:%d", g.identity.session(), e.Sequence), data: e.RawData})
}
