package chart

import (
	"context"
	"io"
	"math"
	"strings"
)

// Values are the values of a bar, one for each of its parts. One that is no finite number is missing.
type Values []float64

// Bar is one row of Bars.
type Bar struct {
	Name   string `json:"name"`
	Values Values `json:"values"`
}

// Bars shows amounts as horizontal bars.
type Bars struct {
	Title string `json:"title"`
	Unit  string `json:"unit,omitempty"`
	// About says in a sentence what is shown.
	About string `json:"about,omitempty"`
	// Parts names the values of each bar. Without names a bar has one value.
	Parts []string `json:"parts,omitempty"`
	Bars  []Bar    `json:"bars"`
	// Stacked puts the parts of a bar in one line. Negative values are not shown then.
	Stacked bool `json:"stacked,omitempty"`
	// Most is what the axis reaches at least, such as 1 for shares.
	Most float64 `json:"most,omitempty"`
}

// Render writes the bars as a figure for a page, with the table behind them.
func (b Bars) Render(_ context.Context, out io.Writer) error {
	w := &writer{}
	w.start("figure", "class", "chart")
	w.caption(b.Title, b.About)
	w.heading("", b.Unit)
	if low, top, ok := b.extent(); ok {
		if b.Stacked {
			w.legend(b.entries(), "chart-legend")
		}
		w.start("div", "class", "chart-bars", "role", "img", "aria-label", b.describe())
		for _, bar := range b.Bars {
			b.bar(w, bar, low, top)
		}
		w.end()
	} else {
		w.nothing()
	}
	w.details(b.Title, b.Table())
	w.end()
	return w.flush(out)
}

// extent returns the lowest and the highest value that is shown, 0 included, and false if there is none.
func (b Bars) extent() (low, top float64, ok bool) {
	if drawable(b.Most) {
		top = max(0, b.Most)
	}
	for _, bar := range b.Bars {
		sum := 0.0
		for i := range b.parts() {
			v, there := bar.value(i)
			if !there {
				continue
			}
			ok = true
			if b.Stacked {
				sum += max(0, v)
				v = sum
			}
			low, top = min(low, v), max(top, v)
		}
	}
	if top == low {
		top = low + 1
	}
	return low, top, ok
}

// parts is the names of the values, one without a name if there are none.
func (b Bars) parts() []string {
	if len(b.Parts) == 0 {
		return []string{""}
	}
	return b.Parts
}

// value returns the value of a part, and whether it is there.
func (bar Bar) value(i int) (float64, bool) {
	if i >= len(bar.Values) || !drawable(bar.Values[i]) {
		return 0, false
	}
	return bar.Values[i], true
}

// bar writes one bar: its name, then a line for its parts together or for each of them.
func (b Bars) bar(w *writer, bar Bar, low, top float64) {
	switch parts := b.parts(); {
	case b.Stacked:
		w.barLine(bar.Name, Number(b.sum(bar)), func() { b.stacked(w, bar, top) })
	case len(parts) == 1:
		w.barLine(bar.Name, bar.text(0), func() { bar.single(w, 0, low, top) })
	default:
		w.leaf("div", bar.Name, "class", "chart-group")
		for i, part := range parts {
			w.barLine(part, bar.text(i), func() { bar.single(w, i, low, top) })
		}
	}
}

// text is a value as text.
func (bar Bar) text(i int) string {
	if v, ok := bar.value(i); ok {
		return Number(v)
	}
	return "–"
}

func (b Bars) sum(bar Bar) (sum float64) {
	for i := range b.parts() {
		v, _ := bar.value(i)
		sum += max(0, v)
	}
	return sum
}

// barHeight is how high a bar is, in pixels.
const barHeight = 16

// barLine writes a name, its value and its picture; chart.css puts them in one line where there is room.
func (w *writer) barLine(name, value string, draw func()) {
	w.leaf("span", name, "class", "chart-name")
	w.leaf("span", value, "class", "chart-value")
	w.start("svg", "class", "chart-bar", "width", "100%", "height", number(barHeight), "aria-hidden", "true")
	draw()
	w.end()
}

// single draws the bar of one value from 0.
func (bar Bar) single(w *writer, i int, low, top float64) {
	zero := -low / (top - low)
	if v, ok := bar.value(i); ok {
		at := (v - low) / (top - low)
		w.piece(i, min(zero, at), max(zero, at), "")
	}
	line(w, "chart-base", percent(zero), percent(zero), 0, barHeight)
}

// stacked draws the parts of a bar one after the other.
func (b Bars) stacked(w *writer, bar Bar, top float64) {
	sum := 0.0
	for i, part := range b.parts() {
		v, _ := bar.value(i)
		if v <= 0 {
			continue
		}
		w.start("g")
		w.leaf("title", strings.TrimPrefix(part+": "+Number(v), ": "))
		w.piece(i, sum/top, (sum+v)/top, "chart-texture")
		w.end()
		sum += v
	}
	line(w, "chart-base", "0", "0", 0, barHeight)
}

// piece draws a part of a bar between two fractions of the width, in the colour of part i, and in its texture where
// no name is beside it.
func (w *writer) piece(i int, from, until float64, texture string) {
	w.start("g", "class", seriesClass(i))
	w.empty("rect", "class", "chart-fill", "x", percent(from), "width", percent(math.Max(0, until-from)), "height", number(barHeight))
	if t := textures[i%kinds]; t.width > 0 && texture != "" {
		w.empty("line", "class", texture, "x1", percent(from), "x2", percent(until), "y1", number(barHeight/2), "y2", number(barHeight/2),
			"stroke-width", number(barHeight*t.width), "stroke-dasharray", t.dash)
	}
	w.end()
}

// entries returns what the legend of stacked bars explains.
func (b Bars) entries() (entries []entry) {
	if len(b.Parts) < 2 {
		return nil
	}
	for i, part := range b.Parts {
		entries = append(entries, entry{part, func(w *writer) { w.piece(i, 0, 1, "chart-texture") }})
	}
	return entries
}

// mostSaid is how many bars are read out; the table has all of them.
const mostSaid = 20

// describe says the title and the values.
func (b Bars) describe() string {
	said := []string{}
	for i, bar := range b.Bars {
		if i == mostSaid {
			said = append(said, "and "+Number(float64(len(b.Bars)-i))+" more in the table")
			break
		}
		var values []string
		for j, part := range b.parts() {
			if v, ok := bar.value(j); ok {
				values = append(values, strings.TrimLeft(part+" "+Number(v), " "))
			}
		}
		said = append(said, bar.Name+" "+strings.Join(values, ", "))
	}
	return b.Title + ": " + strings.Join(said, "; ")
}

// Table returns the values behind the bars: a row per bar and a column per part.
func (b Bars) Table() Table {
	table := Table{Head: []string{"name"}}
	for _, part := range b.parts() {
		switch {
		case part == "":
			part = b.Unit
		case b.Unit != "":
			part += " (" + b.Unit + ")"
		}
		table.Head = append(table.Head, part)
	}
	if b.Stacked && len(b.Parts) > 1 {
		table.Head = append(table.Head, "total")
	}
	some := table.thin(len(b.Bars))
	for _, i := range some {
		bar := b.Bars[i]
		row := []string{bar.Name}
		for j := range b.parts() {
			row = append(row, bar.text(j))
		}
		if b.Stacked && len(b.Parts) > 1 {
			row = append(row, Number(b.sum(bar)))
		}
		table.Rows = append(table.Rows, row)
	}
	return table
}
