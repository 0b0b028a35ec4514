package memory_test

import (
	"strconv"
	"strings"
	"testing"

	"familiar/memory"
	"familiar/memory/belief"
	"familiar/memory/entry"
	"familiar/memory/model"
	"familiar/memory/recall"
)

// TestCachedSessionsFollowTheStore checks everything cached between turns: each change must show in the next read, as in a
// freshly opened store, and in the next read of another process, which has caches of its own.
func TestCachedSessionsFollowTheStore(t *testing.T) {
	w := newTown(t)
	w.say("club", "ann", "My dog Rex loves the ferry", fact("pet_name:dog", "Rex"))
	w.smallTalk("club", "ann")
	read := func(s *memory.Store) string {
		t.Helper()
		h := w.visibility("club", "ann")
		r, err := s.Recall.Find(t.Context(), h, recall.Query{Text: "ferry dog", Now: w.clock.Now(), Budget: 500})
		if err != nil {
			t.Fatal(err)
		}
		beliefs, err := s.Beliefs.Beliefs(t.Context(), h, belief.Filter{})
		if err != nil {
			t.Fatal(err)
		}
		recent, err := s.Recall.Recent(t.Context(), h, 10)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for _, hit := range r.Hits {
			b.WriteString(hit.Memory.Author + ": " + hit.Memory.Text + "\n")
		}
		b.WriteString(packed(r))
		for _, one := range beliefs {
			b.WriteString(one.Subject + " " + one.Value + " " + one.Evidence[0].Author + "\n")
		}
		for _, m := range recent {
			b.WriteString(m.Name + ": " + m.Text + "\n")
		}
		return b.String()
	}
	beside, err := memory.Open(t.Context(), w.Path(), memory.Options{Now: w.clock.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer beside.Close()
	for _, step := range []struct {
		name   string
		change func()
		holds  string // after the change
		lacks  string
	}{
		{"nothing", func() {}, "ann: My dog Rex loves the ferry", "zzz"},
		{"said more", func() { w.say("club", "ann", "The ferry was late, dog and all") }, "The ferry was late", "zzz"},
		{"corrected", func() {
			milo := fact("pet_name:dog", "Milo")
			milo.Corrects, milo.Correction = "Rex", true
			w.say("club", "ann", "Not Rex, my dog is Milo", milo)
		}, belief.MarkCorrected, "zzz"},
		{"renamed", func() {
			m := w.message("club", "ann", "")
			m.Author.Name = "Annette"
			if _, _, err := w.Turns.UpsertParticipant(t.Context(), m); err != nil {
				t.Fatal(err)
			}
		}, "Annette: The ferry was late", "ann: "},
		{"forgotten", func() {
			if _, err := w.Eraser.Forget(t.Context(), w.memoryOf("The ferry was late").ID); err != nil {
				t.Fatal(err)
			}
		}, "Milo", "was late"},
	} {
		step.change()
		got := read(w.Store)
		if !strings.Contains(got, step.holds) || strings.Contains(got, step.lacks) {
			t.Errorf("%s: want %q and not %q in\n%s", step.name, step.holds, step.lacks, got)
		}
		if other := read(beside); other != got {
			t.Errorf("%s: another process reads\n%s\nthis one\n%s", step.name, other, got)
		}
		fresh, err := memory.Open(t.Context(), w.Path(), memory.Options{Now: w.clock.Now})
		if err != nil {
			t.Fatal(err)
		}
		if want := read(fresh); got != want {
			t.Errorf("%s: the cache reads\n%s\nthe record\n%s", step.name, got, want)
		}
		if err := fresh.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestAnEditedMessageIsMarkedAsItReadsNow marks a message before and after it was edited.
func TestAnEditedMessageIsMarkedAsItReadsNow(t *testing.T) {
	w := newTown(t)
	w.say("club", "ann", "My dog is called Rex", fact("pet_name:dog", "Rex"))
	milo := fact("pet_name:dog", "Milo")
	milo.Corrects, milo.Correction = "Rex", true
	w.say("club", "ann", "Not Rex, my dog is Milo", milo)
	h := w.visibility("club", "ann")
	recent, err := w.Recall.Recent(t.Context(), h, 10)
	if err != nil {
		t.Fatal(err)
	}
	m := recent[0]
	for text, want := range map[string]string{
		"My dog is called Rex":    "My dog is called " + belief.MarkCorrected,
		"Rex and I took a ferry":  belief.MarkCorrected + " and I took a ferry",
		"We both took the ferry.": "We both took the ferry.",
	} {
		m.Text = text
		marked, err := w.Recall.MarkedTexts(t.Context(), h, []model.Message{m})
		if err != nil || len(marked) != 1 || marked[0] != want {
			t.Errorf("%q is marked %q, want %q: %v", text, marked, want, err)
		}
	}
}

// TestRecallFindsMoreThanItsCacheHolds recalls more text at once than is cached.
func TestRecallFindsMoreThanItsCacheHolds(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	w.say("", "ann", "hello")
	const limit = 40
	page := strings.Repeat("harbour ", 8000)
	for i := range 2 * limit {
		_, err := w.Entries.Remember(t.Context(), entry.NewMemory{
			Persona: "mira", Audience: model.Audience{Kind: model.World}, Origin: model.OriginOperator, Sector: model.Semantic,
			Text: page + strconv.Itoa(i), Salience: 0.5,
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		r, err := w.Recall.Find(t.Context(), w.visibility("", "ann"), recall.Query{Text: "the harbour", Now: w.clock.Now(), Limit: limit})
		if err != nil || len(r.Hits) != limit {
			t.Fatalf("found %d memories, want %d: %v", len(r.Hits), limit, err)
		}
	}
}
