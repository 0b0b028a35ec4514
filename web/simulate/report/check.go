package report

import (
	"errors"
	"fmt"
	"slices"

	"familiar/web/chart"
)

// The kinds of reports.
const (
	Simulate = "simulate"
	Compare  = "compare"
	Bench    = "bench"
)

// What a report may hold at most. A page of more takes too long to write and to read.
const (
	mostParts  = 60      // charts, tables, panels of a chart, series of a panel, columns of a table
	mostLines  = 2000    // lines of the summary, rows of a table, marks, values of bars
	mostPoints = 200_000 // of all charts together
	mostCells  = 500_000 // values of all series at all times of a panel whose series are added up
	mostText   = 4000    // bytes of one text
)

// check returns an error that names what a page cannot show.
func (r Report) check() error {
	if !slices.Contains([]string{Simulate, Compare, Bench}, r.Kind) {
		return fmt.Errorf("there is no kind of report %q", r.Kind)
	}
	c := &checker{}
	c.texts(r.Title, r.About)
	c.most("lines in the summary", len(r.Summary), mostLines)
	for _, f := range r.Summary {
		c.texts(f.Name, f.Value)
	}
	c.most("charts", len(r.Charts), mostParts)
	for _, ch := range r.Charts {
		c.chart(ch)
	}
	c.most("points", c.points, mostPoints)
	c.most("tables", len(r.Tables), mostParts)
	for _, t := range r.Tables {
		c.table(t)
	}
	return c.err
}

// checker keeps the first thing that is wrong.
type checker struct {
	points int
	err    error
}

func (c *checker) fail(err error) {
	if c.err == nil {
		c.err = err
	}
}

func (c *checker) most(what string, n, most int) {
	if n > most {
		c.fail(fmt.Errorf("%d %s, at most %d can be shown", n, what, most))
	}
}

func (c *checker) texts(texts ...string) {
	for _, t := range texts {
		c.most("bytes in a text", len(t), mostText)
	}
}

func (c *checker) chart(ch Chart) {
	switch {
	case (ch.Timeline == nil) == (ch.Bars == nil):
		c.fail(errors.New("a chart is either a timeline or bars"))
	case ch.Timeline != nil:
		c.timeline(*ch.Timeline)
	default:
		c.bars(*ch.Bars)
	}
}

func (c *checker) timeline(t chart.Timeline) {
	c.texts(t.Title, t.About)
	c.most("panels in a chart", len(t.Panels), mostParts)
	for _, p := range t.Panels {
		c.panel(p)
	}
}

func (c *checker) panel(p chart.Panel) {
	c.texts(p.Title, p.Unit)
	c.most("series in a panel", len(p.Series), mostParts)
	c.most("levels in a panel", len(p.Levels), mostParts)
	c.most("marks in a panel", len(p.Marks), mostLines)
	points := 0
	for _, s := range p.Series {
		c.texts(s.Name, s.Group)
		points += len(s.Points)
	}
	for _, l := range p.Levels {
		c.texts(l.Name)
	}
	for _, m := range p.Marks {
		c.texts(m.Name)
	}
	if p.Stacked {
		c.most("values in a panel that adds them up", points*len(p.Series), mostCells)
	}
	c.points += points
}

func (c *checker) bars(b chart.Bars) {
	c.texts(b.Title, b.About, b.Unit)
	c.texts(b.Parts...)
	c.most("values in a chart of bars", len(b.Bars)*max(1, len(b.Parts)), mostLines)
	for _, bar := range b.Bars {
		c.texts(bar.Name)
	}
}

func (c *checker) table(t Table) {
	c.texts(t.Title)
	c.texts(t.Head...)
	c.most("columns in a table", len(t.Head), mostParts)
	c.most("rows in a table", len(t.Rows), mostLines)
	for _, row := range t.Rows {
		if len(row) != len(t.Head) {
			c.fail(fmt.Errorf("a row of the table %q has %d cells and its head %d", t.Title, len(row), len(t.Head)))
		}
		c.texts(row...)
	}
}
