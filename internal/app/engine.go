package app

import (
	"math/rand/v2"
	"time"

	"familiar/channels"
	"familiar/config"
	"familiar/persona"
	"familiar/prompts"
)

// Settings are the engine's numbers, as configured.
func (a *App) Settings() persona.Settings { return EngineSettings(a.Config, a.zone()) }

// EngineSettings are what cfg says to the engine; zone is for people who have not told theirs.
func EngineSettings(cfg *config.Config, zone *time.Location) persona.Settings {
	return persona.Settings{
		SessionGap: cfg.Session.Gap, GreetingGap: cfg.Greeting.Gap, Quiet: cfg.Debounce.Quiet, Cap: cfg.Debounce.Cap,
		RecallBudget: cfg.Recall.Budget, RecallLimit: cfg.Recall.Limit, RecentMessages: recentMessages,
		PromptBudget: cfg.Model.ContextTokens - cfg.Model.MaxTokens,
		FilingBudget: prompts.ExtractBudget(cfg.Model.ContextTokens), Proactive: unasked(cfg.Channels), Zone: zone,
	}
}

// recentMessages is how many messages of the running talk a voice is given to choose from: about what half of a common
// model's context holds.
const recentMessages = 40

// zone is the zone of people who have not told theirs: the persona's, where its card names one.
func (a *App) zone() *time.Location {
	if a.Card.Zone != nil {
		return a.Card.Zone
	}
	return a.Config.Timezone.Location
}

// Engine makes the engine that serves chans.
func (a *App) Engine(settings persona.Settings, chans ...channels.Channel) *persona.Engine {
	return persona.New(persona.Parts{
		Card: a.Card, Store: a.Store, Voice: a.Voice, Model: a.Model, EmbedQuery: a.EmbedQuery, Channels: chans, Settings: settings,
		Now: a.Now, Jitter: Jitter, Log: a.Log,
	})
}

// Jitter is something between 0 and most.
func Jitter(most time.Duration) time.Duration { return rand.N(most + 1) }
