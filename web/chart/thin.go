package chart

import (
	"math"
	"slices"
	"time"
)

// xy is a point of a curve: x from 0 to 1 across the plot, y and its lower edge as values. A gap has no y.
type xy struct{ x, y, low float64 }

func (p xy) gap() bool { return math.IsNaN(p.y) }

var gap = math.NaN()

// columns is how many parts of the width are told apart when there are too many points to draw each.
const columns = 400

// curve returns a series as points in order of time within the scale, and whether points were left out because more
// share a column than can be seen.
func curve(s Series, ts timeScale) (points []xy, thinned bool) {
	sorted := inOrder(s.Points)
	points = make([]xy, 0, len(sorted))
	for _, p := range sorted {
		c := xy{ts.at(p.At), p.Value, p.Value}
		if s.Shape == Band {
			c.low = p.Low
		}
		if !drawable(c.y) || !drawable(c.low) {
			c.y, c.low = gap, gap
		}
		points = append(points, c)
	}
	points = clip(points, s.Shape)
	if len(points) <= 4*columns {
		return points, false
	}
	return thin(points), true
}

// inOrder returns the points by time. Those who have them in order lose no copy.
func inOrder(points []Point) []Point {
	byTime := func(a, b Point) int { return a.At.Compare(b.At) }
	if slices.IsSortedFunc(points, byTime) {
		return points
	}
	points = slices.Clone(points)
	slices.SortStableFunc(points, byTime)
	return points
}

// clip leaves out what is before or after the plot, except where a line crosses its edges.
func clip(points []xy, shape Shape) (inside []xy) {
	if len(points) == 0 || points[0].x >= 0 && points[len(points)-1].x <= 1 {
		return points
	}
	for i, p := range points {
		if i > 0 {
			inside = append(inside, crossings(points[i-1], p, shape)...)
		}
		if p.x >= 0 && p.x <= 1 {
			inside = append(inside, p)
		}
	}
	if last := points[len(points)-1]; shape == Step && last.x < 0 {
		inside = append(inside, xy{0, last.y, last.low})
	}
	return inside
}

// crossings returns where the line from a to b enters and leaves the plot.
func crossings(a, b xy, shape Shape) (found []xy) {
	if a.gap() || shape != Step && b.gap() {
		return nil
	}
	for _, edge := range []float64{0, 1} {
		if !(a.x < edge && edge < b.x) {
			continue
		}
		part := (edge - a.x) / (b.x - a.x)
		if shape == Step {
			part, b.low, b.y = 0, a.low, a.y
		}
		found = append(found, xy{edge, a.y + part*(b.y-a.y), a.low + part*(b.low-a.low)})
	}
	return found
}

// thin keeps of each column the first, the highest, the lowest and the last point: what a line through all of them
// would cover. A gap within a column cannot be seen and is left out.
func thin(points []xy) []xy {
	kept := make([]xy, 0, 4*columns)
	for from := 0; from < len(points); {
		column := math.Floor(points[from].x * columns)
		until := from + 1
		for until < len(points) && math.Floor(points[until].x*columns) == column {
			until++
		}
		kept = append(kept, extremes(points[from:until])...)
		from = until
	}
	return kept
}

// extremes returns the points of one column that are kept, in order.
func extremes(points []xy) []xy {
	first, last, high, low := -1, -1, -1, -1
	for i, p := range points {
		if p.gap() {
			continue
		}
		if first < 0 {
			first, high, low = i, i, i
		}
		last = i
		if p.y > points[high].y {
			high = i
		}
		if p.low < points[low].low {
			low = i
		}
	}
	if first < 0 {
		return points[:1]
	}
	at := []int{first, high, low, last}
	slices.Sort(at)
	kept := make([]xy, 0, 4)
	for _, i := range slices.Compact(at) {
		kept = append(kept, points[i])
	}
	return kept
}

// stack returns the series added up at all their times: each lies on those before it. A series without a value at a
// time counts as 0 there, as does what is negative.
func stack(series []Series) []Series {
	var times []time.Time
	for _, s := range series {
		for _, p := range s.Points {
			times = append(times, p.At)
		}
	}
	times = distinct(times)
	sums := make([]float64, len(times))
	stacked := make([]Series, len(series))
	for i, s := range series {
		values := make([]float64, len(times))
		for _, p := range s.Points {
			if j, ok := slices.BinarySearchFunc(times, p.At, time.Time.Compare); ok && drawable(p.Value) {
				values[j] = math.Max(0, p.Value)
			}
		}
		stacked[i] = Series{Name: s.Name, Shape: Band, Points: make([]Point, len(times))}
		for j, v := range values {
			stacked[i].Points[j] = Point{times[j], sums[j] + v, sums[j]}
			sums[j] += v
		}
	}
	return stacked
}

// distinct returns each time once, in order.
func distinct(times []time.Time) []time.Time {
	if !slices.IsSortedFunc(times, time.Time.Compare) {
		slices.SortFunc(times, time.Time.Compare)
	}
	return slices.CompactFunc(times, time.Time.Equal)
}
