package memory_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"familiar/memory"
	"familiar/memory/entry"
	"familiar/memory/erase"
	"familiar/memory/model"
)

// more says two more things about ann's lighthouse: too few for a summary of their own.
func (w *town) more() {
	w.t.Helper()
	w.say("", "ann", "I painted the old lighthouse near Porto")
	w.say("", "ann", "I photographed the old lighthouse near Porto")
}

// TestASummaryGrowsWithItsTopic adds to an existing summary instead of making no summary or a second one.
func TestASummaryGrowsWithItsTopic(t *testing.T) {
	w := newTown(t)
	w.lighthouses()
	first := w.summarize()[0].Summary
	if _, err := w.Entries.Tag(t.Context(), first.ID, "sea"); err != nil {
		t.Fatal(err)
	}
	w.more()
	planned, err := w.Lifecycle.Clusters(t.Context(), "mira")
	if err != nil || len(planned) != 1 || len(planned[0].Members) != 6 || planned[0].Summary.Supersedes != first.ID {
		t.Fatalf("planned %+v, %v", planned, err)
	}
	w.link()
	done, err := w.Lifecycle.SummarizeClusters(t.Context(), "mira", summaryRun+1)
	if err != nil || len(done) != 1 || done[0].Summary.Text != planned[0].Summary.Text || !strings.Contains(done[0].Summary.Text, "6 times") {
		t.Fatalf("summed up %+v, %v", done, err)
	}
	second := done[0].Summary.ID
	m, err := w.Entries.Memory(t.Context(), second)
	if err != nil || len(m.Sources) != 6 || fmt.Sprint(m.Tags) != "[sea]" || m.JobRun != summaryRun+1 {
		t.Errorf("the newer version %+v, %v", m, err)
	}
	if v, err := w.Lifecycle.History(t.Context(), second); err != nil || len(v) != 2 || v[0].ID != first.ID || !strings.Contains(v[0].Text, "4 times") {
		t.Errorf("its history %+v, %v", v, err)
	}
	if members, err := w.Lifecycle.Children(t.Context(), second); err != nil || len(members) != 6 {
		t.Errorf("it contains %+v, %v", members, err)
	}
	if shown := packed(w.ask("", "ann", "the old lighthouse near Porto")); strings.Count(shown, "times") != 1 || !strings.Contains(shown, "6 times") {
		t.Errorf("packed:\n%s", shown)
	}
	w.link()
	if again, err := w.Lifecycle.SummarizeClusters(t.Context(), "mira", summaryRun+2); err != nil || len(again) != 0 {
		t.Errorf("again %+v, %v", again, err)
	}
}

// TestSimilarityIsNotTransitive says something similar to only one member.
func TestSimilarityIsNotTransitive(t *testing.T) {
	w := newTown(t)
	first := w.lighthouses()
	w.summarize()
	w.say("", "ann", "My uncle repairs clocks in the evening")
	if _, err := w.Lifecycle.AddEdge(t.Context(), model.Edge{From: w.memoryOf("uncle").ID, To: first, Kind: model.RelatesTo}); err != nil {
		t.Fatal(err)
	}
	if got, err := w.Lifecycle.Clusters(t.Context(), "mira"); err != nil || len(got) != 0 {
		t.Errorf("clusters %+v, %v", got, err)
	}
}

// TestRevertingGrowthRestoresTheOldSummary also checks its members, and that reverting the first run removes
// everything.
func TestRevertingGrowthRestoresTheOldSummary(t *testing.T) {
	w := newTown(t)
	w.lighthouses()
	first := w.summarize()[0].Summary.ID
	w.more()
	w.link()
	grow := func(run int64) int64 {
		t.Helper()
		done, err := w.Lifecycle.SummarizeClusters(t.Context(), "mira", run)
		if err != nil || len(done) != 1 {
			t.Fatal(done, err)
		}
		return done[0].Summary.ID
	}
	grow(summaryRun + 1)
	if r, err := w.Eraser.Revert(t.Context(), "mira", summaryRun+1); err != nil || r != (erase.RevertResult{Memories: 1, Edges: 2}) {
		t.Errorf("reverted %+v, %v", r, err)
	}
	if m, err := w.Entries.Memory(t.Context(), first); err != nil || m.SupersededBy != 0 {
		t.Errorf("the older version %+v, %v", m, err)
	}
	if members, err := w.Lifecycle.Children(t.Context(), first); err != nil || len(members) != 4 {
		t.Errorf("it contains %+v, %v", members, err)
	}
	if found := fmt.Sprint(hitTexts(w.ask("", "ann", "the old lighthouse near Porto"))); !strings.Contains(found, "4 times") || strings.Contains(found, "6 times") {
		t.Errorf("found %s", found)
	}
	second := grow(summaryRun + 2)
	if _, err := w.Eraser.Revert(t.Context(), "mira", summaryRun); err != nil {
		t.Fatal(err)
	}
	for _, id := range []int64{first, second} {
		if _, err := w.Entries.Memory(t.Context(), id); !errors.Is(err, memory.ErrNotFound) {
			t.Errorf("version %d: %v", id, err)
		}
	}
}

// TestForgettingErasesAllVersionsOfASummary forgets each of its memories in turn.
func TestForgettingErasesAllVersionsOfASummary(t *testing.T) {
	for name, start := range map[string]string{"an old member": "walked", "a new member": "painted", "the summary": "times"} {
		t.Run(name, func(t *testing.T) {
			w := newTown(t)
			w.lighthouses()
			first := w.summarize()[0].Summary.ID
			w.more()
			w.link()
			if _, err := w.Lifecycle.SummarizeClusters(t.Context(), "mira", summaryRun+1); err != nil {
				t.Fatal(err)
			}
			all, err := w.Entries.ListMemories(t.Context(), entry.MemoryFilter{Text: start})
			if err != nil {
				t.Fatal(err)
			}
			id := all[len(all)-1].ID // the oldest: the message's memory, or the summary's first version
			if start == "times" {
				id = all[0].ID
			}
			if _, err := w.Eraser.Forget(t.Context(), id); err != nil {
				t.Fatal(err)
			}
			if left, err := w.Entries.ListMemories(t.Context(), entry.MemoryFilter{Text: "times"}); err != nil || len(left) != 0 {
				t.Errorf("left %+v, %v", left, err)
			}
			if _, err := w.Entries.Memory(t.Context(), first); !errors.Is(err, memory.ErrNotFound) {
				t.Errorf("the older version: %v", err)
			}
		})
	}
}
