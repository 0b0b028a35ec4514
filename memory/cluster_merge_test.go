package memory_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"familiar/memory/entry"
	"familiar/memory/lifecycle"
	"familiar/memory/model"
)

// together has ann say some lines and links each to the one before.
func (w *town) together(lines ...string) {
	w.t.Helper()
	var before int64
	for _, line := range lines {
		w.say("", "ann", line)
		id := w.memoryOf(line).ID
		if before != 0 {
			w.relate(id, before)
		}
		before = id
	}
}

func (w *town) relate(from, to int64) {
	w.t.Helper()
	if _, err := w.Lifecycle.AddEdge(w.t.Context(), model.Edge{From: from, To: to, Kind: model.RelatesTo}); err != nil {
		w.t.Fatal(err)
	}
}

// twoSummaries makes two summaries of the same subject, the older first, before their similarity was known.
func (w *town) twoSummaries() (older, younger int64) {
	w.t.Helper()
	w.together("I walked to the old lighthouse near Porto", "I ran to the old lighthouse near Porto", "I rode to the old lighthouse near Porto")
	older = w.summarize()[0].Summary.ID
	w.together("I sailed to the old lighthouse near Porto", "I swam to the old lighthouse near Porto", "I drove to the old lighthouse near Porto")
	younger = w.summarize()[0].Summary.ID
	w.relate(younger, older)
	return older, younger
}

// mergeRun is the id of the run that merges.
const mergeRun = summaryRun + 1

// merge is a run that merges two summaries and does nothing else.
func (w *town) merge() lifecycle.Cluster {
	w.t.Helper()
	planned, err := w.Lifecycle.Clusters(w.t.Context(), "mira")
	if err != nil || len(planned) != 1 || planned[0].Merged == 0 {
		w.t.Fatalf("planned %+v, %v", planned, err)
	}
	done, err := w.Lifecycle.SummarizeClusters(w.t.Context(), "mira", mergeRun)
	if err != nil || len(done) != 1 || done[0].Summary.Text != planned[0].Summary.Text {
		w.t.Fatalf("merged %+v, %v, planned %+v", done, err, planned)
	}
	return done[0]
}

// holds returns the members of a memory.
func (w *town) holds(id int64) (members []int64) {
	w.t.Helper()
	nodes, err := w.Lifecycle.Children(w.t.Context(), id)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, n := range nodes {
		members = append(members, n.Memory.ID)
	}
	return members
}

func TestSummariesOfTheSameTopicMerge(t *testing.T) {
	w := newTown(t)
	older, younger := w.twoSummaries()
	if _, err := w.Entries.Tag(t.Context(), younger, "sea"); err != nil {
		t.Fatal(err)
	}
	cl := w.merge()
	one := cl.Summary
	if cl.Merged != younger || one.Supersedes != older || !strings.Contains(one.Text, "6 times") || len(w.holds(one.ID)) != 6 {
		t.Errorf("merged %+v with %v", cl, w.holds(one.ID))
	}
	m, err := w.Entries.Memory(t.Context(), one.ID)
	if err != nil || m.JobRun != mergeRun || len(m.Sources) != 6 || !slices.Equal(m.Tags, []string{"sea"}) {
		t.Errorf("it is %+v, %v", m, err)
	}
	for _, id := range []int64{older, younger} {
		if m, err := w.Entries.Memory(t.Context(), id); err != nil || m.SupersededBy != one.ID || len(w.holds(id)) != 0 {
			t.Errorf("summary %d is %+v, %v and contains %v", id, m, err, w.holds(id))
		}
	}
	if trace := fmt.Sprintf("%d merged_into %d 0", younger, one.ID); !slices.Contains(w.edges(), trace) {
		t.Errorf("no %q in %q", trace, w.edges())
	}
	if shown := packed(w.ask("", "ann", "the old lighthouse near Porto")); strings.Count(shown, " times") != 1 || !strings.Contains(shown, "6 times") {
		t.Errorf("packed:\n%s", shown)
	}
	w.link()
	if again, err := w.Lifecycle.SummarizeClusters(t.Context(), "mira", mergeRun+1); err != nil || len(again) != 0 {
		t.Errorf("again %+v, %v", again, err)
	}
}

// TestRevertingAMergeSeparatesItsMembers also covers a summary that grew since, and reverting the run that made the
// younger of the two.
func TestRevertingAMergeSeparatesItsMembers(t *testing.T) {
	for name, run := range map[string]int64{"the merger": mergeRun, "the younger one": 20} {
		t.Run(name, func(t *testing.T) {
			w := newTown(t)
			w.together("I walked to the old lighthouse near Porto", "I ran to the old lighthouse near Porto", "I rode to the old lighthouse near Porto")
			older := w.summarize()[0].Summary.ID
			w.together("I sailed to the old lighthouse near Porto", "I swam to the old lighthouse near Porto", "I drove to the old lighthouse near Porto")
			made, err := w.Lifecycle.SummarizeClusters(t.Context(), "mira", 20)
			if err != nil || len(made) != 1 {
				t.Fatal(made, err)
			}
			younger := made[0].Summary.ID
			was := [][]int64{w.holds(older), w.holds(younger)}
			w.relate(younger, older)
			w.merge()
			w.more()
			w.link()
			if grown, err := w.Lifecycle.SummarizeClusters(t.Context(), "mira", mergeRun+1); err != nil || len(grown) != 1 || len(grown[0].Members) != 8 {
				t.Fatalf("grown %+v, %v", grown, err)
			}
			if _, err := w.Eraser.Revert(t.Context(), "mira", run); err != nil {
				t.Fatal(err)
			}
			if m, err := w.Entries.Memory(t.Context(), younger); run == mergeRun && (err != nil || m.SupersededBy != 0 || !slices.Equal(w.holds(younger), was[1])) {
				t.Errorf("the younger is %+v, %v and contains %v, want %v", m, err, w.holds(younger), was[1])
			} else if run != mergeRun && err == nil {
				t.Errorf("the younger is left: %+v", m)
			}
			for _, member := range was[0] {
				if !slices.Contains(w.holds(older), member) {
					t.Errorf("the older contains %v, want %v", w.holds(older), was[0])
				}
			}
			for _, member := range was[1] {
				if slices.Contains(w.holds(older), member) {
					t.Errorf("the older contains %d of the younger: %v", member, w.holds(older))
				}
			}
			if m, err := w.Entries.Memory(t.Context(), older); err != nil || m.SupersededBy != 0 {
				t.Errorf("the older is %+v, %v", m, err)
			}
		})
	}
}

// TestForgettingAMemberForgetsTheMerge leaves no summary that quotes the member.
func TestForgettingAMemberForgetsTheMerge(t *testing.T) {
	w := newTown(t)
	w.twoSummaries()
	w.merge()
	all, err := w.Entries.ListMemories(t.Context(), entry.MemoryFilter{Text: " swam "})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Eraser.Forget(t.Context(), all[len(all)-1].ID); err != nil { // the oldest: the message's memory
		t.Fatal(err)
	}
	if left := rowsWith(contents(t, w), " swam "); left != "" {
		t.Errorf("left:\n%s", left)
	}
	if left, err := w.Entries.ListMemories(t.Context(), entry.MemoryFilter{Text: " times"}); err != nil || len(left) != 0 {
		t.Errorf("left %+v, %v", left, err)
	}
}

// TestDifferentMemoriesStaySeparate has linked summaries of different subjects, and one to which the operator added a
// member.
func TestDifferentMemoriesStaySeparate(t *testing.T) {
	t.Run("different things", func(t *testing.T) {
		w := newTown(t)
		w.together("I walked to the old lighthouse near Porto", "I ran to the old lighthouse near Porto", "I rode to the old lighthouse near Porto")
		first := w.summarize()[0].Summary.ID
		w.together("I baked a rye bread with cumin", "I burned a rye bread with cumin", "I sold a rye bread with cumin")
		w.relate(w.summarize()[0].Summary.ID, first)
		if got, err := w.Lifecycle.Clusters(t.Context(), "mira"); err != nil || len(got) != 0 {
			t.Errorf("clusters %+v, %v", got, err)
		}
	})
	t.Run("of the operator's making", func(t *testing.T) {
		w := newTown(t)
		_, younger := w.twoSummaries()
		w.say("", "ann", "My uncle repairs clocks in the evening")
		if _, err := w.Lifecycle.AddEdge(t.Context(), model.Edge{From: younger, To: w.memoryOf("uncle").ID, Kind: model.Contains}); err != nil {
			t.Fatal(err)
		}
		if got, err := w.Lifecycle.Clusters(t.Context(), "mira"); err != nil || len(got) != 0 {
			t.Errorf("clusters %+v, %v", got, err)
		}
	})
}
