package card

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// watch is a directory of personas with a watcher on mira.
type watch struct {
	*Watcher
	t   *testing.T
	log bytes.Buffer
	n   int

	mu    sync.Mutex
	cards []string // the descriptions of the cards in use, one after another
}

func newWatch(t *testing.T, text string) *watch {
	w := &watch{t: t}
	w.Watcher = &Watcher{
		Dir: t.TempDir(), Keys: []string{"mira"}, Now: func() time.Time { return time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC) },
		Renew: w.use, Log: slog.New(slog.NewTextHandler(&w.log, nil)),
	}
	w.write(text)
	w.Start()
	return w
}

func (w *watch) use(c *Card) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cards = append(w.cards, c.Description)
}

// forget empties the list of cards.
func (w *watch) forget() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cards = nil
}

// write replaces the file. Each write has a time of its own, whatever the file system's clock can tell apart.
func (w *watch) write(text string) {
	w.t.Helper()
	file := CardFile(w.Dir, "mira")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
	w.n++
	at := time.Unix(int64(w.n), 0)
	if err := os.Chtimes(file, at, at); err != nil {
		w.t.Fatal(err)
	}
}

func (w *watch) expect(step, cards string) {
	w.t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	if got := strings.Join(w.cards, " "); got != cards {
		w.t.Errorf("%s: the cards were %q, want %q", step, got, cards)
	}
}

func mira(description string) string { return "name: Mira\ndescription: " + description + "\n" }

func TestAChangedFileIsLoadedOnceItRests(t *testing.T) {
	w := newWatch(t, mira("one"))
	w.expect("at the start", "one")
	w.Look()
	w.expect("unchanged", "one")
	w.write("name: Mi") // an editor is writing
	w.Look()
	w.write(mira("two"))
	w.Look()
	w.expect("while it changes", "one")
	w.Look()
	w.Look()
	w.expect("at rest", "one two")
	w.write(mira("two"))
	w.Look()
	w.Look()
	w.expect("saved again unchanged", "one two")
	if strings.Contains(w.log.String(), "broken") {
		t.Errorf("half a file was judged: %s", w.log.String())
	}
	all, err := Versions(w.Dir, "mira")
	if err != nil || len(all) != 2 || all[0].Change != Found || all[1].Change != Reloaded {
		t.Errorf("the history is %+v, %v", all, err)
	}
}

func TestABrokenFileLeavesTheLastGoodCard(t *testing.T) {
	w := newWatch(t, mira("one"))
	file := CardFile(w.Dir, "mira")
	for name, breakIt := range map[string]func(){
		"an unknown key": func() { w.write(mira("two") + "nome: x\n") },
		"no YAML":        func() { w.write("{{{{") },
		"empty":          func() { w.write("") },
		"gone":           func() { os.Remove(file) },
		"a directory": func() {
			os.Remove(file)
			os.Mkdir(file, 0o700)
		},
		"a link to nowhere": func() {
			os.Remove(file)
			os.Symlink(filepath.Join(w.Dir, "nowhere"), file)
		},
	} {
		w.log.Reset()
		breakIt()
		for range 4 {
			w.Look()
		}
		w.expect(name, "one")
		if n := strings.Count(w.log.String(), "broken"); n != 1 {
			t.Errorf("%s: the operator is told %d times: %s", name, n, w.log.String())
		}
		os.RemoveAll(file)
		w.write(mira("one"))
		w.Look()
		w.Look()
		w.expect(name+", mended", "one")
		if !strings.Contains(w.log.String(), "good again") {
			t.Errorf("%s: the operator is not told that it is mended: %s", name, w.log.String())
		}
	}
	w.write(mira("three"))
	w.Look()
	w.Look()
	w.expect("the next change", "one three")
}

func TestALorebookIsLoadedWithItsPersona(t *testing.T) {
	w := newWatch(t, mira("one"))
	var lore []bool
	w.Renew = func(c *Card) { lore = append(lore, c.Sheet.Lore != nil) }
	file := LoreFile(w.Dir, "mira")
	for _, text := range []string{
		`{"spec":"lorebook_v3","data":{"entries":[{"keys":["bar"],"content":"The bar is called The Heron.","enabled":true,"insertion_order":1,"extensions":{},"use_regex":false}],"extensions":{}}}`,
		"{broken", "",
	} {
		if text == "" {
			os.Remove(file)
		} else if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		w.Look()
		w.Look()
	}
	if len(lore) != 2 || !lore[0] || lore[1] {
		t.Errorf("cards with lore: %v, want one with and, once its file is removed, one without", lore)
	}
	if n := strings.Count(w.log.String(), "broken"); n != 1 {
		t.Errorf("told %d times of a broken lorebook: %s", n, w.log.String())
	}
}

func TestARemovedCopyGivesTheBuiltInPersonaBack(t *testing.T) {
	w := newWatch(t, mira("one"))
	w.Keys = []string{"nell"}
	if err := os.WriteFile(CardFile(w.Dir, "nell"), []byte("name: Nell\ndescription: Mine.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	w.forget()
	w.Start()
	w.expect("her own file", "Mine.")
	os.Remove(CardFile(w.Dir, "nell"))
	w.Look()
	w.Look()
	if len(w.cards) != 2 || !strings.Contains(w.cards[1], "Low Lantern") {
		t.Errorf("the cards were %q", w.cards)
	}
}

// TestTheWatcherLooksEveryFewSeconds measures in virtual time how long a change takes: two looks at most.
func TestTheWatcherLooksEveryFewSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWatch(t, mira("one"))
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() { w.Run(ctx); close(ended) }()
		synctest.Wait()
		w.forget()
		w.write(mira("two"))
		time.Sleep(WatchEvery + time.Millisecond)
		synctest.Wait()
		w.expect("after one look", "")
		time.Sleep(WatchEvery)
		synctest.Wait()
		w.expect("after two looks", "two")
		stop()
		<-ended
	})
}
