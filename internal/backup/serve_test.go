package backup

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"familiar/channels"
	"familiar/config"
	"familiar/internal/torture"
	"familiar/memory"
)

// writing writes messages at a rate per second until stop is called, which returns how long each took.
func writing(t testing.TB, store *memory.Store, name string, perSecond int) (stop func() []time.Duration) {
	t.Helper()
	done, began := make(chan struct{}), time.Now()
	var wait sync.WaitGroup
	var mu sync.Mutex
	var took []time.Duration
	wait.Go(func() {
		for i := 0; ; i++ {
			due := began.Add(time.Duration(i) * time.Second / time.Duration(perSecond))
			select {
			case <-done:
				return
			case <-time.After(time.Until(due)):
			}
			wait.Go(func() {
				m := message(i)
				m.ID = name + m.ID
				m.Room.ID = fmt.Sprintf("room%d", i%20)
				start := time.Now()
				if _, err := store.Log.Accept(t.Context(), "nell", m); err != nil {
					t.Error(err)
				}
				mu.Lock()
				defer mu.Unlock()
				took = append(took, time.Since(start))
			})
		}
	})
	return func() []time.Duration {
		close(done)
		wait.Wait()
		slices.Sort(took)
		return took
	}
}

// TestR8BackupsWhileWritingRestoreToAPrefix makes backups while one writer after the other stores messages, and restores each:
// it passes the integrity check, and holds the first messages without a gap. With FAMILIAR_TORTURE it does so 200 times.
func TestR8BackupsWhileWritingRestoreToAPrefix(t *testing.T) {
	t.Parallel()
	rounds := 5
	if torture.On() {
		rounds = 200
	}
	s, _ := newSet(t)
	store, err := memory.Open(t.Context(), s.Home.Database(), memory.Options{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	s.Now, s.Open = time.Now, store
	stop, stopped := make(chan struct{}), make(chan int, 1)
	go func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				stopped <- i
				return
			case <-time.After(10 * time.Millisecond): // a hundred writes a second, as R8 wants
			}
			if _, err := store.Log.Accept(t.Context(), "nell", message(i)); err != nil {
				t.Error(err)
			}
		}
	}()
	last := 0
	for round := range rounds {
		b, _ := create(t, s)
		other, _ := newSet(t)
		other.Home, other.Now = config.Home(filepath.Join(t.TempDir(), "restored")), time.Now
		if _, err := other.Restore(t.Context(), b, RestoreOptions{}); err != nil { // checks its integrity
			t.Fatal(err)
		}
		got := inboxIDs(t, other.Home.Database())
		for n, id := range got {
			if id != fmt.Sprintf("e%d", n) {
				t.Fatalf("round %d: message %d is %s: not a prefix", round, n, id)
			}
		}
		if len(got) < last {
			t.Fatalf("round %d: %d messages, %d in the backup before", round, len(got), last)
		}
		last = len(got)
		if err := errors.Join(os.Remove(b.Path), os.RemoveAll(string(other.Home))); err != nil {
			t.Fatal(err)
		}
	}
	close(stop)
	t.Logf("%d restored backups are prefixes of %d messages", rounds, <-stopped)
	if err := store.Close(); err != nil {
		t.Error(err)
	}
}

// latencyLimit is the longest that a message may wait for its acknowledgement while a backup is made.
const latencyLimit = 200 * time.Millisecond

// TestBackupTortureHoldsUpNoMessage backs up a store of 1 GB while a hundred messages a second arrive, and prints how long these
// took, beside a second without a backup. FAMILIAR_BACKUP_MB sets another size.
func TestBackupTortureHoldsUpNoMessage(t *testing.T) {
	if !torture.On() {
		t.Skip("a long proof: make torture")
	}
	megabytes := 1024
	if text := os.Getenv("FAMILIAR_BACKUP_MB"); text != "" {
		if _, err := fmt.Sscan(text, &megabytes); err != nil {
			t.Fatal(err)
		}
	}
	s, _ := newSet(t)
	s.Now = time.Now
	fillStore(t, s, megabytes)
	store, err := memory.Open(t.Context(), s.Home.Database(), memory.Options{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	s.Open = store
	stop := writing(t, store, "alone", 100)
	time.Sleep(5 * time.Second)
	alone := stop()
	stop = writing(t, store, "beside", 100)
	began := time.Now()
	b, m := create(t, s)
	took := time.Since(began)
	beside := stop()
	report := func(all []time.Duration) string {
		at := func(share float64) time.Duration {
			return all[int(share*float64(len(all)-1))].Round(100 * time.Microsecond)
		}
		return fmt.Sprintf("%d messages: median %v, 99%% %v, longest %v", len(all), at(0.5), at(0.99), at(1))
	}
	t.Logf("%d MB backed up to %d MB in %v", m.Size()>>20, b.Size>>20, took.Round(time.Millisecond))
	t.Logf("without a backup, %s", report(alone))
	t.Logf("beside the backup, %s", report(beside))
	if longest := alone[len(alone)-1]; longest > latencyLimit/2 {
		t.Skipf("the machine is too busy to tell: without a backup a message took %v", longest)
	}
	if longest := beside[len(beside)-1]; longest > latencyLimit {
		t.Errorf("a message took %v, want at most %v", longest, latencyLimit)
	}
}

// fillStore fills the inbox with messages that have been answered, up to a size.
func fillStore(t *testing.T, s *Set, megabytes int) {
	t.Helper()
	store := openStore(t, s)
	text, random := make([]byte, 6000), rand.New(rand.NewPCG(1, 2))
	var batch []channels.Message
	for i := range megabytes * (1 << 20) / 8300 {
		for j := range text {
			text[j] = 'a' + byte(random.IntN(26))
		}
		m := message(i)
		m.ID, m.Text = fmt.Sprintf("old%d", i), string(text)
		if batch = append(batch, m); len(batch) == 500 {
			if _, err := store.Log.AcceptAll(t.Context(), "nell", batch); err != nil {
				t.Fatal(err)
			}
			batch = batch[:0]
		}
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
}
