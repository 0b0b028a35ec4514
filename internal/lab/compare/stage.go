package compare

import (
	"context"
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

// pace is the time between two messages.
const pace = 90 * time.Second

// stage is a running persona in its own home, with the story's clock.
type stage struct {
	clock     *virtual.Clock
	engine    *persona.Engine
	ear       ear
	furniture Furniture
	jobs      *scheduler.Scheduler
	// settle is the time after the last message at which a session is over.
	settle time.Duration
	said   []Said
	faults []string
}

// withStage creates the stage for a story, passes it to do and removes it.
func withStage(ctx context.Context, parts Parts, s Scenario, do func(*stage) error) (err error) {
	dir, err := os.MkdirTemp("", "familiar-compare-")
	if err != nil {
		return fmt.Errorf("make a directory for the story: %w", err)
	}
	defer os.RemoveAll(dir) //nolint:errcheck // the system cleans its temporary directory
	st := &stage{clock: virtual.NewClock(time.Time{}), settle: parts.Settings.SessionGap + time.Minute}
	store, err := memory.Open(ctx, filepath.Join(dir, "familiar.db"), memory.Options{
		Now: st.clock.Now, DecayRates: map[string]model.Rates{s.Card.Key: s.Card.Rates},
	})
	if err != nil {
		return err
	}
	defer store.Close() //nolint:errcheck // the store is temporary
	store.Recall.SetLanguage(s.Card.Key, s.Card.Language)
	if st.furniture, err = parts.Furnish(Home{Card: s.Card, Store: store, Now: st.clock.Now}); err != nil {
		return err
	}
	st.ear.voice = plain.New()
	settings := parts.Settings
	settings.Quiet = 0 // everybody waits for their answer, so there is nothing to batch
	st.engine = persona.New(persona.Parts{
		Card: s.Card, Store: store, Voice: &st.ear, Model: st.furniture.Model, EmbedQuery: st.furniture.Near,
		Channels: []channels.Channel{virtual.NewNetwork(story)}, Settings: settings, Now: st.clock.Now,
		Jitter: func(time.Duration) time.Duration { return 0 }, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
	})
	if st.jobs, err = st.furniture.Scheduler(st.engine); err != nil {
		return err
	}
	return virtual.While(ctx, st.engine, func() error { return do(st) })
}

// playHistory plays the sessions, and runs the jobs after each session and up to the probe.
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

// hear delivers a message from who in their direct room, or an arrival without a message, and waits for the answer.
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

// rest runs the jobs from the end of the last session to a time. A job that fails is reported and does not stop the story.
func (st *stage) rest(ctx context.Context, until time.Time) error {
	over := st.clock.Now().Add(st.settle)
	return st.clock.RunJobs(ctx, st.jobs, over, until, func(job string, at time.Time, err error) {
		st.faults = append(st.faults, fmt.Sprintf("job %s of %s: %v", job, at.Format(time.DateTime), err))
	})
}

// story is the network on which everybody talks.
const story = "story"

// ear is a voice that remembers its last scene.
type ear struct {
	mu     sync.Mutex
	voice  scene.Voice
	scene  scene.Scene
	speech scene.Reply
}

// speakWith replaces the voice.
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

// Name returns the voice's name.
func (e *ear) Name() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.voice.Name()
}

// Reply records the scene and calls the voice.
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
