package prompts_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"familiar/internal/tokens"
	"familiar/prompts"
)

// words returns a text of n distinguishable words.
func words(r *rand.Rand, n int) string {
	var b strings.Builder
	for range n {
		fmt.Fprintf(&b, "w%d ", r.IntN(1000))
	}
	return b.String()
}

func entries(r *rand.Rand, n, long int) []prompts.Entry {
	out := make([]prompts.Entry, n)
	for i := range out {
		out[i] = prompts.Entry{Name: "Ana", Self: r.IntN(2) == 0, Text: words(r, 1+r.IntN(long)), At: at(12, i%60)}
	}
	return out
}

func TestBudgetIsKept(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1))
		in := direct()
		in.Budget = 1500 + r.IntN(8000)
		in.Card.Description = words(r, r.IntN(3000))
		in.Preferences, in.Recent = entries(r, r.IntN(30), 200), entries(r, r.IntN(80), 300)
		in.ToAnswer = entries(r, 1+r.IntN(20), 2000)
		in.Recalled = []prompts.Recalled{{Lines: entries(r, r.IntN(40), 100)}}
		for range r.IntN(60) {
			in.Facts = append(in.Facts, prompts.Fact{Text: words(r, 1+r.IntN(20))})
		}
		p := prompts.Reply(in)
		size := tokens.Estimate(p.System)
		for _, m := range p.Messages {
			size += tokens.Estimate(m.Text)
		}
		// Rounding many small estimates adds up to a few percent.
		if most := in.Budget * 103 / 100; size > most || p.Tokens() > most {
			t.Errorf("seed %d: the prompt takes %d tokens (its slices say %d) of %d: %+v", seed, size, p.Tokens(), in.Budget, p.Slices)
		}
	}
}

func TestTheCurrentMessageIsNeverDroppedSilently(t *testing.T) {
	in := direct()
	in.Budget = 2000
	in.ToAnswer = []prompts.Entry{
		{Name: "Ana", Text: "first words", At: at(12, 0)},
		{Name: "Ana", Text: "BEGIN " + strings.Repeat("blah ", 200_000) + "END", At: at(12, 1)},
		{Name: "Ana", Text: "last words", At: at(12, 2)},
	}
	p := prompts.Reply(in)
	turn := p.Messages[len(p.Messages)-1].Text
	for _, want := range []string{"first words", "BEGIN", "END", "last words", "characters left out"} {
		if !strings.Contains(turn, want) {
			t.Errorf("%q is not in the turn:\n%s", want, turn)
		}
	}
	if got := p.Tokens(); got > in.Budget {
		t.Errorf("the prompt takes %d tokens of %d", got, in.Budget)
	}
}

func TestALongBurstIsTruncatedWithACount(t *testing.T) {
	in := direct()
	in.Budget, in.ToAnswer = 2000, nil
	for i := range 5000 {
		in.ToAnswer = append(in.ToAnswer, prompts.Entry{Name: "Ana", Text: fmt.Sprintf("message %d.", i), At: at(12, 0)})
	}
	p := prompts.Reply(in)
	turn := p.Messages[len(p.Messages)-1].Text
	talk := p.Slices[len(p.Slices)-1]
	if !strings.Contains(turn, "message 0.") || !strings.Contains(turn, "message 4999.") || talk.LeftOut == 0 {
		t.Errorf("first or last message missing, or the cut not counted (%+v):\n%s", talk, turn)
	}
	if shown := strings.Count(turn, "\nAna: message "); !strings.Contains(turn, fmt.Sprintf("(%d entries left out here)", 5000-shown)) {
		t.Errorf("%d messages shown and the mark does not count the rest:\n%s", shown, turn)
	}
}

func TestUnusedBudgetPassesOn(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	in := direct()
	in.Facts, in.Loops, in.Preferences, in.Recalled = nil, nil, nil, nil
	in.Recent = entries(r, 400, 40)
	talk := prompts.Reply(in).Slices[4]
	if talk.Name != prompts.SliceTalk || talk.Tokens < prompts.DefaultBudget*70/100 {
		t.Errorf("with nothing else to show, talk takes %d of %d tokens", talk.Tokens, prompts.DefaultBudget)
	}
}

func TestBoundariesAndExamplesWhenTheCardIsLong(t *testing.T) {
	in := direct()
	in.Budget = 2000
	in.Card.Description = strings.Repeat("on and on ", 5000)
	for i := range 50 {
		in.Card.Examples = append(in.Card.Examples, prompts.Example{Person: fmt.Sprint("question ", i), Persona: "so it is"})
	}
	p := prompts.Reply(in)
	if !strings.Contains(p.System, "Never pretends to be a doctor.") {
		t.Errorf("a boundary was cut:\n%s", p.System)
	}
	if p.Slices[1].LeftOut == 0 || p.Tokens() > in.Budget {
		t.Errorf("examples were not left out for room: %+v", p.Slices)
	}
}

func TestALongOldMessageDoesNotCrowdOutOthers(t *testing.T) {
	in := direct()
	in.Recent = append([]prompts.Entry{{Name: "Ana", Text: "keep me", At: at(1, 0)}},
		prompts.Entry{Name: "Ana", Text: strings.Repeat("long ", 100_000), At: at(2, 0)})
	p := prompts.Reply(in)
	if shown := show(p); !strings.Contains(shown, "keep me") {
		t.Errorf("the message before the long one is gone: %.400s", shown)
	}
}

func TestWindowsHoldEveryMessageOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	in := prompts.ExtractInput{Name: "Mira", Budget: 2000, Relations: []string{"name"}}
	for i, e := range entries(r, 300, 600) {
		in.Messages = append(in.Messages, prompts.Numbered{Number: i + 1, Entry: e})
	}
	next := 1
	for _, w := range in.Windows() {
		for _, m := range w.Messages {
			if m.Number != next {
				t.Fatalf("message %d comes where %d should", m.Number, next)
			}
			next++
		}
		if p := prompts.Extract(w); p.Tokens() > 2000 {
			t.Errorf("a window takes %d tokens of 2000", p.Tokens())
		}
	}
	if next != 301 {
		t.Errorf("%d messages in the windows, want 300", next-1)
	}
}

// TestAnnotatedMessagesFitSmallWindows checks conversations of every kind with models from the smallest configurable window
// up: the prompt and its longest answer fit together.
func TestAnnotatedMessagesFitSmallWindows(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for _, window := range []int{2048, 2600, 3000, 4096, 8192, 128_000} {
		budget := prompts.ExtractBudget(window)
		in := prompts.ExtractInput{Name: "Mira", Relations: []string{"name", "lives_in"}, Budget: budget}
		all := append(entries(r, 60, 600), prompts.Entry{Name: "Ana", Text: strings.Repeat("long ", 10_000), At: at(2, 0)})
		for i, e := range all {
			in.Messages = append(in.Messages, prompts.Numbered{Number: i + 1, Entry: e})
		}
		filed := []prompts.Prompt{prompts.Summary(prompts.SummaryInput{Name: "Mira", Messages: all, Budget: budget})}
		for _, w := range in.Windows() {
			filed = append(filed, prompts.Extract(w))
		}
		for _, p := range filed {
			if took := p.Tokens() + p.MaxTokens; took > window || p.MaxTokens <= 0 {
				t.Errorf("a %s of %d tokens with %d to answer does not fit %d", p.Name, p.Tokens(), p.MaxTokens, window)
			}
		}
		if len(filed) < 3 || budget > prompts.DefaultBudget {
			t.Errorf("a window of %d makes %d prompts of up to %d tokens", window, len(filed), budget)
		}
	}
}
