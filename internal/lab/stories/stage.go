package stories

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"familiar/channels"
	"familiar/internal/lab/virtual"
	"familiar/memory"
	"familiar/memory/belief"
	"familiar/persona"
	"familiar/persona/card"
	"familiar/persona/modelvoice"
	"familiar/persona/scene"
	"familiar/prompts"
	"familiar/scheduler"
)

// Parts holds the components with which stories are played.
type Parts struct {
	Settings persona.Settings
	// Furnish creates the components for the home of a story, with m as the model.
	Furnish func(home Home, m modelvoice.Model) (Furniture, error)
	// Bad makes the model give bad answers too; see spoil.
	Bad bool
}

// Home is the environment of one story: a new store, and a clock that shows the time of the story.
type Home struct {
	Card  *card.Card
	Store *memory.Store
	Now   func() time.Time
}

// Furniture holds the components of a home.
type Furniture struct {
	Voice scene.Voice
	Model modelvoice.Model
	// Scheduler returns the scheduler of the jobs that run between the sessions.
	Scheduler func(*persona.Engine) (*scheduler.Scheduler, error)
}

const (
	// channel is the network on which everybody talks, groupPrefix what the rooms of groups begin with.
	channel     = "story"
	groupPrefix = "group:"
	// pace is the time between two messages, sessionHour and probeHour the times of day at which a session and the probe
	// begin.
	pace                   = 40 * time.Second
	sessionHour, probeHour = 12, 21
)

// stage is a running persona in a home of its own, with the story's clock.
type stage struct {
	story  *Story
	clock  *virtual.Clock
	store  *memory.Store
	engine *persona.Engine
	jobs   *scheduler.Scheduler
	// settle is the time after the last message at which a session is over.
	settle time.Duration
	model  *reader
	out    *virtual.Network
	sent   int
	faults []string
	// shared are the common prefixes of successive prompts, as a share of the shorter.
	shared []float64
}

// play plays a story and returns what its probe's prompt shows.
func play(ctx context.Context, parts Parts, s *Story) (_ Report, err error) {
	dir, err := os.MkdirTemp("", "familiar-story-")
	if err != nil {
		return Report{}, fmt.Errorf("make a directory for the story: %w", err)
	}
	defer os.RemoveAll(dir) //nolint:errcheck // the system cleans its temporary directory
	st := &stage{
		story: s, clock: virtual.NewClock(time.Time{}), settle: parts.Settings.SessionGap + time.Minute,
		model: &reader{story: s}, out: virtual.NewNetwork(channel),
	}
	if parts.Bad {
		st.model.spoilt = spoil
	}
	store, err := memory.Open(ctx, filepath.Join(dir, "familiar.db"), memory.Options{Now: st.clock.Now})
	if err != nil {
		return Report{}, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	st.store = store
	home := Home{Card: &card.Card{Key: "story", Name: s.personaName(), Description: s.Persona, Language: "en"}, Store: store, Now: st.clock.Now}
	furniture, err := parts.Furnish(home, st.model)
	if err != nil {
		return Report{}, err
	}
	settings := parts.Settings
	settings.Quiet = 0 // everybody waits for their answer, so there is nothing to batch
	st.engine = persona.New(persona.Parts{
		Card: home.Card, Store: store, Voice: furniture.Voice, Model: furniture.Model, Channels: []channels.Channel{st.out},
		Settings: settings, Now: st.clock.Now, Jitter: func(time.Duration) time.Duration { return 0 },
		Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
	})
	if st.jobs, err = furniture.Scheduler(st.engine); err != nil {
		return Report{}, err
	}
	var r Report
	err = virtual.While(ctx, st.engine, func() (err error) {
		r, err = st.play(ctx)
		return err
	})
	return r, err
}

// play plays the sessions, runs the jobs after each, and sends the probe.
func (st *stage) play(ctx context.Context) (Report, error) {
	for i := range st.story.Sessions {
		if err := st.sit(ctx, i); err != nil {
			return Report{}, err
		}
		st.clock.Pass(st.clock.Now().Add(st.settle))
		until := st.begin(st.story.Probe.DaysAgo, probeHour)
		if i+1 < len(st.story.Sessions) {
			until = st.begin(st.story.Sessions[i+1].DaysAgo, sessionHour)
		}
		err := st.clock.RunJobs(ctx, st.jobs, st.clock.Now(), until, func(job string, at time.Time, err error) {
			st.faults = append(st.faults, fmt.Sprintf("job %s of %s: %v", job, at.Format(time.DateTime), err))
		})
		if err != nil {
			return Report{}, err
		}
	}
	probe := st.story.Probe
	st.clock.Pass(st.begin(probe.DaysAgo, probeHour))
	said, err := st.hear(ctx, Session{Room: probe.Room}, probe.Who, probe.Text, true)
	if err != nil {
		return Report{}, err
	}
	heard := st.model.heard()
	if len(heard) == 0 {
		return Report{}, fmt.Errorf("story %s: the model was not asked for an answer to the probe; said: %q", st.story.ID, said)
	}
	r := examine(st.story, heard[0])
	r.Prefix, r.Faults, r.Said = mean(st.shared), st.faults, said
	r.Beliefs, err = st.beliefs(ctx)
	return r, err
}

// beliefs lists what the persona believes in the end, and what it believed before.
func (st *stage) beliefs(ctx context.Context) (lines []string, err error) {
	all, err := st.store.Beliefs.ListBeliefs(ctx, belief.Filter{IncludeHistory: true, Limit: maxBeliefs})
	for _, b := range all {
		line := fmt.Sprintf("%s: %s %s %q", b.Status, b.Subject, b.Relation, b.Value)
		for _, e := range b.Evidence {
			line += fmt.Sprintf(" [%d %q %q]", e.MessageID, e.Quote, e.Sentence)
		}
		lines = append(lines, line)
	}
	return lines, err
}

// maxBeliefs is more than a story has.
const maxBeliefs = 1000

// begin returns when a session so many days before the probe's day begins.
func (st *stage) begin(daysAgo, hour int) time.Time {
	return st.story.today().AddDate(0, 0, -daysAgo).Add(time.Duration(hour) * time.Hour)
}

// sit plays one session. What a person says in several messages without an answer between them is one message in a direct
// room; in a group, the persona listens to what it does not answer.
func (st *stage) sit(ctx context.Context, number int) error {
	session := st.story.Sessions[number]
	st.clock.Pass(st.begin(session.DaysAgo, sessionHour))
	st.model.heard()
	direct := !strings.HasPrefix(session.Room, groupPrefix)
	var before prompts.Prompt
	for i := 0; i < len(session.Turns); i++ {
		who, text := session.Turns[i].Who, session.Turns[i].Text
		if who == self {
			continue // it spoke first, or twice
		}
		for direct && i+1 < len(session.Turns) && session.Turns[i+1].Who == who {
			i++
			text += "\n" + session.Turns[i].Text
		}
		answered := i+1 < len(session.Turns) && session.Turns[i+1].Who == self
		if answered {
			st.model.say(session.Turns[i+1].Text)
		} else {
			st.model.say("…")
		}
		if _, err := st.hear(ctx, session, who, text, direct || answered); err != nil {
			return err
		}
		for _, p := range st.model.heard() {
			if before.Name != "" {
				st.shared = append(st.shared, commonPrefix(before, p))
			}
			before = p
		}
	}
	return nil
}

// hear delivers a message and returns what the persona said to it.
func (st *stage) hear(ctx context.Context, session Session, who, text string, addressed bool) (string, error) {
	st.clock.Pass(st.clock.Now().Add(pace))
	st.sent++
	handle := strings.ToLower(who)
	group, isGroup := strings.CutPrefix(session.Room, groupPrefix)
	room := channels.Room{Channel: channel, ID: "dm/" + handle}
	if isGroup {
		room.ID = "group/" + group
	} else {
		group = ""
	}
	err := st.engine.Accept(ctx, channels.Message{
		ID: strconv.Itoa(st.sent), Room: room, RoomTitle: group, Direct: !isGroup, Addressed: addressed, Text: text, At: st.clock.Now(),
		Author: channels.Author{Handle: channels.Handle{Channel: channel, ID: handle}, Name: who},
	})
	if err == nil {
		err = st.engine.Drain(ctx)
	}
	var said []string
	for _, out := range st.out.Collect() {
		said = append(said, out.Text)
	}
	return strings.Join(said, "\n"), err
}
