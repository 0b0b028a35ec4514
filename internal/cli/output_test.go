package cli

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/rivo/uniseg"
)

type row struct {
	Name   string    `json:"name"`
	Known  bool      `json:"well_known,omitempty"`
	At     time.Time `json:"at"`
	Tags   []string  `json:"tags"`
	Hidden string    `json:"-"`
}

var rows = []row{
	{Name: "Ada\tLovelace\n", Known: true, At: time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC), Tags: []string{"a", "b"}, Hidden: "x"},
	{Name: "日本\x1b[31m\u202e語"},
}

func TestRenderForPrograms(t *testing.T) {
	var out bytes.Buffer
	if err := Render(&Invocation{Out: &out}, rows); err != nil {
		t.Fatal(err)
	}
	want := "Ada Lovelace\tyes\t2026-01-05 09:00\ta, b\n日本[31m語\t\t\t\n"
	if out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}

func TestRenderForATerminal(t *testing.T) {
	var out bytes.Buffer
	if err := Render(&Invocation{Out: &out, width: 80}, rows); err != nil {
		t.Fatal(err)
	}
	want := strings.Join([]string{
		"NAME          WELL KNOWN  AT                TAGS",
		"Ada Lovelace  yes         2026-01-05 09:00  a, b",
		"日本[31m語",
		"",
	}, "\n")
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}

func TestRenderKeepsTextBelowRowsWhole(t *testing.T) {
	type check struct {
		Check string `json:"check"`
		State string `json:"state"`
		Says  string `json:"says" show:"below"`
		Do    string `json:"do,omitempty" show:"below"`
	}
	says := strings.Repeat("what is wrong ", 20)
	var out bytes.Buffer
	if err := Render(&Invocation{Out: &out, width: 40}, []check{{"memory", "ok", "", ""}, {"telegram", "problem", says, "mend it"}}); err != nil {
		t.Fatal(err)
	}
	want := "CHECK     STATE\nmemory    ok\ntelegram  problem\n  " + strings.TrimSpace(says) + "\n  mend it\n"
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}

func TestRenderFitsTheTerminal(t *testing.T) {
	wide := []struct {
		Key  string `json:"key"`
		Text string `json:"text"`
	}{{"a", strings.Repeat("語", 60)}, {"bcd", "short"}}
	for width := 12; width < 140; width++ {
		var out bytes.Buffer
		if err := Render(&Invocation{Out: &out, width: width}, wide); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if w := uniseg.StringWidth(strings.TrimSuffix(line, "\n")); w > width {
				t.Fatalf("width %d: a line of %d: %q", width, w, line)
			}
		}
		if cut := strings.Contains(out.String(), "…"); cut != (width < 3+2+120) {
			t.Errorf("width %d: cut is %v", width, cut)
		}
	}
}

// TestRenderCutsTextBeforeNumbers fits a table with many columns: cutting a single one is not enough.
func TestRenderCutsTextBeforeNumbers(t *testing.T) {
	wide := []struct {
		ID    int       `json:"id"`
		Value string    `json:"value"`
		Trust float64   `json:"trust"`
		Zone  string    `json:"zone"`
		At    time.Time `json:"at"`
		Quote string    `json:"quote"`
	}{{7, strings.Repeat("v", 60), 0.125, "", time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC), strings.Repeat("q", 50)}}
	shown := func(width int) string {
		var out bytes.Buffer
		if err := Render(&Invocation{Out: &out, width: width}, wide); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if w := uniseg.StringWidth(strings.TrimSuffix(line, "\n")); w > width {
				t.Errorf("width %d: a line of %d: %q", width, w, line)
			}
		}
		return out.String()
	}
	want := strings.Join([]string{
		"ID  VALUE                          TRUST  AT                QUOTE",
		"7   vvvvvvvvvvvvvvvvvvvvvvvvvvvv…  0.125  2026-01-05 09:00  qqqqqqqqqqqqqqqqqqqqqqqqqqqqq…",
		"",
	}, "\n")
	if got := shown(90); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	for width := 13; width < 140; width++ {
		if got := shown(width); strings.Contains(got, "0.125  2026-01-05 09:00") != (width >= 2+5+16+2*10+4*2) {
			t.Errorf("width %d cuts figures while words could be cut, or keeps them:\n%s", width, got)
		}
	}
	var out bytes.Buffer
	if err := Render(&Invocation{Out: &out}, wide); err != nil || strings.Contains(out.String(), "…") {
		t.Errorf("cut for a program: %q, %v", out.String(), err)
	}
}

func TestRenderOneShowsNonZeroFields(t *testing.T) {
	type wider struct {
		row
		Sources []int64 `json:"sources"`
		Nothing string  `json:"nothing"`
		Parent  int64   `json:"parent,omitempty"`
		Count   int     `json:"count"`
	}
	var out bytes.Buffer
	if err := RenderOne(&Invocation{Out: &out}, wider{row: row{Name: "Ada"}, Sources: []int64{3, 4}}); err != nil {
		t.Fatal(err)
	}
	if want := "NAME     Ada\nSOURCES  3, 4\nCOUNT    0\n"; out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}

func TestRenderJSON(t *testing.T) {
	var out bytes.Buffer
	if err := Render(&Invocation{Out: &out, JSON: true}, []row(nil)); err != nil {
		t.Fatal(err)
	}
	if out.String() != "[]\n" {
		t.Errorf("no rows are %q", out.String())
	}
}

func FuzzTruncate(f *testing.F) {
	f.Add("e\u0301\u0301 👩‍👩‍👧 日本", 4)
	f.Fuzz(func(t *testing.T, text string, width int) {
		width = 1 + (width&0x7f)%90
		if got := uniseg.StringWidth(truncate(text, width)); got > width {
			t.Errorf("truncate(%q, %d) is %d wide", text, width, got)
		}
	})
}
