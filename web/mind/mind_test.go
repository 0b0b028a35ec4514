package mind_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"familiar/memory"
	"familiar/memory/jobrun"
	"familiar/memory/memorytest"
	"familiar/memory/model"
	"familiar/persona/card"
	"familiar/persona/companion"
	"familiar/web/layout"
	"familiar/web/mind"
	"familiar/web/webtest"
)

func testCard() *card.Card {
	return &card.Card{
		Key: "tess", Name: "Tess", Description: "A test pilot who listens.", Zone: time.UTC, Language: "en", Interests: []string{"gliders"},
		Traits: []card.Trait{{Name: "warm", Strength: 0.5}, {Name: "curious", Strength: 0.7}},
	}
}

// house is a store with a dashboard.
type house struct {
	store *memory.Store
	pages http.Handler
}

func newHouse(t testing.TB, store *memory.Store, now time.Time) house {
	t.Helper()
	shell := &layout.Shell{
		Now: func() time.Time { return now }, Zone: time.UTC, Log: slog.New(slog.DiscardHandler),
		Personas: func() []layout.Persona {
			return []layout.Persona{{Key: "tess", Name: "Tess"}, {Key: "kit", Name: "Kit"}}
		},
	}
	mind.Pages{
		Card: func(key string) (*card.Card, error) {
			c := testCard()
			c.Key = key
			return c, nil
		},
		Jobs: func(context.Context, string) ([]mind.Job, error) {
			return []mind.Job{{Name: "dream", Next: now.Add(5 * time.Hour)}, {Name: "growth"}, {Name: "learn", Needs: "a search engine"}}, nil
		},
	}.Mount(shell, store)
	return house{store, shell}
}

// lived returns the file of a persona that talked for a month, which is made once.
var lived = sync.OnceValues(func() (file string, err error) {
	dir, err := filepath.Abs(filepath.Join(livedDir, "familiar.db"))
	if err != nil {
		return "", err
	}
	ctx := context.Background()
	c, err := companion.Open(ctx, companion.Options{Path: dir, Card: testCard(), Start: memorytest.Start, Seed: 1})
	if err != nil {
		return "", err
	}
	for day := range 15 {
		for _, text := range []string{
			"hello!", "I went gliding again today.", "My sister Zoe came along, she loves gliding too.", "Thank you, you are wonderful!",
			fmt.Sprintf("I want to learn the violin, I practised %d minutes.", 10+day), "I am learning the violin, it is my goal to play in a band.",
		} {
			if _, err := c.Say(ctx, "Ann", text); err != nil {
				return "", err
			}
		}
		if err := c.Advance(ctx, 24*time.Hour); err != nil {
			return "", err
		}
	}
	return dir, c.Close()
})

// livedDir is where the file is, set by TestMain.
var livedDir string

// openLived returns a copy of that persona's store at the end of the month.
func openLived(t testing.TB) house {
	t.Helper()
	from, err := lived()
	if err != nil {
		t.Fatal(err)
	}
	clock := &memorytest.Clock{}
	clock.Set(memorytest.Start.AddDate(0, 0, 15))
	return newHouse(t, memorytest.OpenCopy(t, from, clock), clock.Now())
}

func (h house) get(t testing.TB, path string) webtest.Answer {
	t.Helper()
	a := webtest.Get(t, h.pages, webtest.Operator, path)
	if a.Status != http.StatusOK {
		t.Fatalf("%s answered %d: %s", path, a.Status, a.Text)
	}
	return a
}

func expect(t testing.TB, in string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(in, part) {
			t.Errorf("%q is missing in:\n%s", part, in)
		}
	}
}

func refuse(t testing.TB, in string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if strings.Contains(in, part) {
			t.Errorf("%q is in:\n%s", part, in)
		}
	}
}

func TestAnEmptyMindSaysWhatWillFillIt(t *testing.T) {
	t.Parallel()
	h := newHouse(t, memorytest.Open(t), memorytest.Start)
	expect(t, h.get(t, "/p/tess/mind").Text, "The journal is empty.", "The job dream writes dreams", "It runs next today 14:00")
	expect(t, h.get(t, "/p/tess/mind/mood").Text, "No session has ended", "session-close")
	expect(t, h.get(t, "/p/tess/mind/growth").Text, "nothing has grown yet", "It is off.", "warm 0.50 0.50")
	expect(t, h.get(t, "/p/tess/mind/learning").Text, "No goals are open", "gliders", "It needs a search engine")
	expect(t, h.get(t, "/p/tess/mind/runs").Text, "No job ran yet.")
}

func TestJournalShowsItsSourcesAndItsRun(t *testing.T) {
	t.Parallel()
	h := openLived(t)
	page := h.get(t, "/p/tess/mind")
	expect(t, page.Text, "dream", "Ann", "Made by run", "Made from", "gliding")
	expect(t, page.Body, `href="/p/tess/conversations/1?message=`, `href="/p/tess/memory/`)
	refuse(t, h.get(t, "/p/tess/mind?kind=lesson").Body, `aria-label="dream`)
	refuse(t, h.get(t, "/p/kit/mind").Text, "gliding")
	// Its pages follow one another without repeating or leaving out an entry.
	seen := map[string]bool{}
	for path := "/p/tess/mind"; path != ""; {
		page := h.get(t, path)
		for _, id := range regexp.MustCompile(`id="(entry\d+)"`).FindAllStringSubmatch(page.Body, -1) {
			if seen[id[1]] {
				t.Errorf("%s comes twice", id[1])
			}
			seen[id[1]] = true
		}
		path = ""
		if next := regexp.MustCompile(`href="(/p/tess/mind\?before=\d+)"`).FindStringSubmatch(page.Body); next != nil {
			path = next[1]
		}
	}
	var stored int
	for _, kind := range []model.Kind{model.Dream, model.Observation, model.InsightMoment, model.Lesson, model.SelfNote} {
		stored += len(memories(t, h.store, kind))
	}
	if len(seen) != stored || stored == 0 {
		t.Errorf("%d of %d entries are shown", len(seen), stored)
	}
}

func TestRunsAreReverted(t *testing.T) {
	t.Parallel()
	h := openLived(t)
	dreams := memories(t, h.store, model.Dream)
	run := fmt.Sprintf("/p/tess/mind/runs/%d", dreams[0].JobRun)
	expect(t, h.get(t, "/p/tess/mind/runs?job=dream").Body, `href="`+run+`"`)
	expect(t, h.get(t, run).Text, "of dream", dreams[0].Text[:20], "Revert this run…")
	expect(t, h.get(t, run+"/revert").Text, "Everything below is removed", dreams[0].Text[:20])
	if a := webtest.Post(t, h.pages, webtest.Viewer, run+"/revert", nil); a.Status != http.StatusForbidden {
		t.Errorf("a viewer's revert answered %d", a.Status)
	}
	for _, path := range []string{strings.Replace(run, "tess", "kit", 1), "/p/tess/mind/runs/99999", "/p/tess/mind/runs/x"} {
		if a := webtest.Get(t, h.pages, webtest.Operator, path); a.Status != http.StatusNotFound {
			t.Errorf("%s answered %d", path, a.Status)
		}
	}
	if a := webtest.Post(t, h.pages, webtest.Operator, strings.Replace(run, "tess", "kit", 1)+"/revert", nil); a.Status != http.StatusNotFound {
		t.Errorf("another persona's revert answered %d", a.Status)
	}
	expect(t, webtest.Follow(t, h.pages, webtest.Operator, run+"/revert", nil).Text, "The run is reverted: memories", "Nothing is left")
	if left := memories(t, h.store, model.Dream); len(left) >= len(dreams) {
		t.Errorf("%d of %d dreams are left", len(left), len(dreams))
	}
	if a := webtest.Post(t, h.pages, webtest.Operator, run+"/revert", nil); a.Status != http.StatusUnprocessableEntity {
		t.Errorf("a second revert answered %d: %s", a.Status, a.Text)
	}
}

func TestMoodShowsWhatMovedIt(t *testing.T) {
	t.Parallel()
	h := openLived(t)
	page := h.get(t, "/p/tess/mind/mood?window=quarter")
	expect(t, page.Text, "Mood after each session", "What moved it most", "warm message", "Ann", "valence")
	expect(t, page.Body, "<svg", "<table", `href="/p/tess/conversations/1?message=`)
	expect(t, h.get(t, "/p/kit/mind/mood").Text, "No session has ended")
}

func TestGrowthIsShownAndReset(t *testing.T) {
	t.Parallel()
	h := openLived(t)
	page := h.get(t, "/p/tess/mind/growth")
	expect(t, page.Text, "Version 1", "trait warm", "became", "Reset to the card…", "Skills", "remembering")
	expect(t, h.get(t, "/p/tess/mind/growth/reset").Text, "Reset Tess to its card?", "trait warm")
	if a := webtest.Post(t, h.pages, webtest.Viewer, "/p/tess/mind/growth/reset", nil); a.Status != http.StatusForbidden {
		t.Errorf("a viewer's reset answered %d", a.Status)
	}
	again := webtest.Follow(t, h.pages, webtest.Operator, "/p/tess/mind/growth/reset", nil)
	expect(t, again.Text, "is reset to its file", "by you", "warm 0.50 0.50")
	refuse(t, again.Text, "Reset to the card…")
}

func TestGoalsAndReadings(t *testing.T) {
	t.Parallel()
	h := openLived(t)
	expect(t, h.get(t, "/p/tess/mind/learning").Text, "violin", "Ann", "mentions", "gliders")
	refuse(t, h.get(t, "/p/kit/mind/learning").Text, "violin")
}

func TestMindIsInert(t *testing.T) {
	t.Parallel()
	store := memorytest.Open(t)
	h := newHouse(t, store, memorytest.Start)
	const payload = `<script>alert("x")</script>`
	run, err := store.Jobs.BeginRun(t.Context(), "tess", payload, memorytest.Start)
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Jobs.FinishRun(t.Context(), run, jobrun.StatusFailed, payload); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/p/tess/mind/runs", fmt.Sprintf("/p/tess/mind/runs/%d", run)} {
		page := h.get(t, path)
		refuse(t, page.Body, "<script>alert")
		expect(t, page.Body, "&lt;script&gt;alert")
	}
}
