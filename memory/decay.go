package memory

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"time"
)

// Rates are how fast sectors fade, λ per day, LeastRate to MostRate.
type Rates map[Sector]float64

// The slowest and the fastest rate: with the one a memory lasts for centuries, with the other for days.
const (
	LeastRate = 0.0001
	MostRate  = 1
)

// usualRates are those of personas without their own: what happened and what was felt stay longest, the persona's own
// reflections are the first to be thought anew.
var usualRates = Rates{
	Episodic:   0.005,
	Semantic:   0.02,
	Procedural: 0.02,
	Emotional:  0.005,
	Reflective: 0.05,
}

// OrUsual are the rates with the usual ones where it has none.
func (r Rates) OrUsual() Rates {
	all := maps.Clone(usualRates)
	maps.Copy(all, r)
	return all
}

// check says what is wrong with rates.
func (r Rates) check() error {
	for sector, rate := range r {
		if _, known := usualRates[sector]; !known {
			return fmt.Errorf("%q is no sector of memory", sector)
		}
		if !(rate >= LeastRate && rate <= MostRate) {
			return fmt.Errorf("sector %s fades at %v a day: take %v to %v", sector, rate, LeastRate, MostRate)
		}
	}
	return nil
}

// saliencePad keeps the rate finite for a memory without salience.
const saliencePad = 0.1

// Decay is what is left, 0–1, of a memory of salience 0–1 that was last on the persona's mind since ago:
// exp(−λ·days/(salience+0.1)). A salient memory fades slower. Time that has not passed yet takes nothing.
func (r Rates) Decay(sector Sector, salience float64, since time.Duration) float64 {
	if since <= 0 {
		return 1
	}
	days := since.Hours() / 24
	return math.Exp(-r[sector] * days / (salience + saliencePad))
}

// left is Decay of m at now, counted from when it was last recalled, else from when it was made. Strength slows it as if
// less time had passed.
func (f fading) left(m Memory, now time.Time) float64 {
	if m.Pinned {
		return 1
	}
	since := now.Sub(later(m.Created, m.RecalledAt))
	return f.ratesOf(m.Persona).Decay(m.Sector, m.Salience, time.Duration(float64(since)/max(m.Strength, 1)))
}

// fading is how memories fade.
type fading struct {
	// below is the score under which a memory is taken to be forgotten.
	below float64
	// rates are those of personas that have their own, each complete.
	rates map[string]Rates
}

// ratesOf are the rates of a persona.
func (f fading) ratesOf(persona string) Rates {
	if r, own := f.rates[persona]; own {
		return r
	}
	return usualRates
}

// DefaultForgetBelow is that score where nothing else is set: a hundredth of what was.
const DefaultForgetBelow = 0.01

// lasts is how long a memory of strength 1 lasts without being recalled: Decay solved for the time at which it reaches the
// threshold, ln(1/threshold)·(salience+0.1)/λ days. Strength multiplies it.
func (f fading) lasts(rate, salience float64) time.Duration {
	days := math.Log(1/f.below) * (salience + saliencePad) / rate
	return time.Duration(days * float64(24*time.Hour))
}

// of are the columns that say how a new memory fades, for arguments: what the operator told and standing wishes never do, and
// what is pinned not while it is. Talk read in later is on the persona's mind when it is heard, however old it is.
func (f fading) of(m Memory, now time.Time) (lasts, forgetAt any) {
	if m.Origin == Told || m.Instruction {
		return nil, nil
	}
	span := f.lasts(f.ratesOf(m.Persona)[m.Sector], m.Salience)
	if m.Pinned {
		return span.Milliseconds(), nil
	}
	return span.Milliseconds(), ms(later(m.Created, now).Add(span))
}

// Strengthened is the strength of a memory after one more recall, its n-th, so long after the one before or after it was
// made. Each adds the reciprocal of its number, so that strength grows with the logarithm of the recalls; one that follows
// within a day adds only the share of the day that has passed, since it is spacing that makes recalls last.
func Strengthened(strength float64, n int, since time.Duration) float64 {
	return strength + min(max(since.Hours()/24, 0), 1)/float64(n)
}

// strengthened is Strengthened as SQL; each of its arguments is now, in milliseconds.
const strengthened = `(strength + CASE WHEN ? - coalesce(recalled_at, created_at) >= 86400000 THEN 1.0
	WHEN ? <= coalesce(recalled_at, created_at) THEN 0.0
	ELSE (? - coalesce(recalled_at, created_at)) / 86400000.0 END / (recalls + 1))`

// strengthen notes that a reply was made from memories: each is stronger by it and lasts from now on.
const strengthen = `UPDATE memories SET recalls = recalls + 1, uses = uses + 1, strength = ` + strengthened + `,
	forget_at = CASE WHEN pinned = 1 THEN NULL ELSE ? + CAST(lasts * ` + strengthened + ` AS INTEGER) END,
	recalled_at = ? WHERE id IN `

// strengthenNows is how often use names now.
const strengthenNows = 8

// markUsed notes that a reply was made from memories now.
func (c *conn) markUsed(memories []int64) error {
	nows := slices.Repeat([]any{c.nowMS()}, strengthenNows)
	for chunk := range slices.Chunk(distinct(memories), maxList) {
		in, args := list(chunk)
		if _, err := c.exec(strengthen+in, slices.Concat(nows, args)...); err != nil {
			return err
		}
	}
	return nil
}
