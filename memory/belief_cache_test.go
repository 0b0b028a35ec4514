package memory_test

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"familiar/memory/belief"
	"familiar/memory/model"
)

// Beliefs that the cache updates equal beliefs read from the store, after any messages in any room.
func TestCachedBeliefsEqualFreshOnes(t *testing.T) {
	w := newTown(t)
	rng := rand.New(rand.NewPCG(3, 7))
	sayings := strings.Split(`I live in Oslo|I moved to Bergen|I like jazz|I don't like jazz|I hate jazz|my dog is called Rex|not Rex, Milo|`+
		`my sister is called Eva|my other sister is called Ida|Rex died|I no longer live in Oslo|The capital of Ruritania is Zenda.|`+
		`The capital of Ruritania is Strelsau.|Zenda's child is Ann Lee.|Zenda's child is Bo Lee.|I used to live in Riga|`+
		`Bob lives in Leeds|my number is 555 1234|my new number is 555 7777`, "|")
	people, places := []string{"ann", "bob"}, []string{"", "club"}
	for _, who := range people {
		w.tell("club", who, "hello all")
	}
	read := func(place, who string) (beliefs []model.Belief, replaced []belief.Replacement) {
		h := w.visibility(place, who)
		beliefs, err := w.Beliefs.Beliefs(t.Context(), h, belief.Filter{IncludeHistory: true})
		if err != nil {
			t.Fatal(err)
		}
		if replaced, err = w.ReplacedValues(t.Context(), h); err != nil {
			t.Fatal(err)
		}
		return beliefs, replaced
	}
	for range 150 {
		said := sayings[rng.IntN(len(sayings))]
		w.clock.Advance(time.Duration(rng.IntN(2)) * time.Minute)
		w.tell(places[rng.IntN(2)], people[rng.IntN(2)], said)
		place, who := places[rng.IntN(2)], people[rng.IntN(2)]
		grown, marks := read(place, who)
		var again []model.Belief
		var anew []belief.Replacement
		w.ReadingAnew(func() { again, anew = read(place, who) })
		if !reflect.DeepEqual(grown, again) || !reflect.DeepEqual(marks, anew) {
			t.Fatalf("after %q:\n%+v\n%+v\nread again:\n%+v\n%+v", said, grown, marks, again, anew)
		}
	}
}
