package simulate

import (
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"familiar/web/chart"
)

// CheckChart returns an error if a chart cannot be written to a file with that name.
func CheckChart(path string) error {
	if !strings.EqualFold(filepath.Ext(path), ".svg") {
		return fmt.Errorf("a chart is written as .svg, not %q: browsers show it and print it", filepath.Base(path))
	}
	return nil
}

// Chart draws a life week by week as SVG.
func (r Report) Chart(out io.Writer) error { return r.timeline().WriteSVG(out) }

// timeline returns the chart of a life, week by week: memories by tier and by sector, trust, the share of right answers,
// and the persona's mood if one is kept.
func (r Report) timeline() chart.Timeline {
	t := chart.Timeline{
		Title: fmt.Sprintf("%d days with %d people", r.Days, r.People), About: "Week by week.",
		Panels: []chart.Panel{r.tiers(), r.sectors(), r.trust(), r.known()},
	}
	if slices.ContainsFunc(r.Samples, func(s Sample) bool { return s.Mood != nil }) {
		t.Panels = append(t.Panels, r.mood())
	}
	return t
}

// curve returns a line with one value per sample, without those that have none.
func (r Report) curve(name string, of func(Sample) (float64, bool)) chart.Series {
	s := chart.Series{Name: name}
	for _, sample := range r.Samples {
		if v, ok := of(sample); ok {
			s.Points = append(s.Points, chart.Point{At: sample.At, Value: v})
		}
	}
	return s
}

func (r Report) tiers() chart.Panel {
	return r.counts("Memories by tier", []string{"sensory", "short", "long", "dormant"}, func(s Sample) map[string]int { return s.Tiers })
}

func (r Report) sectors() chart.Panel {
	return r.counts("Memories by sector", []string{"episodic", "semantic", "procedural", "emotional", "reflective"}, func(s Sample) map[string]int { return s.Sectors })
}

// counts draws numbers of memories, with one line per name.
func (r Report) counts(title string, names []string, of func(Sample) map[string]int) chart.Panel {
	p := chart.Panel{Title: title, Unit: "memories"}
	for _, name := range names {
		p.Series = append(p.Series, r.curve(name, func(s Sample) (float64, bool) { return float64(of(s)[name]), true }))
	}
	return p
}

// trust draws the means of all people, and one faint line per person.
func (r Report) trust() chart.Panel {
	people := map[string]bool{}
	for _, s := range r.Samples {
		for _, st := range s.People {
			people[st.Person] = true
		}
	}
	p := chart.Panel{Title: "Trust and bond", Unit: "0–1", Range: chart.Range{Max: 1}, Series: []chart.Series{
		r.curve("trust, mean", mean(func(st Standing) float64 { return st.Trust })),
		r.curve("bond, mean", mean(func(st Standing) float64 { return st.Bond })),
	}}
	for _, person := range slices.Sorted(maps.Keys(people)) {
		line := r.curve(person, func(s Sample) (float64, bool) {
			i := slices.IndexFunc(s.People, func(st Standing) bool { return st.Person == person })
			if i < 0 {
				return 0, false
			}
			return s.People[i].Trust, true
		})
		line.Group = "trust of each person"
		p.Series = append(p.Series, line)
	}
	return p
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

// known draws the shares of answers by month, in the middle of each or at the end of the life.
func (r Report) known() chart.Panel {
	right, unknown := chart.Series{Name: "right"}, chart.Series{Name: "unknown"}
	for _, m := range sortedKeys(r.Months) {
		month, err := time.Parse("2006-01", m)
		if err != nil {
			continue // the tally writes no others
		}
		a, at := r.Months[m], month.AddDate(0, 0, 14)
		if n := len(r.Samples); n > 0 && at.After(r.Samples[n-1].At) {
			at = r.Samples[n-1].At
		}
		total := float64(max(a.Total(), 1))
		right.Points = append(right.Points, chart.Point{At: at, Value: float64(a.Right) / total})
		unknown.Points = append(unknown.Points, chart.Point{At: at, Value: float64(a.Unknown) / total})
	}
	return chart.Panel{Title: "What is known: answers by month", Unit: "share", Range: chart.Range{Max: 1}, Series: []chart.Series{right, unknown}}
}

func (r Report) mood() chart.Panel {
	of := func(value func(Mood) float64) func(Sample) (float64, bool) {
		return func(s Sample) (float64, bool) {
			if s.Mood == nil {
				return 0, false
			}
			return value(*s.Mood), true
		}
	}
	return chart.Panel{Title: "Mood of the persona", Unit: "valence −1 to 1, energy 0 to 1", Range: chart.Range{Min: -1, Max: 1}, Series: []chart.Series{
		r.curve("valence", of(func(m Mood) float64 { return m.Valence })),
		r.curve("energy", of(func(m Mood) float64 { return m.Energy })),
	}}
}
