package app

import (
	"fmt"
	"math/rand/v2"

	"familiar/config"
	"familiar/internal/llm"
	"familiar/persona/modelvoice"
	"familiar/persona/plain"
)

// connectVoice creates the voice: plain, or a model with the plain voice as fallback.
func (a *App) connectVoice() error {
	plain := plain.New()
	a.Voice = plain
	m := a.Config.Model
	if m.Provider == config.NoModel {
		return nil
	}
	var key string
	if m.APIKey.Set() {
		var err error
		if key, err = m.APIKey.Reveal(); err != nil {
			return a.Config.Problem("model.api_key", err)
		}
	}
	client, err := llm.New(llm.Settings{
		Provider: string(m.Provider), Model: m.Model, BaseURL: m.BaseURL, APIKey: key, Timeout: m.Timeout,
		MaxTokens: m.MaxTokens, Temperature: m.Temperature, Retries: m.Retries, ContextTokens: m.ContextTokens,
		LegacyMaxTokens: m.LegacyMaxTokens, Now: a.Now, Rand: rand.Float64,
	})
	if err != nil {
		return err
	}
	meter := modelvoice.Meter{
		Store: a.Store, Persona: a.Card.Key, PersonCap: a.Config.Limits.TokensPerPersonPerDay,
		GlobalCap: a.Config.Limits.TokensPerDay, Now: a.Now, Zone: a.Config.Timezone.Location,
	}
	a.Model = modelvoice.Budgeted(meter.For(0, client))
	a.Voice = modelvoice.Fallback(modelvoice.NewVoice(client, meter, m.ContextTokens-m.MaxTokens, m.MaxTokens), plain)
	return nil
}

// VoiceLine describes in one line which voice answers and where the data is stored.
func (a *App) VoiceLine() string {
	if a.Model == nil {
		return fmt.Sprintf("plain voice (no model configured, see `familiar init`) · data in %s", a.Config.Home)
	}
	return fmt.Sprintf("model voice: %s %s · data in %s", a.Config.Model.Provider, a.Config.Model.Model, a.Config.Home)
}
