package mind_test

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"familiar/memory/understand"
	"familiar/persona/mind"
)

// talk returns a conversation in which a person and the persona alternate.
func talk(lines ...string) []mind.Said {
	var said []mind.Said
	for i, text := range lines {
		m := mind.Said{Text: text, At: now.Add(time.Duration(i) * time.Minute), Self: i%2 == 1}
		if !m.Self {
			m.Reading = understand.Analyze(understand.Utterance{Text: text, At: m.At})
		}
		said = append(said, m)
	}
	return said
}

var (
	boat = []string{
		"I bought an old wooden boat last month", "A wooden boat! What sort?",
		"A small sailing boat with a rotten deck", "How rotten is the deck?",
		"The wood of the deck is soft everywhere, so the boat leaks", "Then the deck needs new wood before you sail.",
		"Yes, new wood for the deck, then paint the boat", "Paint keeps the wood of a boat dry.",
	}
	exam = []string{
		"My exam in statistics is in June", "How is studying for the statistics exam going?",
		"Badly, the exam covers probability and regression", "Regression is half of every statistics exam.",
		"And probability is the other half of the exam", "Then study probability first.",
	}
)

func TestBoundaries(t *testing.T) {
	filler := []string{"Mm", "Go on"}
	for _, tt := range []struct {
		name string
		talk []mind.Said
		want []mind.Boundary
	}{
		{"nothing", nil, nil},
		{"one topic", talk(boat...), nil},
		{"another topic", talk(append(append([]string{}, boat...), exam...)...), []mind.Boundary{{At: 8, Strength: 0.8}}},
		{
			"by the way", talk(append(append([]string{}, boat[:6]...), "By the way, is it raining?", "It is.")...),
			[]mind.Boundary{{At: 6, Strength: 0.7}},
		},
		{
			"thanks", talk(append(append([]string{}, boat[:4]...), "Thanks!", "Gladly.", "It is a nice deck", "It is.")...),
			[]mind.Boundary{{At: 6, Strength: 0.6}},
		},
		{"too soon to end", talk(append(filler, "Anyway, I have to paint", "Do.")...), nil},
		{"too near", talk("Hm", "Yes", "Hm", "Yes", "By the way, a", "b", "Thanks!", "c", "d", "e", "Anyway, f"), []mind.Boundary{
			{At: 4, Strength: 0.7}, {At: 10, Strength: 0.7}, // done at 8 is weaker
		}},
	} {
		if got := mind.Boundaries(tt.talk); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: got %+v, want %+v", tt.name, got, tt.want)
		}
	}
}

func TestBoundaryProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	words := strings.Fields("boat deck wood paint exam study regression dog walk park rain anyway thanks garden soup that worked")
	for range 150 {
		said := make([]mind.Said, rng.IntN(60))
		for i := range said {
			var b strings.Builder
			for range rng.IntN(9) {
				b.WriteString(words[rng.IntN(len(words))] + " ")
			}
			said[i] = mind.Said{Text: b.String(), Self: rng.IntN(2) == 0}
			said[i].Reading.Phatic, said[i].Reading.Warmth = rng.IntN(5) == 0, rng.Float64()
		}
		last := 0
		for _, b := range mind.Boundaries(said) {
			if b.Strength < 0.5 || b.Strength > 1 || b.At-last < 3 || b.At >= len(said) || said[b.At].Self {
				t.Fatalf("%+v after %d in %d messages", b, last, len(said))
			}
			last = b.At
		}
	}
}
