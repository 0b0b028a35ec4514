// Package companion embeds a whole persona in a program: one that remembers, answers, dreams and writes first, in one
// SQLite file, without a network and without a configuration file. It suits games, where time is the game's own.
//
//	c, err := companion.Open(ctx, companion.Options{Path: "bar.db", Card: bartender, Start: dayOne})
//	…
//	defer c.Close()
//	reply, err := c.Say(ctx, "ann", "My dog is called Rex.")
//	…
//	err = c.Advance(ctx, 24*time.Hour) // the nightly jobs run, plans come due
//	reply, err = c.Greet(ctx, "ann")
//
// Every person has a direct conversation, which nobody else hears of, and may talk in rooms ([Companion.Room]), which all
// in them share. Commands work as in a chat: "/forget that", "/memories", "/help". Without a [Model] the plain voice
// answers from templates; with one, the model does, and the plain voice steps in when it fails.
//
// Time stands still but for [Companion.Advance], which runs the jobs that fall due, in order, at their times. With one
// seed, the same calls give the same replies.
package companion

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"strconv"
	"sync"
	"time"

	"familiar/channels"
	"familiar/config"
	"familiar/memory"
	"familiar/memory/model"
	"familiar/persona"
	"familiar/persona/card"
	"familiar/persona/modelvoice"
	"familiar/persona/plain"
	"familiar/scheduler"
)

// Options configure Open. Path, Card and Start are required.
type Options struct {
	// Path is the file of the memory. It is created with its directory if it does not exist.
	Path string
	// Card is the character: made by the program, by [LoadCard], or by card.LoadCard for a persona that comes with familiar.
	Card *card.Card
	// Start is the time at which the persona's clock stands after Open. It must not lie before what the file remembers.
	Start time.Time
	// Seed chooses among wordings. The same seed and the same calls give the same replies.
	Seed uint64
	// Model answers in place of the plain voice; nil for none.
	Model Model
	// Deliver receives what the persona says unasked: reminders, and messages about plans. It is called during Advance and
	// must not call the Companion. If it is nil, the persona never writes first, and reminders are dropped.
	Deliver func(Delivery)
	// Embedder finds memories by meaning too; nil for words and concepts alone.
	Embedder memory.Embedder
	// Zone is the timezone of people who have not named theirs, UTC if nil.
	Zone *time.Location
	// Scratch is for a file that nobody keeps: what was said last may be missing from it after a power failure.
	Scratch bool
	// Log receives warnings, such as a model's faults; nil for none.
	Log *slog.Logger
}

// Delivery is something that the persona says unasked.
type Delivery struct {
	// To is the person, empty in a room.
	To string
	// Room is the room, empty in a direct conversation.
	Room string
	Text string
	At   time.Time
}

// Reply is what the persona answers, empty if it says nothing.
type Reply struct {
	Text string
	At   time.Time
}

// Companion is a persona at work. It is safe for concurrent use; calls are handled one after another.
type Companion struct {
	store  *memory.Store
	engine *persona.Engine
	stage  *stage
	clock  *clock
	jobs   []scheduler.Job
	ledger *scheduler.Scheduler
	// ran is when each job was last due. Time before Open is nobody's.
	ran   map[string]time.Time
	embed memory.Embedder

	stop  context.CancelFunc
	ended chan error

	// mu is held during a call, so that replies belong to what was said.
	mu sync.Mutex
	// opened counts how often the file was opened, said the messages since: together they number each message.
	opened, said int
	names        map[string]string
}

// clock is the persona's time.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

// Now returns the time.
func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = t
}

// LoadCard reads a character from a YAML file as `familiar persona` writes them; docs/mind.md explains the fields. The
// persona's key is the file's name without extension.
func LoadCard(file string, r io.Reader) (*card.Card, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxCard))
	if err != nil {
		return nil, fmt.Errorf("read the persona %s: %w", file, err)
	}
	return card.ParseCard(file, data)
}

// maxCard is the largest file of a character in bytes.
const maxCard = 1 << 20

// Open opens a persona. Close it when the program ends.
func Open(ctx context.Context, o Options) (*Companion, error) {
	switch {
	case o.Path == "":
		return nil, errors.New("open a companion: Options.Path is missing")
	case o.Card == nil:
		return nil, errors.New("open a companion: Options.Card is missing")
	case !card.ValidKey(o.Card.Key):
		return nil, fmt.Errorf("open a companion: the card's key %q is not 1–40 of a–z, 0–9 and -", o.Card.Key)
	case o.Start.IsZero():
		return nil, errors.New("open a companion: Options.Start is missing")
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Zone == nil {
		o.Zone = time.UTC
	}
	c := &Companion{clock: &clock{now: o.Start}, embed: o.Embedder, names: map[string]string{}, ended: make(chan error, 1)}
	c.stage = &stage{clock: c.clock, deliver: o.Deliver}
	var err error
	if c.store, err = memory.Open(ctx, o.Path, memory.Options{
		Now: c.clock.Now, DecayRates: map[string]model.Rates{o.Card.Key: o.Card.Rates}, NoSync: o.Scratch,
	}); err != nil {
		return nil, err
	}
	if err := c.start(ctx, o); err != nil {
		return nil, errors.Join(err, c.store.Close())
	}
	return c, nil
}

// start connects the parts and starts the engine.
func (c *Companion) start(ctx context.Context, o Options) (err error) {
	if c.opened, err = c.countOpening(ctx); err != nil {
		return err
	}
	if _, err := c.store.Jobs.AbandonRuns(ctx); err != nil {
		return err
	}
	c.store.Recall.SetLanguage(o.Card.Key, o.Card.Language)
	c.engine = persona.New(c.parts(o))
	if err := c.schedule(o); err != nil {
		return err
	}
	life, stop := context.WithCancel(context.WithoutCancel(ctx))
	c.stop = stop
	go func() { c.ended <- c.engine.Run(life) }()
	return c.engine.Drain(ctx)
}

// parts returns what the engine is made of.
func (c *Companion) parts(o Options) persona.Parts {
	usual := config.Default()
	settings := persona.Settings{
		SessionGap: usual.Session.Gap, GreetingGap: usual.Greeting.Gap, RecallBudget: usual.Recall.Budget, RecallLimit: usual.Recall.Limit,
		RecentMessages: persona.RecentMessages, Zone: o.Zone,
	}
	if o.Deliver != nil {
		settings.Proactive.QuietHours.From, settings.Proactive.QuietHours.Until = usual.Channels.QuietHours.From, usual.Channels.QuietHours.Until
		settings.Proactive.Daily, settings.Proactive.MinSilence = usual.Channels.ProactivePerDay, usual.Channels.ProactiveGap
		settings.Proactive.Channels = map[string]time.Duration{stageName: 0}
	}
	parts := persona.Parts{
		Card: o.Card, Store: c.store, Voice: plain.New(), Channels: []channels.Channel{c.stage}, Settings: settings,
		Now: c.clock.Now, Jitter: func(time.Duration) time.Duration { return 0 },
		Random: rand.NewChaCha8(seed(o.Seed)), Log: o.Log,
	}
	if o.Model != nil {
		meter := modelvoice.Meter{Store: c.store, Persona: o.Card.Key, Now: c.clock.Now, Zone: o.Zone}
		chain := modelvoice.Chain{{Model: asked{o.Model}, Name: "companion"}}
		voice := modelvoice.NewVoice(chain, meter, 0, usual.Model.MaxTokens)
		parts.Model = modelvoice.Budgeted(meter.For(0, chain))
		parts.Voice = modelvoice.Informing(modelvoice.Fallback(voice, plain.New()), meter, plain.New())
	}
	if o.Embedder != nil {
		parts.EmbedQuery = c.embedQuery(o.Log)
	}
	return parts
}

// seed returns the key of the random source.
func seed(n uint64) (key [32]byte) {
	for i := range 8 {
		key[i] = byte(n >> (8 * i))
	}
	return key
}

// countOpening returns how often the file was opened before as a companion.
func (c *Companion) countOpening(ctx context.Context) (int, error) {
	kept := c.store.Log.KeyValue(stageName)
	text, err := kept.Get(ctx, "opened")
	if err != nil && !errors.Is(err, channels.ErrNotFound) {
		return 0, fmt.Errorf("count how often the file was opened: %w", err)
	}
	n, _ := strconv.Atoi(text) // 0 before the first time
	return n, kept.Put(ctx, "opened", strconv.Itoa(n+1))
}

// Become gives the persona another card with the same key, which counts from the next message on. Its jobs go on with the first one.
func (c *Companion) Become(as *card.Card) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if as.Key != c.engine.Card.Key {
		return fmt.Errorf("change the card of the persona %s: that of %s is another persona's", c.engine.Card.Key, as.Key)
	}
	if err := c.store.Lifecycle.SetRates(as.Key, as.Rates); err != nil {
		return fmt.Errorf("change how the memories of %s fade: %w", as.Key, err)
	}
	c.store.Recall.SetLanguage(as.Key, as.Language)
	c.engine.Renew(as, c.engine.Settings)
	c.engine = c.engine.Engine(as.Key)
	return nil
}

// Store returns the memory, for everything that the companion does not do itself.
func (c *Companion) Store() *memory.Store { return c.store }

// Now returns the persona's time.
func (c *Companion) Now() time.Time { return c.clock.Now() }

// Close stops the persona and closes the file.
func (c *Companion) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stop()
	return errors.Join(<-c.ended, c.store.Close())
}
