package jobs_test

import (
	"slices"
	"testing"
	"time"

	"familiar/memory/belief"
	"familiar/persona/jobs"
)

// ponder runs the curiosity job once.
func (w *world) ponder() jobs.CuriosityResult {
	w.t.Helper()
	done, err := w.night.CuriosityOnce(w.t.Context(), w.run("curiosity"), w.clock.Now())
	if err != nil {
		w.t.Fatal(err)
	}
	return done
}

func TestUnexplainedTermsRaiseCuriosity(t *testing.T) {
	for _, tt := range []struct {
		name string
		said []string
		want []string
	}{
		{"a name", []string{"I had coffee with Milo again."}, []string{"Milo"}},
		{"explained at once", []string{"My brother is called Milo.", "I had coffee with Milo again."}, nil},
		{"explained later", []string{"I had coffee with Milo again.", "Milo is my brother."}, nil},
		{"a pet", []string{"My dog is called Bolt.", "We walked for hours, me and Bolt."}, nil},
		{"a place to go to", []string{"Next week we fly to Bergen."}, nil},
		{"what everybody may know", []string{"I use Linux.", "We are reading Dune.", "It snowed on the Brocken."}, nil},
		{"their own name", []string{"They all call for Ann when it rains."}, nil},
		{"the persona's", []string{"I told my sister about Tess."}, nil},
		{"liked is not explained", []string{"I like Kiipsaare.", "I had lunch with Kiipsaare today."}, []string{"Kiipsaare"}},
		{"spoken with is no language", []string{"I talked with Kiipsaare today."}, []string{"Kiipsaare"}},
		{"met is no couple", []string{"Yesterday I met Milo in town."}, []string{"Milo"}},
		{"asked", []string{"Do you know who Milo is?"}, nil},
		{"supposed", []string{"If I met Milo I would run."}, nil},
		{"somebody here", []string{"I had a talk with Bob."}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.say("club", "Bob", "Good morning.")
			w.say("club", "ann", "Good morning.")
			for _, text := range tt.said {
				w.say("", "ann", text)
			}
			w.ponder()
			if got := w.followed("ann", "ann", belief.LoopCuriosity); !slices.Equal(got, tt.want) {
				t.Errorf("wonders about %q, want %q", got, tt.want)
			}
		})
	}
}

func TestAnAnswerEndsCuriosity(t *testing.T) {
	for name, tt := range map[string]struct {
		asked, answer string
		closed        int
	}{
		"answered":           {"Who or what is Milo?", "a friend from the choir", 1},
		"in a sentence":      {"Who or what is Milo?", "he's a friend from the choir", 1},
		"declined":           {"Who or what is Milo?", "I'd rather not say", 1},
		"about another":      {"How was your day?", "a friend from the choir came", 0},
		"a question in turn": {"Who or what is Milo?", "why do you ask?", 0},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.say("", "ann", "I had coffee with Milo.")
			w.ponder()
			w.replies["ann"] = tt.asked
			w.say("", "ann", "Good evening.")
			w.say("", "ann", tt.answer)
			if done := w.ponder(); done.Explained != tt.closed {
				t.Errorf("%+v", done)
			}
		})
	}
}

func TestTermUsesAreCounted(t *testing.T) {
	w := newWorld(t)
	first := w.say("", "ann", "I had coffee with Milo.")
	w.ponder()
	w.rest(24 * time.Hour)
	w.say("", "ann", "Milo and I went swimming.")
	if done := w.ponder(); done.Heard != 1 || done.Terms != 0 {
		t.Errorf("%+v", done)
	}
	terms, err := w.Beliefs.TrackedLoops(t.Context(), w.hearing("ann"), w.person("ann"), belief.LoopCuriosity)
	if err != nil || len(terms) != 1 || terms[0].Mentions != 2 {
		t.Fatalf("%+v, %v", terms, err)
	}
	w.forget(first)
	if got := w.followed("ann", "ann", belief.LoopCuriosity); !slices.Equal(got, []string{"Milo"}) {
		t.Errorf("the other use is gone as well: %q", got)
	}
}

func TestCuriosityKeepsItsAudience(t *testing.T) {
	w := newWorld(t)
	w.say("", "ann", "I had coffee with Milo.")
	w.say("club", "ann", "The weather is fine.")
	w.ponder()
	if got := w.followed("club", "ann", belief.LoopCuriosity); len(got) != 0 {
		t.Errorf("in the group: %q", got)
	}
	before := w.all()
	if done := w.ponder(); done != (jobs.CuriosityResult{}) || w.all() != before {
		t.Errorf("a run with nothing new: %+v", done)
	}
}

func TestCuriosityIsBoundedByQuestionsPerDay(t *testing.T) {
	w := newWorld(t)
	for i := range 70 {
		w.say("", "ann", "I bumped into Ka"+string(rune('a'+i%26))+string(rune('a'+i/26))+" at the market.")
	}
	w.ponder()
	if got := w.followed("ann", "ann", belief.LoopCuriosity); len(got) != 50 {
		t.Errorf("wonders about %d terms", len(got))
	}
}
