package stories

import (
	"time"

	"familiar/config"
	"familiar/internal/app"
	"familiar/internal/lab/virtual"
	"familiar/persona/modelvoice"
	"familiar/persona/plain"
)

// Scripted returns what stories are played with by default: the default settings and jobs, with the stories' own model.
func Scripted() Parts {
	cfg := config.Default()
	cfg.Timezone = config.Zone{Location: time.UTC}
	cfg.Model.Provider, cfg.Model.Model = config.OpenAI, "scripted"
	return Parts{Settings: app.EngineSettings(cfg, time.UTC), Furnish: func(home virtual.Home, m modelvoice.Model) (virtual.Furniture, error) {
		return virtual.Furnish(cfg, home, func(a *app.App) error {
			meter := modelvoice.Meter{Store: home.Store, Persona: home.Card.Key, Now: home.Now, Zone: time.UTC}
			a.Model = modelvoice.Budgeted(meter.For(0, m))
			a.Voice = modelvoice.Fallback(modelvoice.NewVoice(m, meter, app.EngineSettings(cfg, time.UTC).PromptBudget, cfg.Model.MaxTokens), plain.New())
			return nil
		})
	}}
}
