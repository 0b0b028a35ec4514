package app

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"

	"familiar/config"
	"familiar/memory"
	"familiar/memory/model"
	"familiar/persona/card"
)

// OpenMemory opens the memory of the home, where the configuration says it is, for the persona.
func OpenMemory(ctx context.Context, cfg *config.Config, first *card.Card, now func() time.Time) (*memory.Store, error) {
	address, err := cfg.MemoryAddress()
	if err != nil {
		return nil, err
	}
	o := optionsOf(cfg, first, now)
	if cfg.Database.OnServer() {
		o.Connections, o.StatementTimeout = cfg.Database.Connections, cfg.Database.StatementTimeout
	}
	o.AttachmentsDir = cfg.Home.Attachments("")
	o.BeforeUpgrade = func(ctx context.Context, _ int) error { return backUpBeforeUpgrade(ctx, cfg, now) }
	return memory.Open(ctx, address, o)
}

// OpenCopy opens a copy of the memory at path. It deletes no attachment files, since the memory has the same ones.
func OpenCopy(ctx context.Context, path string, cfg *config.Config, first *card.Card, now func() time.Time) (*memory.Store, error) {
	return memory.Open(ctx, path, optionsOf(cfg, first, now))
}

func optionsOf(cfg *config.Config, first *card.Card, now func() time.Time) memory.Options {
	return memory.Options{
		Now: now, ForgetBelow: cfg.Memory.ForgetBelow, DecayRates: decayRates(cfg, first), IndexBytes: int64(cfg.Recall.IndexMB) << 20,
	}
}

// HasMemory reports whether there is a memory yet. One on a server counts as there.
func HasMemory(cfg *config.Config) bool {
	if cfg.Database.OnServer() {
		return true
	}
	_, err := os.Stat(cfg.Home.Database())
	return !errors.Is(err, fs.ErrNotExist)
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
