package fleet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"familiar/channels"
	"familiar/internal/pgtest"
	"familiar/memory/internal/db"
)

func open(t *testing.T, address string) *db.DB {
	t.Helper()
	d, err := db.Open(t.Context(), address, db.Options{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

func join(t *testing.T, address, name string, serves ...string) *Member {
	t.Helper()
	m, err := New(open(t, address)).Join(t.Context(), Joining{Name: name, Cast: "nell"})
	if err != nil {
		t.Fatal(err)
	}
	m.Serve(nil, func(Wake) {}, serves...)
	return m
}

// eventually waits until something is so.
func eventually(t *testing.T, what string, within time.Duration, is func() bool) {
	t.Helper()
	for end := time.Now().Add(within); !is(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not so after %v: %s", within, what)
		}
	}
}

func room(n int) channels.Room { return channels.Room{Channel: "telegram", ID: fmt.Sprint(n)} }

func TestAMemoryInAFileHasOneProcess(t *testing.T) {
	m, err := New(open(t, filepath.Join(t.TempDir(), "familiar.db"))).Join(t.Context(), Joining{Name: "a"})
	if m != nil || err != nil {
		t.Fatalf("joined %v, %v", m, err)
	}
	release, held, err := m.Hold(t.Context(), room(1))
	if !held || err != nil || !m.Answers(room(1)) || !m.Sure() || m.Await(t.Context()) != nil {
		t.Errorf("it does not hold everything: %v", err)
	}
	release()
	ran := false
	if err := m.While(t.Context(), "jobs", func(context.Context) error { ran = true; return nil }); err != nil || !ran {
		t.Errorf("ran %v, %v", ran, err)
	}
}

// TestRoomsAreSharedOut has each room prefer one process, and move when a process comes or leaves, but only while it is not in use.
func TestRoomsAreSharedOut(t *testing.T) {
	t.Parallel()
	address := pgtest.URL(t)
	a, b := join(t, address, "a", "telegram", "webhook"), join(t, address, "b", "telegram")
	all := []*Member{a, b}
	eventually(t, "both know of both", 5*time.Second, func() bool {
		return len(a.place.Peers()) == 2 && len(b.place.Peers()) == 2 && a.place.Peers()[1].Channels != "" && b.place.Peers()[0].Channels != ""
	})
	for n := range 400 {
		if a.Answers(room(n)) == b.Answers(room(n)) {
			t.Fatalf("room %d is answered by both or by none", n)
		}
	}
	if r := (channels.Room{Channel: "webhook", ID: "1"}); !a.Answers(r) || b.Answers(r) {
		t.Error("the process that cannot send there answers")
	}
	mine := [2]int{}
	for n := range 400 {
		for i, m := range all {
			if m.Answers(room(n)) {
				mine[i]++
			}
		}
	}
	if min(mine[0], mine[1]) < 150 {
		t.Errorf("of 400 rooms they have %v", mine)
	}
	// One uses a room that would be better with a third.
	release, held, err := a.Hold(t.Context(), room(1))
	if !held || err != nil {
		t.Fatalf("held %v, %v", held, err)
	}
	c := join(t, address, "c", "telegram")
	if _, held, err := c.Hold(t.Context(), room(1)); held || err != nil {
		t.Fatalf("two hold a room: %v", err)
	}
	time.Sleep(100 * time.Millisecond)
	if _, held, err := c.Hold(t.Context(), room(1)); held || err != nil {
		t.Fatalf("two hold a room: %v", err)
	}
	release()
	eventually(t, "the room is given up to the one that asked", 2*time.Second, func() bool {
		release, held, err := c.Hold(t.Context(), room(1))
		if err != nil {
			t.Fatal(err)
		}
		if held {
			release()
		}
		return held
	})
}

// TestAWriteOfAProcessThatIsGoneIsRefused cuts a process off for longer than it is waited for.
func TestAWriteOfAProcessThatIsGoneIsRefused(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	wire := &wire{to: server.TCPURL()}
	far, near := join(t, wire.serve(t), "far", "telegram"), join(t, server.TCPURL(), "near", "telegram")
	release, held, err := far.Hold(t.Context(), room(1))
	if !held || err != nil {
		t.Fatalf("held %v, %v", held, err)
	}
	defer release()
	wire.cut.Store(true)
	began := time.Now()
	eventually(t, "the one that is cut off is no longer sure", 4*time.Second, func() bool { return !far.Sure() })
	if _, held, _ := near.Hold(t.Context(), room(1)); held {
		t.Error("another process has the room while nobody could tell that its holder is gone")
	}
	eventually(t, "another takes over", 8*time.Second, func() bool {
		_, held, err := near.Hold(t.Context(), room(1))
		return held && err == nil
	})
	t.Logf("taken over after %v", time.Since(began))
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("taking over took %v", took)
	}
	wire.cut.Store(false)
	if err := far.db.Write(t.Context(), "write late", func(*db.Tx) error { return nil }); !errors.Is(err, ErrGone) {
		t.Errorf("a late write: %v", err)
	}
	select {
	case <-far.Lost():
	case <-time.After(10 * time.Second):
		t.Error("the process does not know that it is gone")
	}
	if err := far.Await(t.Context()); !errors.Is(err, ErrGone) {
		t.Errorf("waiting for a place that is gone: %v", err)
	}
	if err := near.db.Write(t.Context(), "write", func(*db.Tx) error { return nil }); err != nil {
		t.Error(err)
	}
}

// TestTryWaitsForAHolderThatWasKilled expects a lease that a living process holds to be refused, and one of a process that ended
// without leaving to be taken when that is certain.
func TestTryWaitsForAHolderThatWasKilled(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	wire := &wire{to: server.TCPURL()}
	far, near := join(t, wire.serve(t), "far"), join(t, server.TCPURL(), "near")
	if held, err := far.hold(t.Context(), "the terminal", channels.Room{}); !held || err != nil {
		t.Fatalf("held %v, %v", held, err)
	}
	nothing := func() error { return nil }
	if done, err := near.Try(t.Context(), "the terminal", nothing); done || err != nil {
		t.Errorf("two hold a lease: %v, %v", done, err)
	}
	wire.cut.Store(true)
	began := time.Now()
	if done, err := near.Try(t.Context(), "the terminal", nothing); !done || err != nil {
		t.Errorf("the lease of a process that is gone was not taken: %v", err)
	}
	t.Logf("taken over after %v", time.Since(began))
	if done, err := near.Try(t.Context(), "the terminal", nothing); !done || err != nil {
		t.Errorf("the lease was not given up: %v", err)
	}
}

// TestARestartOfTheServerTakesNothingAway has the server down for longer than a process is waited for: nobody could tell that it lives.
func TestARestartOfTheServerTakesNothingAway(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	a, b := join(t, server.TCPURL(), "a", "telegram"), join(t, server.TCPURL(), "b", "telegram")
	_, held, err := a.Hold(t.Context(), room(1))
	if !held || err != nil {
		t.Fatalf("held %v, %v", held, err)
	}
	server.Kill()
	eventually(t, "both know that nothing is sure", 5*time.Second, func() bool { return !a.Sure() && !b.Sure() })
	time.Sleep(2 * time.Second)
	server.Restart()
	eventually(t, "both are sure again", 8*time.Second, func() bool { return a.Sure() && b.Sure() })
	if _, held, err := b.Hold(t.Context(), room(1)); held || err != nil {
		t.Errorf("the restart took a room away: %v", err)
	}
	if err := a.db.Write(t.Context(), "write", func(*db.Tx) error { return nil }); err != nil {
		t.Error(err)
	}
}

func TestOtherPersonasAreRefused(t *testing.T) {
	t.Parallel()
	address := pgtest.URL(t)
	a := join(t, address, "host-a")
	other := New(open(t, address))
	_, err := other.Join(t.Context(), Joining{Name: "b", Cast: "mira"})
	if !errors.Is(err, ErrOtherCast) {
		t.Fatalf("other personas: %v", err)
	}
	if _, err := other.Join(t.Context(), Joining{Name: "a terminal"}); err != nil {
		t.Errorf("a terminal: %v", err)
	}
	if err := a.Leave(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := New(open(t, address)).Join(t.Context(), Joining{Name: "b", Cast: "mira"}); err != nil {
		t.Errorf("after the others left: %v", err)
	}
	all, err := other.Processes(t.Context())
	if err != nil || len(all) != 2 || all[1].Cast != "mira" {
		t.Errorf("the processes are %+v, %v", all, err)
	}
}

// TestAProcessThatWroteAloneLeaves expects a process that nobody wrote beside to be gone once it has left.
func TestAProcessThatWroteAloneLeaves(t *testing.T) {
	t.Parallel()
	s := New(open(t, pgtest.URL(t)))
	m, err := s.Join(t.Context(), Joining{Name: "a", Cast: "nell"})
	if err != nil {
		t.Fatal(err)
	}
	for n := range 4 {
		if _, held, err := m.Hold(t.Context(), room(n)); !held || err != nil {
			t.Fatalf("held %v, %v", held, err)
		}
	}
	if err := m.Leave(t.Context()); err != nil {
		t.Error(err)
	}
	if all, err := s.Processes(t.Context()); err != nil || len(all) > 0 {
		t.Errorf("there still are %+v, %v", all, err)
	}
}

// TestAWrongClockIsRefused has a process join whose clock is ten minutes behind that of the server: it is refused while others are there.
func TestAWrongClockIsRefused(t *testing.T) {
	t.Parallel()
	address := pgtest.URL(t)
	late := func() *Store {
		d, err := db.Open(t.Context(), address, db.Options{Now: func() time.Time { return time.Now().Add(-10 * time.Minute) }})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = d.Close() })
		return New(d)
	}
	first, err := late().Join(t.Context(), Joining{Name: "a", Cast: "nell"})
	if err != nil {
		t.Fatalf("one that is alone: %v", err)
	}
	if skew := first.Skew(); skew > -9*time.Minute || skew < -11*time.Minute {
		t.Errorf("the clock is ahead by %v", skew)
	}
	if err := first.Leave(t.Context()); err != nil {
		t.Fatal(err)
	}
	join(t, address, "b")
	if _, err := late().Join(t.Context(), Joining{Name: "a", Cast: "nell"}); !errors.Is(err, ErrClock) {
		t.Errorf("one beside another: %v", err)
	}
}

// TestJobsRunInOneProcess has three processes that want to run the same, and those that run it leave.
func TestJobsRunInOneProcess(t *testing.T) {
	t.Parallel()
	address := pgtest.URL(t)
	var running, runs, most atomic.Int64
	var all sync.WaitGroup
	for i := range 3 {
		m := join(t, address, fmt.Sprint(i))
		all.Go(func() {
			_ = m.While(t.Context(), "jobs", func(context.Context) error {
				most.Store(max(most.Load(), running.Add(1)))
				time.Sleep(50 * time.Millisecond)
				running.Add(-1)
				runs.Add(1)
				return nil
			})
		})
	}
	all.Wait()
	if most.Load() != 1 || runs.Load() != 3 {
		t.Errorf("%d ran at once, %d in all", most.Load(), runs.Load())
	}
}

// wire passes connections on to a server until it is cut: then what is sent is swallowed, and nothing is closed.
type wire struct {
	to  string
	cut atomic.Bool
}

func (w *wire) serve(t *testing.T) (address string) {
	t.Helper()
	u, err := url.Parse(w.to)
	if err != nil {
		t.Fatal(err)
	}
	server := u.Host
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", server)
			if err != nil {
				_ = near.Close()
				continue
			}
			go w.pass(near, far)
			go w.pass(far, near)
		}
	}()
	u.Host = l.Addr().String()
	return u.String()
}

func (w *wire) pass(from, to net.Conn) {
	defer to.Close()
	defer from.Close()
	buf := make([]byte, 1<<16)
	for {
		n, err := from.Read(buf)
		for w.cut.Load() {
			time.Sleep(10 * time.Millisecond)
		}
		if err == nil {
			_, err = to.Write(buf[:n])
		}
		if err != nil && !errors.Is(err, io.EOF) || err != nil {
			return
		}
	}
}

// TestALeaseIsTakenOnce has two processes want the same lease, which the second one gets once the first gave it up.
func TestALeaseIsTakenOnce(t *testing.T) {
	t.Parallel()
	address := pgtest.URL(t)
	a, b := join(t, address, "a"), join(t, address, "b")
	eventually(t, "both know of both", 5*time.Second, func() bool { return a.Peers() == 2 && b.Peers() == 2 })
	began, end, ended := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		_, err := a.Take(t.Context(), "network discord/1", func(context.Context) error {
			close(began)
			<-end
			return nil
		})
		ended <- err
	}()
	<-began
	taken, err := b.Taken(t.Context(), "network discord/")
	if fmt.Sprint(taken) != "[1]" || err != nil {
		t.Errorf("taken are %v, %v", taken, err)
	}
	if held, err := b.Take(t.Context(), "network discord/1", nil); held || err != nil {
		t.Errorf("taken twice: %v, %v", held, err)
	}
	a.mu.Lock()
	a.leases["network discord/1"].uses-- // as if it could not have been given up
	a.mu.Unlock()
	if taken, err := a.Taken(t.Context(), "network discord/"); len(taken) > 0 || err != nil {
		t.Errorf("taken are %v, %v, although nobody uses it", taken, err)
	}
	a.mu.Lock()
	a.leases["network discord/1"].uses++
	a.mu.Unlock()
	changed := b.Changed()
	close(end)
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	select {
	case <-changed:
	case <-time.After(5 * time.Second):
		t.Error("the other process was not told")
	}
	ran := false
	if held, err := b.Take(t.Context(), "network discord/1", func(context.Context) error { ran = true; return nil }); !held || !ran || err != nil {
		t.Errorf("held %v, ran %v, %v", held, ran, err)
	}
}
