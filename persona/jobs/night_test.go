package jobs_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"familiar/memory/entry"
	"familiar/memory/model"
)

func TestANightWithoutAModelFindsRecurringTopics(t *testing.T) {
	w := newWorld(t)
	w.weeks(8)
	dreamt, reflected := w.sleep()
	if dreamt.Scopes != 2 || reflected.People != 2 {
		t.Errorf("the night was %v, %v", dreamt, reflected)
	}
	seen := w.texts(model.Observation)
	for _, want := range []string{
		"ann tends to talk about their garden when feeling stressed.", "ann comes back to chess again and again.",
		"bob comes back to their accordion again and again.",
	} {
		if !slices.Contains(seen, want) {
			t.Errorf("%q is not among %q", want, seen)
		}
	}
	if insights := w.texts(model.InsightMoment); !slices.Contains(insights, "I think I see it now: "+seen[0]) {
		t.Errorf("insights %q", insights)
	}
	dreams := w.texts(model.Dream)
	if len(dreams) != 2 || !strings.Contains(dreams[0], "ann's") && !strings.Contains(dreams[0], "chess") || !strings.Contains(dreams[1], "accordion") {
		t.Errorf("dreamt %q", dreams)
	}
	about, err := w.Lifecycle.InferencesAbout(t.Context(), w.hearing("ann"), w.person("ann"), model.Observation, 10)
	if err != nil || len(about) == 0 {
		t.Fatalf("of ann was observed %+v, %v", about, err)
	}
	for _, o := range about {
		m, err := w.Entries.Memory(t.Context(), o.ID)
		if err != nil || m.Salience < 0.7 || len(m.Sources) < 3 || m.JobRun != w.runs || m.Origin != model.OriginJob {
			t.Errorf("an observation is stored as %+v, %v", m, err)
		}
	}
}

func TestARepeatedCorrectionIsALesson(t *testing.T) {
	w := newWorld(t)
	w.say("", "ann", "I live in Rome.")
	for _, city := range []string{"Paris", "Lisbon", "Oslo"} {
		w.say("", "ann", "No, I meant I live in "+city+".")
		w.say("", "ann", "Actually I live in "+city+", not in the city I said before.")
	}
	corrections, err := w.Lifecycle.Corrections(t.Context(), "tess", model.Audience{Kind: model.Private, Ref: w.person("ann")})
	if err != nil || len(corrections) < 3 {
		t.Fatalf("put right were %+v, %v", corrections, err)
	}
	w.sleep()
	want := "ann has put me right about where they live more than once. Next time I ask before I take it for granted."
	if lessons := w.texts(model.Lesson); !slices.Equal(lessons, []string{want}) {
		t.Errorf("lessons %q", lessons)
	}
	if seen := w.texts(model.Observation); !slices.Contains(seen, "ann has had to put right where they live more than once.") {
		t.Errorf("observed %q", seen)
	}
}

func TestAQuietNightDoesNothing(t *testing.T) {
	w := newWorld(t)
	if dreamt, reflected := w.sleep(); dreamt.Scopes != 0 || reflected.People != 0 {
		t.Errorf("with nobody there: %v, %v", dreamt, reflected)
	}
	w.weeks(4)
	w.sleep()
	before := w.contents()
	if dreamt, reflected := w.sleep(); dreamt.Scopes != 0 || reflected.People != 0 {
		t.Errorf("the same night again: %v, %v", dreamt, reflected)
	}
	if after := w.contents(); after != before {
		t.Errorf("the same night again changed the store:\n%s\n%s", before, after)
	}
}

// TestAHundredNightlyRunsCorruptNothing compares messages and beliefs before and after.
func TestAHundredNightlyRunsCorruptNothing(t *testing.T) {
	w := newWorld(t)
	w.say("", "ann", "I live in Rome. My dog is called Rex.")
	w.weeks(6)
	ground := w.ground()
	for range 100 {
		w.rest(24 * time.Hour)
		w.say("club", "bob", "I brought my accordion again") // or nothing would be new
		w.sleep()
	}
	if dreams := w.texts(model.Dream); len(dreams) < 10 {
		t.Fatalf("only %d dreams: the nights did nothing", len(dreams))
	}
	after := w.ground()
	for table, rows := range ground {
		if !strings.HasPrefix(after[table], rows) {
			t.Errorf("%s were changed:\n%s\n%s", table, rows, after[table])
		}
	}
}

func TestADreamIsRevertedAndRepeated(t *testing.T) {
	w := newWorld(t)
	w.weeks(8)
	before := w.ground()
	strengths := w.strengths()
	w.sleep()
	made := [][]string{w.texts(model.Dream), w.texts(model.InsightMoment), w.texts(model.Observation)}
	if w.strengths() == strengths {
		t.Error("nothing was strengthened")
	}
	for _, run := range []int64{w.runBefore, w.runs} {
		if _, err := w.Eraser.Revert(t.Context(), "tess", run); err != nil {
			t.Fatal(err)
		}
	}
	for _, kind := range model.Kinds {
		if left := w.texts(kind); len(left) > 0 {
			t.Errorf("%s is left: %q", kind, left)
		}
	}
	if got := w.strengths(); got != strengths || w.ground()["messages"] != before["messages"] {
		t.Errorf("what was strengthened stayed so:\n%s\n%s", strengths, got)
	}
	w.sleep()
	for i, kind := range []model.Kind{model.Dream, model.InsightMoment, model.Observation} {
		if again := w.texts(kind); !slices.Equal(again, made[i]) {
			t.Errorf("the second time %s is %q, not %q", kind, again, made[i])
		}
	}
}

// TestScopesAreNotMixed has people tell secrets in several scopes: inferences from one contain nothing of another.
func TestScopesAreNotMixed(t *testing.T) {
	w := newWorld(t)
	for range 5 {
		for _, who := range []string{"ann", "bob"} {
			w.say("", who, "I polished my "+who+"direct again")
			w.say("club", who, "I showed everybody my "+who+"club")
			w.say("choir", who, "I sang about "+who+"choir")
		}
		w.rest(26 * time.Hour)
	}
	w.sleep()
	found := 0
	for _, kind := range model.Kinds {
		made, err := w.Entries.ListMemories(t.Context(), entry.MemoryFilter{Kind: kind, Limit: 1000})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range made {
			h := map[string]bool{}
			switch m.Audience {
			case model.Audience{Kind: model.Private, Ref: w.person("ann")}:
				h["anndirect"] = true
			case model.Audience{Kind: model.Private, Ref: w.person("bob")}:
				h["bobdirect"] = true
			default:
				room, err := w.Log.RoomByID(t.Context(), m.Audience.Ref)
				if err != nil {
					t.Fatal(err)
				}
				h["ann"+room.Title], h["bob"+room.Title] = true, true
			}
			for _, who := range []string{"ann", "bob"} {
				for _, place := range []string{"direct", "club", "choir"} {
					if strings.Contains(m.Text, who+place) {
						found++
						if !h[who+place] {
							t.Errorf("%s for %v contains %s: %s", m.Kind, m.Audience, who+place, m.Text)
						}
					}
				}
			}
		}
	}
	if found < 6 {
		t.Errorf("only %d secrets were dreamt or observed: the test cannot fail", found)
	}
}

func TestALongLifeAndNone(t *testing.T) {
	w := newWorld(t)
	id := w.say("", "ann", "I spent the day in my garden")
	w.say("", "bob", "ok")
	w.say("", "eve", "\U0001F600")
	w.multiply(id, 100_000)
	dreamt, reflected := w.sleep()
	if dreamt.Scopes != 3 || reflected.People != 3 || len(w.texts(model.Observation)) == 0 {
		t.Errorf("dreamt %v, reflected %v, observed %q", dreamt, reflected, w.texts(model.Observation))
	}
	if n := len(w.texts(model.Dream)); n != 1 {
		t.Errorf("%d dreams, want one: nothing was said of anything elsewhere", n)
	}
}
