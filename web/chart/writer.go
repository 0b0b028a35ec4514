package chart

import (
	"bytes"
	"encoding/xml"
	"math"
	"strconv"
)

// writer writes elements that are well-formed as HTML and as XML. It escapes every value.
type writer struct {
	out  bytes.Buffer
	open []string
	// file writes the look of a class as attributes, for files that no style sheet accompanies.
	file bool
}

// start opens an element with attributes given as names and values.
func (w *writer) start(name string, attributes ...string) {
	w.tag(name, attributes)
	w.out.WriteByte('>')
	w.open = append(w.open, name)
}

// end closes the element that was opened last.
func (w *writer) end() {
	name := w.open[len(w.open)-1]
	w.open = w.open[:len(w.open)-1]
	w.out.WriteString("</" + name + ">")
}

// empty writes an element of SVG without content.
func (w *writer) empty(name string, attributes ...string) {
	w.tag(name, attributes)
	w.out.WriteString("/>")
}

// leaf writes an element whose content is text.
func (w *writer) leaf(name, text string, attributes ...string) {
	w.start(name, attributes...)
	w.escape(text)
	w.end()
}

func (w *writer) tag(name string, attributes []string) {
	w.out.WriteString("<" + name)
	for i := 0; i+1 < len(attributes); i += 2 {
		if w.file && attributes[i] == "class" {
			w.out.WriteString(looks(attributes[i+1]))
			continue
		}
		w.out.WriteString(" " + attributes[i] + `="`)
		w.escape(attributes[i+1])
		w.out.WriteByte('"')
	}
}

// escape replaces what has a meaning in markup, and characters that XML does not allow.
func (w *writer) escape(text string) {
	_ = xml.EscapeText(&w.out, []byte(text)) // a buffer takes everything
}

// number is a coordinate, to a tenth.
func number(v float64) string {
	return strconv.FormatFloat(math.Round(v*10)/10+0, 'f', -1, 64)
}

// percent is a fraction of the width.
func percent(v float64) string {
	return strconv.FormatFloat(math.Round(v*1e4)/100+0, 'f', -1, 64) + "%"
}
