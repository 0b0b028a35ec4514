package report

import (
	"bytes"
	"io"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"familiar/web/chart"
)

// sample is a report with everything in it.
func sample() Report {
	at := time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)
	return Report{
		Version: Version, Kind: Simulate, Title: "A year", About: "Twenty people.",
		Summary: []Figure{{"messages", "12,000 <b>"}},
		Charts: []Chart{
			{Timeline: &chart.Timeline{Title: "Week by week", About: "…", From: at, Panels: []chart.Panel{{
				Title: "Memories", Unit: "memories", Stacked: true, Range: chart.Range{Max: 10}, Zoom: true,
				Levels: []chart.Level{{Name: "limit", Value: 9}}, Marks: []chart.Mark{{Name: "a dream", At: at}},
				Series: []chart.Series{{Name: "long", Shape: chart.Step, Points: []chart.Point{{At: at, Value: 1.5}, {At: at.Add(time.Hour), Value: 2, Low: 1}}}},
			}}}},
			{Bars: &chart.Bars{Title: "Facts", Unit: "share", Most: 1, Parts: []string{"flat", "full"}, Bars: []chart.Bar{{Name: "dojo", Values: chart.Values{.5, 1}}}}},
		},
		Tables: []Table{{Title: "Facts", Head: []string{"fact", "full"}, Rows: [][]string{{"the boat", "yes"}}}},
	}
}

func written(t testing.TB, r Report) string {
	t.Helper()
	var b strings.Builder
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	got, err := Read(strings.NewReader(written(t, sample())))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, sample()) {
		t.Errorf("read %+v, wrote %+v", got, sample())
	}
}

// TestVersion1 reads a report as it was written when the format was defined: what people have kept stays readable.
func TestVersion1(t *testing.T) {
	kept, err := os.Open("testdata/v1.json")
	if err != nil {
		t.Fatal(err)
	}
	defer kept.Close() //nolint:errcheck // only read
	got, err := Read(kept)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, sample()) {
		t.Errorf("read %+v", got)
	}
}

func TestGapsSurvive(t *testing.T) {
	r := sample()
	r.Charts[0].Timeline.Panels[0].Series[0].Points[0].Value = math.NaN()
	r.Charts[1].Bars.Bars[0].Values[0] = math.Inf(1)
	got, err := Read(strings.NewReader(written(t, r)))
	if err != nil {
		t.Fatal(err)
	}
	if p, v := got.Charts[0].Timeline.Panels[0].Series[0].Points[0].Value, got.Charts[1].Bars.Bars[0].Values[0]; !math.IsNaN(p) || !math.IsNaN(v) {
		t.Errorf("gaps became %v and %v", p, v)
	}
}

func TestBadReports(t *testing.T) {
	good := written(t, sample())
	replaced := func(old, new string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("the report has no %s", old)
		}
		return strings.Replace(good, old, new, 1)
	}
	for name, tc := range map[string]struct{ file, want string }{
		"empty":                {"", "--report FILE"},
		"a picture":            {"\x89PNG\r\n", "--report FILE"},
		"the output of --json": {`{"days":365,"samples":[]}`, "--report FILE"},
		"cut off":              {good[:len(good)/2], "--report FILE"},
		"a list":               {"[]", "--report FILE"},
		"followed by more":     {good + good, "--report FILE"},
		"a newer version":      {replaced(`"familiar_report":1`, `"familiar_report":2`), "version 2"},
		"an unknown field":     {replaced(`"kind"`, `"script":"x","kind"`), `unknown field "script"`},
		"an unknown kind":      {replaced(`"simulate"`, `"gossip"`), `"gossip"`},
		"an unknown shape":     {replaced(`"step"`, `"pie"`), `"pie"`},
		"a point of one":       {replaced(`[1767571200,1.5]`, `[1767571200]`), "a point has"},
		"a point of text":      {replaced(`[1767571200,1.5]`, `["x",1]`), "a point"},
		"a point far away":     {replaced(`[1767571200,1.5]`, `[1e300,1]`), "years 1 to 9999"},
		"a huge number":        {replaced(`1.5`, `1e999`), "1e999"},
		"two kinds of chart":   {replaced(`{"bars":`, `{"timeline":{"title":"","panels":[]},"bars":`), "either"},
		"no kind of chart":     {replaced(`"charts":[`, `"charts":[{},`), "either"},
		"a short row":          {replaced(`["the boat","yes"]`, `["the boat"]`), "1 cells"},
		"a long text":          {replaced("12,000", strings.Repeat("x", mostText)), "bytes in a text"},
		"many points":          {replaced(`[1767571200,1.5]`, strings.Repeat("[1,1],", mostPoints)+"[1,1]"), "can be shown"},
		"many bars":            {replaced(`{"name":"dojo"`, strings.Repeat(`{"name":"x","values":[]},`, mostLines)+`{"name":"dojo"`), "values in a chart of bars"},
		"many tables":          {replaced(`"tables":[`, `"tables":[`+strings.Repeat(`{"title":"","head":[],"rows":[]},`, mostParts)), "tables"},
	} {
		if _, err := Read(strings.NewReader(tc.file)); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want an error with %q", name, err, tc.want)
		}
	}
	if _, err := Read(io.LimitReader(zeros{}, 1<<40)); err == nil || !strings.Contains(err.Error(), "longer than 8 MB") {
		t.Errorf("an endless file: %v", err)
	}
}

// zeros is an endless file.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

// FuzzRead reads anything, and shows what it could read.
func FuzzRead(f *testing.F) {
	f.Add([]byte(written(f, sample())))
	f.Add([]byte(`{"familiar_report":1,"kind":"bench","title":"","summary":[],"charts":[{"bars":{"title":"","bars":[{"name":"","values":[null,-1]}]}}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := Read(bytes.NewReader(data))
		if err != nil {
			return
		}
		for _, c := range r.Charts {
			if c.Timeline != nil {
				err = c.Timeline.Render(t.Context(), io.Discard)
			} else {
				err = c.Bars.Render(t.Context(), io.Discard)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if _, err := Read(strings.NewReader(written(t, r))); err != nil {
			t.Errorf("what was read cannot be written and read again: %v", err)
		}
	})
}
