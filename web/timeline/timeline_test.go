package timeline_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"familiar/memory"
	"familiar/memory/entry"
	"familiar/memory/history"
	"familiar/memory/memorytest"
	"familiar/web/layout"
	"familiar/web/timeline"
	"familiar/web/webtest"
)

const (
	day = 24 * time.Hour
	xss = `<script>alert(1)</script><img src=x onerror=alert(2)>`
)

// site is a dashboard with these pages over a store.
type site struct {
	*memory.Store
	clock *memorytest.Clock
	shell *layout.Shell
}

func newSite(t *testing.T) *site {
	t.Helper()
	w := &site{clock: new(memorytest.Clock)}
	w.Store = memorytest.OpenAt(t, w.clock)
	w.shell = &layout.Shell{
		Personas: func() []layout.Persona {
			return []layout.Persona{{Key: "vela", Name: "Vela"}, {Key: "kit", Name: "Kit"}}
		},
		Now: w.clock.Now, Zone: time.UTC, Log: slog.New(slog.DiscardHandler),
	}
	(&timeline.Pages{Store: w.Store, Now: w.clock.Now, Zone: time.UTC}).Mount(w.shell)
	return w
}

// ann returns Ann's notebook with a persona.
func (w *site) ann(t *testing.T, persona string) *memory.Notebook {
	t.Helper()
	n, err := w.Notebook(t.Context(), memory.Owner{Persona: persona, Person: "ann", Name: "Ann " + xss})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func (w *site) get(t *testing.T, path string) webtest.Answer {
	t.Helper()
	a := webtest.Get(t, w.shell, webtest.Operator, path)
	if strings.Contains(a.Body, "<script>alert") || strings.Contains(a.Body, "<img src=x") {
		t.Errorf("%s shows markup that somebody wrote: %s", path, a.Body)
	}
	return a
}

func TestADayShowsTheStoreAsItWas(t *testing.T) {
	t.Parallel()
	w := newSite(t)
	if a := w.get(t, "/p/vela/time"); a.Status != http.StatusOK || !strings.Contains(a.Text, "no memories yet") {
		t.Errorf("an empty store is shown as %d, %s", a.Status, a.Text)
	}
	ann, kit := w.ann(t, "vela"), w.ann(t, "kit")
	remember := func(n *memory.Notebook, text string, o ...memory.RememberOption) int64 {
		m, err := n.Remember(t.Context(), text, o...)
		if err != nil {
			t.Fatal(err)
		}
		return m.ID
	}
	bees := remember(ann, "I keep bees behind the old mill. "+xss, memory.Salience(0))
	remember(kit, "Kit alone knows about the lighthouse.")
	if _, err := ann.Believe(t.Context(), "Ann", "lives_in", "Riga"); err != nil {
		t.Fatal(err)
	}
	w.clock.Advance(10 * day)
	secret := remember(ann, "The secret is under the stairs.")
	if _, err := ann.Believe(t.Context(), "Ann", "lives_in", "Oslo"); err != nil {
		t.Fatal(err)
	}
	w.clock.Advance(200 * day)
	if _, err := w.Eraser.Forget(t.Context(), secret); err != nil {
		t.Fatal(err)
	}
	w.clock.Advance(time.Hour)

	first, tenth, last := memorytest.Start, memorytest.Start.Add(10*day), w.clock.Now()
	past, err := w.History.Timeline(t.Context(), "vela")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path     string
		at       time.Time
		has, not []string
	}{
		{"?day=" + first.Format(time.DateOnly), endOf(first), []string{"I keep bees", "Riga", "Became known (1)"}, []string{"Oslo", "‹ Day before"}},
		{"?day=" + tenth.Format(time.DateOnly), endOf(tenth), []string{"Oslo", "Riga", "Stopped holding (1)"}, []string{"I keep bees"}},
		{"?day=" + tenth.Format(time.DateOnly) + "&span=month", endOf(tenth), []string{"Oslo", "Riga", "I keep bees"}, nil},
		{"", last, []string{"one memory"}, []string{"Day after ›", "Oslo", "Riga"}},
		{"?day=2099-01-01", last, []string{"one memory"}, []string{"Day after ›"}},
		{"?day=1970-01-01", endOf(first), []string{"I keep bees"}, nil},
	} {
		a := w.get(t, "/p/vela/time"+c.path)
		if a.Status != http.StatusOK {
			t.Fatalf("%s is answered with %d: %s", c.path, a.Status, a.Text)
		}
		for _, text := range c.has {
			if !strings.Contains(a.Text, text) {
				t.Errorf("%s does not show %q: %s", c.path, text, a.Text)
			}
		}
		for _, text := range append(c.not, "lighthouse", "under the stairs") {
			if strings.Contains(a.Text, text) {
				t.Errorf("%s shows %q: %s", c.path, text, a.Text)
			}
		}
		if numbers := numbersOf(past.Counts(c.at)); !strings.Contains(a.Text, "at the end of") || !containsAll(a.Text, numbers) {
			t.Errorf("%s does not have the numbers %q: %s", c.path, numbers, a.Text)
		}
	}
	if a := w.get(t, "/p/vela/time?span=month&day="+first.Format(time.DateOnly)); !strings.Contains(a.Body, fmt.Sprintf(`href="/p/vela/memory/%d"`, bees)) {
		t.Errorf("there is no link to memory %d: %s", bees, a.Body)
	}
	oslo, err := w.Entries.ListMemories(t.Context(), entry.MemoryFilter{Persona: "vela", Text: "Oslo"})
	if err != nil || len(oslo) != 1 {
		t.Fatalf("memories of Oslo: %v, %v", oslo, err)
	}
	if a := w.get(t, "/p/vela/time?list=learned&day="+tenth.Format(time.DateOnly)); !strings.Contains(a.Body, fmt.Sprintf(`href="/p/vela/memory/%d" dir="auto">Oslo<`, oslo[0].ID)) {
		t.Errorf("a fact does not lead to the memory in which it was said: %s", a.Body)
	}
	list := "/p/vela/time?list=stored&span=month&day=" + tenth.Format(time.DateOnly)
	if a := w.get(t, list); !strings.Contains(a.Text, "New memories (3)") || !strings.Contains(a.Text, "I keep bees") || strings.Contains(a.Text, "Stopped holding") {
		t.Errorf("one list alone shows %s", a.Text)
	}
	if a := w.get(t, list+"&from=2"); !strings.Contains(a.Text, "I keep bees") || strings.Contains(a.Text, "Oslo") {
		t.Errorf("the rest of a list shows %s", a.Text)
	}
	if a := w.get(t, "/p/kit/time"); !strings.Contains(a.Text, "Fresh") || strings.Contains(a.Text, "bees") {
		t.Errorf("Kit's page shows %s", a.Text)
	}
	if a := w.get(t, "/p/vela/time?day="+url.QueryEscape(xss)); a.Status != http.StatusUnprocessableEntity || !strings.Contains(a.Text, "write it like 2026-03-01") {
		t.Errorf("no day is answered with %d, %s", a.Status, a.Text)
	}
}

func endOf(t time.Time) time.Time { return t.Truncate(day).Add(day - time.Millisecond) }

// numbersOf returns how the table words the numbers of a moment.
func numbersOf(c history.Counts) []string {
	return []string{
		fmt.Sprintf("pinned %d", c.Memories[history.Fresh]), fmt.Sprintf("a tenth is left %d", c.Memories[history.Fading]),
		fmt.Sprintf("like any other %d", c.Memories[history.Faded]), fmt.Sprintf("strong match %d", c.Memories[history.Dormant]),
		fmt.Sprintf("people and things %d", c.Beliefs), fmt.Sprintf("number is left %d", c.Forgotten),
	}
}

func containsAll(text string, parts []string) bool {
	for _, p := range parts {
		if !strings.Contains(text, p) {
			return false
		}
	}
	return true
}

func TestWhoSeesTheMemoryOverTime(t *testing.T) {
	t.Parallel()
	w := newSite(t)
	for _, path := range []string{"/p/vela/time", "/p/vela/time/lives"} {
		if a := webtest.Get(t, w.shell, webtest.Viewer, path); a.Status != http.StatusOK {
			t.Errorf("a viewer gets %d from %s", a.Status, path)
		}
		if a := webtest.Get(t, w.shell, webtest.Person("vela", 1), path); a.Status != http.StatusForbidden {
			t.Errorf("a person gets %d from %s", a.Status, path)
		}
		if a := webtest.Get(t, w.shell, webtest.Nobody, path); a.Status != http.StatusUnauthorized {
			t.Errorf("nobody gets %d from %s", a.Status, path)
		}
		if a := webtest.Get(t, w.shell, webtest.Operator, strings.Replace(path, "vela", "nobody", 1)); a.Status != http.StatusNotFound {
			t.Errorf("a persona that is not served: %d from %s", a.Status, path)
		}
	}
}
