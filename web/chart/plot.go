package chart

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The heights of a plot's parts, in pixels.
const (
	above = 10.0 // half a tick's label
	high  = 160.0
	below = 38.0 // the labels of the time axis, in two lines
)

// plot is a panel with its scales, ready to be drawn.
type plot struct {
	Panel
	x       timeScale
	y       scale
	drawn   []Series // as they are drawn: added up if they are stacked
	looks   []int    // which of the looks each has; groups have none
	curves  [][]xy
	thinned bool
	// units is the width of the coordinate system of lines.
	units float64
}

// newPlot returns a panel ready to be drawn, and false if it has nothing to show.
func newPlot(p Panel, x timeScale, units float64) (*plot, bool) {
	pl := &plot{Panel: p, x: x, units: units, drawn: p.Series}
	if p.Stacked {
		pl.drawn = stack(p.Series)
	}
	look := 0
	for _, s := range pl.drawn {
		pl.looks = append(pl.looks, look)
		if s.Group == "" {
			look++
		}
		points, thinned := curve(s, x)
		pl.curves = append(pl.curves, points)
		pl.thinned = pl.thinned || thinned
	}
	return pl, pl.setScale()
}

// setScale sets the scale of values, and returns false if there is none.
func (pl *plot) setScale() bool {
	low, top, whole := math.Inf(1), math.Inf(-1), true
	for _, points := range pl.curves {
		for _, p := range points {
			if p.gap() {
				continue
			}
			low, top = min(low, p.y, p.low), max(top, p.y, p.low)
			whole = whole && p.y == math.Trunc(p.y)
		}
	}
	if low > top {
		return false
	}
	for _, l := range pl.Levels {
		if drawable(l.Value) {
			low, top = min(low, l.Value), max(top, l.Value)
		}
	}
	if r := pl.Range; r.Min < r.Max && drawable(r.Min) && drawable(r.Max) {
		low, top, whole = min(low, r.Min), max(top, r.Max), false
	}
	if !pl.Zoom {
		low, top = min(low, 0), max(top, 0)
	}
	pl.y = newScale(low, top, whole, 5)
	return true
}

// height returns the height of a value, in pixels from the top of the picture.
func (pl *plot) height(v float64) float64 { return above + pl.y.at(v, high) }

// draw writes what is within the picture.
func (pl *plot) draw(w *writer) {
	pl.grid(w)
	pl.timeAxis(w)
	pl.levels(w)
	pl.lines(w)
	pl.levelNames(w)
	pl.hits(w)
	pl.moments(w)
	pl.symbols(w)
	pl.ends(w)
}

func line(w *writer, class, x1, x2 string, y1, y2 float64) {
	w.empty("line", "class", class, "x1", x1, "x2", x2, "y1", number(y1), "y2", number(y2))
}

func (pl *plot) grid(w *writer) {
	for _, v := range pl.y.ticks() {
		y, class := pl.height(v), "chart-grid"
		if math.Abs(v) < pl.y.step/2 {
			class = "chart-base"
		}
		line(w, class, "0", "100%", y, y)
		w.leaf("text", pl.y.label(v), "class", "chart-tick", "x", "-8", "y", number(y+4), "text-anchor", "end")
	}
}

// timeTicks is how many labels the time axis has at most; every second is hidden where it is narrow.
const timeTicks = 12

func (pl *plot) timeAxis(w *writer) {
	ticks := pl.x.ticks(timeTicks)
	kept := keptTick(ticks) % 2
	for i, t := range ticks {
		at := pl.x.at(t.at)
		x, anchor := percent(at), anchor(at)
		line(w, "chart-grid", x, x, above, above+high+4)
		class := "chart-tick"
		if len(ticks) > 5 && i%2 != kept {
			class += " chart-second"
		}
		w.leaf("text", t.label, "class", class, "x", x, "y", number(above+high+18), "text-anchor", anchor)
		if t.second != "" {
			w.leaf("text", t.second, "class", "chart-tick", "x", x, "y", number(above+high+32), "text-anchor", anchor)
		}
	}
}

// keptTick returns the index of a tick whose label stays where the plot is narrow: one that begins something.
func keptTick(ticks []timeTick) (kept int) {
	for i, t := range ticks {
		if t.second != "" {
			kept = i
		}
	}
	return kept
}

// anchor keeps a label within the picture.
func anchor(x float64) string {
	switch {
	case x > .97:
		return "end"
	case x < .02:
		return "start"
	}
	return "middle"
}

func (pl *plot) levels(w *writer) {
	for _, l := range pl.Levels {
		if !drawable(l.Value) {
			continue
		}
		line(w, "chart-level", "0", "100%", pl.height(l.Value), pl.height(l.Value))
	}
}

// levelNames writes the names of the levels above the curves, with an edge in the colour of the page: a curve that passes there does
// not strike them through.
func (pl *plot) levelNames(w *writer) {
	for _, l := range pl.Levels {
		if drawable(l.Value) {
			w.leaf("text", short(l.Name, 40)+" "+Number(l.Value), "class", "chart-note", "x", "100%", "y", number(pl.height(l.Value)-4), "text-anchor", "end")
		}
	}
}

// lines writes the curves in a coordinate system that is stretched to the width.
func (pl *plot) lines(w *writer) {
	w.start("svg", "viewBox", "0 0 "+number(pl.units)+" "+number(above+high), "preserveAspectRatio", "none",
		"width", "100%", "height", number(above+high), "overflow", "visible")
	for i, s := range pl.drawn {
		if s.Group != "" {
			pl.path(w, "chart-faint", pl.trace(pl.curves[i], s.Shape))
		}
	}
	for i, s := range pl.drawn {
		if s.Group != "" {
			continue
		}
		w.start("g", "class", seriesClass(pl.looks[i]))
		if s.Shape == Area || s.Shape == Band {
			pl.path(w, "chart-area", pl.outline(pl.curves[i], s.Shape))
		}
		if s.Shape != Band || pl.Stacked {
			pl.path(w, "chart-line "+dashClass(pl.looks[i]), pl.trace(pl.curves[i], s.Shape))
		}
		w.end()
	}
	w.end()
}

func (pl *plot) path(w *writer, class, d string) {
	if d != "" {
		w.empty("path", "class", class, "d", d)
	}
}

// place is a point in the coordinate system of lines, as text.
func (pl *plot) place(x, v float64) string { return number(x*pl.units) + " " + number(pl.height(v)) }

// trace returns the path along the values, interrupted by gaps.
func (pl *plot) trace(points []xy, shape Shape) string {
	var b strings.Builder
	for run := range runs(points) {
		for i, p := range run {
			switch {
			case i == 0:
				b.WriteString("M" + pl.place(p.x, p.y))
			case shape == Step:
				b.WriteString("H" + number(p.x*pl.units) + "V" + number(pl.height(p.y)))
			default:
				b.WriteString("L" + pl.place(p.x, p.y))
			}
		}
	}
	return b.String()
}

// outline returns the path around what is filled: down to the lower edge of a band, and to 0 below an area.
func (pl *plot) outline(points []xy, shape Shape) string {
	ground := min(max(0, pl.y.min), pl.y.max)
	var b strings.Builder
	for run := range runs(points) {
		for i, p := range run {
			b.WriteString([]string{"L", "M"}[btoi(i == 0)] + pl.place(p.x, p.y))
		}
		if shape == Band {
			for _, p := range slices.Backward(run) {
				b.WriteString("L" + pl.place(p.x, p.low))
			}
		} else {
			b.WriteString("L" + pl.place(run[len(run)-1].x, ground) + "L" + pl.place(run[0].x, ground))
		}
		b.WriteString("z")
	}
	return b.String()
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// runs yields the points between gaps.
func runs(points []xy) func(yield func([]xy) bool) {
	return func(yield func([]xy) bool) {
		for from := 0; from < len(points); {
			until := from
			for until < len(points) && !points[until].gap() {
				until++
			}
			if until > from && !yield(points[from:until]) {
				return
			}
			from = until + 1
		}
	}
}

// each is up to how many points of a series all have a symbol. Longer series have some.
const each = 12

// symbols writes a symbol at points of each series: all of few, some of many, and those that stand alone.
func (pl *plot) symbols(w *writer) {
	for i, s := range pl.drawn {
		if s.Group != "" || s.Shape == Band && !pl.Stacked {
			continue
		}
		points := marked(pl.curves[i], i, len(pl.drawn))
		if len(points) == 0 {
			continue
		}
		w.start("g", "class", seriesClass(pl.looks[i]))
		for _, p := range points {
			symbol(w, "chart-symbol", symbols[pl.looks[i]%kinds], percent(p.x), pl.height(p.y))
		}
		w.end()
	}
}

// symbol writes a path around a place whose x is in percent.
func symbol(w *writer, class, d, x string, y float64) {
	w.start("svg", "x", x, "y", number(y), "overflow", "visible")
	w.empty("path", "class", class, "d", d)
	w.end()
}

// marked returns the points of series i of n that have a symbol. Those of long series are at different places per
// series, so that they do not cover each other.
func marked(points []xy, i, n int) (some []xy) {
	var seen []xy
	for run := range runs(points) {
		seen = append(seen, run...)
		if len(run) == 1 && len(some) < 100 {
			some = append(some, run[0])
		}
	}
	if len(seen) <= each {
		return seen
	}
	if n == 1 {
		return append(some, seen[len(seen)-1]) // one line needs no symbol to be told from others
	}
	const parts = 5
	next := float64(i%n) / float64(n) / parts
	for _, p := range seen {
		if p.x >= next+.02 {
			some = append(some, p)
			next = max(next, p.x) + 1.0/parts
		}
	}
	return some
}

// moments writes the marks: a thin line over the height of the plot with a small triangle on top.
func (pl *plot) moments(w *writer) {
	names := pl.markNames()
	for _, m := range pl.Marks {
		x := pl.x.at(m.At)
		if !(x >= 0 && x <= 1) {
			continue
		}
		w.start("g")
		w.leaf("title", m.Name+", "+pl.x.full(m.At))
		line(w, "chart-moment", percent(x), percent(x), above, above+high)
		symbol(w, "chart-moment-s", moment(slices.Index(names, m.Name)), percent(x), above)
		w.end()
	}
}

// markNames returns the names of the marks, each once, in order.
func (pl *plot) markNames() (names []string) {
	for _, m := range pl.Marks {
		if !slices.Contains(names, m.Name) {
			names = append(names, m.Name)
		}
	}
	return names
}

// moment is the symbol of the marks of one name.
func moment(i int) string { return symbols[[...]int{4, 3, 0, 1, 5}[i%5]] }

// full is a time as it is said in full.
func (s timeScale) full(t time.Time) string {
	t = t.In(s.zone)
	if t.Hour() == 0 && t.Minute() == 0 {
		return t.Format("2 January 2006")
	}
	return t.Format("2 January 2006, 15:04")
}

// ends writes the name of each line at its end, where direct says so.
func (pl *plot) ends(w *writer) {
	for _, e := range pl.direct() {
		w.leaf("text", e.name, "class", "chart-note chart-end", "x", "100%", "dx", "8", "y", number(e.y+4))
	}
}

// end is the last value of a line.
type end struct {
	name string
	y    float64
}

// The most lines that are labelled where they end, the longest such label in letters, and the least distance of two.
const (
	directLines   = 4
	directLetters = 13
	directApart   = 14
)

// direct returns the ends of the lines if all can be labelled there: few lines with short names whose ends are apart.
func (pl *plot) direct() (ends []end) {
	if len(pl.drawn) < 2 || len(pl.drawn) > directLines {
		return nil
	}
	for i, s := range pl.drawn {
		points := pl.curves[i]
		if s.Group != "" || letters(s.Name) > directLetters || len(points) == 0 || points[len(points)-1].gap() || points[len(points)-1].x < .9 {
			return nil
		}
		last := points[len(points)-1]
		y := last.y
		if s.Shape == Band {
			y = (last.y + last.low) / 2
		}
		ends = append(ends, end{s.Name, pl.height(y)})
	}
	byHeight := slices.SortedFunc(slices.Values(ends), func(a, b end) int { return cmp.Compare(a.y, b.y) })
	for i := 1; i < len(byHeight); i++ {
		if byHeight[i].y-byHeight[i-1].y < directApart {
			return nil
		}
	}
	return ends
}

// hitColumns is how many places of a plot tell their values when a pointer rests on them.
const hitColumns = 60

// hits writes what shows the values at a time under the pointer.
func (pl *plot) hits(w *writer) {
	times := pl.hitTimes()
	values := make([]lookup, len(pl.Series))
	for i, s := range pl.Series {
		values[i] = newLookup(s.Points)
	}
	for i, at := range times {
		from, until := 0.0, 1.0
		if i > 0 {
			from = (pl.x.at(times[i-1]) + pl.x.at(at)) / 2
		}
		if i+1 < len(times) {
			until = (pl.x.at(times[i+1]) + pl.x.at(at)) / 2
		}
		w.start("rect", "class", "chart-hit", "x", percent(from), "width", percent(until-from), "y", number(above), "height", number(high))
		w.leaf("title", pl.told(at, values))
		w.end()
	}
}

// hitTimes returns the times of which the values are told: of many, the last of each part of the width.
func (pl *plot) hitTimes() (times []time.Time) {
	for _, s := range pl.Series {
		for _, p := range s.Points {
			if x := pl.x.at(p.At); x >= 0 && x <= 1 && s.Group == "" {
				times = append(times, p.At)
			}
		}
	}
	times = distinct(times)
	if len(times) <= hitColumns {
		return times
	}
	var some []time.Time
	for i, at := range times {
		column := math.Floor(pl.x.at(at) * hitColumns)
		if i+1 == len(times) || math.Floor(pl.x.at(times[i+1])*hitColumns) != column {
			some = append(some, at)
		}
	}
	return some
}

// told says the values at a time, one a line.
func (pl *plot) told(at time.Time, values []lookup) string {
	said := []string{pl.x.full(at)}
	for i, s := range pl.Series {
		if p, ok := values[i].at(at); ok && s.Group == "" {
			said = append(said, s.Name+": "+spoken(p, s.Shape))
		}
	}
	return strings.Join(said, "\n")
}

// spoken is the value of a point as text.
func spoken(p Point, shape Shape) string {
	if shape == Band {
		return Number(p.Low) + " to " + Number(p.Value)
	}
	return Number(p.Value)
}

// describe says what a reader sees in the plot: of each line its first, highest and last value.
func (pl *plot) describe() string {
	var said []string
	for i, s := range pl.Series {
		if i == kinds {
			said = append(said, fmt.Sprintf("and %d more", len(pl.Series)-i))
			break
		}
		if sentence := pl.course(s); sentence != "" {
			said = append(said, sentence)
		}
	}
	if n := len(pl.Marks); n > 0 {
		said = append(said, strconv.Itoa(n)+" marks: "+strings.Join(pl.markNames(), ", "))
	}
	return strings.Join(said, "; ") + "."
}

// course says the course of one series.
func (pl *plot) course(s Series) string {
	var first, highest, last *Point
	points := inOrder(s.Points)
	for i := range points {
		p := &points[i]
		if !drawable(p.Value) {
			continue
		}
		if first == nil {
			first, highest = p, p
		}
		if p.Value > highest.Value {
			highest = p
		}
		last = p
	}
	if first == nil {
		return s.Name + ": no value"
	}
	return fmt.Sprintf("%s: %s on %s, highest %s on %s, %s on %s", s.Name, Number(first.Value), pl.x.full(first.At),
		Number(highest.Value), pl.x.full(highest.At), Number(last.Value), pl.x.full(last.At))
}
