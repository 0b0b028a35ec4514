package memory_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"familiar/memory"
	"familiar/memory/belief"
	"familiar/memory/entry"
	"familiar/memory/model"
	"familiar/memory/recall"
)

// asOf is the town's store as of a time.
func (w *town) asOf(at time.Time) *town {
	w.t.Helper()
	s, err := w.AsOf(w.t.Context(), at)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() {
		if err := s.Close(); err != nil {
			w.t.Error(err)
		}
	})
	then := *w
	then.Store = s
	return &then
}

// believed lists what is held of a person, as "relation value".
func (w *town) believed(who string) (held []string) {
	w.t.Helper()
	beliefs, err := w.Beliefs.ListBeliefs(w.t.Context(), belief.Filter{Persona: "mira", SubjectPerson: w.person(who)})
	if err != nil {
		w.t.Fatal(err)
	}
	for _, b := range beliefs {
		held = append(held, b.Relation+" "+b.Value)
	}
	slices.Sort(held)
	return held
}

// finds returns the texts that a query of somebody in their direct room finds.
func (w *town) finds(who, query string) (texts []string) {
	w.t.Helper()
	r, err := w.Recall.Find(w.t.Context(), w.visibility("", who), recall.Query{Text: query, Asker: w.person(who), Now: w.clock.Now()})
	if err != nil {
		w.t.Fatal(err)
	}
	for _, h := range r.Hits {
		texts = append(texts, h.Memory.Text)
	}
	return texts
}

func TestAsOfAnswersAsTheStoreDidThen(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "I live in Riga, near the market.", fact("lives_in", "Riga"))
	riga := w.clock.Now()
	w.clock.Advance(40 * day)
	w.say("", "ann", "I moved to Oslo last week.", fact("lives_in", "Oslo"))
	oslo := w.clock.Now()
	w.clock.Advance(day)

	for _, c := range []struct {
		at       time.Time
		believed string
		found    []string
	}{
		{riga, "lives_in Riga", []string{"I live in Riga, near the market."}},
		{oslo.Add(-time.Hour), "lives_in Riga", []string{"I live in Riga, near the market."}},
		{oslo, "lives_in Oslo", []string{"I moved to Oslo last week.", "I live in Riga, near the market."}},
	} {
		then := w.asOf(c.at)
		if got := strings.Join(then.believed("ann"), ", "); got != c.believed {
			t.Errorf("as of %s: believed %q, want %q", c.at, got, c.believed)
		}
		got := then.finds("ann", "where do I live, Riga or Oslo?")
		slices.Sort(got)
		slices.Sort(c.found)
		if !slices.Equal(got, c.found) {
			t.Errorf("as of %s: found %q, want %q", c.at, got, c.found)
		}
	}
	before := w.asOf(riga.Add(-2 * time.Minute))
	if people, err := before.Log.People(t.Context()); err != nil || len(people) != 0 {
		t.Errorf("before they met, the store knew %v, %v", people, err)
	}
}

func TestAsOfCannotBeChanged(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "I keep bees.")
	id := w.memoryOf("bees").ID
	then := w.asOf(w.clock.Now())
	if _, err := then.Lifecycle.Pin(t.Context(), id, true); !errors.Is(err, memory.ErrAsOf) {
		t.Errorf("pinned in the past: %v", err)
	}
}

func TestAsOfShowsTiersUsesAndPinsOfThen(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "I keep bees behind the old mill.")
	id := w.memoryOf("bees").ID
	var times []time.Time
	var were []model.Memory
	note := func() {
		m, err := w.Entries.Memory(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		times, were = append(times, w.clock.Now()), append(were, m)
		w.clock.Advance(3 * day)
	}
	note()
	w.recallFor("ann", "tell me about the bees", id)
	note()
	w.recallFor("ann", "and the mill?", id)
	note()
	for _, change := range []func() error{
		func() error { _, err := w.Lifecycle.Pin(t.Context(), id, true); return err },
		func() error { _, err := w.Lifecycle.Pin(t.Context(), id, false); return err },
		func() error { _, err := w.Lifecycle.MoveTier(t.Context(), id, model.Tier.Promoted); return err },
		func() error { _, err := w.Lifecycle.Expire(t.Context(), id, w.clock.Now().Add(90*day)); return err },
		func() error { _, err := w.Lifecycle.Expire(t.Context(), id, time.Time{}); return err },
	} {
		if err := change(); err != nil {
			t.Fatal(err)
		}
		note()
	}
	for i, at := range times {
		m, err := w.asOf(at).Entries.Memory(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if was := were[i]; !sameLife(m, was) {
			t.Errorf("state %d: as of then\n%+v, it was\n%+v", i, m, was)
		}
	}
}

// sameLife reports whether two states of a memory have the same place in its life.
func sameLife(a, b model.Memory) bool {
	return a.Tier == b.Tier && a.Pinned == b.Pinned && a.Uses == b.Uses && a.Recalls == b.Recalls && a.RecalledAt.Equal(b.RecalledAt) &&
		a.Expires.Equal(b.Expires) && a.ForgetAt.Sub(b.ForgetAt).Abs() < time.Second && a.Strength-b.Strength < 1e-9 && b.Strength-a.Strength < 1e-9
}

func TestS12AsOfNeverShowsWhatWasForgotten(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "My zqcanaryqz is under the third oak.", fact("has", "zqcanaryqz"))
	w.say("", "ann", "I sing in a choir.")
	before := w.clock.Now()
	then := w.asOf(before)
	if got := then.finds("ann", "zqcanaryqz oak"); len(got) == 0 {
		t.Fatal("the canary is not found: the test proves nothing")
	}
	w.clock.Advance(day)
	if _, err := w.Eraser.Forget(t.Context(), w.memoryOf("zqcanaryqz").ID); err != nil {
		t.Fatal(err)
	}
	for name, then := range map[string]*town{"open before": then, "opened after": w.asOf(before)} {
		if got := then.finds("ann", "zqcanaryqz oak"); slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, "canary") }) {
			t.Errorf("%s: found %q", name, got)
		}
		if got := then.believed("ann"); len(got) != 0 {
			t.Errorf("%s: believed %q", name, got)
		}
		found, err := then.Entries.ListMemories(t.Context(), entry.MemoryFilter{Persona: "mira"})
		if err != nil || len(found) != 1 {
			t.Errorf("%s: listed %v, %v", name, found, err)
		}
	}
}

// BenchmarkAsOf recalls from the store as of an earlier time, compared with the store as it is (now-ms/op): open is the first
// question, for which the history is read, search each later one.
func BenchmarkAsOf(b *testing.B) {
	const things = 10_000
	w := talkative(b, things)
	then := w.clock.Now().Add(time.Second)
	w.clock.Advance(time.Hour)
	began := time.Now()
	const repeats = 100
	w.askAboutTheCastle(b)
	for range repeats {
		w.askAboutTheCastle(b)
	}
	now := time.Since(began) / (repeats + 1)
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			s, err := w.AsOf(b.Context(), then)
			if err != nil {
				b.Fatal(err)
			}
			before := *w
			before.Store = s
			before.askAboutTheCastle(b)
			if err := s.Close(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("search", func(b *testing.B) {
		before := w.asOf(then)
		before.askAboutTheCastle(b)
		for b.Loop() {
			before.askAboutTheCastle(b)
		}
		b.ReportMetric(float64(now.Microseconds())/1000, "now-ms/op")
	})
}
