package memory_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"familiar/memory"
	"familiar/memory/belief"
	"familiar/memory/entry"
	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
)

// TestS1ReadsKeepToTheirVisibility plants a unique word in every place, for every person and persona, and looks for each
// word in everything that every visibility can read.
func TestS1ReadsKeepToTheirVisibility(t *testing.T) {
	w := newTown(t)
	personas := []string{"mira", "odo"}
	people := []string{"ann", "bob", "cleo", "dan"}
	// Who talks where. Dan only talks in private.
	groups := map[string][]string{"club": {"ann", "bob"}, "office": {"bob", "cleo"}}

	type planted struct{ persona, place, who, word string }
	var all []planted
	plant := func(persona, place, who string) {
		word := fmt.Sprintf("canary%sx%sx%s", persona, place, who)
		all = append(all, planted{persona, place, who, word})
		turn := w.turn(persona, w.message(place, who, "I keep a "+word), fact("pet_name:bird", word),
			understand.Claim{Kind: rel.Plan, Relation: "plan", Value: word, Many: true, Quote: word})
		turn.Reply.Text = "A " + word + ", really?"
		r := w.record(turn)
		again := w.turn(persona, w.message(place, who, "no, it is an old"+word), understand.Claim{
			Kind: rel.Fact, Value: "old" + word, Corrects: word, Correction: true, Quote: word,
		})
		again.Context = []recall.Item{{MemoryID: 0, BeliefID: r.Changes[0].Belief.ID, Why: word, Lines: []model.SnippetLine{{Text: word}}}}
		w.record(again)
	}
	for _, persona := range personas {
		for _, who := range people {
			plant(persona, "", who)
		}
		for _, place := range []string{"club", "office"} {
			for _, who := range groups[place] {
				plant(persona, place, who)
			}
		}
	}

	// may reports whether a planted word is visible in a place: those of the room itself and, in a direct room, those
	// of the groups its person has spoken in.
	may := func(p planted, persona, place, who string) bool {
		switch {
		case p.persona != persona:
			return false
		case place != "":
			return p.place == place
		case p.place == "":
			return p.who == who
		}
		return slices.Contains(groups[p.place], who)
	}
	rooms, err := w.Log.Rooms(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, persona := range personas {
		for _, room := range rooms {
			h, err := w.Log.Visibility(t.Context(), persona, room.ID)
			if err != nil {
				t.Fatal(err)
			}
			heard := everythingHeard(t, w, h)
			who := strings.TrimPrefix(room.Room.ID, "dm/")
			place := room.Title
			for _, p := range all {
				if got, want := strings.Contains(heard, p.word), may(p, persona, place, who); got != want {
					t.Errorf("%s in %s: hears %s is %v, want %v", persona, room.Room.ID, p.word, got, want)
				}
			}
		}
	}
	var nowhere memory.Visibility
	if heard := everythingHeard(t, w, nowhere); strings.Contains(heard, "canary") {
		t.Errorf("a hearing of nowhere hears %s", heard)
	}
}

// everythingHeard renders the results of all reads that take a Visibility.
func everythingHeard(t *testing.T, w *town, h memory.Visibility) string {
	t.Helper()
	var b strings.Builder
	note := func(v any, err error) {
		t.Helper()
		if err != nil && !strings.Contains(err.Error(), memory.ErrNotFound.Error()) {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%+v\n", v)
	}
	talk, err := w.Recall.Recent(t.Context(), h, 1000)
	note(talk, err)
	memories, err := w.Recall.MemoriesFor(t.Context(), h, 1000)
	note(memories, err)
	beliefs, err := w.Beliefs.Beliefs(t.Context(), h, belief.Filter{IncludeHistory: true, Limit: 1000})
	note(beliefs, err)
	replaced, err := w.ReplacedValues(t.Context(), h)
	note(replaced, err)
	last, err := w.Turns.LastTurn(t.Context(), h)
	note(last, err)
	for _, who := range []string{"ann", "bob", "cleo", "dan"} {
		loops, err := w.Beliefs.Loops(t.Context(), h, w.person(who))
		note(loops, err)
	}
	everything, err := w.Entries.ListMemories(t.Context(), entry.MemoryFilter{Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range everything {
		one, err := w.Turns.MemoryFor(t.Context(), h, m.ID)
		note(one, err)
	}
	return b.String()
}
