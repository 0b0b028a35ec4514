package talk

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"familiar/channels"
	"familiar/channels/console"
	"familiar/channels/transcript"
	"familiar/internal/lab/virtual"
	"familiar/memory/recall"
)

// fillers are messages with nothing to remember.
var fillers = []string{
	"anyway, quiet in here tonight?", "it's been raining all day", "haha", "I just put the kettle on", "ok one sec", "right, back again",
}

// nightly are the jobs that run between the telling and the questions when days lie between them.
var nightly = []string{"session-close", "decay", "link", "consolidate", "dream", "reflect"}

const (
	// pace is the time between two messages.
	pace = 20 * time.Second
	// toldHour and toldMinute are the time of day of the first message of an earlier day, by the zone of the clock.
	toldHour, toldMinute = 18, 5
)

// Answer is the answer to one question of a probe.
type Answer struct {
	Probe    string   `json:"probe"`
	Kind     string   `json:"kind"`
	Score    Score    `json:"score"`
	Told     []string `json:"told"`
	Question string   `json:"question"`
	Answer   string   `json:"answer"`
	Expected string   `json:"expected"`
	// Forbidden is what a right answer must not contain, "" for nothing.
	Forbidden string `json:"forbidden,omitempty"`
	// Recalled reports whether the told line that holds the answer is among the first memories recalled. It is nil
	// unless the settings ask for it, and for questions that no single told line answers.
	Recalled *bool `json:"recalled,omitempty"`

	// unanswerable reports that an honest "I don't know" is right.
	unanswerable bool
}

// stage is a persona in a home of its own, with one person who talks to it.
type stage struct {
	Home
	clock  *virtual.Clock
	probe  Probe
	room   channels.Room
	author channels.Author
	// sent numbers the messages.
	sent int
	// told holds the messages that told something, in the order of Probe.Told.
	told []channels.Message
}

// play plays a probe and returns its answers in the order of its questions.
func play(ctx context.Context, parts Parts, p Probe) (answers []Answer, err error) {
	dir, err := os.MkdirTemp("", "familiar-talk-")
	if err != nil {
		return nil, fmt.Errorf("make a directory for a probe: %w", err)
	}
	defer os.RemoveAll(dir) //nolint:errcheck // the system cleans its temporary directory
	clock := virtual.NewClock(parts.Now)
	home, err := parts.Open(ctx, dir, clock.Now)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, home.Store.Close()) }()
	who := strings.TrimSpace(p.Who)
	id := strings.ToLower(who)
	s := &stage{
		Home: home, clock: clock, probe: p, room: channels.Room{Channel: console.Name, ID: "dm/" + id},
		author: channels.Author{Handle: channels.Handle{Channel: console.Name, ID: id}, Name: who},
	}
	return s.play(ctx, parts)
}

// play tells what the probe tells and asks its questions.
func (s *stage) play(ctx context.Context, parts Parts) ([]Answer, error) {
	ago, fill := s.probe.Ago, s.probe.Fill
	if parts.Days > 0 && ago == nil {
		ago, fill = []int{parts.Days}, 0
	}
	var talk []string
	if ago == nil {
		talk = s.probe.Told
	} else if err := s.tellEarlier(ctx, ago, parts.Days > 0); err != nil {
		return nil, err
	}
	told := len(talk)
	for k := range fill {
		talk = append(talk[:len(talk):len(talk)], fillers[(s.probe.number+k)%len(fillers)])
	}
	heard, _, err := s.sit(ctx, talk)
	if err != nil {
		return nil, err
	}
	if told > 0 {
		s.told = heard[:told]
	}
	return s.ask(ctx, parts)
}

// tellEarlier tells everything on earlier days, as `familiar replay` does: in a room of the transcript, without replies.
// Then the nightly jobs run if nights.
func (s *stage) tellEarlier(ctx context.Context, ago []int, nights bool) error {
	now := s.clock.Now()
	for i, text := range s.probe.Told {
		day := now.AddDate(0, 0, -ago[min(i, len(ago)-1)])
		m := s.message(text)
		m.Room = channels.Room{Channel: transcript.Channel, ID: "transcript/" + s.probe.ID}
		m.Addressed = false // the persona only listens
		m.At = time.Date(day.Year(), day.Month(), day.Day(), toldHour, toldMinute+i, 0, 0, now.Location())
		s.told = append(s.told, m)
	}
	if _, err := s.Store.Log.AcceptAll(ctx, s.Card.Key, s.told); err != nil {
		return err
	}
	engine := s.Engine(virtual.NewNetwork(transcript.Channel))
	if err := engine.CatchUp(ctx); err != nil {
		return err
	}
	if _, err := engine.Sessions().CloseIdleOnce(ctx, 0, now); err != nil {
		return err
	}
	for _, job := range nightly {
		if !nights {
			break
		}
		if err := s.RunJob(ctx, job); err != nil {
			return fmt.Errorf("run job %s: %w", job, err)
		}
	}
	return s.Embed(ctx)
}

// ask opens the talk again, greets after days away, and asks the questions.
func (s *stage) ask(ctx context.Context, parts Parts) ([]Answer, error) {
	var lines []string
	if parts.Days > 0 {
		lines = append(lines, "hi")
	}
	greetings := len(lines)
	recalled, err := s.recallAll(ctx, parts)
	if err != nil {
		return nil, err
	}
	for _, a := range s.probe.Asks {
		lines = append(lines, a.Question)
	}
	_, replies, err := s.sit(ctx, lines)
	if err != nil {
		return nil, err
	}
	answers := make([]Answer, len(s.probe.Asks))
	for i, a := range s.probe.Asks {
		reply := replies[greetings+i]
		answers[i] = Answer{
			Probe: s.probe.ID, Kind: s.probe.Kind, Score: a.rules.score(reply), Told: s.probe.Told, Question: a.Question, Answer: reply,
			Expected: a.Expected, Forbidden: a.Forbidden, Recalled: recalled[i], unanswerable: a.rules.wantsUnknown,
		}
	}
	return answers, nil
}

// sit sends lines in one sitting, each after the reply to the one before, and returns the messages and their replies.
func (s *stage) sit(ctx context.Context, lines []string) (sent []channels.Message, replies []string, err error) {
	if len(lines) == 0 {
		return nil, nil, nil
	}
	network := virtual.NewNetwork(console.Name)
	engine := s.Engine(network)
	if _, err := engine.Sessions().CloseIdleOnce(ctx, 0, s.clock.Now()); err != nil {
		return nil, nil, err
	}
	err = virtual.While(ctx, engine, func() error {
		for _, line := range lines {
			s.clock.Pass(s.clock.Now().Add(pace))
			m := s.message(line)
			if err := engine.Accept(ctx, m); err != nil {
				return err
			}
			if err := engine.Drain(ctx); err != nil {
				return fmt.Errorf("wait for the reply to %q: %w", line, err)
			}
			var reply []string
			for _, out := range network.Collect() {
				reply = append(reply, out.Text)
			}
			sent, replies = append(sent, m), append(replies, strings.Join(reply, "\n"))
		}
		return s.Embed(ctx)
	})
	return sent, replies, err
}

// message returns the next message of the probe's person.
func (s *stage) message(text string) channels.Message {
	s.sent++
	return channels.Message{
		ID: s.probe.ID + "-" + strconv.Itoa(s.sent), Room: s.room, Author: s.author, Direct: true, Addressed: true,
		Text: strings.TrimSpace(text), At: s.clock.Now(),
	}
}

// near returns the query embedding of a question, nil without an embedder.
func (s *stage) near(ctx context.Context, question string) *recall.QueryEmbedding {
	if s.EmbedQuery == nil {
		return nil
	}
	return s.EmbedQuery(ctx, question)
}
