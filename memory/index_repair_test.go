package memory_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"familiar/internal/torture"
	"familiar/memory"
	"familiar/memory/entry"
	"familiar/memory/model"
	"familiar/memory/recall"
)

// TestAnUpdatedIndexFindsTheSameAsARebuiltOne changes somebody's memories at random between recalls. The results must equal
// those of a freshly opened store.
func TestAnUpdatedIndexFindsTheSameAsARebuiltOne(t *testing.T) {
	t.Parallel()
	for seed := range uint64(torture.Rounds(2, 4)) {
		w, rng := newTown(t), rand.New(rand.NewPCG(seed, 1))
		begun := w.clock.Now()
		for range 20 {
			w.babble(rng)
		}
		for step := range 40 {
			what := fmt.Sprintf("seed %d, step %d, %s", seed, step, w.changeSomething(rng, begun))
			text := sights[rng.IntN(len(sights))] + " " + sights[rng.IntN(len(sights))]
			compareAfresh(t, w, what, func(s *memory.Store) string { return w.found(s, text) })
		}
	}
}

// sights are what people in these tests talk about.
var sights = strings.Fields("harbour windmill orchard chapel viaduct quarry lagoon foundry")

// babble has ann say something about two sights.
func (w *town) babble(rng *rand.Rand) {
	w.t.Helper()
	w.say("", "ann", fmt.Sprintf("We passed the %s and the %s", sights[rng.IntN(len(sights))], sights[rng.IntN(len(sights))]))
}

// tellOfASight has the operator write something about a sight; it supersedes instead unless that is 0.
func (w *town) tellOfASight(rng *rand.Rand, instead int64) {
	w.t.Helper()
	w.clock.Advance(time.Minute)
	sight := sights[rng.IntN(len(sights))]
	_, err := w.Entries.Remember(w.t.Context(), entry.NewMemory{
		Persona: "mira", Audience: model.Audience{Kind: model.Private, Ref: w.person("ann")}, Origin: model.OriginOperator, Sector: model.Semantic,
		Text: fmt.Sprintf("The %s was built in year %d", sight, rng.IntN(100)), Salience: rng.Float64(), Instruction: rng.IntN(4) == 0,
		Entities: []string{sight}, Supersedes: instead,
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

// changeSomething changes one memory, or lets some fade, and says what it did.
func (w *town) changeSomething(rng *rand.Rand, begun time.Time) string {
	w.t.Helper()
	all, err := w.Entries.ListMemories(w.t.Context(), entry.MemoryFilter{Limit: 1000})
	if err != nil {
		w.t.Fatal(err)
	}
	m := all[rng.IntN(len(all))]
	switch rng.IntN(7) {
	case 0:
		w.babble(rng)
		return "said"
	case 1:
		w.tellOfASight(rng, 0)
		return "told"
	case 2:
		if i := slices.IndexFunc(all, func(m model.Memory) bool { return m.Origin == model.OriginOperator }); i >= 0 {
			w.tellOfASight(rng, all[i].ID)
		}
		return "told anew"
	case 3:
		_, err = w.Lifecycle.Pin(w.t.Context(), m.ID, !m.Pinned)
	case 4:
		_, err = w.Lifecycle.MoveTier(w.t.Context(), m.ID, func(from model.Tier) model.Tier {
			if from == model.Dormant {
				return model.Short
			}
			return model.Dormant
		})
	case 5:
		_, err = w.Lifecycle.Decay(w.t.Context(), begun.Add(lasting+time.Duration(rng.IntN(30))*time.Minute))
	default:
		_, err = w.Lifecycle.Decay(w.t.Context(), begun.Add(2*lasting+time.Duration(rng.IntN(30))*time.Minute))
	}
	if err != nil {
		w.t.Fatal(err)
	}
	return "pinned or moved"
}

// found renders what s recalls about text, with the scores.
func (w *town) found(s *memory.Store, text string) string {
	w.t.Helper()
	r, err := s.Recall.Find(w.t.Context(), w.visibility("", "ann"), recall.Query{Text: text, Asker: w.person("ann"), Now: w.clock.Now(), Limit: 50, Budget: 400})
	if err != nil {
		w.t.Fatal(err)
	}
	var b strings.Builder
	fmt.Fprintln(&b, text)
	for _, hit := range r.Hits {
		fmt.Fprintf(&b, "%.3f %d %s\n", hit.Score, hit.Memory.ID, hit.Memory.Text)
	}
	return b.String() + packed(r)
}

// compareAfresh compares reads of the store in use with those of a freshly opened one.
func compareAfresh(t *testing.T, w *town, what string, read func(s *memory.Store) string) {
	t.Helper()
	fresh, err := memory.Open(t.Context(), w.Path(), memory.Options{Now: w.clock.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer fresh.Close() //nolint:errcheck // it only reads
	if got, want := read(w.Store), read(fresh); got != want {
		t.Fatalf("%s: the cache reads\n%s\nthe record\n%s", what, got, want)
	}
}
