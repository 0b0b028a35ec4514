//go:build linux

package dashboard_test

import (
	"bufio"
	"context"
	"errors"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"familiar/cmd/familiar/internal/dashboard"
	"familiar/internal/webserver"
	"familiar/internal/webserver/webservertest"
	"familiar/web"
)

// patience is how long the server of the test waits for a client that does not read.
const patience = 2 * time.Second

// stuckViewers is how many clients do not read.
const stuckViewers = 20

// A client that asks for live updates and never reads them is dropped soon after its socket is full, while others get every update,
// people get their answers, and the memory of the process stays as it was.
func TestClientsThatNeverReadAreDropped(t *testing.T) {
	s := newSiteAt(t, t.TempDir(), time.Now)
	var stuck atomic.Int64
	base := s.serve(t, &stuck)
	session, n := s.session(t), newTown()
	session.Name = "familiar-" + base[strings.LastIndexByte(base, ':')+1:] // the session was made at another port
	engine := s.engine(n)
	var updates atomic.Int64
	whileServed(t, engine, func(ctx context.Context) error {
		people := n.residents(engine, 40) // so that the page is long
		for _, one := range people {
			if _, err := one.say(ctx); err != nil {
				return err
			}
		}
		people = people[:2]
		look, stop := context.WithCancel(ctx)
		defer stop()
		g, look := errgroup.WithContext(look)
		g.Go(func() error { return watch(look, base, session, "/p/nell/conversations", &updates) })
		before := heap()
		for range stuckViewers {
			if err := ignore(t, base, session, "/p/nell/conversations"); err != nil {
				return err
			}
		}
		began := time.Now()
		for stuck.Load() < stuckViewers {
			if time.Since(began) > 3*time.Minute {
				t.Errorf("%d of %d clients were not dropped", stuckViewers-stuck.Load(), stuckViewers)
				break
			}
			if _, err := talkFor(ctx, people, time.Second); err != nil {
				return err
			}
		}
		if grown := heap() - before; grown > 16<<20 {
			t.Errorf("the memory grew by %d MiB", grown>>20)
		}
		seen := updates.Load()
		if _, err := talkFor(ctx, people, 3*time.Second); err != nil {
			return err
		}
		if seen == 0 || updates.Load() == seen {
			t.Errorf("somebody who reads got %d updates, and %d after the others were dropped", seen, updates.Load()-seen)
		}
		t.Logf("dropped after %s, when others had %d updates", time.Since(began).Round(time.Second), seen)
		stop()
		return g.Wait()
	})
}

// serve serves the dashboard as `familiar run` does, but with less patience, and counts the streams that have ended in dropped, if
// their client says that it is stuck.
func (s *site) serve(t *testing.T, dropped *atomic.Int64) (base string) {
	t.Helper()
	server, err := webserver.Listen(webserver.Options{Listen: "127.0.0.1:0", Patience: patience, Log: s.app.Log})
	if err != nil {
		t.Fatal(err)
	}
	pages, end, err := dashboard.Handler(s.inv, s.app, "")
	if err != nil {
		t.Fatal(err)
	}
	server.Mount("/", web.MaxBody, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		pages.ServeHTTP(w, r)
		if r.UserAgent() == "stuck" {
			dropped.Add(1)
		}
	}))
	t.Cleanup(end)
	webservertest.Serve(t, server)
	return server.URL()
}

// ignore asks for the updates of a page, over a connection that takes hardly anything, and never reads them.
func ignore(t *testing.T, base string, session *http.Cookie, page string) error {
	dialer := net.Dialer{Control: func(_, _ string, c syscall.RawConn) (failed error) {
		err := c.Control(func(fd uintptr) {
			failed = errors.Join(syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, 1024),
				syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, syscall.TCP_MAXSEG, 536))
		})
		return errors.Join(failed, err)
	}}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, base+"/live?path="+page, nil)
	if err != nil {
		return err
	}
	r.AddCookie(session)
	r.Header.Set("User-Agent", "stuck")
	c, err := dialer.DialContext(t.Context(), "tcp", r.URL.Host)
	if err != nil {
		return err
	}
	t.Cleanup(func() { c.Close() }) //nolint:errcheck // the server has closed it
	w := bufio.NewWriter(c)
	return errors.Join(r.Write(w), w.Flush())
}

// heap returns how much memory is in use, in bytes.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
