package memory_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestLinkFindsTheSameWithAnyCache has people return to a few subjects in two languages, under names that are words,
// in their own rooms and a group. A scope read only for linking must give the same pairs as recall's cached index.
func TestLinkFindsTheSameWithAnyCache(t *testing.T) {
	w := newTown(t)
	rng := rand.New(rand.NewPCG(1, 2))
	places := []string{"", "", "club"}
	who := []string{"Rose", "Hunter", "Jürgen"}
	said := []string{
		"I watered the roses behind the %s with Hunter", "We took the ice cream van to the %s again", "Do you know the old %s near Porto?",
		"The icecream at the %s was too sweet", "Ich habe mit Jürgen am alten %s gesessen", "Gestern war das alte %s wieder zu, sagt Rose",
		"Hunter repaired the roof of the %s on 3 May",
	}
	things := []string{"lighthouse", "greenhouse", "harbour", "Leuchtturm", "Gewächshaus"}
	var linked int64
	for i := range 300 {
		text := fmt.Sprintf(said[rng.IntN(len(said))], things[rng.IntN(len(things))])
		w.say(places[rng.IntN(len(places))], who[rng.IntN(len(who))], text)
		if i == 50 {
			w.link()
			linked = w.summarize()[0].Summary.ID - 1
		}
	}
	kept, err := w.Alike(t.Context(), "mira", true)
	if err != nil || len(kept) < 300 {
		t.Fatalf("%d pairs, %v", len(kept), err)
	}
	read, err := w.Alike(t.Context(), "mira", false)
	if err != nil || !slices.Equal(read, kept) {
		t.Errorf("found %d pairs, %v, want the %d found in the cache", len(read), err, len(kept))
	}
	left := slices.DeleteFunc(kept, func(p [2]int64) bool { return p[0] <= linked })
	l := w.link()
	if again := w.link(); l.Memories < 249 || l.Alike != len(left) || again.Memories != 0 {
		t.Errorf("linked %s, then %s, want %d alike", l, again, len(left))
	}
}
