package chart

import (
	"fmt"
	"slices"
	"time"
)

// Table is what a chart shows, as text. The first column names the row.
type Table struct {
	Head []string
	Rows [][]string
	// Note says what is left out, "" for nothing.
	Note string
}

// mostRows is how many rows a table has at most: more is nothing that a page can show.
const mostRows = 400

// thin returns the indexes of the rows that a table of n rows shows, and notes what is left out.
func (t *Table) thin(n int) (rows []int) {
	each := max(1, (n+mostRows-1)/mostRows)
	for i := 0; i < n; i += each {
		rows = append(rows, i)
	}
	if each > 1 {
		if rows[len(rows)-1] != n-1 {
			rows = append(rows, n-1)
		}
		t.Note = fmt.Sprintf("One row in %d of %s.", each, Number(float64(n)))
	}
	return rows
}

// lookup finds the point of a series at a time.
type lookup []Point

func newLookup(points []Point) lookup { return inOrder(points) }

func (l lookup) at(t time.Time) (Point, bool) {
	i, ok := slices.BinarySearchFunc(l, t, func(p Point, t time.Time) int { return p.At.Compare(t) })
	if !ok {
		return Point{}, false
	}
	return l[i], true
}

// details writes the table of a chart with that title, closed until a reader wants it.
func (w *writer) details(title string, t Table) {
	if len(t.Rows) == 0 {
		return
	}
	w.start("details", "class", "chart-details")
	w.leaf("summary", "Values as a table")
	w.start("div", "class", "chart-scroll", "tabindex", "0", "role", "region", "aria-label", named("Values", title))
	w.start("table")
	w.start("thead")
	w.row(t.Head, "col", true)
	w.end()
	w.start("tbody")
	for _, row := range t.Rows {
		w.row(row, "row", false)
	}
	w.end()
	w.end()
	w.end()
	if t.Note != "" {
		w.leaf("p", t.Note, "class", "chart-about")
	}
	w.end()
}

// row writes one row, whose first cell is a heading, or all of them are.
func (w *writer) row(cells []string, scope string, head bool) {
	w.start("tr")
	for i, cell := range cells {
		if i == 0 && cell == "" {
			cell = "–" // a heading without a word is none to a screen reader
		}
		if head || i == 0 {
			w.leaf("th", cell, "scope", scope)
		} else {
			w.leaf("td", cell)
		}
	}
	w.end()
}
