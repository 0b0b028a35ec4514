package model

import (
	"fmt"
	"maps"
	"math"
	"time"
)

// Rates are how fast sectors fade, λ per day, LeastRate to MostRate.
type Rates map[Sector]float64

// The slowest and the fastest rate: with the one a memory lasts for centuries, with the other for days.
const (
	MinRate = 0.0001
	MaxRate = 1
)

// usualRates are those of personas without their own: what happened and what was felt stay longest, the persona's own
// reflections are the first to be thought anew.
var DefaultRates = Rates{
	Episodic:   0.005,
	Semantic:   0.02,
	Procedural: 0.02,
	Emotional:  0.005,
	Reflective: 0.05,
}

// WithDefaults are the rates with the usual ones where it has none.
func (r Rates) WithDefaults() Rates {
	all := maps.Clone(DefaultRates)
	maps.Copy(all, r)
	return all
}

// check says what is wrong with rates.
func (r Rates) Validate() error {
	for sector, rate := range r {
		if _, known := DefaultRates[sector]; !known {
			return fmt.Errorf("%q is no sector of memory", sector)
		}
		if !(rate >= MinRate && rate <= MaxRate) {
			return fmt.Errorf("sector %s fades at %v a day: take %v to %v", sector, rate, MinRate, MaxRate)
		}
	}
	return nil
}

// salienceOffset keeps the rate finite for a memory without salience.
const salienceOffset = 0.1

// Decay is what is left, 0–1, of a memory of salience 0–1 that was last on the persona's mind since ago:
// exp(−λ·days/(salience+0.1)). A salient memory fades slower. Time that has not passed yet takes nothing.
func (r Rates) Decay(sector Sector, salience float64, since time.Duration) float64 {
	if since <= 0 {
		return 1
	}
	days := since.Hours() / 24
	return math.Exp(-r[sector] * days / (salience + salienceOffset))
}

// left is Decay of m at now, counted from when it was last recalled, else from when it was made. Strength slows it as if
// less time had passed.
func (f DecayModel) Retention(m Memory, now time.Time) float64 {
	if m.Pinned {
		return 1
	}
	since := now.Sub(Later(m.Created, m.RecalledAt))
	return f.RatesOf(m.Persona).Decay(m.Sector, m.Salience, time.Duration(float64(since)/max(m.Strength, 1)))
}

// fading is how memories fade.
type DecayModel struct {
	// below is the score under which a memory is taken to be forgotten.
	Threshold float64
	// rates are those of personas that have their own, each complete.
	Rates map[string]Rates
}

// ratesOf are the rates of a persona.
func (f DecayModel) RatesOf(persona string) Rates {
	if r, own := f.Rates[persona]; own {
		return r
	}
	return DefaultRates
}

// DefaultForgetBelow is that score where nothing else is set: a hundredth of what was.
const DefaultForgetBelow = 0.01

// lasts is how long a memory of strength 1 lasts without being recalled: Decay solved for the time at which it reaches the
// threshold, ln(1/threshold)·(salience+0.1)/λ days. Strength multiplies it.
func (f DecayModel) Lifetime(rate, salience float64) time.Duration {
	days := math.Log(1/f.Threshold) * (salience + salienceOffset) / rate
	return time.Duration(days * float64(24*time.Hour))
}

// Strengthen is the strength of a memory after one more recall, its n-th, so long after the one before or after it was
// made. Each adds the reciprocal of its number, so that strength grows with the logarithm of the recalls; one that follows
// within a day adds only the share of the day that has passed, since it is spacing that makes recalls last.
func Strengthen(strength float64, n int, since time.Duration) float64 {
	return strength + min(max(since.Hours()/24, 0), 1)/float64(n)
}
