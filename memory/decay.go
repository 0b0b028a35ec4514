package memory

import (
	"math"
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

// faded is Decay of m at now, counted from when it was last recalled, else from when it was made.
func faded(m Memory, now time.Time) float64 {
	if m.Pinned {
		return 1
	}
	last := m.Created
	if m.RecalledAt.After(last) {
		last = m.RecalledAt
	}
	return Decay(m.Sector, m.Salience, now.Sub(last))
}
