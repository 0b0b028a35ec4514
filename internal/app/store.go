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
func OpenMemory(ctx context.Context, path string, cfg *config.Config, card *card.Card, now func() time.Time) (*memory.Store, error) {
	files := ""
	var backUp func(context.Context, int) error
	if path == cfg.Home.Database() {
		files = cfg.Home.Attachments("")
		backUp = func(ctx context.Context, _ int) error { return backUpBeforeUpgrade(ctx, cfg, now) }
	}
	return memory.Open(ctx, path, memory.Options{
		Now: now, AttachmentsDir: files, BeforeUpgrade: backUp, ForgetBelow: cfg.Memory.ForgetBelow, DecayRates: map[string]model.Rates{cfg.Persona: card.Rates},
		IndexBytes: int64(cfg.Recall.IndexMB) << 20,
	})
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
