package chart

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// Render writes the timeline as a figure for a page, with the table behind it.
func (t Timeline) Render(_ context.Context, out io.Writer) error {
	w := &writer{}
	w.start("figure", "class", "chart")
	w.caption(t.Title, t.About)
	plots := t.plots(1000)
	for _, p := range plots {
		w.panel(t.Title, p, anyNamed(plots))
	}
	if len(plots) == 0 {
		w.nothing()
	}
	w.details(t.Title, t.Table())
	w.end()
	return w.flush(out)
}

// maybe is a panel, and its plot if it has anything to show.
type maybe struct {
	Panel
	*plot
}

// plots returns the panels on one time scale.
func (t Timeline) plots(units float64) (plots []maybe) {
	x := t.timeScale()
	for _, p := range t.Panels {
		m := maybe{Panel: p}
		if pl, ok := newPlot(p, x, units); ok {
			m.plot = pl
		}
		plots = append(plots, m)
	}
	return plots
}

// anyNamed reports whether lines of a panel are named where they end. All panels leave room for that, so that their times
// are one below the other.
func anyNamed(plots []maybe) bool {
	return slices.ContainsFunc(plots, func(m maybe) bool { return m.plot != nil && len(m.direct()) > 0 })
}

// timeScale returns the scale that all panels share.
func (t Timeline) timeScale() timeScale {
	from, until := t.From, t.Until
	for _, p := range t.Panels {
		for _, s := range p.Series {
			for _, pt := range s.Points {
				if t.From.IsZero() && (from.IsZero() || pt.At.Before(from)) {
					from = pt.At
				}
				if t.Until.IsZero() && (until.IsZero() || pt.At.After(until)) {
					until = pt.At
				}
			}
		}
	}
	if until.Before(from) {
		until = from
	}
	return newTimeScale(from, until, t.Zone)
}

// caption writes the title of a figure and what it is about.
func (w *writer) caption(title, about string) {
	w.start("figcaption")
	w.leaf("span", title, "class", "chart-title")
	if about != "" {
		w.leaf("span", about, "class", "chart-about")
	}
	w.end()
}

// nothing says that there is nothing to show yet.
func (w *writer) nothing() { w.leaf("p", "Nothing to show yet.", "class", "chart-nothing") }

// panel writes a panel for a page: its title, its legend and its picture.
func (w *writer) panel(title string, p maybe, room bool) {
	w.start("div", "class", "chart-panel")
	defer w.end()
	w.heading(p.Panel.Title, p.Panel.Unit)
	if p.plot == nil {
		w.nothing()
		return
	}
	legend, class := "chart-legend", "chart-plot"
	if len(p.direct()) > 0 {
		legend += " chart-named" // shown where the names at the ends are not
	}
	if room {
		class += " chart-named"
	}
	w.legend(p.entries(), legend)
	w.start("svg", "class", class, "role", "img", "width", "100%", "height", number(above+high+below))
	w.leaf("title", named(title, p.Panel.Title))
	w.leaf("desc", p.describe())
	p.draw(w)
	w.end()
	if p.thinned {
		w.leaf("p", thinnedNote, "class", "chart-about")
	}
}

const thinnedNote = "More points than can be told apart: of each small part of the width the first, highest, lowest and last are drawn."

func named(title, panel string) string {
	if title == "" || panel == "" {
		return title + panel
	}
	return title + ": " + panel
}

// heading writes a title with a unit, either of which may be empty.
func (w *writer) heading(title, unit string) {
	switch {
	case title == "" && unit == "":
	case title == "":
		w.leaf("p", unit, "class", "chart-unit")
	default:
		w.start("p", "class", "chart-heading")
		w.escape(title + " ")
		if unit != "" {
			w.leaf("span", unit, "class", "chart-unit")
		}
		w.end()
	}
}

// entry is one entry of a legend.
type entry struct {
	name string
	key  func(w *writer)
}

// entries returns what the legend explains: lines if there are several, marks always.
func (pl *plot) entries() (entries []entry) {
	groups := map[string]bool{}
	for i, s := range pl.drawn {
		switch {
		case s.Group == "":
			if len(pl.drawn) > 1 {
				entries = append(entries, entry{s.Name, func(w *writer) { w.lineKey(pl.looks[i], s.Shape, pl.Stacked) }})
			}
		case !groups[s.Group]:
			groups[s.Group] = true
			entries = append(entries, entry{s.Group, func(w *writer) { line(w, "chart-faint", "0", "28", 6, 6) }})
		}
	}
	for i, name := range pl.markNames() {
		entries = append(entries, entry{name, func(w *writer) { symbol(w, "chart-moment-s", moment(i), "14", 6) }})
	}
	return entries
}

// lineKey draws what the line of a series looks like.
func (w *writer) lineKey(i int, shape Shape, stacked bool) {
	w.start("g", "class", seriesClass(i))
	if shape == Area || shape == Band {
		w.empty("rect", "class", "chart-area", "width", "28", "height", "12")
	}
	if shape != Band || stacked {
		line(w, "chart-line "+dashClass(i), "0", "28", 6, 6)
		symbol(w, "chart-symbol", symbols[i%kinds], "14", 6)
	}
	w.end()
}

// legend writes the legend of a plot for a page.
func (w *writer) legend(entries []entry, class string) {
	if len(entries) == 0 {
		return
	}
	w.start("ul", "class", class, "role", "list")
	for _, e := range entries {
		w.start("li")
		w.start("svg", "class", "chart-key", "width", "28", "height", "12", "aria-hidden", "true")
		e.key(w)
		w.end()
		w.escape(e.name)
		w.end()
	}
	w.end()
}

// flush writes everything to out.
func (w *writer) flush(out io.Writer) error {
	if _, err := w.out.WriteTo(out); err != nil {
		return fmt.Errorf("write the chart: %w", err)
	}
	return nil
}

// Table returns the values behind the timeline: a row per time and a column per series.
func (t Timeline) Table() Table {
	table := Table{Head: []string{"time"}}
	var columns []lookup
	var shapes []Shape
	var times []time.Time
	marks := false
	for _, p := range t.Panels {
		for _, s := range p.Series {
			table.Head = append(table.Head, t.column(p, s))
			columns, shapes = append(columns, newLookup(s.Points)), append(shapes, s.Shape)
			for _, pt := range s.Points {
				times = append(times, pt.At)
			}
		}
		for _, m := range p.Marks {
			times, marks = append(times, m.At), true
		}
	}
	if marks {
		table.Head = append(table.Head, "what happened")
	}
	times = distinct(times)
	layout := t.layout(times)
	some := table.thin(len(times))
	for _, i := range some {
		row := []string{times[i].In(t.zone()).Format(layout)}
		for c := range columns {
			cell := ""
			if p, ok := columns[c].at(times[i]); ok {
				cell = spoken(p, shapes[c])
			}
			row = append(row, cell)
		}
		if marks {
			row = append(row, t.happened(times[i]))
		}
		table.Rows = append(table.Rows, row)
	}
	return table
}

// column names the column of a series: with its panel if another series has the same name.
func (t Timeline) column(p Panel, s Series) string {
	name, same := s.Name, 0
	for _, other := range t.Panels {
		for _, o := range other.Series {
			if o.Name == s.Name {
				same++
			}
		}
	}
	if same > 1 && p.Title != "" {
		name = p.Title + ": " + name
	}
	if p.Unit != "" {
		name += " (" + p.Unit + ")"
	}
	return name
}

func (t Timeline) zone() *time.Location {
	if t.Zone == nil {
		return time.UTC
	}
	return t.Zone
}

// layout is the format of the times: days if all are midnights.
func (t Timeline) layout(times []time.Time) string {
	for _, at := range times {
		if at = at.In(t.zone()); at.Hour() != 0 || at.Minute() != 0 {
			return "2006-01-02 15:04"
		}
	}
	return "2006-01-02"
}

// happened returns the names of the marks at a time.
func (t Timeline) happened(at time.Time) string {
	var names []string
	for _, p := range t.Panels {
		for _, m := range p.Marks {
			if m.At.Equal(at) {
				names = append(names, m.Name)
			}
		}
	}
	return strings.Join(names, ", ")
}
