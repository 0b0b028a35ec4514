package cli

import (
	"math"
	"time"

	"github.com/dustin/go-humanize"

	"familiar/config"
)

// InZone returns t in the operator's timezone. The zero time stays zero.
func InZone(t time.Time, cfg *config.Config) time.Time {
	if t.IsZero() {
		return t
	}
	return t.In(cfg.Timezone.Location)
}

// Round keeps three decimals: more is noise in a list.
func Round(x float64) float64 { return math.Round(x*1000) / 1000 }

// FileSize is a number of bytes.
type FileSize int64

// String shows the size in a unit that suits it.
func (n FileSize) String() string { return humanize.IBytes(uint64(max(0, n))) }
