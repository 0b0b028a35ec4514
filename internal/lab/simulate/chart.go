package simulate

import (
	"fmt"
	"image/color"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// ChartFormats lists the file extensions of the supported chart formats.
var ChartFormats = []string{".svg", ".png"}

// CheckChart returns an error if a chart cannot be written to a file with that name.
func CheckChart(path string) error {
	if !slices.Contains(ChartFormats, strings.ToLower(filepath.Ext(path))) {
		return fmt.Errorf("a chart is written as %s, not %q", strings.Join(ChartFormats, " or "), filepath.Base(path))
	}
	return nil
}

// The size of a chart and of the area around its panels.
const (
	chartWidth  = 26 * vg.Centimeter
	panelHeight = 8 * vg.Centimeter
	chartMargin = vg.Centimeter
)

// Chart draws a life week by week, as SVG or PNG by the extension of name: memories by tier and by sector, trust, the
// share of right answers, and the persona's mood if one is kept.
func (r Report) Chart(out io.Writer, name string) error {
	if err := CheckChart(name); err != nil {
		return err
	}
	panels, err := r.panels()
	if err != nil {
		return fmt.Errorf("draw the chart: %w", err)
	}
	height := panelHeight * vg.Length(len(panels))
	var canvas interface {
		vg.CanvasSizer
		io.WriterTo
	}
	if strings.EqualFold(filepath.Ext(name), ".png") {
		canvas = vgimg.PngCanvas{Canvas: vgimg.New(chartWidth, height)}
	} else {
		canvas = vgsvg.New(chartWidth, height)
	}
	paint(draw.New(canvas), panels)
	if _, err := canvas.WriteTo(out); err != nil {
		return fmt.Errorf("write the chart: %w", err)
	}
	return nil
}

// paint draws the panels one below the other.
func paint(dc draw.Canvas, panels []*plot.Plot) {
	dc.SetColor(color.White)
	dc.Fill(dc.Rectangle.Path())
	rows := make([][]*plot.Plot, len(panels))
	for i, p := range panels {
		rows[i] = []*plot.Plot{p}
	}
	tiles := draw.Tiles{
		Rows: len(rows), Cols: 1, PadY: chartMargin, PadTop: chartMargin, PadBottom: chartMargin / 2,
		PadLeft: chartMargin / 2, PadRight: chartMargin,
	}
	for i, cells := range plot.Align(rows, tiles, dc) {
		panels[i].Draw(cells[0])
	}
}

func (r Report) panels() (panels []*plot.Plot, err error) {
	for _, draws := range []func() (*plot.Plot, error){r.tiers, r.sectors, r.trust, r.known, r.mood} {
		p, err := draws()
		if err != nil {
			return nil, err
		}
		if p != nil {
			panels = append(panels, p)
		}
	}
	return panels, nil
}

// panel returns an empty panel whose x axis covers the life.
func panel(title, y string) *plot.Plot {
	p := plot.New()
	p.Title.Text = title
	p.Y.Label.Text = y
	p.Y.Min = 0
	p.X.Tick.Marker = plot.TimeTicks{Format: "2 Jan"}
	p.Legend.Top, p.Legend.Left = true, true
	p.Add(plotter.NewGrid())
	return p
}

// Most people with a colour vision deficiency can tell these eight colours apart (the Okabe-Ito palette).
var colours = []color.RGBA{
	{0x00, 0x72, 0xB2, 0xFF},
	{0xE6, 0x9F, 0x00, 0xFF},
	{0x00, 0x9E, 0x73, 0xFF},
	{0xCC, 0x79, 0xA7, 0xFF},
	{0x56, 0xB4, 0xE9, 0xFF},
	{0xD5, 0x5E, 0x00, 0xFF},
	{0xF0, 0xE4, 0x42, 0xFF},
	{0x00, 0x00, 0x00, 0xFF},
}

// curve adds a line with one value per sample and skips samples without a value.
func (r Report) curve(p *plot.Plot, name string, c color.Color, width vg.Length, of func(Sample) (float64, bool)) error {
	var points plotter.XYs
	for _, s := range r.Samples {
		if y, ok := of(s); ok {
			points = append(points, plotter.XY{X: float64(s.At.Unix()), Y: y})
		}
	}
	return line(p, name, c, width, points)
}

func line(p *plot.Plot, name string, c color.Color, width vg.Length, points plotter.XYs) error {
	if len(points) == 0 {
		return nil
	}
	l, err := plotter.NewLine(points)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	l.Color, l.Width = c, width
	p.Add(l)
	if name != "" {
		p.Legend.Add(name, l)
	}
	return nil
}

const (
	thick = vg.Length(1.5)
	thin  = vg.Length(0.4)
)

func (r Report) tiers() (*plot.Plot, error) {
	return r.counts("Memories by tier", []string{"sensory", "short", "long", "dormant"}, func(s Sample) map[string]int { return s.Tiers })
}

func (r Report) sectors() (*plot.Plot, error) {
	return r.counts("Memories by sector", []string{"episodic", "semantic", "procedural", "emotional", "reflective"}, func(s Sample) map[string]int { return s.Sectors })
}

// counts draws numbers of memories, with one line per name.
func (r Report) counts(title string, names []string, of func(Sample) map[string]int) (*plot.Plot, error) {
	p := panel(title, "memories")
	for i, name := range names {
		err := r.curve(p, name, colours[i], thick, func(s Sample) (float64, bool) { return float64(of(s)[name]), true })
		if err != nil {
			return nil, err
		}
	}
	return p, nil
}

// trust draws one line per person, and the mean of all.
func (r Report) trust() (*plot.Plot, error) {
	p := panel("Trust and bond", "0–1")
	p.Y.Max = 1
	grey := color.RGBA{0x99, 0x99, 0x99, 0xFF}
	var people []string
	for _, s := range r.Samples {
		for _, st := range s.People {
			if !slices.Contains(people, st.Person) {
				people = append(people, st.Person)
			}
		}
	}
	for _, person := range people {
		err := r.curve(p, "", grey, thin, func(s Sample) (float64, bool) {
			i := slices.IndexFunc(s.People, func(st Standing) bool { return st.Person == person })
			if i < 0 {
				return 0, false
			}
			return s.People[i].Trust, true
		})
		if err != nil {
			return nil, err
		}
	}
	if err := r.curve(p, "trust, mean", colours[0], thick, mean(func(st Standing) float64 { return st.Trust })); err != nil {
		return nil, err
	}
	return p, r.curve(p, "bond, mean", colours[1], thick, mean(func(st Standing) float64 { return st.Bond }))
}

func mean(of func(Standing) float64) func(Sample) (float64, bool) {
	return func(s Sample) (float64, bool) {
		var sum float64
		for _, st := range s.People {
			sum += of(st)
		}
		return sum / float64(max(len(s.People), 1)), len(s.People) > 0
	}
}

// known draws the share of right answers by month.
func (r Report) known() (*plot.Plot, error) {
	p := panel("What is known: answers by month", "share")
	p.Y.Max = 1
	var right, unknown plotter.XYs
	for _, m := range sortedKeys(r.Months) {
		at, err := time.Parse("2006-01", m)
		if err != nil {
			return nil, err
		}
		a, x := r.Months[m], float64(at.AddDate(0, 0, 14).Unix())
		total := float64(max(a.Total(), 1))
		right = append(right, plotter.XY{X: x, Y: float64(a.Right) / total})
		unknown = append(unknown, plotter.XY{X: x, Y: float64(a.Unknown) / total})
	}
	if err := line(p, "right", colours[2], thick, right); err != nil {
		return nil, err
	}
	return p, line(p, "unknown", colours[5], thick, unknown)
}

// mood draws the persona's mood and returns nil if none is kept.
func (r Report) mood() (*plot.Plot, error) {
	if !slices.ContainsFunc(r.Samples, func(s Sample) bool { return s.Mood != nil }) {
		return nil, nil
	}
	p := panel("Mood of the persona", "valence −1 to 1, energy 0 to 1")
	p.Y.Min, p.Y.Max = -1, 1
	err := r.curve(p, "valence", colours[3], thick, func(s Sample) (float64, bool) {
		if s.Mood == nil {
			return 0, false
		}
		return s.Mood.Valence, true
	})
	if err != nil {
		return nil, err
	}
	return p, r.curve(p, "energy", colours[1], thick, func(s Sample) (float64, bool) {
		if s.Mood == nil {
			return 0, false
		}
		return s.Mood.Energy, true
	})
}
