package memory_test

import (
	"fmt"
	"strings"
	"testing"

	"familiar/memory/entry"
	"familiar/memory/model"
)

// keeper has ann talk about the lighthouse four times, once saying that she lives there.
func (w *town) keeper() {
	w.t.Helper()
	w.say("", "ann", "I walked to the old lighthouse near Porto")
	w.say("", "ann", "I live in the old lighthouse near Porto", fact("lives_in", "Porto"))
	w.say("", "ann", "We saw the old lighthouse near Porto")
	w.say("", "ann", "I drew the old lighthouse near Porto")
	w.link()
}

func (w *town) moves() {
	w.t.Helper()
	w.say("", "ann", "I have a flat in Bergen now", fact("lives_in", "Bergen"))
	w.link()
}

func TestContradictedMemoriesAreNotSummarized(t *testing.T) {
	w := newTown(t)
	w.keeper()
	w.moves()
	if sum := w.summarize()[0]; len(sum.Members) != 3 || strings.Contains(sum.Summary.Text, "I live in") {
		t.Errorf("summed up %+v", sum)
	}
}

// TestASummaryDropsContradictedMembers also covers the summary that contains it. After a revert, both say
// what they said before.
func TestASummaryDropsContradictedMembers(t *testing.T) {
	w := newTown(t)
	w.keeper()
	first := w.summarize()[0].Summary
	if !strings.Contains(first.Text, "“I live in") {
		t.Fatalf("it reads %q", first.Text)
	}
	topic, err := w.Entries.Remember(t.Context(), entry.NewMemory{
		Persona: "mira", Origin: model.OriginJob, Audience: first.Audience, Sector: model.Semantic, Text: "It says: " + first.Text, Sources: []int64{1}, JobRun: summaryRun,
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Lifecycle.AddEdge(t.Context(), model.Edge{From: topic.ID, To: first.ID, Kind: model.Contains, JobRun: summaryRun}); err != nil {
		t.Fatal(err)
	}
	w.moves()
	done, err := w.Lifecycle.SummarizeClusters(t.Context(), "mira", summaryRun+1)
	if err != nil || len(done) != 2 || done[0].Summary.Supersedes != first.ID || done[1].Summary.Supersedes != topic.ID {
		t.Fatalf("made again %+v, %v", done, err)
	}
	for _, cl := range done {
		if strings.Contains(cl.Summary.Text, "I live in") || !strings.Contains(cl.Summary.Text, "3 times") {
			t.Errorf("it reads %q", cl.Summary.Text)
		}
	}
	if members := w.holds(done[0].Summary.ID); len(members) != 4 {
		t.Errorf("it contains %v", members)
	}
	if again, err := w.Lifecycle.SummarizeClusters(t.Context(), "mira", summaryRun+2); err != nil || len(again) != 0 {
		t.Errorf("again %+v, %v", again, err)
	}
	w.more()
	w.link()
	if grown := w.summarize()[0].Summary; strings.Contains(grown.Text, "I live in") || !strings.Contains(grown.Text, "5 times") {
		t.Errorf("grown, it reads %q", grown.Text)
	}
	if _, err := w.Eraser.Revert(t.Context(), "mira", summaryRun+1); err != nil {
		t.Fatal(err)
	}
	for _, id := range []int64{first.ID, topic.ID} {
		if m, err := w.Entries.Memory(t.Context(), id); err != nil || m.SupersededBy != 0 {
			t.Errorf("memory %d reverted: %+v, %v", id, m, err)
		}
	}
}

// TestASummaryOfContradictedMembersSaysSo has one message contradict every member.
func TestASummaryOfContradictedMembersSaysSo(t *testing.T) {
	w := newTown(t)
	for _, verb := range []string{"live", "stay", "sleep"} {
		w.say("", "ann", fmt.Sprintf("I %s in the old lighthouse near Porto", verb), fact("lives_in", "Porto"))
	}
	w.link()
	w.summarize()
	w.moves()
	if sum := w.summarize(); len(sum) != 1 || !strings.HasPrefix(sum[0].Summary.Text, "No longer so: ann on ") {
		t.Errorf("made again %+v", sum)
	}
}
