package chart

import (
	"bytes"
	"context"
	"flag"
	"io"
	"math"
	"os"
	"testing"
	"time"
)

var gallery = flag.String("gallery", "", "write a page with every kind of chart to `FILE`, to look at")

type drawing interface {
	Render(context.Context, io.Writer) error
	Table() Table
}

var start = time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)

// every returns points some days apart.
func every(days, n int, value func(i int) float64) (points []Point) {
	for i := range n {
		points = append(points, Point{At: start.AddDate(0, 0, i*days), Value: value(i)})
	}
	return points
}

// drawings is one of every kind.
func drawings() []drawing {
	noise := func(i, seed int) float64 { return math.Sin(float64(i*seed)*1.7) + math.Sin(float64(i+seed)*.31) }
	var tiers, faint, eight []Series
	for s, name := range []string{"sensory", "short", "long", "dormant"} {
		tiers = append(tiers, Series{Name: name, Points: every(7, 53, func(i int) float64 {
			return math.Round(float64((s+1)*i)*3/2 + 6*math.Abs(noise(i, s+2)))
		})})
	}
	for s := range 12 {
		faint = append(faint, Series{Name: "person " + string(rune('A'+s)), Group: "each person", Points: every(7, 53, func(i int) float64 {
			return 1 - math.Exp(-float64(i*(s+2))/200)
		})})
	}
	faint = append(faint, Series{Name: "mean", Points: every(7, 53, func(i int) float64 { return 1 - math.Exp(-float64(i)/30) })})
	for s, name := range []string{"one", "two", "three", "four", "five", "six", "seven", "eight"} {
		eight = append(eight, Series{Name: name, Points: every(7, 53, func(i int) float64 { return float64(s*10) + 8*noise(i, s+1) + 20 })})
	}
	var strength []Point
	for i := range 120 {
		since := float64(i % 40)
		strength = append(strength, Point{At: start.Add(time.Duration(i) * 24 * time.Hour), Value: .95 * math.Exp(-since/(14+float64(i/40)*12))})
	}
	marks := []Mark{{"recalled", start.AddDate(0, 0, 40)}, {"told again", start.AddDate(0, 0, 80)}}
	band := every(1, 60, func(i int) float64 { return 40 + 10*noise(i, 3) })
	for i := range band {
		band[i].Low = band[i].Value - 12
	}
	gaps := every(1, 60, func(i int) float64 {
		if i > 20 && i < 28 || i == 40 || i == 42 {
			return math.NaN()
		}
		return 34 + 10*noise(i, 3)
	})
	return []drawing{
		Timeline{Title: "A year", About: "Memories and what was right, week by week.", Panels: []Panel{
			{Title: "Memories by tier", Unit: "memories", Series: tiers},
			{Title: "Memories by tier, added up", Unit: "memories", Series: tiers, Stacked: true},
			{Title: "Trust", Unit: "0–1", Series: faint, Range: Range{0, 1}},
			{Title: "Eight of them", Unit: "ms", Series: eight},
		}},
		Timeline{Title: "Two lines, named at their ends", Panels: []Panel{{
			Title: "Mood", Unit: "valence −1 to 1, energy 0 to 1", Range: Range{-1, 1}, Series: []Series{
				{Name: "valence", Points: every(7, 40, func(i int) float64 { return noise(i, 2) / 3 })},
				{Name: "energy", Points: every(7, 40, func(i int) float64 { return .8 + noise(i, 5)/12 })},
			},
		}}},
		Decay("How “Ada moved to Lisbon” fades", strength, marks, .05),
		Timeline{Title: "Bands, gaps and points", Panels: []Panel{{Title: "Answers", Unit: "ms", Series: []Series{
			{Name: "p50 to p99", Shape: Band, Points: band}, {Name: "median", Points: gaps},
		}}}},
		Timeline{Title: "Steps within a day", Panels: []Panel{{Title: "Queue", Unit: "messages", Series: []Series{
			{Name: "waiting", Shape: Step, Points: []Point{{At: start.Add(7 * time.Hour), Value: 2}, {At: start.Add(9 * time.Hour), Value: 7}, {At: start.Add(13 * time.Hour), Value: 1}, {At: start.Add(23 * time.Hour), Value: 4}}},
		}}}},
		Timeline{Title: "Many points", Panels: []Panel{{Unit: "tokens", Series: []Series{
			{Name: "tokens", Points: every(1, 5000, func(i int) float64 { return 20000 + 9000*noise(i, 7) })},
		}}}},
		Timeline{Title: "One point", Panels: []Panel{{Series: []Series{{Name: "alone", Points: every(1, 1, func(int) float64 { return 3 })}}}}},
		Timeline{Title: "None", Panels: []Panel{{Title: "Nothing"}}},
		Bars{Title: "The prompt by part", Unit: "tokens", Bars: []Bar{{"the card", []float64{412}}, {"what is known", []float64{1234}}, {"what was said a long time ago, in the words of those who said it", []float64{298.4}}, {"the lorebook", []float64{0}}, {"examples", []float64{math.NaN()}}}},
		Bars{Title: "Memories by tier", Unit: "memories", Stacked: true, Parts: []string{"sensory", "short", "long", "dormant", "five", "six", "seven", "eight"}, Bars: []Bar{
			{"Ada", []float64{12, 40, 31, 5, 9, 9, 9, 9}}, {"Grace", []float64{2, 20, 61, 15, 4, 4, 4, 4}}, {"Edsger", []float64{0, 0, 7, 1}},
		}},
		Bars{Title: "Facts that are there when somebody returns", Unit: "share", Most: 1, Parts: []string{"stateless", "flat", "full"}, Bars: []Bar{
			{"bartender", []float64{0, .4, 1}}, {"archivist", []float64{.1, .55, .925}},
		}},
		Bars{Title: "Above and below", Unit: "points", Bars: []Bar{{"up", []float64{3}}, {"down", []float64{-2}}}},
		Bars{Title: "None"},
		Sparkline{Name: "trust", Points: every(7, 53, func(i int) float64 { return noise(i, 1) })},
	}
}

func draw(t testing.TB, d drawing) string {
	t.Helper()
	var b bytes.Buffer
	if err := d.Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestGallery writes the page that one looks at after a change: go test ./web/chart -run Gallery -gallery /tmp/charts.html.
func TestGallery(t *testing.T) {
	var page bytes.Buffer
	page.WriteString(`<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Charts</title>` +
		"<style>body{font-family:system-ui,sans-serif;margin:0;line-height:1.4}section{padding:1rem;background:light-dark(#fff,#18181b);color:light-dark(#18181b,#f4f4f5)}" +
		".light{color-scheme:light}.dark{color-scheme:dark}" + CSS + "</style>")
	for _, theme := range []string{"light", "dark"} {
		page.WriteString(`<section class="` + theme + `">`)
		for _, d := range drawings() {
			drawn := draw(t, d)
			wellFormed(t, drawn)
			page.WriteString(drawn + "\n")
		}
		page.WriteString("</section>")
	}
	if *gallery != "" {
		if err := os.WriteFile(*gallery, page.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
