package memory_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"familiar/memory"
	"familiar/memory/belief"
	"familiar/memory/lifecycle"
	"familiar/memory/memorytest"
	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/memory/transfer"
	"familiar/memory/turns"
)

// lighthouses says four similar things by ann among small talk and returns the first one's id.
func (w *town) lighthouses() (first int64) {
	w.t.Helper()
	for i, text := range []string{
		"I walked to the old lighthouse near Porto", "We saw the old lighthouse near Porto", "The old lighthouse near Porto was closed",
		"I drew the old lighthouse near Porto",
	} {
		w.say("", "ann", text)
		if i == 0 {
			first = w.memoryOf(text).ID
		}
	}
	w.smallTalk("", "ann")
	w.link()
	return first
}

func (w *town) link() lifecycle.LinkResult {
	w.t.Helper()
	l, err := w.Lifecycle.Link(w.t.Context(), "mira", 7)
	if err != nil {
		w.t.Fatal(err)
	}
	return l
}

// summaryRun is the id of the job run that summarizes.
const summaryRun = 8

// summarize runs SummarizeClusters.
func (w *town) summarize() []lifecycle.Cluster {
	w.t.Helper()
	done, err := w.Lifecycle.SummarizeClusters(w.t.Context(), "mira", summaryRun)
	if err != nil || len(done) == 0 {
		w.t.Fatalf("summed up %v, %v", done, err)
	}
	return done
}

// edges renders all edges, heaviest first.
func (w *town) edges() (all []string) {
	w.t.Helper()
	edges, err := w.Lifecycle.Edges(w.t.Context(), "mira", 0, 1000)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, e := range edges {
		all = append(all, fmt.Sprintf("%d %s %d %.4g", e.From, e.Kind, e.To, e.Weight))
	}
	return all
}

func TestLinkConnectsSimilarMemoriesOnce(t *testing.T) {
	w := newTown(t)
	w.say("club", "ben", "We saw the old lighthouse near Porto") // another audience: not linked to any of ann's
	w.lighthouses()
	if got := w.edges(); len(got) != 6 || got[0] != "3 relates_to 2 0.5" {
		t.Errorf("edges %q", got)
	}
	if l := w.link(); l.Memories != 0 || l.Alike != 0 {
		t.Errorf("linked again: %s", l)
	}
	w.say("", "ann", "The old lighthouse near Porto is open")
	if l := w.link(); l.Memories != 1 || l.Alike != 4 {
		t.Errorf("one more: %s", l)
	}
}

func TestLinkConnectsContradictions(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "I live in Oslo", fact("lives_in", "Oslo"))
	w.say("", "ann", "I live in Bergen now", fact("lives_in", "Bergen"))
	w.say("", "ann", "I like rain", fact("likes", "rain"))
	if l := w.link(); l.Contradicting != 1 {
		t.Errorf("linked: %s", l)
	}
	if got := w.edges(); !slices.Equal(got, []string{"2 contradicts 1 0.9"}) {
		t.Errorf("edges %q", got)
	}
}

// TestContradictionsFoundLaterAreLinked has a message that arrives late, an operator's note, and a session refined
// after link has read all of it.
func TestContradictionsFoundLaterAreLinked(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "hello")
	w.operatorTells("ann", "Ann lives in Riga.", of("ann", fact("lives_in", "Riga")))
	oslo := w.say("", "ann", "I live in Oslo", fact("lives_in", "Oslo"))
	w.link()
	late := w.message("", "ann", "I live in Turku")
	late.At = late.At.Add(-2 * time.Minute)
	w.record(w.turn("mira", late, fact("lives_in", "Turku")))
	w.link()
	moved := w.say("", "ann", "The new flat in Bergen is lovely")
	w.link()
	told, first, before, now := w.memoryOf("Riga").ID, w.memoryOf("Oslo").ID, w.memoryOf("Turku").ID, w.memoryOf("Bergen").ID
	want := []string{fmt.Sprintf("%d contradicts %d 0.9", first, told), fmt.Sprintf("%d contradicts %d 0.9", first, before)}
	if got := w.edges(); !slices.Equal(got, want) {
		t.Errorf("edges %q, want %q", got, want)
	}
	w.end(oslo, "standard")
	if _, err := w.Turns.RefineSession(t.Context(), turns.Refinement{ID: moved.SessionID, JobRun: 5, Claims: []belief.AttributedClaim{{
		Claim: fact("lives_in", "Bergen"), AuthorID: w.person("ann"), SubjectPerson: w.person("ann"), MessageID: moved.MessageIDs[0], At: w.clock.Now(),
	}}}); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(w.edges(), "\n"); !strings.Contains(got, fmt.Sprintf("%d contradicts %d 0.9", now, first)) {
		t.Errorf("after a second reading:\n%s", got)
	}
}

func TestRecallingTogetherStrengthensEdges(t *testing.T) {
	w := newTown(t)
	first := w.lighthouses()
	w.recallFor("ann", "and?", first, first+1)
	w.recallFor("ann", "and then?", first, first+1)
	w.recallFor("ann", "and now?", first)
	if l := w.link(); l.Strengthened != 2 {
		t.Errorf("linked: %s", l)
	}
	if got := w.edges()[0]; got != fmt.Sprintf("%d relates_to %d 0.5488", first+1, first) {
		t.Errorf("the heaviest is %s", got)
	}
}

func TestUnusedEdgesWeakenAndExpire(t *testing.T) {
	w := newTown(t)
	first := w.lighthouses()
	if _, err := w.Lifecycle.AddEdge(t.Context(), model.Edge{From: first, To: first + 3, Kind: model.Contains}); err != nil {
		t.Fatal(err)
	}
	consolidate := func() lifecycle.Consolidation {
		t.Helper()
		would, err := w.Lifecycle.PlanConsolidation(t.Context(), "mira", w.clock.Now())
		if err != nil {
			t.Fatal(err)
		}
		r, err := w.Lifecycle.Consolidate(t.Context(), "mira", 9, w.clock.Now())
		if err != nil || would.Weakened != r.Weakened || would.Pruned != r.Pruned {
			t.Fatalf("would %s, did %s, %v", would, r, err)
		}
		return r
	}
	w.clock.Advance(29 * day)
	if r := consolidate(); r.Weakened != 0 {
		t.Errorf("after 29 days: %s", r)
	}
	w.clock.Advance(day)
	if r := consolidate(); r.Weakened != 6 || r.Pruned != 0 {
		t.Errorf("after 30 days: %s", r)
	}
	if r := consolidate(); r.Weakened != 0 {
		t.Errorf("at once again: %s", r)
	}
	// 0.5·0.9^n falls below 0.05 with the 22nd month.
	months := int(math.Ceil(math.Log(0.1) / math.Log(0.9)))
	for range months - 2 {
		w.clock.Advance(30 * day)
		consolidate()
	}
	w.clock.Advance(30 * day)
	if r := consolidate(); r.Pruned == 0 {
		t.Errorf("in the end: %s", r)
	}
	if got := strings.Join(w.edges(), "\n"); strings.Contains(got, "relates_to") || !strings.Contains(got, "contains") {
		t.Errorf("left:\n%s", got)
	}
}

func TestRecallSpreadsOneHop(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "My cello teacher is called Ingrid")
	w.smallTalk("", "ann")
	w.say("", "ann", "Lessons are on Tuesdays at five")
	w.smallTalk("", "ben")
	cello, lessons := w.memoryOf("cello").ID, w.memoryOf("Tuesdays").ID
	found := func() bool {
		return slices.Contains(strongTexts(w.ask("", "ann", "cello teacher")), "Lessons are on Tuesdays at five")
	}
	if found() {
		t.Fatal("it is found without the edge")
	}
	e, err := w.Lifecycle.AddEdge(t.Context(), model.Edge{From: lessons, To: cello, Kind: model.RelatesTo})
	if err != nil || e.Weight != 0.5 {
		t.Fatal(e, err)
	}
	if !found() {
		t.Error("the edge leads nowhere")
	}
	r := w.ask("", "ann", "cello teacher", func(q *recall.Query) { q.Explain = true })
	if i := slices.Index(hitTexts(r), "Lessons are on Tuesdays at five"); i > 0 && r.Hits[i].Score > 0.3*r.Hits[0].Score {
		t.Errorf("it is not damped: %v of %v", r.Hits[i].Score, r.Hits[0].Score)
	}
	if n, err := w.Lifecycle.RemoveEdge(t.Context(), lessons, cello, ""); err != nil || n != 1 || found() {
		t.Errorf("parted %d, %v, still found %v", n, err, found())
	}
	if _, err := w.Lifecycle.RemoveEdge(t.Context(), lessons, cello, ""); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("parted twice: %v", err)
	}
}

func TestInvalidEdges(t *testing.T) {
	w := newTown(t)
	for _, text := range []string{"one thing", "another thing", "a third thing"} {
		w.say("", "ann", text)
	}
	w.say("", "ben", "what ben said")
	for _, e := range [][2]int64{{1, 2}, {2, 3}} {
		if _, err := w.Lifecycle.AddEdge(t.Context(), model.Edge{From: e[0], To: e[1], Kind: model.Contains}); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		edge model.Edge
		want string
	}{
		{model.Edge{From: 1, To: 4, Kind: model.RelatesTo}, "different audiences"},
		{model.Edge{From: 1, To: 1, Kind: model.RelatesTo}, "to itself"},
		{model.Edge{From: 1, To: 2, Kind: "knows"}, "unknown kind of edge"},
		{model.Edge{From: 1, To: 2, Kind: model.RelatesTo, Weight: 2}, "not within 0–1"},
		{model.Edge{From: 3, To: 1, Kind: model.Contains}, "cannot form a cycle"},
		{model.Edge{From: 1, To: 3, Kind: model.Contains}, "already contained in 2"},
		{model.Edge{From: 1, To: 99, Kind: model.RelatesTo}, "not found"},
	} {
		if _, err := w.Lifecycle.AddEdge(t.Context(), c.edge); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.edge, err, c.want)
		}
	}
}

// TestEdgesOfEarlierKindsStay has an edge of a kind that can no longer be added: recall follows it, exports carry it, and it
// can be removed.
func TestEdgesOfEarlierKindsStay(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "My cello teacher is called Ingrid")
	w.smallTalk("", "ann")
	w.say("", "ann", "Lessons are on Tuesdays at five")
	cello, lessons := w.memoryOf("cello").ID, w.memoryOf("Tuesdays").ID
	if _, err := w.Lifecycle.AddEdge(t.Context(), model.Edge{From: lessons, To: cello, Kind: model.RelatesTo, Weight: 0.7}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.db().ExecContext(t.Context(), `UPDATE memory_edges SET kind = 'depends_on'`); err != nil {
		t.Fatal(err)
	}
	there := &town{Store: memorytest.OpenAt(t, w.clock), t: t, clock: w.clock, n: 1000}
	imported(t, there.Store, exported(t, w.Store, transfer.ExportOptions{}))
	for name, s := range map[string]*town{"here": w, "imported": there} {
		edges, err := s.Lifecycle.Edges(t.Context(), "mira", 0, 0)
		if err != nil || len(edges) != 1 || edges[0].Kind != "depends_on" || edges[0].Weight != 0.7 {
			t.Fatalf("%s: %+v, %v", name, edges, err)
		}
		if got := hitTexts(s.ask("", "ann", "cello teacher")); !slices.Contains(got, "Lessons are on Tuesdays at five") {
			t.Errorf("%s: recall does not follow the edge: %q", name, got)
		}
		if n, err := s.Lifecycle.RemoveEdge(t.Context(), edges[0].From, edges[0].To, ""); err != nil || n != 1 {
			t.Errorf("%s: removed %d, %v", name, n, err)
		}
	}
}
