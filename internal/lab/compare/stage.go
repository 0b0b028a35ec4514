package compare

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"familiar/channels"
	"familiar/internal/lab/virtual"
	"familiar/memory"
	"familiar/memory/model"
	"familiar/persona"
	"familiar/persona/plain"
	"familiar/persona/scene"
	"familiar/scheduler"
)

// pace is the time between two things said.
const pace = 90 * time.Second

// stage is a running persona in a home of its own, whose clock is the story's.
type stage struct {
	clock     *virtual.Clock
	engine    *persona.Engine
	ear       ear
	furniture Furniture
	jobs      *scheduler.Scheduler
	// settle is how long after the last word a session is over.
	settle time.Duration
	said   []Said
	faults []string
}

// withStage sets the stage for a story, hands it to do and throws it away.
func withStage(ctx context.Context, parts Parts, s Scenario, do func(*stage) error) (err error) {
	dir, err := os.MkdirTemp("", "familiar-compare-")
	if err != nil {
		return fmt.Errorf("make a directory for the story: %w", err)
	}
	defer os.RemoveAll(dir) //nolint:errcheck // what is left behind is in the system's own place for it
	st := &stage{clock: virtual.NewClock(time.Time{}), settle: parts.Settings.SessionGap + time.Minute}
	store, err := memory.Open(ctx, filepath.Join(dir, "familiar.db"), memory.Options{
		Now: st.clock.Now, DecayRates: map[string]model.Rates{s.Card.Key: s.Card.Rates},
	})
	if err != nil {
		return err
	}
	defer store.Close() //nolint:errcheck // the store is thrown away
	store.Recall.SetLanguage(s.Card.Key, s.Card.Language)
	if st.furniture, err = parts.Furnish(Home{Card: s.Card, Store: store, Now: st.clock.Now}); err != nil {
		return err
	}
	st.ear.voice = plain.New()
	settings := parts.Settings
	settings.Quiet = 0 // everybody waits for their answer: there is nothing to fold
	st.engine = persona.New(persona.Parts{
		Card: s.Card, Store: store, Voice: &st.ear, Model: st.furniture.Model, EmbedQuery: st.furniture.Near,
		Channels: []channels.Channel{virtual.NewNetwork(story)}, Settings: settings, Now: st.clock.Now,
		Jitter: func(time.Duration) time.Duration { return 0 }, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
	})
	if st.jobs, err = st.furniture.Scheduler(st.engine); err != nil {
		return err
	}
	return st.run(ctx, do)
}

// run runs the engine while do plays.
func (st *stage) run(ctx context.Context, do func(*stage) error) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- st.engine.Run(ctx) }()
	err := do(st)
	stop()
	return errors.Join(err, <-ended)
}

// playHistory plays the sessions, and lets the jobs work after each and up to the probe.
func (st *stage) playHistory(ctx context.Context, s Scenario) error {
	for i, sitting := range s.Sessions {
		for n, text := range sitting.Says {
			at := sitting.At.Add(time.Duration(n) * pace)
			st.said = append(st.said, Said{With: sitting.With, Name: sitting.With, Text: text, At: at})
			_, speech, err := st.hear(ctx, sitting.With, text, at)
			if err != nil {
				return err
			}
			st.said = append(st.said, Said{With: sitting.With, Name: s.Card.Name, Self: true, Text: speech.Text, At: at})
		}
		until := s.Probe.At
		if i+1 < len(s.Sessions) {
			until = s.Sessions[i+1].At
		}
		if err := st.rest(ctx, until); err != nil {
			return err
		}
	}
	return nil
}

// hear lets who say something in their direct room, or come in without a word, and waits for the answer.
func (st *stage) hear(ctx context.Context, who, text string, at time.Time) (scene.Scene, scene.Reply, error) {
	st.clock.Pass(at)
	st.ear.forget()
	handle := strings.ToLower(who)
	err := st.engine.Accept(ctx, channels.Message{
		ID: fmt.Sprintf("%s-%d", handle, at.Unix()), Room: channels.Room{Channel: story, ID: handle}, Direct: true,
		Author: channels.Author{Handle: channels.Handle{Channel: story, ID: handle}, Name: who},
		Text:   text, At: at, Addressed: text != "", Arrival: text == "",
	})
	if err == nil {
		err = st.engine.Drain(ctx)
	}
	scene, speech := st.ear.heard()
	return scene, speech, err
}

// day is how soon a job that is due more often has nothing new to do while nobody talks.
const day = 24 * time.Hour

// rest lets the jobs do their work until a time, each when it is first due once the last session is over, and again a
// day later at the earliest: while nobody talks, what is due every few minutes finds nothing to do. A job that fails is
// told of and ends nothing.
func (st *stage) rest(ctx context.Context, until time.Time) error {
	over := st.clock.Now().Add(st.settle)
	due := make([]time.Time, len(st.jobs.Jobs))
	for i, j := range st.jobs.Jobs {
		due[i] = j.Schedule.Next(over)
	}
	for {
		next := -1
		for i, at := range due {
			if at.Before(until) && !at.IsZero() && (next < 0 || at.Before(due[next])) {
				next = i
			}
		}
		if next < 0 {
			return ctx.Err()
		}
		job, at := st.jobs.Jobs[next], due[next]
		st.clock.Pass(at)
		if _, err := st.jobs.RunOnce(ctx, job, at); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			st.faults = append(st.faults, fmt.Sprintf("job %s of %s: %v", job.Name, at.Format(time.DateTime), err))
		}
		due[next] = job.Schedule.Next(at.Add(day - time.Second))
	}
}

// story is the network everybody talks on.
const story = "story"

// ear is a voice that remembers what it was last given to speak from.
type ear struct {
	mu     sync.Mutex
	voice  scene.Voice
	scene  scene.Scene
	speech scene.Reply
}

// speakWith changes the voice.
func (e *ear) speakWith(v scene.Voice) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.voice = v
}

func (e *ear) forget() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.scene, e.speech = scene.Scene{}, scene.Reply{}
}

func (e *ear) heard() (scene.Scene, scene.Reply) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.scene, e.speech
}

// Name is the voice's.
func (e *ear) Name() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.voice.Name()
}

// Reply lets the voice speak.
func (e *ear) Reply(ctx context.Context, s scene.Scene, show func(string)) (scene.Reply, error) {
	e.mu.Lock()
	voice := e.voice
	e.mu.Unlock()
	speech, err := voice.Reply(ctx, s, show)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.scene, e.speech = s, speech
	return speech, err
}
