package memory

import (
	"math"
	"slices"
	"time"
)

// lambdas are how fast each sector fades, per day: what happened and what was felt stay longest, the persona's own
// reflections are the first to be thought anew.
var lambdas = map[Sector]float64{
	Episodic:   0.005,
	Semantic:   0.02,
	Procedural: 0.02,
	Emotional:  0.005,
	Reflective: 0.05,
}

// saliencePad keeps the rate finite for a memory without salience.
const saliencePad = 0.1

// Decay is what is left, 0–1, of a memory of salience 0–1 that was last on the persona's mind since ago:
// exp(−λ·days/(salience+0.1)). A salient memory fades slower. Time that has not passed yet takes nothing.
func Decay(sector Sector, salience float64, since time.Duration) float64 {
	if since <= 0 {
		return 1
	}
	days := since.Hours() / 24
	return math.Exp(-lambdas[sector] * days / (salience + saliencePad))
}

// faded is Decay of m at now, counted from when it was last recalled, else from when it was made. Strength slows it as if
// less time had passed.
func faded(m Memory, now time.Time) float64 {
	if m.Pinned {
		return 1
	}
	since := now.Sub(later(m.Created, m.RecalledAt))
	return Decay(m.Sector, m.Salience, time.Duration(float64(since)/max(m.Strength, 1)))
}

// fading is below which score a memory is taken to be forgotten.
type fading struct{ below float64 }

// DefaultForgetBelow is that score where nothing else is set: a hundredth of what was.
const DefaultForgetBelow = 0.01

// lasts is how long a memory of strength 1 lasts without being recalled: Decay solved for the time at which it reaches the
// threshold, ln(1/threshold)·(salience+0.1)/λ days. Strength multiplies it.
func (f fading) lasts(sector Sector, salience float64) time.Duration {
	days := math.Log(1/f.below) * (salience + saliencePad) / lambdas[sector]
	return time.Duration(days * float64(24*time.Hour))
}

// of are the columns that say how a new memory fades, for arguments: what the operator told and standing wishes never do, and
// what is pinned not while it is. Talk read in later is on the persona's mind when it is heard, however old it is.
func (f fading) of(m Memory, now time.Time) (lasts, forgetAt any) {
	if m.Origin == Told || m.Instruction {
		return nil, nil
	}
	span := f.lasts(m.Sector, m.Salience)
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
