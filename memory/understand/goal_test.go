package understand

import (
	"strings"
	"testing"
	"time"

	"familiar/memory/understand/english"
)

// TestGoals checks how many goals are read as meant, and that hardly anything else is taken for one.
func TestGoals(t *testing.T) {
	const least = 0.8
	right, all := 0, 0
	at := time.Date(2026, 5, 20, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct{ text, want string }{
		{"I want to learn the guitar", "learning the guitar"},
		{"I really want to learn Spanish this year.", "learning Spanish"},
		{"I'm learning to swim", "learning to swim"},
		{"I'd like to build a boat", "building a boat"},
		{"my goal is to read fifty books", "reading fifty books"},
		{"My goal for this year is to finish my thesis", "finishing my thesis"},
		{"I'm training for a marathon", "training for a marathon"},
		{"I've been writing a novel", "writing a novel"},
		{"I've decided to quit smoking", "quitting smoking"},
		{"So I started writing a novel, and it's hard", "writing a novel"},
		{"I'm saving up for a house", "saving up for a house"},
		{"We are renovating our kitchen", "renovating our kitchen"},
		{"I'm working on my thesis", "working on my thesis"},
		{"I dream of opening a bakery", "opening a bakery"},
		{"I plan to give up sugar", "giving up sugar"},
		{"I want to get fit", "getting fit"},
		{"I'm trying to lose weight", "losing weight"},
		{"I hope to run a marathon in October", "running a marathon"},
		{"I want to learn French. My dream is to climb Elbrus.", "learning French|climbing Elbrus"},

		{"I live in Oslo and want to learn Norwegian", "learning Norwegian"},

		{"I want to go home", ""},
		{"I want to learn more about you", ""},
		{"I want to finish early", ""},
		{"I want to run away", ""},
		{"I want to write you a letter", ""},
		{"I'm writing a message to my boss", ""},
		{"I'm building a fire tonight", ""},
		{"I want to finish my report tomorrow", ""},
		{"I don't want to learn the guitar", ""},
		{"Should I learn the guitar?", ""},
		{"if I had time I would like to learn the guitar", ""},
		{"She said she wants to learn the guitar", ""},
		{"My sister wants to learn the guitar", ""},
		{"Anna is training for a marathon", ""},
		{"I'm running late", ""},
		{"I'm learning", ""},
		{"I want to open the window", ""},
		{"", ""},
		{"…", ""},
	} {
		var got []string
		for _, g := range Analyze(Utterance{Text: tt.text, At: at}).Goals {
			got = append(got, g.Text)
			if !strings.Contains(tt.text, g.Quote) || g.Quote == "" {
				t.Errorf("%q: the quote %q is not of it", tt.text, g.Quote)
			}
		}
		all++
		if s := strings.Join(got, "|"); s == tt.want || s != "" && strings.HasSuffix(tt.want, s) {
			right++
		} else {
			t.Logf("%q: %q, want %q", tt.text, s, tt.want)
		}
	}
	if share := float64(right) / float64(all); share < least {
		t.Errorf("%.2f are read rightly, want at least %.2f", share, least)
	}
}

func FuzzGoals(f *testing.F) {
	f.Add("I want to learn the guitar, and my dream is to climb Elbrus in May")
	f.Add("I'm training for a \xff'\"“[ marathon")
	f.Fuzz(func(t *testing.T, text string) {
		for _, g := range Analyze(Utterance{Text: text, At: at0}).Goals {
			if strings.TrimSpace(g.Text) == "" || g.Quote == "" || !strings.Contains(english.Legible(text), g.Quote) {
				t.Fatalf("%q: goal %+v", text, g)
			}
		}
	})
}
