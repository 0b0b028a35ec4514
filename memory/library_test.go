package memory_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"familiar/memory"
	"familiar/memory/belief"
	"familiar/memory/memorytest"
	"familiar/memory/model"
)

func textsOf(memories []model.Memory) (all []string) {
	for _, m := range memories {
		all = append(all, m.Text)
	}
	return all
}

func recalled(t *testing.T, n *memory.Notebook, query string, options ...memory.RecallOption) (all []string) {
	t.Helper()
	hits, err := n.Recall(t.Context(), query, options...)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range hits {
		all = append(all, h.Memory.Text)
	}
	slices.Sort(all)
	return all
}

// TestRecallKeepsToItsSelection narrows one query in every way.
func TestRecallKeepsToItsSelection(t *testing.T) {
	clock := new(memorytest.Clock)
	n := notebook(t, memorytest.OpenAt(t, clock), memory.Owner{Person: "ann"})
	start := clock.Now()
	first := write(t, n, "I saw a boat at the lake.", memory.Tags("Lake Trip"))
	clock.Advance(time.Hour)
	second := write(t, n, "I feel sad about the boat.", memory.As(model.Emotional), memory.Answer("Poor boat!"))
	clock.Advance(time.Minute)
	write(t, n, "The boat is gone.", memory.NewSession())
	lake, sad, gone := "I saw a boat at the lake.", "I feel sad about the boat.", "The boat is gone."
	for name, c := range map[string]struct {
		options []memory.RecallOption
		want    []string
	}{
		"all":         {nil, []string{sad, lake, gone}},
		"after":       {[]memory.RecallOption{memory.After(start)}, []string{sad, gone}},
		"before":      {[]memory.RecallOption{memory.Before(start.Add(time.Hour))}, []string{lake}},
		"between":     {[]memory.RecallOption{memory.After(start), memory.Before(start.Add(61 * time.Minute))}, []string{sad}},
		"session":     {[]memory.RecallOption{memory.InSession(second.SessionID)}, []string{sad}},
		"sector":      {[]memory.RecallOption{memory.Sectors(model.Emotional)}, []string{sad}},
		"tag":         {[]memory.RecallOption{memory.Tagged("lake-trip")}, []string{lake}},
		"own words":   {[]memory.RecallOption{memory.OwnWords(), memory.After(start)}, []string{sad, "Poor boat!", gone}},
		"nothing":     {[]memory.RecallOption{memory.Tagged("hill")}, nil},
		"tag, sector": {[]memory.RecallOption{memory.Tagged("lake-trip"), memory.Sectors(model.Emotional)}, nil},
	} {
		slices.Sort(c.want)
		if got := recalled(t, n, "the boat", c.options...); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	if first.SessionID == second.SessionID || !slices.Equal(first.Tags, []string{"lake-trip"}) {
		t.Errorf("stored %+v, then %+v", first, second)
	}
	newest, err := n.Recent(t.Context(), 2)
	if err != nil || !slices.Equal(textsOf(newest), []string{gone, sad}) {
		t.Errorf("newest %q, %v", textsOf(newest), err)
	}
	if feelings, err := n.Recent(t.Context(), 0, model.Emotional); err != nil || !slices.Equal(textsOf(feelings), []string{sad}) {
		t.Errorf("feelings %q, %v", textsOf(feelings), err)
	}
}

// TestSelectionHoldsForAnswersOverSeveralFacts: what a chain of facts leads to is also left out.
func TestSelectionHoldsForAnswersOverSeveralFacts(t *testing.T) {
	clock := new(memorytest.Clock)
	n := notebook(t, memorytest.OpenAt(t, clock), memory.Owner{Person: "ann"})
	write(t, n, "Rosa is the captain of the Albatross. The Albatross sails to Bergen.")
	said := clock.Now()
	clock.Advance(time.Minute)
	write(t, n, "It rains.")
	if got := recalled(t, n, "Where does the ship of Rosa sail to?", memory.After(said), memory.Weak()); slices.ContainsFunc(got, func(s string) bool { return s[0] == 'R' }) {
		t.Errorf("found %q", got)
	}
}

func TestSessionsOfANotebook(t *testing.T) {
	clock := new(memorytest.Clock)
	s := memorytest.OpenAt(t, clock)
	ann, bob := notebook(t, s, memory.Owner{Person: "ann"}), notebook(t, s, memory.Owner{Person: "bob"})
	if _, err := ann.Session(t.Context(), 0); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("before the first: %v", err)
	}
	first := write(t, ann, "Hello!", memory.Answer("Hello, Ann. The password is hunter2secret."))
	clock.Advance(time.Hour)
	write(t, ann, "It is me again.")
	said, err := ann.Session(t.Context(), first.SessionID)
	if err != nil || len(said) != 2 || said[0].Text != "Hello!" || said[1].PersonID != 0 {
		t.Errorf("session %+v, %v", said, err)
	}
	if last, err := ann.Session(t.Context(), 0); err != nil || len(last) != 1 {
		t.Errorf("latest %+v, %v", last, err)
	}
	if _, err := bob.Session(t.Context(), first.SessionID); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("another's session: %v", err)
	}
	if beliefs, err := ann.Beliefs(t.Context(), belief.Filter{}); err != nil || len(beliefs) != 0 {
		t.Errorf("an answer is evidence: %+v, %v", beliefs, err)
	}
}

func TestCorrectAndConclude(t *testing.T) {
	s := memorytest.Open(t)
	ann, bob := notebook(t, s, memory.Owner{Person: "ann"}), notebook(t, s, memory.Owner{Person: "bob"})
	said := write(t, ann, "My dog is called Rex.")
	beliefs, err := ann.Beliefs(t.Context(), belief.Filter{})
	if err != nil || len(beliefs) != 1 {
		t.Fatalf("%+v, %v", beliefs, err)
	}
	if _, err := bob.Correct(t.Context(), beliefs[0].ID, "Fido"); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("corrected another's belief: %v", err)
	}
	if _, err := ann.Correct(t.Context(), beliefs[0].ID, "Milo"); err != nil {
		t.Fatal(err)
	}
	if now, err := ann.Beliefs(t.Context(), belief.Filter{}); err != nil || len(now) != 1 || now[0].Value != "Milo" {
		t.Errorf("now %+v, %v", now, err)
	}

	if _, err := bob.Conclude(t.Context(), "She likes dogs.", said.ID); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("concluded from another's memory: %v", err)
	}
	if _, err := ann.Conclude(t.Context(), "She likes dogs."); err == nil {
		t.Error("concluded from nothing")
	}
	made, err := ann.Conclude(t.Context(), "Ann is fond of her dog.", said.ID)
	if err != nil || made.Sector != model.Reflective || made.Origin != model.OriginJob {
		t.Fatalf("concluded %+v, %v", made, err)
	}
	if again, err := ann.Conclude(t.Context(), "Ann is fond of her dog.", said.ID); err != nil || again.ID != 0 {
		t.Errorf("again %+v, %v", again, err)
	}
	if _, err := ann.Forget(t.Context(), said.ID); err != nil {
		t.Fatal(err)
	}
	if got := recalled(t, ann, "is she fond of her dog"); slices.Contains(got, made.Text) {
		t.Errorf("the conclusion outlived its source: %q", got)
	}
}

// broken is an embedder that fails.
type broken struct{}

func (broken) Model() string { return "broken" }
func (broken) Embed(context.Context, []string) ([][]float32, error) {
	return nil, errors.New("out of order")
}

func TestRecallFailsWithItsEmbedder(t *testing.T) {
	s := memorytest.Open(t)
	n := notebook(t, s, memory.Owner{Person: "ann"})
	write(t, n, "My dog is called Rex.")
	if _, err := n.Recall(t.Context(), "my dog", memory.Similar(broken{})); err == nil {
		t.Error("no error")
	}
	if _, err := s.EmbedWaiting(t.Context(), broken{}, 0); err == nil {
		t.Error("embedded with a broken embedder")
	}
}
