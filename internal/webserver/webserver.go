// Package webserver is the one HTTP listener of a serving process. Browsers and other programs reach the persona and its memory
// through the handlers that are mounted on it.
package webserver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"familiar/internal/drain"
)

// Options configure Listen.
type Options struct {
	// Listen is the TCP address with a port.
	Listen string
	// Hosts are the names under which the server may be asked, besides those of this machine's loopback; AnyHost allows all.
	// A web page whose name was pointed to this machine must not read anything.
	Hosts []string
	// Origins are the addresses of web pages whose scripts may ask, such as https://chat.example.org.
	Origins []string
	// Patience is how long a client may take to read each part of an answer, 0 for a minute.
	Patience time.Duration
	Log      *slog.Logger
}

// AnyHost stands for all host names.
const AnyHost = "*"

// The limits of a connection. Answers may be streams, so their length is up to the handlers.
const (
	headerTimeout  = 10 * time.Second
	readTimeout    = time.Minute
	idleTimeout    = 2 * time.Minute
	maxHeader      = 16 << 10
	writeTimeout   = time.Minute // for each part of an answer
	maxConnections = 1024
	stopTimeout    = 3 * time.Second
)

// Server is listening. Run makes it answer.
type Server struct {
	opts        Options
	listener    net.Listener
	connections *connections
	mux         *http.ServeMux
	// longest is the longest body that a handler takes, in bytes.
	longest int64
}

// Listen opens the address. Handlers are mounted before Run.
func Listen(o Options) (*Server, error) {
	l, err := net.Listen("tcp", o.Listen)
	if err != nil {
		return nil, fmt.Errorf("listen for browsers and other programs: %w: choose another address", err)
	}
	return &Server{opts: o, listener: l, connections: newConnections(maxConnections), mux: http.NewServeMux()}, nil
}

// Address returns the address with the port that is in use.
func (s *Server) Address() string { return s.listener.Addr().String() }

// URL returns the address under which this machine reaches the server.
func (s *Server) URL() string {
	at, err := netip.ParseAddrPort(s.Address())
	if err == nil && at.Addr().IsUnspecified() {
		at = netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), at.Port())
	}
	return "http://" + at.String()
}

// Mount has h answer the requests of a pattern of http.ServeMux, with bodies of at most maxBody bytes.
func (s *Server) Mount(pattern string, maxBody int64, h http.Handler) {
	s.longest = max(s.longest, maxBody)
	s.mux.Handle(pattern, http.MaxBytesHandler(h, maxBody))
}

// Close stops listening. It is for a server that does not run.
func (s *Server) Close() error { return s.listener.Close() }

// Run answers requests until ctx ends. Then it waits a few seconds for those in progress and cuts off the others.
func (s *Server) Run(ctx context.Context) error {
	requests, cutOff := context.WithCancel(context.WithoutCancel(ctx))
	defer cutOff()
	answered := s.connections.limit(writeDeadlines(s.guarded(newQuotas().limit(s.mux)), cmp.Or(s.opts.Patience, writeTimeout)))
	server := &http.Server{
		// While the rest of a refused request is read, its connection counts as waiting.
		Handler: drain.Handler(answered, 2*s.longest), ConnContext: s.connections.opened, ConnState: s.connections.changed,
		ReadHeaderTimeout: headerTimeout, ReadTimeout: readTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader,
		BaseContext: func(net.Listener) context.Context { return requests },
		ErrorLog:    slog.NewLogLogger(s.opts.Log.Handler(), slog.LevelDebug),
	}
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		if err := server.Serve(s.listener); !errors.Is(err, http.ErrServerClosed) {
			return fmt.Errorf("answer other programs on %s: %w", s.Address(), err)
		}
		return nil
	})
	g.Go(func() error {
		<-ctx.Done()
		stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
		defer cancel()
		if err := server.Shutdown(stopping); err != nil {
			cutOff()
			return server.Close()
		}
		return nil
	})
	return g.Wait()
}

// guarded refuses requests under foreign names and from foreign web pages.
func (s *Server) guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.knows(r.Host) {
			http.Error(w, "ask under the address of http.listen, or add this host name to http.hosts", http.StatusForbidden)
			return
		}
		origin := r.Header.Get("Origin")
		if origin != "" && !sameHost(origin, r.Host) {
			if !slices.Contains(s.opts.Origins, origin) {
				http.Error(w, "web pages of this origin may not ask: add it to http.origins", http.StatusForbidden)
				return
			}
			allowOrigin(w.Header(), origin)
			if r.Method == http.MethodOptions {
				w.WriteHeader(http.StatusNoContent)
				return
			}
		}
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Cache-Control", "no-store")
		next.ServeHTTP(w, r)
	})
}

// allowOrigin tells a browser that pages of origin may read the answer.
func allowOrigin(h http.Header, origin string) {
	h.Set("Access-Control-Allow-Origin", origin)
	h.Add("Vary", "Origin")
	h.Set("Access-Control-Allow-Methods", "GET, POST, PUT, PATCH, DELETE")
	h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, Idempotency-Key, Mcp-Session-Id, Mcp-Protocol-Version, Last-Event-ID")
	h.Set("Access-Control-Expose-Headers", "Mcp-Session-Id, Retry-After")
}

// knows reports whether a Host header, with or without a port, names this server.
func (s *Server) knows(host string) bool {
	name := hostName(host)
	if address, err := netip.ParseAddr(name); name == "localhost" || err == nil && address.IsLoopback() {
		return true
	}
	return slices.ContainsFunc(s.opts.Hosts, func(known string) bool { return known == AnyHost || strings.EqualFold(known, name) })
}

// sameHost reports whether an Origin header names the host that was asked.
func sameHost(origin, host string) bool {
	u, err := url.Parse(origin)
	return err == nil && u.Host != "" && strings.EqualFold(u.Host, host)
}

// hostName returns a host without its port.
func hostName(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.Trim(host, "[]")
}
