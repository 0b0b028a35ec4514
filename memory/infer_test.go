package memory_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"familiar/memory"
	"familiar/memory/jobrun"
	"familiar/memory/lifecycle"
	"familiar/memory/memorytest"
	"familiar/memory/model"
	"familiar/memory/recall"
)

// observing is an observation about ann from messages, in the scope a.
func observing(a model.Audience, text string, sources ...int64) lifecycle.Inference {
	return lifecycle.Inference{
		Audience: a, Kind: model.Observation, Sector: model.Reflective, Text: text, Salience: 0.7, Sources: sources, About: []int64{a.Ref},
	}
}

// infer stores inferences for mira under a run.
func (w *town) infer(run int64, inferences ...lifecycle.Inference) lifecycle.InferResult {
	w.t.Helper()
	made, err := w.Lifecycle.Infer(w.t.Context(), "mira", run, inferences)
	if err != nil {
		w.t.Fatal(err)
	}
	return made
}

func TestInferKeepsSupportedText(t *testing.T) {
	w := newTown(t)
	garden := w.say("", "ann", "I dug the garden all day")
	beans := w.say("", "ann", "The beans came up in the garden")
	club := w.say("club", "ann", "I brought beans for everybody")
	bob := w.say("", "bob", "I keep bees")
	gone := w.say("", "ann", "My pin is 1234")
	memories, err := w.Log.MemoriesFromMessages(t.Context(), gone.MessageIDs)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Eraser.Forget(t.Context(), memories[0]); err != nil {
		t.Fatal(err)
	}
	ann := w.visibility("", "ann").Audiences()[0]
	group := w.visibility("club", "ann").Audiences()[0]
	a, b, c := garden.MessageIDs[0], beans.MessageIDs[0], club.MessageIDs[0]
	for _, test := range []struct {
		name string
		in   lifecycle.Inference
		want lifecycle.Rejection // "" when it is stored
	}{
		{"from the scope", observing(ann, "Ann comes back to the garden.", a, b), ""},
		{"from a group the person speaks in", observing(ann, "Ann shares what she grows.", b, c), ""},
		{"with the persona's words among others", observing(ann, "Ann was listened to.", a, garden.ReplyID), ""},
		{"nothing", observing(ann, " \u200b ", a), lifecycle.RejectedEmpty},
		{"ten megabytes", observing(ann, strings.Repeat("garden ", 10<<20/7), a), lifecycle.RejectedLong},
		{"without sources", observing(ann, "Ann likes snow."), lifecycle.RejectedSourced},
		{"invented source", observing(ann, "Ann likes rain.", a, 987654), lifecycle.RejectedUnknown},
		{"no number of a message", observing(ann, "Ann likes wind.", a, -1), lifecycle.RejectedUnknown},
		{"forgotten source", observing(ann, "Ann has a pin.", a, gone.MessageIDs[0]), lifecycle.RejectedForgotten},
		{"somebody else's", observing(ann, "Bees are about.", a, bob.MessageIDs[0]), lifecycle.RejectedForeign},
		{"private in a group", observing(group, "There is a garden.", c, a), lifecycle.RejectedForeign},
		{"own words alone", observing(ann, "I see a lot.", garden.ReplyID, beans.ReplyID), lifecycle.RejectedOwnWords},
	} {
		t.Run(test.name, func(t *testing.T) {
			made := w.infer(7, test.in)
			if test.want == "" {
				if made.Memories != 1 || len(made.Rejected) > 0 || made.IDs[0] == 0 {
					t.Fatalf("made %+v", made)
				}
				m, err := w.Entries.Memory(t.Context(), made.IDs[0])
				if err != nil || m.Origin != model.OriginJob || m.JobRun != 7 || m.Audience != test.in.Audience || !slices.Equal(m.Sources, test.in.Sources) {
					t.Errorf("it is stored as %+v, %v", m, err)
				}
				return
			}
			if want := map[lifecycle.Rejection]int{test.want: 1}; made.Memories != 0 || !maps.Equal(made.Rejected, want) {
				t.Errorf("made %+v, want %v", made, want)
			}
		})
	}
	if _, err := w.Lifecycle.Infer(t.Context(), "mira", 7, []lifecycle.Inference{{Audience: ann, Sector: model.Semantic, Text: "no kind", Sources: []int64{a}}}); err == nil {
		t.Error("an inference without a kind was stored")
	}
}

func TestInferRedactsSecrets(t *testing.T) {
	w := newTown(t)
	said := w.say("", "ann", "I wrote some code")
	ann := w.visibility("", "ann").Audiences()[0]
	made := w.infer(1, observing(ann, "Ann codes with the key sk-"+strings.Repeat("a1B2", 8)+" at night.", said.MessageIDs...))
	m, err := w.Entries.Memory(t.Context(), made.IDs[0])
	if err != nil || strings.Contains(m.Text, "a1B2") || !strings.Contains(m.Text, "redacted") {
		t.Errorf("stored %q, %v", m.Text, err)
	}
}

func TestInferRejectsDuplicates(t *testing.T) {
	w := newTown(t)
	said := w.say("", "ann", "I dug the garden, then I played chess")
	group := w.say("club", "ann", "I dug the garden")
	ann, club := w.visibility("", "ann").Audiences()[0], w.visibility("club", "ann").Audiences()[0]
	named := func(a model.Audience, text, name string, sources []int64) lifecycle.Inference {
		o := observing(a, text, sources...)
		o.About = nil
		o.Entities = []string{name}
		return o
	}
	lesson := named(ann, "Ann tends to talk about the garden on quiet Sundays.", "garden", said.MessageIDs)
	lesson.Kind = model.Lesson
	for _, test := range []struct {
		name string
		in   lifecycle.Inference
		new  bool
	}{
		{"the first", named(ann, "Ann tends to talk about the garden on quiet Sundays.", "garden", said.MessageIDs), true},
		{"the same", named(ann, "Ann tends to talk about the garden on quiet Sundays.", "garden", said.MessageIDs), false},
		{"with other small words", named(ann, "Ann tended to talk about her garden on a quiet Sunday", "garden", said.MessageIDs), false},
		{"of something else", named(ann, "Ann tends to talk about the chess on quiet Sundays.", "chess", said.MessageIDs), true},
		{"elsewhere", named(club, "Ann tends to talk about the garden on quiet Sundays.", "garden", group.MessageIDs), true},
		{"of another kind", lesson, true},
	} {
		if made := w.infer(1, test.in); made.Memories == 1 != test.new || made.Duplicates == 1 == test.new {
			t.Errorf("%s: made %+v", test.name, made)
		}
	}
}

func TestInferComparesByMeaning(t *testing.T) {
	w := newTown(t)
	said := w.say("", "ann", "I dug the garden")
	ann := w.visibility("", "ann").Audiences()[0]
	if err := w.Entries.UseEmbedder(t.Context(), "toy"); err != nil {
		t.Fatal(err)
	}
	first := w.infer(1, observing(ann, "Ann unwinds among her plants.", said.MessageIDs...))
	waiting, err := w.Lifecycle.EmbeddingBacklog(t.Context(), 10)
	if err != nil {
		t.Fatal(err)
	}
	var vectors []lifecycle.EmbeddingResult
	for _, e := range waiting {
		v := []float32{0, 1}
		if e.MemoryID == first.IDs[0] {
			v = []float32{1, 0}
		}
		vectors = append(vectors, lifecycle.EmbeddingResult{EmbeddingTask: e, Vector: v})
	}
	if _, err := w.Lifecycle.SaveVectors(t.Context(), "toy", vectors); err != nil {
		t.Fatal(err)
	}
	again := observing(ann, "Digging calms this woman down.", said.MessageIDs...)
	again.Near = &recall.QueryEmbedding{Model: "another", Vector: []float32{1, 0.1}}
	other := observing(ann, "Flour is everywhere.", said.MessageIDs...)
	other.Near = &recall.QueryEmbedding{Model: "toy", Vector: []float32{0.5, 1}}
	if made := w.infer(1, other); made.Memories != 1 {
		t.Errorf("what means something else: %+v", made)
	}
	again.Near.Model = "toy"
	if made := w.infer(1, again); made.Duplicates != 1 {
		t.Errorf("what means the same in other words: %+v", made)
	}
}

func TestM4InferLosesNoMoreThanAQuarter(t *testing.T) {
	w := newTown(t)
	var sources []int64
	for _, text := range []string{"The boiler broke on Monday", "Priya fixed the boiler for 240 euros", "The cellar is still wet"} {
		sources = append(sources, w.say("", "ann", text).MessageIDs...)
	}
	ann := w.visibility("", "ann").Audiences()[0]
	episode := func(text string) lifecycle.Inference {
		in := observing(ann, text, sources...)
		in.Kind, in.Condenses = model.Episode, true
		return in
	}
	if made := w.infer(1, episode("Something in the house broke and was fixed.")); made.Rejected[lifecycle.RejectedLoss] != 1 {
		t.Errorf("what drops names and numbers: %+v", made)
	}
	whole := w.infer(1, episode("The boiler broke on Monday; Priya fixed it for 240 euros. The cellar is still wet."))
	if whole.Memories != 1 {
		t.Fatalf("what keeps all of it: %+v", whole)
	}
	next := episode("All is well.")
	next.Condenses, next.Supersedes = false, whole.IDs[0]
	if made := w.infer(2, next); made.Rejected[lifecycle.RejectedLoss] != 1 {
		t.Errorf("a version that says nothing of the one before: %+v", made)
	}
}

func TestLost(t *testing.T) {
	for _, test := range []struct {
		product  string
		texts    []string
		from, to float64
	}{
		{"", nil, 0, 0},
		{"anything", []string{"..."}, 0, 0},
		{"", []string{"Rex ate 3 shoes"}, 1, 1},
		{"Rex ate 3 shoes", []string{"Rex ate 3 shoes"}, 0, 0},
		{"He eats shoes", []string{"my dog Rex ate 3 shoes"}, 0.5, 0.9},                       // the name and the number count most
		{"It rained", []string{"it rained", "it rained", "it rained", "snow fell"}, 0.2, 0.5}, // what three messages say counts three times
	} {
		if got := lifecycle.ContentLoss(test.product, test.texts...); got < test.from || got > test.to {
			t.Errorf("Lost(%q, %q) = %.2f, want %.2f–%.2f", test.product, test.texts, got, test.from, test.to)
		}
	}
}

// TestM4ARunIsRevertedAndRepeated reverts what a run stored, reinforced and read, and lets it run again.
func TestM4ARunIsRevertedAndRepeated(t *testing.T) {
	w := newTown(t)
	said := w.say("", "ann", "I dug the garden")
	ann := w.visibility("", "ann").Audiences()[0]
	memories, err := w.Log.MemoriesFromMessages(t.Context(), said.MessageIDs)
	if err != nil {
		t.Fatal(err)
	}
	unread := func() int64 {
		t.Helper()
		news, _, err := w.Lifecycle.Backlog(t.Context(), "mira", "dream")
		if err != nil {
			t.Fatal(err)
		}
		if len(news) == 0 {
			return 0
		}
		return news[0].Last
	}
	strength := func() model.Memory {
		t.Helper()
		m, err := w.Entries.Memory(t.Context(), memories[0])
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	before := strength()
	last := unread()
	dream := observing(ann, "I dreamt of a garden.", said.MessageIDs...)
	dream.Kind, dream.Reinforces = model.Dream, memories
	read := []jobrun.Cursor{{Job: "dream", Audience: ann, Memory: last}, {Job: "dream", Audience: model.Audience{Kind: model.World}, Memory: last}}
	for _, run := range []int64{3, 4} {
		if unread() != last {
			t.Fatalf("before run %d nothing is new", run)
		}
		made, err := w.Lifecycle.Infer(t.Context(), "mira", run, []lifecycle.Inference{dream, dream}, read...)
		if err != nil || made.Memories != 1 || made.Duplicates != 1 {
			t.Fatalf("run %d made %+v, %v", run, made, err)
		}
		if got := strength(); got.Strength <= before.Strength || !got.ForgetAt.After(before.ForgetAt) || got.Recalls != before.Recalls {
			t.Errorf("run %d left the memory at %+v", run, got)
		}
		if unread() != 0 {
			t.Errorf("after run %d something is new", run)
		}
		if r, err := w.Eraser.Revert(t.Context(), "mira", run); err != nil || r.Memories != 1 {
			t.Fatalf("taking run %d back: %+v, %v", run, r, err)
		}
		if got := strength(); got.Strength != before.Strength || !got.ForgetAt.Equal(before.ForgetAt) {
			t.Errorf("after run %d was reverted the memory lasts until %v, not %v", run, got.ForgetAt, before.ForgetAt)
		}
	}
	if _, err := w.Eraser.Revert(t.Context(), "mira", 4); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("taking it back twice: %v", err)
	}
}

// TestDreamsAreNoSource checks every read of memories for recall, lists and links.
func TestDreamsAreNoSource(t *testing.T) {
	w := newTown(t)
	var sources []int64
	for i := range 3 {
		sources = append(sources, w.say("", "ann", fmt.Sprintf("I walked to the harbour and counted %d herons", i+2)).MessageIDs...)
	}
	ann := w.visibility("", "ann").Audiences()[0]
	hidden := []model.Kind{
		model.Episode, model.Dream, model.Lesson, model.SelfNote, model.Portrait, model.DefiningMoment, model.CorrectionMoment, model.BondMoment, model.GrowthMoment,
		model.ValueMoment, model.CollaborationMoment, model.FailureMoment, model.InsightMoment,
	}
	for _, kind := range model.Kinds {
		in := observing(ann, "I walked to the harbour and counted herons made of zqxglass.", sources...)
		in.Kind = kind
		if made := w.infer(1, in); made.Memories != 1 || slices.Contains(hidden, kind) == kind.Recallable() {
			t.Fatalf("%s: %+v", kind, made)
		}
	}
	if _, err := w.Lifecycle.Link(t.Context(), "mira", 2); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Lifecycle.SummarizeClusters(t.Context(), "mira", 2); err != nil {
		t.Fatal(err)
	}
	h := w.visibility("", "ann")
	found, err := w.Recall.Find(t.Context(), h, recall.Query{Text: "zqxglass herons in the harbour", Now: w.clock.Now(), Limit: 50})
	if err != nil {
		t.Fatal(err)
	}
	listed, err := w.Recall.MemoriesFor(t.Context(), h, 50)
	if err != nil {
		t.Fatal(err)
	}
	var kinds []model.Kind
	for _, hit := range found.Hits {
		kinds = append(kinds, hit.Memory.Kind)
	}
	for _, m := range listed {
		kinds = append(kinds, m.Kind)
	}
	for _, kind := range hidden {
		if slices.Contains(kinds, kind) {
			t.Errorf("%s is recalled or listed", kind)
		}
	}
	for _, kind := range []model.Kind{model.Summary, model.Observation} {
		if !slices.Contains(kinds, kind) {
			t.Errorf("%s is not found: the test cannot fail", kind)
		}
	}
	var joined int
	if err := w.db().QueryRow(`SELECT count(*) FROM memory_edges e JOIN memories m ON m.id IN (e.from_id, e.to_id)
		WHERE m.kind NOT IN ('', 'summary', 'observation', 'web') OR m.kind <> '' AND e.kind = 'contains'`).Scan(&joined); err != nil || joined != 0 {
		t.Errorf("%d edges join what is nobody's words, %v", joined, err)
	}
}

// TestForgottenMessagesStayForgotten forgets an observation: its sources are left alone from then on.
func TestForgottenMessagesStayForgotten(t *testing.T) {
	w := newTown(t)
	said := w.say("", "ann", "I dug the garden")
	w.say("", "ann", "I played chess")
	w.say("club", "bob", "Is anybody here?")
	h := w.visibility("", "ann")
	ann := h.Audiences()[0]
	made := w.infer(1, observing(ann, "Ann digs.", said.MessageIDs...))
	seen, err := w.Lifecycle.InferencesAbout(t.Context(), h, ann.Ref, model.Observation, 0)
	if err != nil || len(seen) != 1 || seen[0].ID != made.IDs[0] {
		t.Fatalf("observed %+v, %v", seen, err)
	}
	if elsewhere, err := w.Lifecycle.InferencesAbout(t.Context(), w.visibility("club", "ann"), ann.Ref, model.Observation, 0); err != nil || len(elsewhere) != 0 {
		t.Errorf("in a group %+v may be spoken of, %v", elsewhere, err)
	}
	if _, err := w.Eraser.Forget(t.Context(), made.IDs[0]); err != nil {
		t.Fatal(err)
	}
	left, err := w.Lifecycle.SaidSince(t.Context(), "mira", ann, ann.Ref, memorytest.Start, 10)
	if err != nil || len(left) != 1 || left[0].Text != "I played chess" {
		t.Errorf("jobs are shown %+v, %v", left, err)
	}
}
