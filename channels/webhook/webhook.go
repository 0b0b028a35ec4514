// Package webhook is a channel for programs. They post messages as signed JSON, and the persona's replies are posted to them,
// signed with the same key. Signatures follow the Standard Webhooks specification.
package webhook

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"familiar/channels"
	"familiar/internal/drain"
)

// name is the channel's name.
const name = "webhook"

const (
	// path is where events are posted.
	path = "/events"
	// maxBody is the maximum length of a request in bytes: a message with files. A body longer than heavyBody, several times a typed
	// message, is long; maxHeavy of them are read at a time.
	maxBody, heavyBody, maxHeavy = 4 << 20, 64 << 10, 4
	// readTimeout limits the time to read a request, idleTimeout the time a connection may be idle.
	readTimeout = 10 * time.Second
	idleTimeout = 2 * time.Minute
	// closeTimeout limits the time for requests in flight when the channel ends.
	closeTimeout = 3 * time.Second
	// retryAfterSeconds is when the sender should retry an event that could not be stored, in seconds.
	retryAfterSeconds = "5"
)

// Options are what a Channel is made from.
type Options struct {
	// Secret is the key that both sides sign with, at least 24 bytes; after "whsec_" it is in base64. It is never logged.
	Secret string
	// Listen is the address on which events are received. With port 0 a free port is chosen; State.Account contains it.
	Listen string
	// URL is where replies are posted. Without it nothing can be sent.
	URL  string
	Host channels.Host
	// Log may be nil.
	Log *slog.Logger
	// HTTP is used instead of a client of the channel's own.
	HTTP *http.Client
}

// Channel receives events and posts replies. It implements channels.Channel, Limited and FileFetcher.
type Channel struct {
	opts Options
	key  []byte
	http *http.Client
	log  *slog.Logger
	// heavy holds a token for each long body that is being read.
	heavy chan struct{}
}

// New makes the channel. It does not listen before Run. It returns a *channels.StateError if the secret is invalid.
func New(o Options) (*Channel, error) {
	key, err := parseKey(o.Secret)
	if err != nil {
		return nil, &channels.StateError{State: channels.State{
			Phase: channels.Refused, Problem: "the webhook's secret is invalid: " + err.Error(),
			NextStep: "create one with `openssl rand -hex 32` and use it on both sides",
		}}
	}
	c := &Channel{opts: o, key: key, http: o.HTTP, log: o.Log, heavy: make(chan struct{}, maxHeavy)}
	if c.http == nil {
		c.http = newClient()
	}
	if c.log == nil {
		c.log = slog.New(slog.DiscardHandler)
	}
	return c, nil
}

// Name returns "webhook".
func (c *Channel) Name() string { return name }

// Run receives events until ctx ends. It waits for requests in flight, and cancels those that take longer than a few seconds:
// accept is not running when Run returns.
func (c *Channel) Run(ctx context.Context, accept channels.Accept) error {
	c.opts.Host.Report(channels.State{Phase: channels.Connecting})
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", c.opts.Listen)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return &channels.StateError{Err: err, State: channels.State{
			Phase: channels.Refused, Problem: "the webhook's address " + c.opts.Listen + " is not available",
			NextStep: "stop the program that uses it, or set another address in channels.webhook.listen",
		}}
	}
	// Each request holds it for reading. It is held for writing, and never released, once Run ends.
	var handling sync.RWMutex
	defer handling.Lock()
	mux := http.NewServeMux()
	mux.HandleFunc("POST "+path, func(w http.ResponseWriter, r *http.Request) {
		if !handling.TryRLock() {
			return // its connection is closed
		}
		defer handling.RUnlock()
		c.handle(w, r, accept)
	})
	server := &http.Server{
		Handler: drain.Handler(mux, 2*maxBody), ReadTimeout: readTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: 16 << 10,
		ErrorLog: slog.NewLogLogger(c.log.Handler(), slog.LevelDebug),
	}
	defer c.http.CloseIdleConnections()
	ended := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() { ended <- shutDown(server) })
	c.opts.Host.Report(channels.State{Phase: channels.Connected, Account: "http://" + listener.Addr().String() + path})
	err = server.Serve(listener)
	if !stop() {
		return errors.Join(<-ended, ctx.Err())
	}
	return errors.Join(err, server.Close())
}

// shutDown waits for the requests in flight and cancels those that take longer than closeTimeout.
func shutDown(server *http.Server) error {
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	if err := server.Shutdown(ctx); err != nil {
		return server.Close()
	}
	return nil
}

// handle handles one request. It answers 204 only once the event is durable.
func (c *Channel) handle(w http.ResponseWriter, r *http.Request, accept channels.Accept) {
	if r.ContentLength > heavyBody || r.ContentLength < 0 { // anybody may send one, since the signature is read with it
		select {
		case c.heavy <- struct{}{}:
			defer func() { <-c.heavy }()
		default:
			retry(w, errors.New("too many long requests are being read: post it again"))
			return
		}
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if _, long := errors.AsType[*http.MaxBytesError](err); long {
		c.reject(w, http.StatusRequestEntityTooLarge, errors.New("the request is longer than 4 MB"))
		return
	}
	if err != nil {
		c.reject(w, http.StatusBadRequest, errors.New("the request could not be read to its end"))
		return
	}
	m, status, err := c.read(r.Header, body)
	if err != nil {
		c.reject(w, status, err)
		return
	}
	if err := accept(r.Context(), m); err != nil {
		c.log.Warn("store an event", "room", m.Room, "error", err)
		retry(w, errors.New("the event was not stored: post it again"))
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// read returns the message in a request, or the status and the error to reject it with.
func (c *Channel) read(h http.Header, body []byte) (channels.Message, int, error) {
	signed, err := verify(h, c.key, body, c.opts.Host.Now())
	if err != nil {
		return channels.Message{}, http.StatusUnauthorized, err
	}
	m, err := parse(body, h.Get(headerID), signed)
	if err != nil {
		return channels.Message{}, http.StatusBadRequest, err
	}
	return m, http.StatusOK, nil
}

// reject rejects a request that would be rejected again.
func (c *Channel) reject(w http.ResponseWriter, status int, why error) {
	c.log.Debug("reject a request", "status", status, "error", why)
	answer(w, status, why)
}

// retry asks for a request once more.
func retry(w http.ResponseWriter, why error) {
	w.Header().Set("Retry-After", retryAfterSeconds)
	answer(w, http.StatusServiceUnavailable, why)
}

// answer writes an error as JSON.
func answer(w http.ResponseWriter, status int, why error) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"error": why.Error()}) // the sender may have disconnected
}
