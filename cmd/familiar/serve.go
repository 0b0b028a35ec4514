package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"familiar/channels"
	"familiar/channels/supervise"
	"familiar/config"
	"familiar/internal/embed"
	"familiar/internal/llm"
	"familiar/memory"
	"familiar/memory/log"
	"familiar/memory/recall"
	"familiar/persona"
	"familiar/prompts"
	"familiar/scheduler"
)

// house is the wiring: every room of the house, put together once. Only this file knows all of them.
type house struct {
	cfg   *config.Config
	card  *persona.Card
	store *memory.Store
	voice persona.Voice
	model persona.Model // nil without one
	drain *embed.Worker // nil without an embedder
	near  func(ctx context.Context, text string) *recall.QueryEmbedding
	log   *slog.Logger
	now   func() time.Time
	lock  *homeLock
}

// openHouse opens everything that answers for a home and makes sure that nobody else does. verb is what it is opened
// for, for whoever finds the door closed.
func (a *app) openHouse(ctx context.Context, verb string, log *slog.Logger) (*house, error) {
	h, err := a.newHouse(log)
	if err != nil {
		return nil, err
	}
	if h.lock, err = lockHome(h.cfg.Home.Lock(), verb, a.now()); err != nil {
		return nil, err
	}
	if err := errors.Join(clearRehearsal(h.cfg.Home, a.now()), h.furnish(ctx, a)); err != nil {
		return nil, err
	}
	return h, nil
}

// openBeside opens everything, for a verb that works beside whoever answers for the home.
func (a *app) openBeside(ctx context.Context, log *slog.Logger) (*house, error) {
	h, err := a.newHouse(log)
	if err != nil {
		return nil, err
	}
	if err := h.furnish(ctx, a); err != nil {
		return nil, err
	}
	return h, nil
}

// newHouse is an empty house: its configuration and its persona.
func (a *app) newHouse(log *slog.Logger) (h *house, err error) {
	cfg, err := a.config()
	if err != nil {
		return nil, err
	}
	if err := cfg.Home.Create(); err != nil {
		return nil, err
	}
	h = &house{cfg: cfg, log: log, now: a.now}
	h.card, err = speaker(cfg)
	return h, err
}

// furnish opens what is kept and finds who speaks. When it fails, everything is let go.
func (h *house) furnish(ctx context.Context, a *app) (err error) {
	if h.store, err = a.openMemory(ctx, h.cfg.Home.Database(), h.cfg, h.card); err != nil {
		return errors.Join(err, h.close())
	}
	h.store.Recall.Speak(h.card.Key, h.card.Language)
	if err := errors.Join(h.findVoice(), h.findVectors()); err != nil {
		return errors.Join(err, h.close())
	}
	return nil
}

// close lets everything go.
func (h *house) close() (err error) {
	if h.store != nil {
		err = h.store.Close()
	}
	if h.lock != nil {
		err = errors.Join(err, h.lock.release())
	}
	return err
}

// findVoice makes the voice: plain, or a model with plain behind it.
func (h *house) findVoice() error {
	plain := persona.NewPlain()
	h.voice = plain
	m := h.cfg.Model
	if m.Provider == config.NoModel {
		return nil
	}
	var key string
	if m.APIKey.Set() {
		var err error
		if key, err = m.APIKey.Reveal(); err != nil {
			return h.cfg.Problem("model.api_key", err)
		}
	}
	client, err := llm.New(llm.Settings{
		Provider: string(m.Provider), Model: m.Model, BaseURL: m.BaseURL, APIKey: key, Timeout: m.Timeout,
		MaxTokens: m.MaxTokens, Temperature: m.Temperature, Retries: m.Retries, ContextTokens: m.ContextTokens,
		LegacyMaxTokens: m.LegacyMaxTokens, Now: h.now, Rand: rand.Float64,
	})
	if err != nil {
		return err
	}
	meter := persona.Meter{
		Store: h.store, Persona: h.card.Key, PersonCap: h.cfg.Limits.TokensPerPersonPerDay,
		GlobalCap: h.cfg.Limits.TokensPerDay, Now: h.now, Zone: h.cfg.Timezone.Location,
	}
	h.model = persona.Budgeted(meter.For(0, client))
	h.voice = persona.Fallback(persona.NewModelVoice(client, meter, m.ContextTokens-m.MaxTokens, m.MaxTokens), plain)
	return nil
}

// voiceLine says in one line who speaks and where what they know lives.
func (h *house) voiceLine() string {
	if h.model == nil {
		return fmt.Sprintf("plain voice: no model configured, `familiar init` sets one up · data in %s", h.cfg.Home)
	}
	return fmt.Sprintf("model voice: %s %s · data in %s", h.cfg.Model.Provider, h.cfg.Model.Model, h.cfg.Home)
}

// settings are the engine's numbers, as configured.
func (h *house) settings() persona.Settings { return engineSettings(h.cfg, h.zone()) }

// engineSettings are what cfg says to the engine; zone is for people who have not told theirs.
func engineSettings(cfg *config.Config, zone *time.Location) persona.Settings {
	return persona.Settings{
		SessionGap: cfg.Session.Gap, GreetingGap: cfg.Greeting.Gap, Quiet: cfg.Debounce.Quiet, Cap: cfg.Debounce.Cap,
		RecallBudget: cfg.Recall.Budget, RecallLimit: cfg.Recall.Limit, RecentMessages: recentMessages,
		PromptBudget: cfg.Model.ContextTokens - cfg.Model.MaxTokens,
		FilingBudget: prompts.ExtractBudget(cfg.Model.ContextTokens), Unasked: unasked(cfg.Channels), Zone: zone,
	}
}

// recentMessages is how many messages of the running talk a voice is given to choose from: about what half of a common
// model's context holds.
const recentMessages = 40

// zone is the zone of people who have not told theirs: the persona's, where its card names one.
func (h *house) zone() *time.Location {
	if h.card.Zone != nil {
		return h.card.Zone
	}
	return h.cfg.Timezone.Location
}

// engine makes the engine that serves chans.
func (h *house) engine(settings persona.Settings, chans ...channels.Channel) *persona.Engine {
	return persona.New(persona.Parts{
		Card: h.card, Store: h.store, Voice: h.voice, Model: h.model, Near: h.near, Channels: chans, Settings: settings,
		Now: h.now, Jitter: jitter, Log: h.log,
	})
}

// hearing is how channels are run while the house is served.
type hearing struct {
	channels []channels.Channel
	// run returns when nobody is heard any more.
	run func(ctx context.Context, engine *persona.Engine) error
}

// serve runs the engine, its channels and the jobs until ctx ends or nobody is heard any more.
func (h *house) serve(ctx context.Context, engine *persona.Engine, hear hearing) error {
	if n, err := h.store.Jobs.AbandonRuns(ctx); err != nil {
		return err
	} else if n > 0 {
		h.log.Warn("jobs were cut short when the last process ended", "runs", n)
	}
	jobs, err := h.jobs(engine)
	if err != nil {
		return err
	}
	if err := h.announce(ctx, hear.channels, jobs); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return engine.Run(ctx) })
	g.Go(func() error { rest(ctx, goHeap); return nil })
	g.Go(func() error { return h.scheduler(jobs...).Run(ctx) })
	if h.drain != nil {
		g.Go(func() error { return h.drain.Run(ctx) })
	}
	g.Go(func() error {
		defer stop()
		return hear.run(ctx, engine)
	})
	if err := g.Wait(); err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// announce tells the log what is served.
func (h *house) announce(ctx context.Context, chans []channels.Channel, jobs []scheduler.Job) error {
	var heard, due []string
	for _, c := range chans {
		heard = append(heard, c.Name())
	}
	for _, j := range jobs {
		due = append(due, j.Name)
	}
	recall, err := h.recallLine(ctx)
	if err != nil {
		return err
	}
	h.log.Info("serving", "persona", h.card.Key, "voice", h.voiceLine(), "recall", recall,
		"channels", strings.Join(heard, ","), "jobs", strings.Join(due, ","))
	if len(chans) == 0 {
		h.log.Warn("no channel is configured: nobody is heard, only jobs run; `familiar chat` talks in the terminal")
	}
	return nil
}

// lastAnswers bounds how long answers still under way are waited for once nobody is listening any more.
const lastAnswers = 30 * time.Second

// here hears a channel of this terminal until it ends; what was heard by then is still answered.
func here(c channels.Channel) hearing {
	return hearing{[]channels.Channel{c}, func(ctx context.Context, engine *persona.Engine) error {
		if err := c.Run(ctx, engine.Accept); err != nil {
			return err
		}
		drain, done := context.WithTimeout(ctx, lastAnswers)
		defer done()
		if err := engine.Drain(drain); err != nil && ctx.Err() == nil {
			return fmt.Errorf("wait for the last answers: %w", err)
		}
		return nil
	}}
}

// passing is accept, but for a message that can never be kept: its network would deliver it for ever, and nothing after it.
func passing(logger *slog.Logger, accept channels.Accept) channels.Accept {
	return func(ctx context.Context, m channels.Message) error {
		err := accept(ctx, m)
		if errors.Is(err, log.ErrMalformed) || errors.Is(err, log.ErrTooLong) {
			logger.Error("pass over a message that cannot be kept", "room", m.Room, "error", err)
			return nil
		}
		return err
	}
}

// everywhere hears networks until ctx ends, each as well as it can be.
func (h *house) everywhere(s *supervise.Supervisor, networks []channels.Channel) hearing {
	return hearing{networks, func(ctx context.Context, engine *persona.Engine) error {
		s.Run(ctx, h.gate(engine).Around(passing(h.log, engine.Accept)), persona.Commands(), networks...)
		return nil
	}}
}
