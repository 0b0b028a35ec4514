package operations_test

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"familiar/internal/operations"
)

// serve runs a server with a socket and a TCP address until the test ends.
func serve(t *testing.T, status operations.Status) *operations.Server {
	t.Helper()
	s, err := operations.Listen(operations.Options{
		Socket: filepath.Join(t.TempDir(), "s"), Listen: "127.0.0.1:0", Log: slog.New(slog.DiscardHandler),
		Status:  func(context.Context) operations.Status { return status },
		Metrics: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "metrics") }),
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- s.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return s
}

// get asks under a host name and returns the status code and the body.
func get(t *testing.T, s *operations.Server, path, host string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+s.Options.Listen+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if host != "" {
		r.Host = host
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(body)
}

func TestS17ForeignHostsAreRefused(t *testing.T) {
	s := serve(t, operations.Status{Version: "v1", PID: 7, Ready: false, Problems: []string{"telegram is refused"}, Since: time.Unix(5, 0).UTC()})
	for _, c := range []struct {
		path, host string
		code       int
		says       string
	}{
		{"/healthz", "", 200, "ok"},
		{"/readyz", "", 503, "telegram is refused"},
		{"/metrics", "", 200, "metrics"},
		{"/metrics", "localhost:9464", 200, "metrics"},
		{"/metrics", "[::1]:9464", 200, "metrics"},
		{"/metrics", "rebound.example", 403, "operations.listen"},
		{"/metrics", "203.0.113.7:9464", 403, "operations.listen"},
		{"/other", "", 404, ""},
	} {
		if code, body := get(t, s, c.path, c.host); code != c.code || !strings.Contains(body, c.says) {
			t.Errorf("%s as %q: %d %q", c.path, c.host, code, body)
		}
	}
	now, err := operations.Ask(t.Context(), s.Socket)
	if err != nil || now.PID != 7 || now.Version != "v1" || !now.Since.Equal(time.Unix(5, 0)) {
		t.Errorf("the socket says %+v, %v", now, err)
	}
	if info, err := os.Stat(s.Socket); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the socket's mode: %v, %v", info.Mode(), err)
	}
}

func TestNobodyAnswers(t *testing.T) {
	if _, err := operations.Ask(t.Context(), filepath.Join(t.TempDir(), "s")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without a socket: %v", err)
	}
}

// TestListening covers what is in the way: the socket of a killed process is replaced, a file is not, and a path that no
// socket can have only costs the socket.
func TestListening(t *testing.T) {
	at := filepath.Join(t.TempDir(), "s")
	dead, err := net.ListenUnix("unix", &net.UnixAddr{Name: at, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	dead.SetUnlinkOnClose(false)
	dead.Close()
	open := func(socket, tcp string) error {
		s, err := operations.Listen(operations.Options{Socket: socket, Listen: tcp, Log: slog.New(slog.DiscardHandler)})
		if err == nil {
			err = s.Close()
		}
		return err
	}
	if err := open(at, ""); err != nil {
		t.Error(err)
	}
	if err := os.WriteFile(at, []byte("notes"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := open(at, ""); err == nil || !strings.Contains(err.Error(), "no socket") {
		t.Errorf("a file in the way: %v", err)
	}
	if err := open(strings.Repeat("/long", 40), ""); err != nil {
		t.Errorf("a long path: %v", err)
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	if err := open(filepath.Join(t.TempDir(), "s"), taken.Addr().String()); err == nil || !strings.Contains(err.Error(), "operations.listen") {
		t.Errorf("an address in use: %v", err)
	}
}
