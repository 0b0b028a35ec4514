package chart

import (
	"io"
)

// The measures of a picture in a file, in pixels.
const (
	fileWidth  = 860.0
	fileMargin = 24.0
	fileLabels = 52.0 // the labels of values
	fileNames  = 96.0 // the names at the ends of lines
	fileEntry  = 44.0 // the key of a legend's entry and the distance to the next
	fileLetter = 7.0  // about the width of a letter
)

// WriteSVG writes the timeline as an SVG file that needs nothing else, in the light theme.
func (t Timeline) WriteSVG(out io.Writer) error {
	plots := t.plots(fileWidth - 2*fileMargin - fileLabels)
	w := &writer{file: true}
	tall := t.filePanels(&writer{file: true}, plots)
	w.out.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n")
	w.start("svg", "xmlns", "http://www.w3.org/2000/svg", "viewBox", "0 0 "+number(fileWidth)+" "+number(tall),
		"width", number(fileWidth), "height", number(tall), "role", "img", "font-family", "system-ui, sans-serif")
	w.leaf("title", t.Title)
	w.leaf("desc", t.About)
	w.empty("rect", "width", "100%", "height", "100%", "fill", "#ffffff")
	t.filePanels(w, plots)
	w.end()
	return w.flush(out)
}

// filePanels writes the panels one below the other and returns how tall they are.
func (t Timeline) filePanels(w *writer, plots []maybe) (y float64) {
	y = fileMargin + 14
	w.leaf("text", t.Title, "class", "chart-title", "x", number(fileMargin), "y", number(y))
	room := anyNamed(plots)
	for _, p := range plots {
		y += 36
		w.start("text", "class", "chart-heading", "x", number(fileMargin), "y", number(y))
		w.escape(p.Panel.Title)
		if p.Panel.Unit != "" {
			w.leaf("tspan", p.Panel.Unit, "class", "chart-note", "dx", "8", "font-weight", "400")
		}
		w.end()
		if p.plot == nil {
			y += 22
			w.leaf("text", "Nothing to show yet.", "class", "chart-note", "x", number(fileMargin), "y", number(y))
			continue
		}
		y = w.filePlot(p.plot, room, y+8)
	}
	return y + fileMargin/2
}

// filePlot writes the legend and the picture of a panel and returns where it ends.
func (w *writer) filePlot(pl *plot, room bool, y float64) float64 {
	wide := fileWidth - 2*fileMargin - fileLabels
	if room {
		wide -= fileNames
	}
	if len(pl.direct()) == 0 {
		y = w.fileLegend(pl.entries(), y)
	}
	w.start("svg", "x", number(fileMargin+fileLabels), "y", number(y), "width", number(wide),
		"height", number(above+high+below), "overflow", "visible")
	pl.units = wide // the lines are not stretched, since not every viewer keeps their width then
	pl.draw(w)
	w.end()
	return y + above + high + below
}

// fileLegend writes a legend in as many rows as it needs and returns where it ends.
func (w *writer) fileLegend(entries []entry, y float64) float64 {
	if len(entries) == 0 {
		return y
	}
	x := fileMargin
	y += 14
	for _, e := range entries {
		name := short(e.name, 40)
		room := fileEntry + fileLetter*float64(letters(name)) + 14
		if x > fileMargin && x+room > fileWidth-fileMargin {
			x, y = fileMargin, y+20
		}
		w.start("svg", "x", number(x), "y", number(y-6), "width", "28", "height", "12", "overflow", "visible")
		e.key(w)
		w.end()
		w.leaf("text", name, "class", "chart-note", "x", number(x+36), "y", number(y+4))
		x += room
	}
	return y + 12
}
