package app

import (
	"context"
	crand "crypto/rand"
	"math/rand/v2"
	"time"

	"familiar/channels"
	"familiar/config"
	"familiar/persona"
	"familiar/persona/card"
	"familiar/persona/care"
)

// Settings returns the engine's settings.
func (a *App) Settings() persona.Settings {
	s := EngineSettings(a.Config, a.zone())
	s.AnswersPerMinute = a.Config.Limits.AnswersPerRoomPerMinute
	s.Proactive = proactivePolicy(a.Config.Channels, a.Card.Adult)
	fixed := s
	s.Room = func() (prompt, filing int) { return a.windows.room(fixed.Budgets) }
	return s
}

// EngineSettings returns the engine's settings from cfg. zone applies to people whose timezone is unknown.
func EngineSettings(cfg *config.Config, zone *time.Location) persona.Settings {
	models := cfg.Models(cfg.Persona)
	talk, work := models.Talk(), models.ForWork()
	if len(talk) == 0 {
		talk = []config.ModelSettings{models.ModelSettings}
	}
	if len(work) == 0 {
		work = talk
	}
	return persona.Settings{
		SessionGap: cfg.Session.Gap, GreetingGap: cfg.Greeting.Gap, Quiet: cfg.Debounce.Quiet, Cap: cfg.Debounce.Cap,
		RecallBudget: cfg.Recall.Budget, RecallLimit: cfg.Recall.Limit, RecentMessages: persona.RecentMessages,
		PromptBudget: promptRoom(unsized(talk)), FilingBudget: filingRoom(unsized(work)), Proactive: proactivePolicy(cfg.Channels, false), Zone: zone,
		Aloud:    func(network string) string { return string(cfg.Speech.Speak.On(network)) },
		ReadsWeb: cfg.Learning.Enabled,
		Contacts: care.Contacts{Country: cfg.Care.Country, Lines: cfg.Care.Contacts.ByCountry()},
	}
}

// zone returns the timezone for people whose own is unknown: the persona's if its card sets one, otherwise the
// configured one.
func (a *App) zone() *time.Location { return a.zoneOf(a.Card) }

func (a *App) zoneOf(c *card.Card) *time.Location {
	if c.Zone != nil {
		return c.Zone
	}
	return a.Config.Timezone.Location
}

// Engine creates the engine of the configured persona alone, which serves chans.
func (a *App) Engine(settings persona.Settings, chans ...channels.Channel) *persona.Engine {
	return persona.New(a.parts(settings, chans))
}

func (a *App) parts(settings persona.Settings, chans []channels.Channel) persona.Parts {
	return persona.Parts{
		Card: a.Card, Store: a.Store, Fleet: a.Fleet, Voice: a.Voice, Model: a.Model, Tools: a.Tools, EmbedQuery: a.EmbedQuery,
		Transcriber: a.Transcriber, Speaker: a.Speaker, Channels: chans, Settings: settings,
		Now: a.Now, Jitter: Jitter, Random: crand.Reader, Log: a.Log, Observer: a.observer(),
		Erased: func(ctx context.Context, ids []string) error { return TidyErased(ctx, a.Config.Home, a.Store, ids) },
	}
}

// Jitter returns a random duration from 0 to most.
func Jitter(most time.Duration) time.Duration { return rand.N(most + 1) }
