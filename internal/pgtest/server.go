package pgtest

import (
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// Mode is how a server is stopped.
type Mode int

const (
	// Fast ends all connections, writes everything to disk and stops.
	Fast Mode = iota
	// Immediate ends at once: the next start recovers from the write-ahead log.
	Immediate
)

// Server is a server of one test, which may stop and kill it. Its database is empty at first and its data survives
// restarts. Commits are synced to disk. A method that fails reports an error to the test.
type Server struct {
	t testing.TB
	c *cluster
}

// Start starts a server for t alone. It listens on a Unix socket and on a port of 127.0.0.1, and ends with the test.
func Start(t testing.TB) *Server {
	t.Helper()
	return start(t, func(*cluster) error { return nil })
}

// start starts a server after prepare.
func start(t testing.TB, prepare func(c *cluster) error) *Server {
	t.Helper()
	c, err := newCluster(needInstalled(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { discard(c) })
	if err := prepare(c); err != nil {
		t.Fatal(err)
	}
	c.host = "127.0.0.1"
	if err := startOnFreePort(c); err != nil {
		t.Fatal(err)
	}
	if err := c.createDatabase("test", "template1"); err != nil {
		t.Fatal(err)
	}
	return &Server{t: t, c: c}
}

// startOnFreePort starts a server on a port that was free just before. Another process may take the port meanwhile.
func startOnFreePort(c *cluster) (err error) {
	for range 5 {
		if c.port, err = freePort(); err != nil {
			return err
		}
		if err = c.start(); err == nil {
			return nil
		}
	}
	return err
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, fmt.Errorf("find a free port for PostgreSQL: %w", err)
	}
	return l.Addr().(*net.TCPAddr).Port, l.Close()
}

// discard stops a server and removes its data.
func discard(c *cluster) {
	_ = c.stop(stopImmediately) // the guard tries again
	// A killed server leaves the number of its process behind, which another process may have by now.
	_ = os.Remove(filepath.Join(c.dir, "data", "postmaster.pid"))
	c.close()
}

// URL is the URL of the server's database through its Unix socket.
func (s *Server) URL() string { return s.c.url("test") }

// TCPURL is the URL of the server's database through its port on 127.0.0.1.
func (s *Server) TCPURL() string { return s.tcpURL(url.User("postgres")) }

func (s *Server) tcpURL(user *url.Userinfo) string {
	u := url.URL{
		Scheme: "postgres", User: user, Host: net.JoinHostPort(s.c.host, strconv.Itoa(s.c.port)),
		Path: "/test", RawQuery: "sslmode=disable",
	}
	return u.String()
}

// Stop stops the server, if it runs, and waits until it has stopped.
func (s *Server) Stop(how Mode) {
	signal := stopFast
	if how == Immediate {
		signal = stopImmediately
	}
	s.report(s.c.stop(signal))
}

// Kill kills all processes of the server at once, as a crash of the machine does.
func (s *Server) Kill() { s.report(s.c.kill()) }

// Restart starts the server on the same socket and port, after a fast stop if it runs, and waits until it accepts
// connections.
func (s *Server) Restart() {
	s.report(s.c.stop(stopFast))
	s.report(s.c.start())
}

// Log is what the server has logged since its first start.
func (s *Server) Log() string { return s.c.log() }

// RequirePassword makes the server ask for a password on its port from then on. It returns the URL with the password.
func (s *Server) RequirePassword(password string) string {
	s.report(s.c.admin("ALTER USER postgres PASSWORD '" + password + "'"))
	rules := "local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n"
	s.report(os.WriteFile(filepath.Join(s.c.dir, "data", "pg_hba.conf"), []byte(rules), 0o600))
	s.report(s.c.admin("SELECT pg_reload_conf()"))
	return s.tcpURL(url.UserPassword("postgres", password))
}

func (s *Server) report(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Error(err)
	}
}
