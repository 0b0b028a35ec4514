package app

import (
	"log/slog"
	"time"

	"familiar/config"
	"familiar/internal/memoryapi"
	"familiar/memory"
	"familiar/persona/card"
)

// MemoryAPI returns the memory of a home for other programs.
func MemoryAPI(cfg *config.Config, store *memory.Store, log *slog.Logger, now func() time.Time) (*memoryapi.API, error) {
	api := &memoryapi.API{Store: store, Now: now, Zone: cfg.Timezone.Location, PersonaName: func(key string) string {
		c, err := card.LoadCard(cfg.Home.Personas(), key)
		if err != nil {
			return key // its memory is there without its card
		}
		return c.Name
	}}
	e, err := NewEmbedder(cfg, now)
	if err != nil || e == nil {
		return api, err
	}
	api.EmbedQuery = NewQueryEmbedder(cfg, e, now, log).EmbedQuery
	return api, nil
}
