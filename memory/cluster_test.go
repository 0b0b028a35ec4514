package memory_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"familiar/memory"
	"familiar/memory/entry"
	"familiar/memory/erase"
	"familiar/memory/lifecycle"
	"familiar/memory/model"
	"familiar/memory/recall"
)

func TestSummariesReplaceTheirMembers(t *testing.T) {
	w := newTown(t)
	first := w.lighthouses()
	planned, err := w.Lifecycle.Clusters(t.Context(), "mira")
	if err != nil || len(planned) != 1 || len(planned[0].Members) != 4 {
		t.Fatalf("clusters %+v, %v", planned, err)
	}
	sum := w.summarize()[0].Summary
	m, err := w.Entries.Memory(t.Context(), sum.ID)
	if err != nil || m.Origin != model.OriginJob || len(m.Sources) != 4 || m.JobRun != 8 || m.Text != planned[0].Summary.Text {
		t.Fatalf("summary %+v, %v", m, err)
	}
	if !strings.Contains(m.Text, "ann on") || !strings.Contains(m.Text, "4 times") || !strings.Contains(m.Text, "“I walked to the old lighthouse near Porto”") {
		t.Errorf("it reads %q", m.Text)
	}
	r := w.ask("", "ann", "the old lighthouse near Porto")
	if got := hitTexts(r); got[0] != m.Text || !slices.Contains(got, "I walked to the old lighthouse near Porto") {
		t.Errorf("hits %q", got)
	}
	shown := packed(r)
	if !strings.Contains(shown, "4 times") || strings.Contains(shown, "] ann: We saw the old") {
		t.Errorf("packed:\n%s", shown)
	}
	// A question about one member alone finds it as before.
	if shown := packed(w.ask("", "ann", "what was closed?")); !strings.Contains(shown, "was closed") {
		t.Errorf("packed:\n%s", shown)
	}
	if again, err := w.Lifecycle.Clusters(t.Context(), "mira"); err != nil || len(again) != 0 {
		t.Errorf("again %+v, %v", again, err)
	}
	if n, err := w.Lifecycle.Parent(t.Context(), first); err != nil || n.Memory.ID != sum.ID || n.Level != lifecycle.LevelTopic || n.Children != 4 {
		t.Errorf("parent %+v, %v", n, err)
	}
}

func TestClustersKeepToOneAuthorAndRoom(t *testing.T) {
	w := newTown(t)
	for _, s := range [][2]string{{"", "ann"}, {"club", "ann"}, {"club", "ben"}, {"", "ben"}} {
		w.say(s[0], s[1], "I walked to the old lighthouse near Porto")
		w.say(s[0], s[1], "I ran to the old lighthouse near Porto")
	}
	w.link()
	if got, err := w.Lifecycle.Clusters(t.Context(), "mira"); err != nil || len(got) != 0 {
		t.Errorf("clusters %+v, %v", got, err)
	}
}

func TestARunIsRevertedCompletely(t *testing.T) {
	w := newTown(t)
	w.lighthouses()
	before := w.edges()
	w.summarize()
	if r, err := w.Eraser.Revert(t.Context(), "mira", 8); err != nil || r != (erase.RevertResult{Memories: 1, Edges: 4}) {
		t.Errorf("reverted %+v, %v", r, err)
	}
	if got := w.edges(); !slices.Equal(got, before) {
		t.Errorf("edges %q, before %q", got, before)
	}
	if _, err := w.Eraser.Revert(t.Context(), "mira", 8); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("reverted twice: %v", err)
	}
	if r, err := w.Eraser.Revert(t.Context(), "mira", 7); err != nil || r != (erase.RevertResult{Edges: 6}) {
		t.Errorf("links reverted %+v, %v", r, err)
	}
}

// TestForgettingAMemberForgetsItsSummaries checks two levels, with a word that must not stay anywhere.
func TestForgettingAMemberForgetsItsSummaries(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "I walked to the zqcanaryqz lighthouse near Porto")
	w.say("", "ann", "I ran to the zqcanaryqz lighthouse near Porto")
	w.say("", "ann", "I drew the zqcanaryqz lighthouse near Porto")
	w.link()
	sum := w.summarize()[0].Summary
	topic, err := w.Entries.Remember(t.Context(), entry.NewMemory{
		Persona: "mira", Origin: model.OriginJob, Audience: sum.Audience, Sector: model.Semantic, Text: "ann and zqcanaryqz", Sources: []int64{1},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Lifecycle.AddEdge(t.Context(), model.Edge{From: topic.ID, To: sum.ID, Kind: model.Contains}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Entries.Tag(t.Context(), 1, "zqcanaryqz"); err != nil {
		t.Fatal(err)
	}
	if tree, err := w.Lifecycle.Tree(t.Context(), topic.ID); err != nil || len(tree) != 5 || tree[0].Level != lifecycle.LevelTopic || tree[1].Level != lifecycle.LevelConcept ||
		tree[2].Level != lifecycle.LevelFact || tree[2].Depth != 2 {
		t.Errorf("tree %+v, %v", tree, err)
	}
	if topics, err := w.Lifecycle.Topics(t.Context(), "mira"); err != nil || len(topics) != 1 || topics[0].Memory.ID != topic.ID {
		t.Errorf("topics %+v, %v", topics, err)
	}
	if _, err := w.Eraser.Forget(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	for _, id := range []int64{1, sum.ID, topic.ID} {
		if _, err := w.Entries.Memory(t.Context(), id); !errors.Is(err, memory.ErrNotFound) {
			t.Errorf("memory %d: %v", id, err)
		}
	}
	for _, id := range []int64{2, 3} {
		if _, err := w.Eraser.Forget(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	if rows := rowsWith(contents(t, w), "zqcanaryqz"); rows != "" {
		t.Errorf("left:\n%s", rows)
	}
	if got := w.edges(); len(got) != 0 {
		t.Errorf("edges left: %q", got)
	}
}

func TestHistoryIsTheVersionsOfAMemory(t *testing.T) {
	w := newTown(t)
	told := entry.NewMemory{Persona: "mira", Origin: model.OriginOperator, Audience: model.Audience{Kind: model.World}, Sector: model.Semantic, Text: "closes at ten"}
	one, err := w.Entries.Remember(t.Context(), told)
	if err != nil {
		t.Fatal(err)
	}
	told.Text, told.Supersedes = "closes at eleven", one.ID
	two, err := w.Entries.Remember(t.Context(), told)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []int64{one.ID, two.ID} {
		if v, err := w.Lifecycle.History(t.Context(), id); err != nil || len(v) != 2 || v[0].Text != "closes at ten" || v[1].Text != "closes at eleven" {
			t.Errorf("versions of %d: %+v, %v", id, v, err)
		}
	}
}

func TestTagsFindMemories(t *testing.T) {
	w := newTown(t)
	first := w.lighthouses()
	if tags, err := w.Entries.Tag(t.Context(), first, "Sea Side", "travel", "travel"); err != nil || !slices.Equal(tags, []string{"sea-side", "travel"}) {
		t.Errorf("tags %q, %v", tags, err)
	}
	tagged := func(tag string) []string {
		return hitTexts(w.ask("", "ann", "the old lighthouse", func(q *recall.Query) { q.Tag = tag }))
	}
	if got := tagged("sea side"); !slices.Equal(got, []string{"I walked to the old lighthouse near Porto"}) {
		t.Errorf("found %q", got)
	}
	if got, err := w.Entries.ListMemories(t.Context(), entry.MemoryFilter{Tag: "travel"}); err != nil || len(got) != 1 || got[0].ID != first {
		t.Errorf("listed %+v, %v", got, err)
	}
	if tags, err := w.Entries.Untag(t.Context(), first, "sea side"); err != nil || !slices.Equal(tags, []string{"travel"}) || len(tagged("sea-side")) != 0 {
		t.Errorf("left %q, %v", tags, err)
	}
	if _, err := w.Entries.Tag(t.Context(), 99, "x"); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("a tag on nothing: %v", err)
	}
}
