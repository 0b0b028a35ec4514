package chart

import (
	"context"
	"io"
)

// Sparkline is a small line without axes, for a line of text or a cell.
type Sparkline struct {
	Name, Unit string
	Points     []Point
	// Range is what the height covers at least.
	Range Range
}

// The size of a sparkline in its own coordinates; chart.css sets its size on the page.
const (
	sparkWidth  = 100.0
	sparkHeight = 24.0
	sparkMargin = 3.0
)

// Render writes the sparkline, or nothing if it has no points.
func (s Sparkline) Render(_ context.Context, out io.Writer) error {
	t := Timeline{Panels: []Panel{{Range: s.Range, Zoom: true, Series: []Series{{Name: s.Name, Points: s.Points}}}}}
	pl := t.plots(sparkWidth)[0].plot
	if pl == nil {
		return nil
	}
	w := &writer{}
	w.start("svg", "class", "chart-spark "+seriesClass(0), "role", "img", "viewBox", "0 0 100 24", "preserveAspectRatio", "none")
	w.leaf("title", s.said(pl))
	d := ""
	for run := range runs(pl.curves[0]) {
		for i, p := range run {
			d += []string{"L", "M"}[btoi(i == 0)] + number(p.x*sparkWidth) + " " + number(s.height(pl, p.y))
		}
		if len(run) == 1 {
			d += "h0.1"
		}
	}
	pl.path(w, "chart-line", d)
	w.end()
	return w.flush(out)
}

// height is the height of a value: the scale without its round ends, since no tick is shown.
func (s Sparkline) height(pl *plot, v float64) float64 {
	return sparkMargin + pl.y.at(v, sparkHeight-2*sparkMargin)
}

// said is what the sparkline shows, in words.
func (s Sparkline) said(pl *plot) string {
	unit := ""
	if s.Unit != "" {
		unit = " " + s.Unit
	}
	var first, last xy
	found := false
	for run := range runs(pl.curves[0]) {
		if !found {
			first, found = run[0], true
		}
		last = run[len(run)-1]
	}
	return s.Name + ": from " + Number(first.y) + " to " + Number(last.y) + unit
}

// Table returns the values behind the sparkline.
func (s Sparkline) Table() Table {
	return Timeline{Panels: []Panel{{Unit: s.Unit, Series: []Series{{Name: s.Name, Points: s.Points}}}}}.Table()
}
