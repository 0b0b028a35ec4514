package model

import (
	"fmt"
	"maps"
	"math"
	"time"
)

// Rates are the decay rates by sector: λ per day, from MinRate to MaxRate.
type Rates map[Sector]float64

// MinRate and MaxRate bound a decay rate. At MinRate a memory lasts for centuries, at MaxRate for days.
const (
	MinRate = 0.0001
	MaxRate = 1
)

// DefaultRates are the rates of personas without rates of their own. Events and feelings last longest. The persona's
// reflections decay first, since jobs make new ones.
var DefaultRates = Rates{
	Episodic:   0.005,
	Semantic:   0.02,
	Procedural: 0.02,
	Emotional:  0.005,
	Reflective: 0.05,
}

// WithDefaults returns a copy of r in which missing sectors have their default rate.
func (r Rates) WithDefaults() Rates {
	all := maps.Clone(DefaultRates)
	maps.Copy(all, r)
	return all
}

// Validate returns an error for an unknown sector or a rate out of range.
func (r Rates) Validate() error {
	for sector, rate := range r {
		if _, known := DefaultRates[sector]; !known {
			return fmt.Errorf("%q is not a sector: use episodic, semantic, procedural, emotional or reflective", sector)
		}
		if !(rate >= MinRate && rate <= MaxRate) {
			return fmt.Errorf("decay rate of sector %s is %v per day: it must be %v to %v", sector, rate, MinRate, MaxRate)
		}
	}
	return nil
}

// SalienceOffset keeps the rate finite for a memory with no salience.
const SalienceOffset = 0.1

// Decay returns the share, 0–1, that is left of a memory of salience 0–1 after a time without recall:
// exp(−λ·days/(salience+0.1)). A salient memory decays more slowly. A negative duration leaves 1.
func (r Rates) Decay(sector Sector, salience float64, since time.Duration) float64 {
	if since <= 0 {
		return 1
	}
	days := since.Hours() / 24
	return math.Exp(-r[sector] * days / (salience + SalienceOffset))
}

// Retention returns what is left of m at now, 0–1. It is Decay counted from the last recall, or from creation if m
// was never recalled. Strength divides the elapsed time. A pinned memory does not decay.
func (f DecayModel) Retention(m Memory, now time.Time) float64 {
	if m.Pinned {
		return 1
	}
	since := now.Sub(Later(m.Created, m.RecalledAt))
	return f.RatesOf(m.Persona).Decay(m.Sector, m.Salience, time.Duration(float64(since)/max(m.Strength, 1)))
}

// DecayModel holds the parameters of decay.
type DecayModel struct {
	// Threshold is the retention, 0–1, below which a memory counts as forgotten.
	Threshold float64
	// Rates are the complete rates of personas that have their own.
	Rates map[string]Rates
}

// RatesOf returns the rates of a persona, DefaultRates when it has none of its own.
func (f DecayModel) RatesOf(persona string) Rates {
	if r, own := f.Rates[persona]; own {
		return r
	}
	return DefaultRates
}

// DefaultForgetBelow is the default of DecayModel.Threshold: one hundredth.
const DefaultForgetBelow = 0.01

// Lifetime returns how long a memory of strength 1 lasts without recall. It solves Decay for the time at which
// retention reaches the threshold: ln(1/threshold)·(salience+0.1)/λ days. Strength multiplies it.
func (f DecayModel) Lifetime(rate, salience float64) time.Duration {
	days := math.Log(1/f.Threshold) * (salience + SalienceOffset) / rate
	return time.Duration(days * float64(24*time.Hour))
}

// Strengthen returns the strength of a memory after its n-th recall, where since is the time from the previous recall
// or from creation. Each recall adds 1/n, so strength grows with the logarithm of the number of recalls. A recall
// within a day of the previous one adds only the elapsed share of that day, because spaced recalls last longer.
func Strengthen(strength float64, n int, since time.Duration) float64 {
	return strength + min(max(since.Hours()/24, 0), 1)/float64(n)
}

// Later returns the later of two times.
func Later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
