package card

import (
	"context"
	"slices"

	"familiar/memory"
	"familiar/memory/turns"
	"familiar/persona/mind"
)

// Strengths returns the card's traits by name.
func (c *Card) Strengths() map[string]float64 {
	traits := make(map[string]float64, len(c.Traits))
	for _, t := range c.Traits {
		traits[t.Name] = t.Strength
	}
	return traits
}

// Grown returns the card with its traits at their grown strength. Everything else stays as the operator's file has it.
func (c *Card) Grown(g mind.Grown) *Card {
	if len(g.Traits) == 0 {
		return c
	}
	over, strengths := *c, mind.Over(c.Strengths(), g)
	over.Traits = slices.Clone(c.Traits)
	for i, t := range over.Traits {
		over.Traits[i].Strength = strengths[t.Name]
	}
	return &over
}

// Grown returns the current growth of a persona.
func Grown(ctx context.Context, store *memory.Store, persona string) (mind.Grown, error) {
	version, err := store.Turns.LatestGrowth(ctx, persona)
	if err != nil {
		return mind.Grown{}, err
	}
	return ReadGrowth(version)
}

// ReadGrowth parses the growth stored in a version.
func ReadGrowth(version turns.GrowthVersion) (mind.Grown, error) {
	g, err := mind.ReadGrown(version.State)
	g.Version = version.Version
	return g, err
}

// ResetGrowth resets a persona to its file: it writes an empty version, unless nothing has grown. It returns the version that holds
// then.
func ResetGrowth(ctx context.Context, store *memory.Store, persona string) (version int, err error) {
	grown, err := Grown(ctx, store, persona)
	if err != nil || len(mind.Diff(mind.Grown{}, grown)) == 0 {
		return grown.Version, err
	}
	return grown.Version + 1, store.Turns.AddGrowth(ctx, persona, 0, grown.Version, []byte("{}"))
}
