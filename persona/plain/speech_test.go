package plain

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"familiar/persona/words"
)

func TestEventOf(t *testing.T) {
	tests := []struct {
		text string
		want string
		form eventForm
	}{
		{"an interview", "the interview", eventNoun},
		{"interview", "the interview", eventNoun},
		{"interview on Friday", "the interview", eventNoun},
		{"I have a job interview on Friday", "the job interview", eventNoun},
		{"my sister's wedding next week", "your sister's wedding", eventNoun},
		{"meeting with Bob tomorrow", "the meeting with Bob", eventNoun},
		{"flying to Oslo next week", "flying to Oslo", eventGerund},
		{"I'm going camping in June", "camping", eventGerund},
		{"visit my mum", "visit your mum", eventVerb},
		{"I'm going to visit my mum on Sunday", "visit your mum", eventVerb},
		{"send you the photos", "send me the photos", eventVerb},
		{"dentist", "the dentist", eventNoun},
		{"", "what you had planned", eventNoun},
	}
	for _, tt := range tests {
		if got := eventOf(tt.text, May); got.words != tt.want || got.form != tt.form {
			t.Errorf("%q: %q (%d), want %q (%d)", tt.text, got.words, got.form, tt.want, tt.form)
		}
	}
}

func TestIndirect(t *testing.T) {
	tests := []struct{ text, want string }{
		{"I went to a support group yesterday.", "you went to a support group the day before"},
		{"My sister moved in with me", "your sister moved in with you"},
		{"I was so tired last week", "you were so tired the week before"},
		{"I'm starting a course next month", "you're starting a course the month after"},
		{"I saw you yesterday", ""},
		{"We went camping", ""},
		{"Have I told you?", ""},
		{"I ran. Then I slept.", ""},
		{"Melanie paints", ""},
		{"I " + strings.Repeat("really ", 40) + "slept", ""},
	}
	for _, tt := range tests {
		got, ok := indirect(tt.text, May, May.AddDate(0, 0, 9))
		if got != tt.want || ok != (tt.want != "") {
			t.Errorf("%q: %q %v, want %q", tt.text, got, ok, tt.want)
		}
	}
}

func TestSayDay(t *testing.T) {
	for want, at := range map[string]time.Time{
		"just now": May.Add(-time.Minute), "earlier today": May.Add(-time.Hour), "yesterday": May.AddDate(0, 0, -1), "on 3 May": time.Date(2026, 5, 3, 9, 0, 0, 0, time.UTC),
		"on 8 May 2023": time.Date(2023, 5, 8, 9, 0, 0, 0, time.UTC),
	} {
		if got := sayDay(at, May); got != want {
			t.Errorf("%v: %q, want %q", at, got, want)
		}
	}
}

func TestNameIn(t *testing.T) {
	for text, want := range map[string]string{
		"Noted.":           "Noted, Captain.",
		"Noted. And more.": "Noted, Captain. And more.",
		"You said “x”.":    "Captain: You said “x”.",
		"At 3.5 it rains.": "At 3.5 it rains, Captain.",
	} {
		if got := nameIn(text, "Captain"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
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
		told, _ := indirect(text, May, May.AddDate(0, 0, 9))
		wish, _ := greetsWith(text)
		for _, made := range []string{told, wish, eventOf(text, May).words, words.Excerpt(text), undertaking(text), nameIn(text, "Ann"), turned(text)} {
			if !utf8.ValidString(made) {
				t.Fatalf("%q became invalid: %q", text, made)
			}
		}
		if n := utf8.RuneCountInString(words.Excerpt(text)); n > words.QuoteLimit+1 {
			t.Fatalf("an excerpt of %d characters", n)
		}
	})
}
