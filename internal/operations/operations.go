// Package operations answers the operator's questions to a serving process: is it alive, is it ready, what does it count.
// It listens on a socket in the home, which only its owner can open, and on a TCP address if one is configured.
package operations

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

// Options configure Serve.
type Options struct {
	// Socket is the path of the socket.
	Socket string
	// Listen is a TCP address with a port, "" for none.
	Listen string
	// Remote reports that Listen may be asked under any host name. Otherwise only names of this machine are answered: a web
	// page whose name was pointed to this machine must not read anything.
	Remote bool
	// Status returns what the process is doing.
	Status func(ctx context.Context) Status
	// Metrics answers requests for the metrics.
	Metrics http.Handler
	Log     *slog.Logger
}

// Status is what a process says of itself. It contains nothing of people.
type Status struct {
	Version string    `json:"version"`
	PID     int       `json:"pid"`
	Since   time.Time `json:"since"`
	// Ready reports that messages can be received, stored and answered; Problems says in sentences why not.
	Ready    bool     `json:"ready"`
	Problems []string `json:"problems,omitempty"`
	// Channels has the phase of each channel that is served.
	Channels map[string]string `json:"channels"`
	// Listen is the TCP address of the metrics, "" for none.
	Listen string `json:"listen,omitempty"`
	// Dashboard is the address of the dashboard, "" if it is not served.
	Dashboard  string `json:"dashboard,omitempty"`
	Goroutines int    `json:"goroutines"`
}

// The limits of a request. Answers are small and at hand.
const (
	requestTimeout = 10 * time.Second
	maxHeader      = 8 << 10
	stopTimeout    = time.Second
)

// Server is listening. Run makes it answer.
type Server struct {
	Options
	listeners []net.Listener
}

// Listen opens the socket and the TCP address. The caller holds the lock of the home, so a socket that is there was left by
// a process that was killed.
func Listen(o Options) (*Server, error) {
	s := &Server{Options: o}
	socket, err := listenSocket(o.Socket)
	if errors.Is(err, errLongPath) {
		o.Log.Warn("`familiar status` reads the database only: the path of the home is too long for a socket", "error", err)
	} else if err != nil {
		return nil, err
	} else {
		s.listeners = append(s.listeners, socket)
	}
	if o.Listen == "" {
		return s, nil
	}
	tcp, err := net.Listen("tcp", o.Listen)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("listen for metrics: %w: choose another address in operations.listen", err), s.Close())
	}
	s.Options.Listen = tcp.Addr().String()
	s.listeners = append(s.listeners, tcp)
	return s, nil
}

// errLongPath reports a path that no socket can have.
var errLongPath = errors.New("a socket's path has at most 107 bytes")

// maxSocketPath is the size of a socket's path on Linux; it is 3 bytes less elsewhere.
const maxSocketPath = 104

func listenSocket(path string) (net.Listener, error) {
	if len(path) >= maxSocketPath {
		return nil, errLongPath
	}
	if info, err := os.Lstat(path); err == nil && info.Mode().Type() != fs.ModeSocket {
		return nil, fmt.Errorf("listen on %s: there is a file that is no socket: move it away", path)
	} else if err == nil {
		if err := os.Remove(path); err != nil {
			return nil, fmt.Errorf("remove the socket of an earlier process: %w", err)
		}
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return nil, fmt.Errorf("listen on the home's socket: %w", err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(fmt.Errorf("restrict the home's socket to its owner: %w", err), l.Close())
	}
	return l, nil
}

// Close stops listening. It is for a server that does not run.
func (s *Server) Close() (err error) {
	for _, l := range s.listeners {
		err = errors.Join(err, l.Close())
	}
	return err
}

// Run answers requests until ctx ends.
func (s *Server) Run(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	for _, l := range s.listeners {
		server := &http.Server{
			Handler: s.handler(l.Addr().Network() == "unix"), ReadTimeout: requestTimeout, WriteTimeout: requestTimeout, IdleTimeout: requestTimeout,
			MaxHeaderBytes: maxHeader, ErrorLog: slog.NewLogLogger(s.Log.Handler(), slog.LevelDebug),
		}
		g.Go(func() error {
			if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
				return fmt.Errorf("answer requests on %s: %w", l.Addr(), err)
			}
			return nil
		})
		g.Go(func() error {
			<-ctx.Done()
			stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
			defer cancel()
			if err := server.Shutdown(stopping); err != nil {
				return server.Close()
			}
			return nil
		})
	}
	return g.Wait()
}

// handler returns the handler of one listener.
func (s *Server) handler(socket bool) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	mux.HandleFunc("GET /readyz", s.answerReady)
	mux.HandleFunc("GET /status", func(w http.ResponseWriter, r *http.Request) { s.answer(w, http.StatusOK, s.Status(r.Context())) })
	mux.Handle("GET /metrics", s.Metrics)
	if socket || s.Remote {
		return mux
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !isLocalName(r.Host) {
			http.Error(w, "ask under the address of operations.listen", http.StatusForbidden)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// answerReady says whether the process is ready, with a sentence for each problem.
func (s *Server) answerReady(w http.ResponseWriter, r *http.Request) {
	now := s.Status(r.Context())
	code := http.StatusOK
	if !now.Ready {
		code = http.StatusServiceUnavailable
	}
	s.answer(w, code, struct {
		Ready    bool     `json:"ready"`
		Problems []string `json:"problems,omitempty"`
	}{now.Ready, now.Problems})
}

func (s *Server) answer(w http.ResponseWriter, code int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	if err := json.NewEncoder(w).Encode(value); err != nil {
		s.Log.Debug("answer a request about the process", "error", err)
	}
}

// isLocalName reports whether host, with or without a port, names this machine.
func isLocalName(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.Trim(host, "[]")
	address, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && address.IsLoopback()
}

// Ask asks the process that listens on socket for its status. It fails with fs.ErrNotExist if there is no socket.
func Ask(ctx context.Context, socket string) (now Status, err error) {
	client := http.Client{Timeout: requestTimeout, Transport: &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "unix", socket)
		},
	}}
	defer client.CloseIdleConnections()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://familiar/status", nil)
	if err != nil {
		return now, err
	}
	response, err := client.Do(r)
	if err != nil {
		return now, fmt.Errorf("ask the serving process: %w", err)
	}
	defer response.Body.Close() //nolint:errcheck // it was read
	if err := json.NewDecoder(response.Body).Decode(&now); err != nil {
		return now, fmt.Errorf("read the answer of the serving process: %w", err)
	}
	return now, nil
}
