package jobs_test

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"familiar/memory/belief"
	"familiar/memory/entry"
	"familiar/memory/memorytest"
	"familiar/memory/model"
	"familiar/memory/understand"
	"familiar/persona/jobs"
)

// age gives messages the analysis of another version.
func (w *world) age(where string, args ...any) {
	w.t.Helper()
	d := memorytest.SQL(w.t, w.Path())
	defer d.Close()
	if _, err := d.Exec(`UPDATE messages SET analysis = '{"Entities":["Atlantis"]}', analysis_version = analysis_version - 1
		WHERE person_id IS NOT NULL AND `+where, args...); err != nil {
		w.t.Fatal(err)
	}
}

// reread runs the job once.
func (w *world) reread() jobs.Reread {
	w.t.Helper()
	done, err := w.night.RereadOnce(w.t.Context(), w.run("reread"), w.clock.Now())
	if err != nil {
		w.t.Fatal(err)
	}
	return done
}

// stored returns the stored analyses by message text.
func (w *world) stored(ids ...int64) map[string]model.StoredAnalysis {
	w.t.Helper()
	messages, err := w.Log.Messages(w.t.Context(), ids)
	if err != nil {
		w.t.Fatal(err)
	}
	found := map[string]model.StoredAnalysis{}
	for _, m := range messages {
		found[m.Text] = m.Stored
	}
	return found
}

func TestRereadReplacesTheAnalysesOfOtherVersions(t *testing.T) {
	w := newWorld(t)
	w.replies["ann"] = "What is your favourite colour?"
	ids := []int64{w.say("", "ann", "My dog is called Rex")}
	ids = append(ids, w.say("", "ann", "teal"), w.say("", "ann", "I feel sad, and I leave for Oslo tomorrow"), w.say("", "ann", "mm"))
	for i := range 150 {
		ids = append(ids, w.say("", "bob", fmt.Sprintf("Number %d is about the garden gate in Riga.", i)))
	}
	want := w.stored(ids...)
	if done := w.reread(); done != 0 || done.String() != "every message is analysed by this version" {
		t.Fatalf("with nothing to do: %s", done)
	}

	w.age(`id <> ?`, ids[3])
	gone, err := w.Log.MemoriesFromMessages(t.Context(), ids[4:5])
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Eraser.Forget(t.Context(), gone[0]); err != nil {
		t.Fatal(err)
	}
	delete(want, "Number 0 is about the garden gate in Riga.")
	want[""] = model.StoredAnalysis{}
	if done := w.reread(); done != jobs.Reread(len(ids)-2) || done.String() != "analysed 152 messages again" {
		t.Errorf("read again: %s", done)
	}
	if got := w.stored(ids...); !reflect.DeepEqual(got, want) {
		t.Errorf("stored %v\nwant   %v", got, want)
	}
	if done := w.reread(); done != 0 {
		t.Errorf("once more: %s", done)
	}
}

func TestRereadSkipsFactsIfTheCardSaysSo(t *testing.T) {
	w := newWorld(t)
	w.night.Card.WithoutFacts = true
	id := w.say("", "ann", "The author of Dune is Frank Herbert.")
	w.age(`id = ?`, id)
	if done := w.reread(); done != 1 {
		t.Fatalf("read again: %s", done)
	}
	messages, err := w.Log.Messages(t.Context(), []int64{id})
	if err != nil {
		t.Fatal(err)
	}
	if a, ok := messages[0].Stored.Current(); !ok || len(a.Claims) != 0 {
		t.Errorf("stored %+v, %v", a, ok)
	}
	if len(understand.Analyze(understand.Utterance{Text: messages[0].Text, At: time.Now()}).Claims) == 0 {
		t.Error("the text states no fact")
	}
}

// TestFactsAreLeftUnreadBeforeTheReread lets a job read a message before it has a stored analysis again: a fact about the
// world explains a term only to a persona that reads such facts.
func TestFactsAreLeftUnreadBeforeTheReread(t *testing.T) {
	for _, without := range []bool{false, true} {
		w := newWorld(t)
		w.night.Card.WithoutFacts = without
		w.say("", "ann", "I had coffee with Kiipsaare again.")
		w.ponder()
		if got := w.followed("ann", "ann", belief.LoopCuriosity); len(got) != 1 {
			t.Fatalf("wonders about %q", got)
		}
		w.age(`id = ?`, w.say("", "ann", "The author of Kiipsaare is Frank Herbert."))
		w.ponder()
		if got := w.followed("ann", "ann", belief.LoopCuriosity); len(got) == 1 != without {
			t.Errorf("without facts %v, it still wonders about %q", without, got)
		}
	}
}

func TestRereadStoresWhatMessagesTell(t *testing.T) {
	w := newWorld(t)
	const said = "My dog is called Rex"
	message := w.say("", "ann", said)
	told := func() (kinds uint64) {
		d := memorytest.SQL(t, w.Path())
		defer d.Close()
		if err := d.QueryRow(`SELECT told FROM memories WHERE text = ?`, said).Scan(&kinds); err != nil {
			t.Fatal(err)
		}
		return kinds
	}
	want := told()
	if want == 0 {
		t.Fatal("the memory tells nothing")
	}
	w.age(`id = ?`, message)
	if _, err := w.Entries.StoreTold(t.Context(), []entry.Telling{{Message: message, Text: said}}); err != nil || told() != 0 {
		t.Fatalf("the memory still tells %b, %v", told(), err)
	}
	w.reread()
	if got := told(); got != want {
		t.Errorf("after the job the memory tells %b, want %b", got, want)
	}
}
