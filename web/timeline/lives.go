package timeline

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"

	"familiar/memory/history"
	"familiar/memory/model"
)

// columns are lives as the browser draws them: numbers and no texts. A life has the phases from[starts[i]:starts[i+1]].
type columns struct {
	ids, stored, gone []float64
	sectors           []uint8
	starts            []uint32

	from, since, rates []float64
	flags              []uint8
}

// What the flags of a phase say.
const (
	flagPinned  = 1
	flagDormant = 2
)

var sectors = []model.Sector{model.Episodic, model.Semantic, model.Procedural, model.Emotional, model.Reflective}

func (c *columns) add(l *history.Life) {
	c.ids, c.stored = append(c.ids, float64(l.ID)), append(c.stored, float64(l.Stored.UnixMilli()))
	c.gone = append(c.gone, min(moment(l.Replaced), moment(l.Expires)))
	c.sectors = append(c.sectors, uint8(max(slices.Index(sectors, l.Sector), 0))) //nolint:gosec // one of five
	c.starts = append(c.starts, uint32(len(c.from)))                              //nolint:gosec // bounded by trim
	for _, p := range l.Phases {
		c.from, c.since, c.rates = append(c.from, float64(p.From)), append(c.since, float64(p.Since)), append(c.rates, p.Rate)
		flags := uint8(0)
		if p.Pinned {
			flags |= flagPinned
		}
		if p.Tier == model.Dormant {
			flags |= flagDormant
		}
		c.flags = append(c.flags, flags)
	}
}

// moment returns a time in milliseconds, infinity for never.
func moment(t time.Time) float64 {
	if t.IsZero() {
		return math.Inf(1)
	}
	return float64(t.UnixMilli())
}

// phasesSince counts the phases of the lives from the n-th on.
func (c *columns) phasesSince(n int) int { return len(c.from) - int(c.starts[n]) }

// drop removes the first n lives.
func (c *columns) drop(n int) {
	at := len(c.from)
	if n < len(c.starts) {
		at = int(c.starts[n])
	}
	c.ids, c.stored, c.gone, c.sectors = drop(c.ids, n), drop(c.stored, n), drop(c.gone, n), drop(c.sectors, n)
	c.from, c.since, c.rates, c.flags = drop(c.from, at), drop(c.since, at), drop(c.rates, at), drop(c.flags, at)
	c.starts = drop(c.starts, n)
	for i := range c.starts {
		c.starts[i] -= uint32(at) //nolint:gosec // an index
	}
}

// header says what the arrays after it hold.
type header struct {
	Lives   int            `json:"lives"`
	Phases  int            `json:"phases"`
	All     int            `json:"all"`
	Sectors []model.Sector `json:"sectors"`
	// Days are the names of the days, Ends their last moments in milliseconds. Counts has a list per day: the memories by class,
	// the beliefs, and what was forgotten.
	Days   []string `json:"days"`
	Ends   []int64  `json:"ends"`
	Counts [][]int  `json:"counts"`
}

// packLives writes a film for the browser, packed with gzip: the length of the header, the header as JSON padded to eight bytes,
// and the arrays that time.js reads, little-endian, those of eight bytes first.
func packLives(f *film, c *columns) ([]byte, error) {
	h := header{Lives: len(c.ids), Phases: len(c.from), All: f.all, Sectors: sectors}
	for _, d := range f.days {
		h.Days, h.Ends = append(h.Days, d.at.Format(time.DateOnly)), append(h.Ends, d.at.UnixMilli())
		h.Counts = append(h.Counts, append(slices.Clone(d.counts.Memories[:]), d.counts.Beliefs, d.counts.Forgotten))
	}
	head, err := json.Marshal(h)
	if err != nil {
		return nil, fmt.Errorf("write what the lives are: %w", err)
	}
	for len(head)%8 != 0 {
		head = append(head, ' ')
	}
	starts := append(slices.Clone(c.starts), uint32(len(c.from))) //nolint:gosec // bounded by trim
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestSpeed)
	if err != nil {
		return nil, fmt.Errorf("pack lives: %w", err)
	}
	for _, part := range []any{
		uint64(len(head)), head, c.ids, c.stored, c.gone, c.from, c.since, c.rates, starts, c.sectors, c.flags,
	} {
		if err := binary.Write(w, binary.LittleEndian, part); err != nil {
			return nil, fmt.Errorf("pack lives: %w", err)
		}
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("pack lives: %w", err)
	}
	return bytes.Clone(packed.Bytes()), nil
}
