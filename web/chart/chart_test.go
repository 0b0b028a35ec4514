package chart

import (
	"bytes"
	"encoding/binary"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"
)

// wellFormed fails if the markup is not well-formed, or carries what a strict content security policy refuses.
func wellFormed(t testing.TB, markup string) {
	t.Helper()
	for d := xml.NewDecoder(strings.NewReader("<all>" + markup + "</all>")); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("not well-formed: %v\n%s", err, markup)
		}
		if e, ok := token.(xml.StartElement); ok {
			refused(t, e)
		}
	}
}

// allowed lists the elements that charts are made of.
const allowed = " all figure figcaption span p div ul li details summary table thead tbody tr th td svg g path line rect text tspan title desc "

func refused(t testing.TB, e xml.StartElement) {
	t.Helper()
	if !strings.Contains(allowed, " "+e.Name.Local+" ") {
		t.Errorf("a chart has the element %q", e.Name.Local)
	}
	for _, a := range e.Attr {
		if name := a.Name.Local; name == "style" || name == "id" || name == "href" || strings.HasPrefix(name, "on") {
			t.Errorf("%s has the attribute %s=%q", e.Name.Local, name, a.Value)
		}
		if strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf") {
			t.Errorf("%s has %s=%q", e.Name.Local, a.Name.Local, a.Value)
		}
	}
}

var payloads = []string{
	`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `</svg><script>alert(1)</script>`, `]]><script>`, `' onload='alert(1)`,
	"\x00\x08\x1b\uFFFE", "a\nb\tc", `&lt;b&gt;`, `javascript:alert(1)`, "\xff\xfe", `<!--`, `{{.}}`, "\u202Egpj.exe", `<title></title>`, strings.Repeat("long ", 500),
}

// TestNamesAreText: what people wrote appears as text, and only as text.
func TestNamesAreText(t *testing.T) {
	for _, p := range payloads {
		points := every(1, 3, func(i int) float64 { return float64(i) })
		line := Timeline{Title: p, About: p, Panels: []Panel{{
			Title: p, Unit: p, Levels: []Level{{p, 1}}, Marks: []Mark{{p, start}},
			Series: []Series{{Name: p, Points: points}, {Name: p, Group: p, Points: points}, {Name: p, Shape: Area, Points: points}},
		}}}
		for _, d := range []drawing{
			line, Decay(p, points, []Mark{{p, start}}, .1),
			Sparkline{Name: p, Unit: p, Points: points},
			Bars{Title: p, Unit: p, About: p, Parts: []string{p, p}, Bars: []Bar{{p, []float64{1, 2}}}},
			Bars{Title: p, Unit: p, About: p, Stacked: true, Parts: []string{p, p}, Bars: []Bar{{p, []float64{1, 2}}}},
		} {
			drawn := draw(t, d)
			wellFormed(t, drawn)
			if got := text(t, drawn); !strings.Contains(got, strings.TrimSpace(visible(p))) {
				t.Errorf("%q is not shown in %q", p, got)
			}
		}
		var file bytes.Buffer
		if err := line.WriteSVG(&file); err != nil {
			t.Fatal(err)
		}
		wellFormed(t, strings.TrimPrefix(file.String(), `<?xml version="1.0" encoding="UTF-8"?>`))
	}
}

// visible is a text as markup can carry it.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && !strings.ContainsRune("\t\n\r", r) || r == 0xFFFE {
			return 0xFFFD
		}
		return r
	}, strings.ToValidUTF8(strings.ReplaceAll(text, "\xff\xfe", "\uFFFD\uFFFD"), "\uFFFD"))
}

// text is all text and all labels of some markup.
func text(t *testing.T, markup string) string {
	t.Helper()
	var b strings.Builder
	for d := xml.NewDecoder(strings.NewReader("<all>" + markup + "</all>")); ; {
		token, err := d.Token()
		if err != nil {
			return b.String()
		}
		switch token := token.(type) {
		case xml.CharData:
			b.Write(token)
		case xml.StartElement:
			for _, a := range token.Attr {
				if a.Name.Local == "aria-label" {
					b.WriteString(a.Value)
				}
			}
		}
	}
}

func TestSameValuesSameBytes(t *testing.T) {
	a, b := drawings(), drawings()
	for i := range a {
		if draw(t, a[i]) != draw(t, b[i]) {
			t.Errorf("chart %d is drawn in two ways", i)
		}
	}
}

// TestAccessible: every picture has a name, and is one to a screen reader.
func TestAccessible(t *testing.T) {
	for i, d := range drawings() {
		drawn := draw(t, d)
		for _, tag := range strings.SplitAfter(drawn, "<")[1:] {
			tag, rest, _ := strings.Cut(tag, ">")
			if strings.Contains(tag, `role="img"`) && !strings.Contains(tag, `aria-label="`) && !strings.HasPrefix(rest, "<") {
				t.Errorf("chart %d has a picture without a name: %s", i, tag)
			}
		}
		if strings.Contains(drawn, "<title></title>") {
			t.Errorf("chart %d has an empty title", i)
		}
	}
}

func TestRoundTicks(t *testing.T) {
	for _, tc := range []struct {
		min, max float64
		whole    bool
		want     string
	}{
		{0, 243, true, "0 50 100 150 200 250"},
		{0, 1, false, "0 0.2 0.4 0.6 0.8 1"},
		{-1, 1, false, "−1 −0.5 0 0.5 1"},
		{0, 3, true, "0 1 2 3"},
		{0, 0, true, "0 1"},
		{0, .003, false, "0 0.001 0.002 0.003"},
		{0, 45_000, true, "0 10k 20k 30k 40k 50k"},
		{0, 2.2e6, true, "0 0.5M 1.0M 1.5M 2.0M 2.5M"},
		{0, 2000, true, "0 500 1,000 1,500 2,000"},
		{7, 7, false, "2 4 6 8 10 12"},
	} {
		s := newScale(tc.min, tc.max, tc.whole, 5)
		var got []string
		for _, v := range s.ticks() {
			got = append(got, s.label(v))
		}
		if got := strings.Join(got, " "); got != tc.want {
			t.Errorf("%v to %v: %s, want %s", tc.min, tc.max, got, tc.want)
		}
	}
}

func TestNumbers(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 250: "250", 1234567: "1,234,567", .1 + .2: "0.3", -2.5: "−2.5", 12.3456: "12.3", 0.00123456: "0.00123", 99.96: "100",
		123.456: "123", math.Inf(1): "–", 1e20: "1e+20", math.Copysign(0, -1): "0", 1e-9: "1e−09",
	} {
		if got := Number(v); got != want {
			t.Errorf("%v is %q, want %q", v, got, want)
		}
	}
}

func TestTimeTicks(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		from, until string
		want        string
	}{
		{"2026-01-05T00:00", "2027-01-04T00:00", "Feb/2026 Mar Apr May Jun Jul Aug Sep Oct Nov Dec Jan/2027"},
		{"2026-02-28T12:00", "2026-03-04T12:00", "1 Mar/2026 2 Mar 3 Mar 4 Mar"},
		{"2026-03-02T00:00", "2026-03-30T00:00", "2 Mar/2026 9 Mar 16 Mar 23 Mar 30 Mar"},
		{"2026-03-28T20:00", "2026-03-29T12:00", "21:00/28 Mar 2026 00:00/29 Mar 2026 03:00 06:00 09:00 12:00"}, // the clock is set forward at 2
		{"2016-05-01T00:00", "2026-05-01T00:00", "2017 2018 2019 2020 2021 2022 2023 2024 2025 2026"},
		{"1000-05-01T00:00", "9000-05-01T00:00", "2000 3000 4000 5000 6000 7000 8000 9000"},
		{"2026-05-01T10:00", "2026-05-01T10:03", "10:00/1 May 2026 10:01 10:02 10:03"},
	} {
		from, err1 := time.ParseInLocation("2006-01-02T15:04", tc.from, berlin)
		until, err2 := time.ParseInLocation("2006-01-02T15:04", tc.until, berlin)
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, tick := range newTimeScale(from, until, berlin).ticks(timeTicks) {
			got = append(got, strings.TrimSuffix(tick.label+"/"+tick.second, "/"))
		}
		if got := strings.Join(got, " "); got != tc.want {
			t.Errorf("%s to %s: %s, want %s", tc.from, tc.until, got, tc.want)
		}
	}
}

// TestThinningLosesNoExtreme: of a hundred thousand points every peak is drawn, in few bytes, and the reader is told.
func TestThinningLosesNoExtreme(t *testing.T) {
	points := every(1, 100_000, func(i int) float64 { return float64(i % 7) })
	points[31_415].Value, points[92_653].Value = 500, -300
	series := Series{Name: "many", Points: points}
	kept, thinned := curve(series, newTimeScale(points[0].At, points[len(points)-1].At, nil))
	if !thinned || len(kept) > 4*(columns+1) {
		t.Errorf("%d points are kept, thinned %v", len(kept), thinned)
	}
	var high, low bool
	for _, p := range kept {
		high, low = high || p.y == 500, low || p.y == -300
	}
	if !high || !low {
		t.Error("a peak is lost")
	}
	drawn := draw(t, Timeline{Panels: []Panel{{Series: []Series{series}}}})
	if !strings.Contains(drawn, thinnedNote) || !strings.Contains(drawn, "One row in 250 of 100,000.") {
		t.Error("the reader is not told")
	}
	if len(drawn) > 64<<10 {
		t.Errorf("%d bytes", len(drawn))
	}
}

func TestClip(t *testing.T) {
	for name, tc := range map[string]struct {
		shape Shape
		want  string
	}{
		"a line enters and leaves where it crosses": {Line, "0:5 0.5:10 1:5"},
		"a step holds its value":                    {Step, "0:0 0.5:10 1:10"},
	} {
		var got []string
		for _, p := range clip([]xy{{-.5, 0, 0}, {.5, 10, 10}, {1.5, 0, 0}}, tc.shape) {
			got = append(got, fmt.Sprintf("%v:%v", p.x, p.y))
		}
		if got := strings.Join(got, " "); got != tc.want {
			t.Errorf("%s: %s, want %s", name, got, tc.want)
		}
	}
}

func TestTable(t *testing.T) {
	got := Timeline{Panels: []Panel{
		{Title: "Trust", Unit: "0–1", Series: []Series{{Name: "mean", Points: every(1, 2, func(i int) float64 { return float64(i) / 3 })}}, Marks: []Mark{{"recalled", start}}},
		{Title: "Bond", Series: []Series{{Name: "mean", Points: every(2, 2, func(i int) float64 { return float64(i) })}}},
	}}.Table()
	want := Table{Head: []string{"time", "Trust: mean (0–1)", "Bond: mean", "what happened"}, Rows: [][]string{
		{"2026-01-05", "0", "0", "recalled"}, {"2026-01-06", "0.333", "", ""}, {"2026-01-07", "", "1", ""},
	}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	got = Bars{Unit: "tokens", Stacked: true, Parts: []string{"in", "out"}, Bars: []Bar{{"a", []float64{1200, .5}}, {"b", []float64{math.NaN()}}}}.Table()
	want = Table{Head: []string{"name", "in (tokens)", "out (tokens)", "total"}, Rows: [][]string{{"a", "1,200", "0.5", "1,201"}, {"b", "–", "–", "0"}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// FuzzDraw draws whatever there is: names of any bytes, values and times of any size.
func FuzzDraw(f *testing.F) {
	f.Add("name", "unit", []byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}, uint8(0))
	f.Add("\x00<", "\"", []byte("\x7f\xf0\x00\x00\x00\x00\x00\x00\x80\x00\x00\x00\x00\x00\x00\x00"), uint8(3))
	f.Fuzz(func(t *testing.T, name, unit string, raw []byte, shape uint8) {
		var points []Point
		var values []float64
		for ; len(raw) >= 16; raw = raw[16:] {
			v := math.Float64frombits(binary.BigEndian.Uint64(raw))
			values = append(values, v)
			points = append(points, Point{At: time.Unix(int64(binary.BigEndian.Uint64(raw[8:])), 0), Value: v, Low: -v})
		}
		s := Series{Name: name, Shape: Shape(shape % 4), Points: points}
		line := Timeline{Title: name, Panels: []Panel{{
			Title: unit, Unit: unit, Series: []Series{s, s}, Stacked: shape&4 > 0, Zoom: shape&8 > 0, Marks: []Mark{{name, time.Time{}}},
		}}}
		for _, d := range []drawing{
			line,
			Sparkline{Name: name, Points: points},
			Bars{Title: name, Unit: unit, Stacked: shape&4 > 0, Parts: []string{name, unit}, Bars: []Bar{{name, values}, {unit, values}}},
		} {
			wellFormed(t, draw(t, d))
		}
		var file bytes.Buffer
		if err := line.WriteSVG(&file); err != nil {
			t.Fatal(err)
		}
		wellFormed(t, strings.TrimPrefix(file.String(), `<?xml version="1.0" encoding="UTF-8"?>`))
	})
}

// BenchmarkYear draws a year of weeks of eight series.
func BenchmarkYear(b *testing.B) {
	var series []Series
	for s := range 8 {
		series = append(series, Series{Name: "series", Points: every(7, 53, func(i int) float64 { return float64(i * s % 40) })})
	}
	t := Timeline{Title: "A year", Panels: []Panel{{Series: series}}}
	for b.Loop() {
		if err := t.Render(b.Context(), io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkMany draws a hundred thousand points.
func BenchmarkMany(b *testing.B) {
	t := Timeline{Panels: []Panel{{Series: []Series{{Points: every(1, 100_000, func(i int) float64 { return float64(i % 91) })}}}}}
	for b.Loop() {
		if err := t.Render(b.Context(), io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}
