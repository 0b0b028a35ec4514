package talk_test

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"familiar/channels"
	"familiar/config"
	"familiar/internal/lab/talk"
	"familiar/memory"
	"familiar/persona"
	"familiar/persona/card"
	"familiar/persona/plain"
	"familiar/persona/scene"
)

// now is when the questions are asked.
var now = time.Date(2026, time.June, 17, 20, 0, 0, 0, time.UTC)

// listener is the plain voice. It keeps what it was asked to answer. To "psst" it says nothing.
type listener struct {
	scene.Voice
	mu    sync.Mutex
	heard []string
}

func (l *listener) Reply(ctx context.Context, s scene.Scene, show func(string)) (scene.Reply, error) {
	l.mu.Lock()
	for _, line := range s.Incoming {
		l.heard = append(l.heard, line.Text)
	}
	l.mu.Unlock()
	if len(s.Incoming) > 0 && s.Incoming[0].Text == "psst" {
		return scene.Reply{}, nil
	}
	return l.Voice.Reply(ctx, s, show)
}

// house opens homes with the plain voice and remembers what happened in them.
type house struct {
	voice   listener
	mu      sync.Mutex
	jobs    []string
	embeds  int
	failing string
	dirs    []string
}

func (h *house) open(ctx context.Context, dir string, now func() time.Time) (talk.Home, error) {
	c, err := card.LoadCard("", config.DefaultPersona)
	if err != nil {
		return talk.Home{}, err
	}
	store, err := memory.Open(ctx, filepath.Join(dir, "familiar.db"), memory.Options{Now: now, NoSync: true})
	if err != nil {
		return talk.Home{}, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.dirs = append(h.dirs, dir)
	settings := persona.Settings{
		SessionGap: 30 * time.Minute, GreetingGap: 4 * time.Hour, RecallBudget: 1000, RecallLimit: 20, RecentMessages: 40, Zone: time.UTC,
	}
	return talk.Home{
		Card: c, Store: store, Settings: settings,
		Engine: func(channel channels.Channel) *persona.Engine {
			return persona.New(persona.Parts{
				Card: c, Store: store, Voice: &h.voice, Channels: []channels.Channel{channel}, Settings: settings, Now: now,
				Jitter: func(time.Duration) time.Duration { return 0 }, Log: slog.New(slog.DiscardHandler),
			})
		},
		RunJob: func(_ context.Context, name string) error {
			h.mu.Lock()
			defer h.mu.Unlock()
			h.jobs = append(h.jobs, name)
			if name == h.failing {
				return errors.New("out of order")
			}
			return nil
		},
		Embed: func(context.Context) error {
			h.mu.Lock()
			defer h.mu.Unlock()
			h.embeds++
			return nil
		},
	}, nil
}

// run plays probes, each written as JSON, in a house.
func run(t *testing.T, h *house, parts talk.Parts, probes ...string) (talk.Report, error) {
	t.Helper()
	h.voice.Voice = plain.New()
	file := filepath.Join(t.TempDir(), "probes.json")
	if err := os.WriteFile(file, []byte("["+strings.Join(probes, ",")+"]"), 0o600); err != nil {
		t.Fatal(err)
	}
	read, err := talk.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	parts.Open, parts.Now = h.open, now
	return talk.Run(t.Context(), parts, read)
}

const (
	town = `{"id": "1", "cat": "home", "who": "Ann", "ago": null, "fill": 2, "told": ["I live in Porto."],
		"asks": [["Where do I live?", "porto", ""], ["What is my cat's name?", "UNKNOWN", ""]]}`
	sister = `{"id": "2", "cat": "kin", "who": "Bob", "told": ["Nice day.", "My sister's name is Eva."],
		"asks": [["What is my sister's name?", "\\beva", ""], ["psst", "hush", ""]]}`
	moved = `{"id": "3", "cat": "home", "who": "Cid", "ago": [9, 2], "fill": 1, "told": ["I live in Lisbon.", "I live in Porto now."],
		"asks": [["Where do I live now?", "porto", "(?<!not )lisbon"]]}`
)

func TestReport(t *testing.T) {
	t.Parallel()
	var h house
	r, err := run(t, &h, talk.Parts{Recall: true}, town, sister)
	if err != nil {
		t.Fatal(err)
	}
	var scores []talk.Score
	for _, a := range r.Answers {
		scores = append(scores, a.Score)
	}
	if want := []talk.Score{talk.Direct, talk.Direct, talk.Direct, talk.None}; !slices.Equal(scores, want) {
		t.Errorf("the scores are %v, want %v: %+v", scores, want, r.Answers)
	}
	if r.Probes != 2 || len(r.Kinds) != 2 || r.Kinds[0].Kind != "home" || r.Kinds[1].Kind != "kin" || r.All.Questions != 4 {
		t.Errorf("report %+v", r)
	}
	for _, c := range []struct {
		what      string
		got, want talk.Figure
	}{
		{"right", r.All.Right, talk.Figure{Count: 3, Of: 4, Share: 0.75}},
		{"bad", r.All.Bad, talk.Figure{Of: 4}},
		{"honest", r.All.Honest, talk.Figure{Count: 1, Of: 1, Share: 1}},
		{"none", r.Kinds[1].Scores[talk.None], talk.Figure{Count: 1, Of: 2, Share: 0.5}},
		{"recalled", *r.All.Recalled, talk.Figure{Count: 2, Of: 2, Share: 1}},
	} {
		if c.got != c.want {
			t.Errorf("%s: %+v, want %+v", c.what, c.got, c.want)
		}
	}
	for _, dir := range h.dirs {
		if _, err := os.Stat(dir); !os.IsNotExist(err) {
			t.Errorf("the home %s is still there: %v", dir, err)
		}
	}
}

func TestTellingAndAsking(t *testing.T) {
	t.Parallel()
	nightly := []string{"session-close", "decay", "link", "consolidate", "dream", "reflect"}
	for _, c := range []struct {
		name, probe string
		days        int
		answered    []string
		jobs        []string
	}{
		{"at once", town, 0, []string{"I live in Porto.", "anyway, quiet in here tonight?", "it's been raining all day", "Where do I live?", "What is my cat's name?"}, nil},
		{"days before", town, 6, []string{"hi", "Where do I live?", "What is my cat's name?"}, nightly},
		{"on days of its own", moved, 0, []string{"anyway, quiet in here tonight?", "Where do I live now?"}, nil},
		{"on days of its own, with nights", moved, 6, []string{"anyway, quiet in here tonight?", "hi", "Where do I live now?"}, nightly},
	} {
		var h house
		r, err := run(t, &h, talk.Parts{Days: c.days, Recall: true}, c.probe)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if !slices.Equal(h.voice.heard, c.answered) {
			t.Errorf("%s: the voice answers %q, want %q", c.name, h.voice.heard, c.answered)
		}
		if !slices.Equal(h.jobs, c.jobs) {
			t.Errorf("%s: the jobs are %v, want %v", c.name, h.jobs, c.jobs)
		}
		if h.embeds == 0 {
			t.Errorf("%s: no vector was computed", c.name)
		}
		if r.All.Bad.Count > 0 || r.Answers[0].Score != talk.Direct || r.All.Recalled.Share != 1 {
			t.Errorf("%s: %+v, recalled %+v", c.name, r.Answers, r.All.Recalled)
		}
	}
}

func TestFailingJob(t *testing.T) {
	t.Parallel()
	h := house{failing: "link"}
	if _, err := run(t, &h, talk.Parts{Days: 1}, town); err == nil || err.Error() != "play probe 1: run job link: out of order" {
		t.Errorf("the error is %v", err)
	}
}
