package character

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"familiar/persona/card"
	"familiar/persona/companion"
)

const (
	// maxTrials is how many talks there are at once; a new one ends the one that rested longest.
	maxTrials = 4
	// maxTurns is how many messages a talk has, maxSaid how many letters a message.
	maxTurns, maxSaid = 60, 2000
	// trialRest is how long a talk may rest before it is thrown away.
	trialRest = 30 * time.Minute
	// trialWait is how long an answer may take.
	trialWait = 2 * time.Minute
	// visitorID is who talks.
	visitorID = "you"
)

// trials are the talks with personas that are being edited. Each has a memory of its own, which is thrown away with it.
type trials struct {
	// scratch returns the directory of their files and what gives it back.
	scratch func() (dir string, release func() error, err error)
	model   func(*card.Card) (companion.Model, string, error)
	now     func() time.Time
	log     *slog.Logger

	mu      sync.Mutex
	dir     string
	release func() error
	open    map[string]*trial
	// closing counts the talks whose files are being removed.
	closing sync.WaitGroup
	pending int
	started int
}

// said is one line of a talk.
type said struct {
	Own  bool
	Text string
}

// trial is one talk.
type trial struct {
	with *companion.Companion
	// number counts the talks.
	number int
	file   string
	model  string
	timer  *time.Timer
	// answering is held while the persona answers, and for good when the talk has ended.
	answering sync.Mutex

	// lines are what was said, touched is when. The mutex of trials guards them.
	lines   []said
	touched time.Time
}

// talk is a talk as pages show it.
type talk struct {
	Lines []said
	// Model is the name of the model that may answer, "" if none is configured. UseModel reports that it does.
	Model    string
	UseModel bool
	// Typed is what was typed and not said, Problem why.
	Typed, Problem string
}

// trialKey names the talk of a browser with a persona. The token of its session is the same on all its pages.
func trialKey(token, persona string) string {
	sum := sha256.Sum256([]byte(token + "\x00" + persona))
	return hex.EncodeToString(sum[:])
}

// lines returns what was said so far.
func (t *trials) lines(key string) []said {
	t.mu.Lock()
	defer t.mu.Unlock()
	if one := t.open[key]; one != nil {
		return slices.Clone(one.lines)
	}
	return nil
}

var (
	errTooLong   = fmt.Errorf("say it in at most %d letters", maxSaid)
	errAnswering = errors.New("it is still answering: wait a moment")
	errTalkFull  = fmt.Errorf("this talk has %d messages: start again", maxTurns)
)

// say has the persona answer a text as the card describes it, or greet if the text is empty.
func (t *trials) say(ctx context.Context, key string, as *card.Card, text string, useModel bool) error {
	if len([]rune(text)) > maxSaid {
		return errTooLong
	}
	one, err := t.get(ctx, key, as, useModel)
	if err != nil {
		return err
	}
	if !one.answering.TryLock() {
		return errAnswering
	}
	defer one.answering.Unlock()
	if len(one.lines) >= maxTurns {
		return errTalkFull
	}
	if err := one.with.Become(as); err != nil {
		return err
	}
	ctx, stop := context.WithTimeout(ctx, trialWait)
	defer stop()
	var reply companion.Reply
	if text == "" {
		reply, err = one.with.Greet(ctx, visitorID)
	} else {
		t.add(one, said{Own: true, Text: text})
		reply, err = one.with.Say(ctx, visitorID, text)
	}
	if err != nil {
		return fmt.Errorf("wait for the persona: %w", err)
	}
	if reply.Text != "" {
		t.add(one, said{Text: reply.Text})
	}
	return nil
}

// add notes what was said.
func (t *trials) add(to *trial, line said) {
	t.mu.Lock()
	defer t.mu.Unlock()
	to.lines, to.touched = append(to.lines, line), t.now()
	to.timer.Reset(trialRest)
}

// get returns the talk with a key, a new one if there is none or another voice shall answer.
func (t *trials) get(ctx context.Context, key string, as *card.Card, useModel bool) (*trial, error) {
	var asked companion.Model
	name := ""
	if useModel && t.model != nil {
		var err error
		if asked, name, err = t.model(as); err != nil {
			return nil, err
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if one := t.open[key]; one != nil && one.model == name {
		return one, nil
	}
	t.drop(key)
	for len(t.open) >= maxTrials {
		t.drop(t.oldest())
	}
	if t.dir == "" {
		dir, release, err := t.scratch()
		if err != nil {
			return nil, err
		}
		t.dir, t.release, t.open = dir, release, map[string]*trial{}
	}
	t.started++
	one := &trial{number: t.started, file: filepath.Join(t.dir, fmt.Sprintf("talk-%d.db", t.started)), model: name, touched: t.now()}
	var err error
	one.with, err = companion.Open(ctx, companion.Options{
		Path: one.file, Card: as, Start: t.now(), Seed: rand.Uint64(), Model: asked, Scratch: true, Log: t.log,
	})
	if err != nil {
		t.giveBack()
		return nil, fmt.Errorf("begin a talk: %w", err)
	}
	one.timer = time.AfterFunc(trialRest, func() { t.end(key, one) })
	t.open[key] = one
	return one, nil
}

// oldest returns the key of the talk that rested longest. The caller holds mu.
func (t *trials) oldest() (key string) {
	for k, one := range t.open {
		if key == "" || cmp.Or(one.touched.Compare(t.open[key].touched), cmp.Compare(one.number, t.open[key].number)) < 0 {
			key = k
		}
	}
	return key
}

// forget throws a talk away.
func (t *trials) forget(key string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.drop(key)
}

// end throws a talk away that rested too long.
func (t *trials) end(key string, one *trial) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.open[key] == one {
		t.drop(key)
	}
}

// close throws all talks away and waits until they are.
func (t *trials) close() {
	t.mu.Lock()
	for key := range t.open {
		t.drop(key)
	}
	t.mu.Unlock()
	t.closing.Wait()
}

// drop removes a talk, and its files once it is not answering. The caller holds mu.
func (t *trials) drop(key string) {
	one := t.open[key]
	if one == nil {
		return
	}
	delete(t.open, key)
	one.timer.Stop()
	t.pending++
	t.closing.Go(func() {
		one.answering.Lock() // for good
		err := one.with.Close()
		files, _ := filepath.Glob(one.file + "*") // the pattern is valid
		for _, f := range files {
			err = errors.Join(err, os.RemoveAll(f))
		}
		if err != nil {
			t.log.Warn("throw a talk on the dashboard away", "error", err)
		}
		t.mu.Lock()
		defer t.mu.Unlock()
		t.pending--
		t.giveBack()
	})
}

// giveBack gives the directory back when no talk is left. The caller holds mu.
func (t *trials) giveBack() {
	if len(t.open)+t.pending > 0 || t.dir == "" {
		return
	}
	if err := t.release(); err != nil {
		t.log.Warn("give back the directory of talks", "error", err)
	}
	t.dir = ""
}

// typed returns what was typed to say, without the spaces around it.
func typed(text string) string { return strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n")) }
