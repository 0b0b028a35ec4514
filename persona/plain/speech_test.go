package plain

import (
	"testing"
	"time"
	"unicode/utf8"

	"familiar/persona/evidence"
	"familiar/persona/scene"
	"familiar/persona/words"
)

func TestSayDay(t *testing.T) {
	for want, at := range map[string]time.Time{
		"just now": May.Add(-time.Minute), "earlier today": May.Add(-time.Hour), "yesterday": May.AddDate(0, 0, -1), "on 3 May": time.Date(2026, 5, 3, 9, 0, 0, 0, time.UTC),
		"on 8 May 2023": time.Date(2023, 5, 8, 9, 0, 0, 0, time.UTC),
	} {
		if got := english.day(at); got != want {
			t.Errorf("%v: %q, want %q", at, got, want)
		}
	}
}

// FuzzSpeech feeds arbitrary text to everything that repeats what people said: no text may break it, and what it
// makes of valid text stays valid and bounded.
func FuzzSpeech(f *testing.F) {
	for _, seed := range []string{"I went there yesterday", "an interview on Friday", "greet me with  ", "”“\n", "İ’m ı", "say '' when I come"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			t.Skip()
		}
		thing, _ := english.thing(text)
		clause := ""
		for _, a := range evidence.Rank("when did I go there?", "en", []evidence.Line{{Text: text, At: May}}) {
			clause = excerpt(text, a.Start, a.End)
		}
		wish, _ := scene.GreetsWith(text)
		for _, made := range []string{thing, wish, words.Excerpt(text), clause, english.turned(text)} {
			if !utf8.ValidString(made) {
				t.Fatalf("%q became invalid: %q", text, made)
			}
		}
		if n := utf8.RuneCountInString(words.Excerpt(text)); n > words.QuoteLimit+1 {
			t.Fatalf("an excerpt of %d characters", n)
		}
	})
}
