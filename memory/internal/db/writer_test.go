package db

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mattn/go-sqlite3"
)

// insertEvent is a small write.
func insertEvent(event string) func(tx *Tx) error {
	return func(tx *Tx) error {
		_, err := tx.Exec(`INSERT INTO inbox (persona, channel, room, thread, event_id, payload, status, received_at)
			VALUES ('mira', 'console', 'main', '', ?, '{}', 'pending', ?)`, event, tx.NowMillis())
		return err
	}
}

func TestWritesThatQueueTogetherCommitTogether(t *testing.T) {
	path := filepath.Join(t.TempDir(), "familiar.db")
	synctest.Test(t, func(t *testing.T) {
		s := openTestAt(t, path, Options{Now: atMonday})
		commits := countCommits(t, s)
		hold, held := make(chan struct{}), make(chan error, 1)
		go func() {
			held <- s.Write(t.Context(), "hold the writer", func(tx *Tx) error {
				<-hold
				return insertEvent("held")(tx)
			})
		}()
		synctest.Wait()

		wrong := errors.New("wrong")
		results := make([]error, 40)
		var wg sync.WaitGroup
		for i := range results {
			wg.Go(func() {
				results[i] = s.Write(t.Context(), fmt.Sprintf("write %d", i), func(tx *Tx) error {
					if err := insertEvent(fmt.Sprintf("e%d", i))(tx); err != nil {
						return err
					}
					switch i {
					case 7:
						return wrong
					case 8:
						panic("a bug")
					}
					return nil
				})
			})
		}
		synctest.Wait() // all of them queue behind the held one
		close(hold)
		wg.Wait()
		if err := <-held; err != nil {
			t.Error(err)
		}
		for i, err := range results {
			switch {
			case i == 7 && (!errors.Is(err, wrong) || !strings.HasPrefix(err.Error(), "write 7: ")):
				t.Errorf("write 7: got %v, want its own error with its act", err)
			case i == 8 && (err == nil || !strings.Contains(err.Error(), "panic: a bug")):
				t.Errorf("write 8: got %v, want its panic", err)
			case i != 7 && i != 8 && err != nil:
				t.Errorf("write %d: %v", i, err)
			}
		}
		if got := len(events(t, s)); got != 39 {
			t.Errorf("%d rows, want 39: the failed and the panicking write must leave nothing", got)
		}
		if *commits != 1 {
			t.Errorf("%d commits, want 1: those that queued behind the held write share its commit", *commits)
		}
	})
}

// countCommits counts the commits of the writer from now on.
func countCommits(t *testing.T, s *DB) *int {
	t.Helper()
	n := new(int)
	err := s.writer.c.Raw(func(driver any) error {
		driver.(*sqlite3.SQLiteConn).RegisterCommitHook(func() int { *n++; return 0 })
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestWriteCancelledWhileQueueing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "familiar.db")
	synctest.Test(t, func(t *testing.T) {
		s := openTestAt(t, path, Options{Now: atMonday})
		hold := make(chan struct{})
		var wg sync.WaitGroup
		wg.Go(func() {
			if err := s.Write(t.Context(), "hold", func(*Tx) error { <-hold; return nil }); err != nil {
				t.Error(err)
			}
		})
		synctest.Wait()
		ctx, cancel := context.WithCancel(t.Context())
		ran := false
		wg.Go(func() {
			err := s.Write(ctx, "too late", func(*Tx) error { ran = true; return nil })
			if !errors.Is(err, context.Canceled) {
				t.Errorf("got %v, want the context's error", err)
			}
		})
		synctest.Wait()
		cancel()
		synctest.Wait()
		close(hold)
		wg.Wait()
		if ran {
			t.Error("a write withdrawn while queueing ran")
		}
	})
}

func TestWriteAwaitsItsResultOnceItRuns(t *testing.T) {
	s := openTest(t)
	ctx, cancel := context.WithCancel(t.Context())
	err := s.Write(ctx, "write", func(tx *Tx) error {
		cancel()
		return insertEvent("e")(tx)
	})
	if err != nil || len(events(t, s)) != 1 {
		t.Errorf("got %v and %v, want the write to be done and said to be done", err, events(t, s))
	}
}

func TestCommitFailureFailsTheWholeBatch(t *testing.T) {
	s := openTest(t)
	err := s.writer.c.Raw(func(driver any) error {
		driver.(*sqlite3.SQLiteConn).RegisterCommitHook(func() int { return 1 }) // refuse every commit
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Write(t.Context(), "write", insertEvent("e")); err == nil {
		t.Error("a write whose commit failed was reported as written")
	}
	if got := events(t, s); len(got) != 0 {
		t.Errorf("%v was written", got)
	}
}

func TestAbandonedRowsDoNotBlockTheStore(t *testing.T) {
	s := openTest(t)
	accept(t, s, 3)
	leave := func(tx *Tx) error {
		rows, err := tx.Query("SELECT id FROM inbox") //nolint:rowserrcheck,sqlclosecheck // it is abandoned on purpose
		if err != nil {
			return err
		}
		rows.Next()
		panic("between two rows")
	}
	if err := s.Write(t.Context(), "write", leave); err == nil {
		t.Error("the panic was lost")
	}
	if err := s.Write(t.Context(), "write on", insertEvent("after")); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil { // would hang on an open cursor
		t.Error(err)
	}
}

func TestDiskFullIsExplainedAndPasses(t *testing.T) {
	s := openTest(t)
	accept(t, s, 1)
	setPages := func(n int) {
		t.Helper()
		if err := s.Write(t.Context(), "limit the file", func(tx *Tx) error {
			var got int
			return tx.QueryRow(fmt.Sprintf("PRAGMA max_page_count = %d", n)).Scan(&got)
		}); err != nil {
			t.Fatal(err)
		}
	}
	setPages(1) // SQLite raises it to the current size
	big := testMessage("main", "big", strings.Repeat("x", 1<<20))
	_, err := accept1(t.Context(), s, big)
	if err == nil || !strings.Contains(err.Error(), "is full") {
		t.Fatalf("got %v, want to be told that the disk is full", err)
	}
	if got := events(t, s); len(got) != 1 {
		t.Errorf("after a full disk the inbox contains %v, want only what was there", got)
	}
	setPages(1 << 20)
	if fresh, err := accept1(t.Context(), s, big); err != nil || !fresh {
		t.Errorf("with space again: fresh %v, %v", fresh, err)
	}
}

func TestR6ReadOnlyIsExplained(t *testing.T) {
	s := openTest(t)
	if _, err := s.writer.Exec("PRAGMA query_only = on"); err != nil {
		t.Fatal(err)
	}
	_, err := accept1(t.Context(), s, testMessage("main", "e", "hi"))
	if err == nil || !strings.Contains(err.Error(), "write access") {
		t.Errorf("got %v, want to be told what to change", err)
	}
}

func TestAnotherProcessWriting(t *testing.T) {
	path := filepath.Join(t.TempDir(), "familiar.db")
	one := openTestAt(t, path, Options{Now: atMonday})
	two := openTestAt(t, path, Options{Now: atMonday, BusyTimeout: busySlice})
	patient := openTestAt(t, path, Options{Now: atMonday})
	hurried := openTestAt(t, path, Options{Now: atMonday})

	hold, holding, done := make(chan struct{}), make(chan struct{}), make(chan error, 2)
	go func() {
		done <- one.Write(t.Context(), "hold", func(*Tx) error { close(holding); <-hold; return nil })
	}()
	<-holding
	_, err := accept1(t.Context(), two, testMessage("main", "e1", "hi"))
	if !isBusy(err) || !strings.Contains(err.Error(), "another process is writing") {
		t.Errorf("got %v, want to be told that the file is busy", err)
	}
	go func() {
		_, err := accept1(t.Context(), patient, testMessage("main", "e2", "hi"))
		done <- err
	}()
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := accept1(ctx, hurried, testMessage("main", "e3", "hi")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want the context's error", err)
	}
	close(hold)
	for range 2 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if got := events(t, two); len(got) != 1 || got[0] != "e2" {
		t.Errorf("the inbox contains %v, want e2 from the one who waited", got)
	}
}

func TestClosedStore(t *testing.T) {
	s := openTest(t)
	if err := errors.Join(s.Close(), s.Close()); err != nil {
		t.Fatal(err)
	}
	_, acceptErr := accept1(t.Context(), s, testMessage("main", "e", "hi"))
	_, readErr := pendingRooms(t.Context(), s)
	for _, err := range []error{acceptErr, readErr} {
		if !errors.Is(err, ErrClosed) {
			t.Errorf("got %v, want ErrClosed", err)
		}
	}
}

func BenchmarkWriteGroup(b *testing.B) {
	s := openTest(b)
	b.SetParallelism(4) // 8 goroutines on two cores
	var mu sync.Mutex
	next := 0
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			mu.Lock()
			next++
			event := fmt.Sprint(next)
			mu.Unlock()
			if err := s.Write(b.Context(), "write", insertEvent(event)); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkRead(b *testing.B) {
	s := openTest(b)
	for b.Loop() {
		if _, err := pendingRooms(b.Context(), s); err != nil {
			b.Fatal(err)
		}
	}
}

// TestAFailedWriteRunsItsGroupAgain is about the other writes of a group when one fails: they are rolled back, run
// again and stored once, and the failed one leaves nothing.
func TestAFailedWriteRunsItsGroupAgain(t *testing.T) {
	s := openTest(t)
	refused := errors.New("refused")
	runs := 0
	group := []*job{
		{ctx: t.Context(), what: "write a", done: make(chan error, 1), fn: func(tx *Tx) error { runs++; return insertEvent("a")(tx) }},
		{ctx: t.Context(), what: "write b", done: make(chan error, 1), fn: func(tx *Tx) error {
			return errors.Join(insertEvent("b")(tx), refused)
		}},
		{ctx: t.Context(), what: "write c", done: make(chan error, 1), fn: insertEvent("c")},
	}
	if err := s.engine.begin(t.Context(), s.closing, s.writer); err != nil { // the writer goroutine is idle
		t.Fatal(err)
	}
	if _, err := s.runGroup(group); err != nil {
		t.Fatal(err)
	}
	if got := events(t, s); !slices.Equal(got, []string{"a", "c"}) || runs != 2 {
		t.Errorf("the inbox contains %v after %d runs of a, want a and c after 2", got, runs)
	}
	if group[0].err != nil || !errors.Is(group[1].err, refused) || group[2].err != nil {
		t.Errorf("errors %v, %v, %v: want only the second refused", group[0].err, group[1].err, group[2].err)
	}
}

// TestUrgentWritesComeFirst keeps the writer busy until turns and messages wait for it, longer than a group takes: the
// messages are in the same commit, the turns in later ones.
func TestUrgentWritesComeFirst(t *testing.T) {
	path := filepath.Join(t.TempDir(), "familiar.db")
	synctest.Test(t, func(t *testing.T) {
		s := openTestAt(t, path, Options{Now: time.Now}) // the bubble's clock, which advances when all goroutines block
		commits := countCommits(t, s)
		hold := make(chan struct{})
		var wg sync.WaitGroup
		ran := make(map[string]int) // the commit of each event
		write := func(queue func(context.Context, string, func(*Tx) error) error, event string) {
			wg.Go(func() {
				if err := queue(t.Context(), "write "+event, func(tx *Tx) error {
					if event == "first" {
						<-hold
					}
					ran[event] = *commits
					return insertEvent(event)(tx)
				}); err != nil {
					t.Error(err)
				}
			})
		}
		write(s.Write, "first")
		synctest.Wait()
		write(s.Write, "turn")
		synctest.Wait()
		write(s.WriteUrgent, "message")
		time.Sleep(2 * groupSlice)
		close(hold)
		wg.Wait()
		if ran["message"] != ran["first"] || ran["turn"] != ran["first"]+1 {
			t.Errorf("ran in commits %v, want the message with the first and the turn after it", ran)
		}
	})
}

// TestSnapshotsLeaveAReader takes every snapshot slot: a short lookup still finds a reader.
func TestSnapshotsLeaveAReader(t *testing.T) {
	path := filepath.Join(t.TempDir(), "familiar.db")
	synctest.Test(t, func(t *testing.T) {
		s := openTestAt(t, path, Options{Now: atMonday})
		hold := make(chan struct{})
		var wg sync.WaitGroup
		for range 2 * MaxReaders {
			wg.Go(func() {
				if err := s.Snapshot(t.Context(), func(context.Context) error { <-hold; return nil }); err != nil {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		if _, err := pendingRooms(t.Context(), s); err != nil {
			t.Error(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		err := s.Snapshot(ctx, func(context.Context) error { return nil })
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want not to wait any longer", err)
		}
		close(hold)
		wg.Wait()
	})
}
