package memory_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"familiar/memory"
	"familiar/memory/recall"
)

// TestTalkThatDoesNotFitInMemoryIsStillFound fills a room with more talk than the index may hold. Old lines are found by
// the words that only they have, in any order of the questions; wishes of long ago hold; and what was forgotten in an
// older part is gone.
func TestTalkThatDoesNotFitInMemoryIsStillFound(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	w.wish("", "ann", "Always answer ann briefly", 0.9)
	rare := map[int]string{5: "bassoon", 400: "glockenspiel", 900: "theremin", 1_400: "hurdygurdy"}
	for i := range 1_500 {
		text := fmt.Sprintf("We passed the %s and the %s", sights[i%len(sights)], sights[i*3%len(sights)])
		if word := rare[i]; word != "" {
			text = "Somebody gave me a " + word
		}
		w.say("", "ann", text)
	}
	s, err := memory.Open(t.Context(), w.Path(), memory.Options{Now: w.clock.Now, IndexBytes: 32 << 10})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	find := func(text string) recall.Result {
		t.Helper()
		r, err := s.Recall.Find(t.Context(), w.visibility("", "ann"), recall.Query{
			Text: text, Asker: w.person("ann"), Now: w.clock.Now(), Limit: 5, Budget: 400,
		})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	asked := func(word string) (found bool) {
		for range 16 { // a recall reads one part at most
			for _, h := range find("Who gave me the " + word + "?").Hits {
				found = found || strings.Contains(h.Memory.Text, word)
			}
		}
		return found
	}
	rng := rand.New(rand.NewPCG(1, 1))
	words := []string{"bassoon", "glockenspiel", "theremin", "hurdygurdy"}
	for range 3 {
		for _, at := range rng.Perm(len(words)) {
			if !asked(words[at]) {
				t.Errorf("the %s was not found", words[at])
			}
		}
	}
	if r := find("the orchard"); len(r.Hits) == 0 || !strings.Contains(fmt.Sprint(r.Items), "briefly") {
		t.Errorf("the wish of long ago is not among %v", r.Items)
	}
	gone := find("Who gave me the glockenspiel?").Hits
	if len(gone) == 0 || !strings.Contains(gone[0].Memory.Text, "glockenspiel") {
		t.Fatalf("got %v", gone)
	}
	if _, err := s.Eraser.Forget(t.Context(), gone[0].Memory.ID); err != nil {
		t.Fatal(err)
	}
	if asked("glockenspiel") {
		t.Error("a forgotten line is found in an older part")
	}
	if !asked("theremin") || !asked("hurdygurdy") {
		t.Error("forgetting one line lost others")
	}
	w.say("", "ann", "Somebody gave me a harmonium")
	if !asked("harmonium") || !asked("bassoon") {
		t.Error("a new line is not found, or an old one is lost")
	}
}
