package db

import (
	"fmt"
	"maps"

	"familiar/memory/model"
)

// newDecay returns a decay model without personas. threshold is the default when it is no retention between 0 and 1.
func newDecay(threshold float64) *model.DecayModel {
	if threshold <= 0 || threshold >= 1 {
		threshold = model.DefaultForgetBelow
	}
	return &model.DecayModel{Threshold: threshold}
}

// Decay returns the decay model as it is now. It is never changed, and safe for concurrent use.
func (s *DB) Decay() model.DecayModel { return *s.decay.Load() }

// SetRates changes how fast the memories of a persona fade. Recall uses it at once, writes from the next one on. Missing
// sectors have the default rate.
func (s *DB) SetRates(persona string, r model.Rates) error {
	if err := r.Validate(); err != nil {
		return fmt.Errorf("rates of %s: %w", persona, err)
	}
	for {
		now := s.decay.Load()
		next := &model.DecayModel{Threshold: now.Threshold, Rates: map[string]model.Rates{}}
		maps.Copy(next.Rates, now.Rates)
		next.Rates[persona] = r.WithDefaults()
		if s.decay.CompareAndSwap(now, next) {
			return nil
		}
	}
}
