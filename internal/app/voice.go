package app

import (
	"context"
	"fmt"
	"math/rand/v2"

	"familiar/config"
	"familiar/internal/llm"
	"familiar/persona/modelvoice"
	"familiar/persona/plain"
	"familiar/prompts"
)

// connectVoice creates the models of both roles and the voice: plain, or a model with the plain voice as fallback.
func (a *App) connectVoice() error {
	plain := plain.New()
	a.Voice = plain
	models := a.Config.Models(a.Card.Key)
	talk, talking, err := a.chain(models.Talk())
	if err != nil {
		return err
	}
	work, working, err := a.chain(models.ForWork())
	if err != nil {
		return err
	}
	a.windows = windows{talking, working}
	meter := a.meter()
	if len(work) > 0 {
		a.Model = modelvoice.Budgeted(meter.For(0, work))
	}
	if len(talk) > 0 {
		voice := modelvoice.NewVoice(talk, meter, 0, longestReply(models.Talk())).Within(func() int { return promptRoom(talking) })
		a.Voice = modelvoice.Informing(modelvoice.Fallback(voice, plain), meter, plain)
		return a.connectTools()
	}
	return nil
}

// Talker returns the model that talks as the persona, charged like the persona's own work, and its name; nil if none is configured.
func (a *App) Talker() (m modelvoice.Model, name string, _ error) {
	models := a.Config.Models(a.Card.Key).Talk()
	talk, _, err := a.chain(models)
	if err != nil || len(talk) == 0 {
		return nil, "", err
	}
	return a.meter().For(0, talk), models[0].Model, nil
}

// meter returns what charges the persona's calls.
func (a *App) meter() modelvoice.Meter {
	return modelvoice.Meter{
		Store: a.Store, Persona: a.Card.Key, Caps: CapsOf(a.Config.Limits), Now: a.Now, Zone: a.Config.Timezone.Location, Observe: a.observeCall,
	}
}

// chain creates the clients of a role's models.
func (a *App) chain(models []config.ModelSettings) (chain modelvoice.Chain, all []sized, _ error) {
	for _, m := range models {
		client, err := NewModel(a.Config, m, llm.Settings{Now: a.Now, Rand: rand.Float64, Accounts: a.accounts})
		if err != nil {
			return nil, nil, err
		}
		all = append(all, sized{m, client})
		chain = append(chain, modelvoice.Candidate{
			Model: bounded{client, m.MaxTokens}, Name: m.Name(), Price: PriceOf(m),
		})
	}
	return chain, all, nil
}

// NewModel creates the client of one model. It does not use the network. base has what does not come from the
// configuration.
func NewModel(cfg *config.Config, m config.ModelSettings, base llm.Settings) (*llm.Client, error) {
	key, err := m.APIKey.Reveal()
	if err != nil {
		return nil, cfg.Problem(m.Section()+".api_key", err)
	}
	base.Headers = make(map[string]string)
	for _, h := range m.Headers.Map {
		if base.Headers[h.Name], err = h.Value.Reveal(); err != nil {
			return nil, cfg.Problem(m.Section()+".headers."+h.Name, err)
		}
	}
	base.Provider, base.Model, base.BaseURL, base.APIKey = string(m.Provider), m.Model, m.BaseURL, key
	base.Timeout, base.MaxTokens, base.Temperature, base.Retries = m.Timeout, m.MaxTokens, m.Temperature, m.Retries
	base.ContextTokens, base.LegacyMaxTokens, base.ExtraBody = m.ContextTokens, m.LegacyMaxTokens, m.ExtraBody
	base.Effort, base.InFlight = string(m.Effort), m.InFlight
	if m.API != "auto" {
		base.API = string(m.API)
	}
	base.NoTools, base.NoImages, base.Images = m.Tools == config.UseOff, m.Vision == config.UseOff, m.Vision == config.UseOn
	return llm.New(base)
}

// Can returns what the model may be asked.
func (m bounded) Can() prompts.Abilities { return modelvoice.Can(m.Model) }

// bounded is a model whose replies have a limit of their own. Jobs take what their answers need.
type bounded struct {
	modelvoice.Model
	most int
}

// Generate implements modelvoice.Model.
func (b bounded) Generate(ctx context.Context, p prompts.Prompt, stream func(string)) (prompts.Answer, error) {
	if p.Name == "reply" {
		p.MaxTokens = min(p.MaxTokens, b.most)
	}
	return b.Model.Generate(ctx, p, stream)
}

// longestReply returns the longest reply that one of the models may give.
func longestReply(models []config.ModelSettings) (longest int) {
	for _, m := range models {
		longest = max(longest, m.MaxTokens)
	}
	return longest
}

// VoiceLine describes in one line which voice answers and where the data is stored.
func (a *App) VoiceLine() string {
	return fmt.Sprintf("%s · data in %s", a.VoiceName(), a.Config.Home)
}

// VoiceName names the voice that answers.
func (a *App) VoiceName() string {
	talk := a.Config.Models(a.Card.Key).Talk()
	if len(talk) == 0 {
		return "plain voice (no model configured, see `familiar init`)"
	}
	return fmt.Sprintf("model voice: %s %s", talk[0].Provider, talk[0].Model)
}
