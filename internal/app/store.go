package app

import (
	"context"
	"errors"
	"time"

	"familiar/config"
	"familiar/memory"
	"familiar/memory/model"
	"familiar/persona/card"
)

// OpenMemory opens the store at path for the persona. Only the home's own database may delete attachment files: a copy
// shares them.
func OpenMemory(ctx context.Context, path string, cfg *config.Config, first *card.Card, now func() time.Time) (*memory.Store, error) {
	files := ""
	if path == cfg.Home.Database() {
		files = cfg.Home.Attachments("")
	}
	return memory.Open(ctx, path, memory.Options{
		Now: now, AttachmentsDir: files, ForgetBelow: cfg.Memory.ForgetBelow, DecayRates: decayRates(cfg, first),
		IndexBytes: int64(cfg.Recall.IndexMB) << 20,
	})
}

// decayRates returns the decay rates of all personas that are served. Those of an invalid persona are the default.
func decayRates(cfg *config.Config, first *card.Card) map[string]model.Rates {
	rates := map[string]model.Rates{cfg.Persona: first.Rates}
	for _, key := range cfg.Served()[1:] {
		if c, err := card.LoadCard(cfg.Home.Personas(), key); err == nil {
			rates[key] = c.Rates
		}
	}
	return rates
}

// LoadCard loads the configured persona. A missing persona is reported with the line of the configuration that names
// it.
func LoadCard(cfg *config.Config) (*card.Card, error) {
	c, err := card.LoadCard(cfg.Home.Personas(), cfg.Persona)
	if errors.Is(err, card.ErrNoCard) {
		return nil, cfg.Problem("persona", err)
	}
	return c, err
}
