package webnote_test

import (
	"testing"
	"time"

	"familiar/persona/webnote"
)

var day = time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)

func TestParseReadsWhatStringWrites(t *testing.T) {
	for _, n := range []webnote.Note{
		{Title: "Starters", Site: "a.test", Address: "http://a.test:8080/bread", Read: day, Text: "Sourdough bread keeps for a week."},
		{Site: "a.test", Address: "https://a.test/", Published: day.AddDate(-1, 0, 0), Read: day, Text: "It rains."},
		{Title: "Bread", Site: "The Bakers", Address: "https://a.test/", Read: day, Text: "It rains."},
		{Title: "A (b); c) says: d, e", Site: "a.test", Address: "https://a.test/?x=1;y=2", Read: day, Text: "It (really) rains; often."},
	} {
		got, ok := webnote.Parse(n.String())
		if !ok || got != n {
			t.Errorf("%q is read as %+v, %v; want %+v", n.String(), got, ok, n)
		}
	}
	if want := "A web page (Starters, a.test; http://a.test/; read on 2026-01-05) says: “It rains.”"; (webnote.Note{
		Title: "Starters", Site: "a.test", Address: "http://a.test/", Read: day, Text: "It rains.",
	}).String() != want {
		t.Errorf("want %q", want)
	}
}

func TestParseTakesNothingElse(t *testing.T) {
	for _, text := range []string{
		"", "A web page says so.", "A web page (a.test) says: “x”", "A web page (a.test; http://a.test/; read on 2026-01-05) says: “”",
		"A web page (a.test; mailto:a@b; read on 2026-01-05) says: “x”", "A web page (a.test; http://a.test/; read on Monday) says: “x”",
		"A web page (a.test; http://a.test/; read on 2026-01-05) says: “x” And more.",
	} {
		if n, ok := webnote.Parse(text); ok {
			t.Errorf("%q is read as %+v", text, n)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(webnote.Note{Title: "T", Site: "a.test", Address: "http://a.test/", Published: day, Read: day, Text: "x"}.String())
	f.Add("A web page (a; b; c) says: “x”")
	f.Fuzz(func(t *testing.T, text string) {
		n, ok := webnote.Parse(text)
		if !ok {
			return
		}
		if again, ok := webnote.Parse(n.String()); !ok || again != n || n.String() != text && n.Published.IsZero() {
			t.Errorf("%q is read as %+v, and that as %+v", text, n, again)
		}
	})
}
