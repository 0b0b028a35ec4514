// Package chart draws charts on the server: HTML with SVG in it for pages, and SVG files. It is pure: the same values give
// the same bytes, without a clock, a locale or a font.
//
// A page's chart carries no style, script or colour of its own, so that it works under a strict content security policy:
// chart.css has its look in both themes, in print and in forced colours. What is wide is given in percent and what is
// high in pixels, so a chart fills its column while its text keeps its size.
//
// What differs by colour also differs by dashes, symbols or texture.
//
// The libraries for charts write colours into style attributes, and scale or place text by fonts that they load. So the
// few marks that the pages need are written here.
package chart

import (
	_ "embed"
	"time"
)

// CSS is the look of charts on pages.
//
//go:embed chart.css
var CSS string

// Point is a value at a time. A value that is no finite number is a gap.
type Point struct {
	At    time.Time
	Value float64
	// Low is the lower edge of a Band; other shapes ignore it.
	Low float64
}

// Shape is how a series is drawn.
type Shape int

// The shapes of a series.
const (
	// Line connects the points.
	Line Shape = iota
	// Step holds each value until the next point.
	Step
	// Area is a line with what is below it filled.
	Area
	// Band fills what is between Low and Value.
	Band
)

// Series is one quantity over time.
type Series struct {
	Name   string  `json:"name"`
	Shape  Shape   `json:"shape"`
	Points []Point `json:"points"`
	// Group makes the series one of many faint lines that share this one entry of the legend, such as "each person".
	Group string `json:"group,omitempty"`
}

// Mark is a moment at which something happened. Marks of one name look alike.
type Mark struct {
	Name string    `json:"name"`
	At   time.Time `json:"at"`
}

// Level is a value that means something, such as a threshold.
type Level struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
}

// Range is an extent of values.
type Range struct {
	Min float64 `json:"min"`
	Max float64 `json:"max"`
}

// Panel is one plot of a timeline, with values of one unit.
type Panel struct {
	Title  string   `json:"title"`
	Unit   string   `json:"unit,omitempty"`
	Series []Series `json:"series"`
	// Stacked adds the series up, the first at the bottom.
	Stacked bool    `json:"stacked,omitempty"`
	Levels  []Level `json:"levels,omitempty"`
	Marks   []Mark  `json:"marks,omitempty"`
	// Range is what the axis covers at least.
	Range Range `json:"range,omitzero"`
	// Zoom lets the axis begin near the lowest value instead of at 0.
	Zoom bool `json:"zoom,omitempty"`
}

// Timeline is one or more panels over the same time.
type Timeline struct {
	Title string `json:"title"`
	// About says in a sentence what is shown.
	About  string  `json:"about,omitempty"`
	Panels []Panel `json:"panels"`
	// From and Until bound the time axis; zero values mean the first and the last point.
	From  time.Time `json:"from,omitzero"`
	Until time.Time `json:"until,omitzero"`
	// Zone is the reader's; nil is UTC.
	Zone *time.Location `json:"-"`
}

// Decay returns the chart of one memory's strength: its curve, the times at which it was reinforced, and the strength
// below which it is forgotten.
func Decay(title string, curve []Point, reinforced []Mark, forgotten float64) Timeline {
	return Timeline{Title: title, Panels: []Panel{{
		Unit: "strength, 0–1", Range: Range{0, 1}, Marks: reinforced,
		Series: []Series{{Name: "strength", Shape: Area, Points: curve}},
		Levels: []Level{{Name: "forgotten below", Value: forgotten}},
	}}}
}
