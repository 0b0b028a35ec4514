package memory_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"familiar/memory/entry"
	past "familiar/memory/history"
	"familiar/memory/model"
)

// recorded is what the live store answered at a moment.
type recorded struct {
	at       time.Time
	memories []model.Memory
	believed []string
	found    []string
}

// look records what the town's store answers.
func (w *town) look(query string) recorded {
	w.t.Helper()
	all, err := w.Entries.ListMemories(w.t.Context(), entry.MemoryFilter{Persona: "mira", Limit: 1000})
	if err != nil {
		w.t.Fatal(err)
	}
	return recorded{w.clock.Now(), all, w.believed("ann"), w.finds("ann", query)}
}

// without returns what was recorded without what contains a forgotten word.
func (r recorded) without(words []string) recorded {
	gone := func(text string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(text, word) })
	}
	r.memories = slices.DeleteFunc(slices.Clone(r.memories), func(m model.Memory) bool { return gone(m.Text) })
	r.believed, r.found = slices.DeleteFunc(slices.Clone(r.believed), gone), slices.DeleteFunc(slices.Clone(r.found), gone)
	return r
}

// TestAsOfEqualsWhatWasRecorded lives random histories and compares each day, seen from the end, with what the live store
// answered on it, without what was forgotten later.
func TestAsOfEqualsWhatWasRecorded(t *testing.T) {
	places := []string{"Riga", "Oslo", "Bern", "Cork", "Lyon", "Turku", "Porto", "Gent"}
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 17))
		w := newTown(t)
		w.say("", "ann", "Hello, I am new at the market.")
		var days []recorded
		var forgotten []string
		for d := range 40 {
			word := fmt.Sprintf("zq%dqz", d)
			place := places[r.IntN(len(places))]
			switch r.IntN(6) {
			case 0, 1:
				w.say("", "ann", fmt.Sprintf("I live in %s now, near the %s market.", place, word), fact("lives_in", place))
			case 2:
				w.say("", "ann", fmt.Sprintf("The market of %s sells %s.", place, word))
			case 3:
				if ids := w.ids(); len(ids) > 0 {
					w.recallFor("ann", "what about the market and "+word, ids[r.IntN(len(ids))])
				}
			case 4:
				w.change(r)
			case 5:
				if ids := w.ids(); len(ids) > 5 && d > 20 {
					m, err := w.Entries.Memory(t.Context(), ids[r.IntN(len(ids))])
					if err != nil {
						t.Fatal(err)
					}
					if _, err := w.Eraser.Forget(t.Context(), m.ID); err != nil {
						t.Fatal(err)
					}
					at := strings.Index(m.Text, "zq")
					forgotten = append(forgotten, strings.TrimRight(strings.Fields(m.Text[at:])[0], "."))
				}
			}
			if d > 0 {
				days = append(days, w.look("where is the market?"))
			}
			w.clock.Advance(time.Duration(1+r.IntN(40)) * day / 4)
			w.decay()
		}
		w.compare(seed, days, forgotten)
	}
}

// ids returns the ids of all memories of what was said.
func (w *town) ids() (ids []int64) {
	w.t.Helper()
	for _, m := range w.look("market").memories {
		if m.Origin == model.OriginMessage && strings.Contains(m.Text, "zq") {
			ids = append(ids, m.ID)
		}
	}
	return ids
}

// change pins, moves or unpins a memory as an operator does.
func (w *town) change(r *rand.Rand) {
	w.t.Helper()
	ids := w.ids()
	if len(ids) == 0 {
		return
	}
	id := ids[r.IntN(len(ids))]
	var err error
	if n := r.IntN(3); n < 2 {
		_, err = w.Lifecycle.Pin(w.t.Context(), id, n == 0)
	} else {
		_, err = w.Lifecycle.MoveTier(w.t.Context(), id, func(model.Tier) model.Tier { return model.Tiers[r.IntN(len(model.Tiers))] })
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *town) compare(seed uint64, days []recorded, forgotten []string) {
	w.t.Helper()
	timeline, err := w.History.Timeline(w.t.Context(), "mira")
	if err != nil {
		w.t.Fatal(err)
	}
	for _, was := range days {
		was = was.without(forgotten)
		then := w.asOf(was.at)
		is := then.look("where is the market?")
		then.clock = w.clock
		if fmt.Sprint(textsOf(is.memories)) != fmt.Sprint(textsOf(was.memories)) {
			w.t.Fatalf("seed %d, %s: memories\n%q, they were\n%q", seed, was.at, textsOf(is.memories), textsOf(was.memories))
		}
		for i, m := range is.memories {
			if !sameLife(m, was.memories[i]) {
				w.t.Errorf("seed %d, %s: memory\n%+v, it was\n%+v", seed, was.at, m, was.memories[i])
			}
			s, there := timeline.Life(m.ID).At(was.at)
			if want := (model.DecayModel{}).Retention(was.memories[i], was.at); !there || math.Abs(s.Retention-want) > 1e-6 || s.Tier != m.Tier || s.Pinned != m.Pinned {
				w.t.Errorf("seed %d, %s: the timeline has %+v, %v; it was %+v with %.3f left", seed, was.at, s, there, was.memories[i], want)
			}
		}
		if len(forgotten) == 0 && fmt.Sprint(is.believed) != fmt.Sprint(was.believed) {
			w.t.Errorf("seed %d, %s: believed %q, it was %q", seed, was.at, is.believed, was.believed)
		}
		if len(forgotten) == 0 && fmt.Sprint(is.found) != fmt.Sprint(was.found) {
			w.t.Errorf("seed %d, %s: found\n%q, it was\n%q", seed, was.at, is.found, was.found)
		}
		for _, text := range slices.Concat(is.found, is.believed) {
			if slices.ContainsFunc(forgotten, func(word string) bool { return strings.Contains(text, word) }) {
				w.t.Errorf("seed %d, %s: %q was forgotten", seed, was.at, text)
			}
		}
		if err := then.Close(); err != nil {
			w.t.Fatal(err)
		}
	}
}

func TestCurveShowsUsesAsJumps(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "I keep bees behind the old mill.")
	id, start := w.memoryOf("bees").ID, w.clock.Now()
	w.clock.Advance(60 * day)
	w.recallFor("ann", "tell me of the bees", id)
	w.clock.Advance(60 * day)
	timeline, err := w.History.Timeline(t.Context(), "mira")
	if err != nil {
		t.Fatal(err)
	}
	curve := timeline.Life(id).Curve(start, w.clock.Now(), 100)
	for i, p := range curve[1:] {
		if rises := p.Retention > curve[i].Retention+1e-9; rises != (p.Change == past.Used) {
			t.Errorf("point %d: %+v after %+v", i, p, curve[i])
		}
	}
	if c := timeline.Counts(start.Add(day)); c.Memories[past.Fresh] != 1 || c.Forgotten != 0 {
		t.Errorf("the day after: %+v", c)
	}
}
