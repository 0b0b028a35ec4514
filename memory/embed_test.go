package memory_test

import (
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"familiar/memory/entry"
	"familiar/memory/lifecycle"
	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/memory/vector"
)

const meaningModel = "test meaning"

// meaningOf is the test model's vector of a text: the direction of its subject plus a little of its own.
func meaningOf(about, text string) []float32 {
	direction := func(word string) []float32 {
		h := fnv.New64a()
		h.Write([]byte(word))
		r := rand.New(rand.NewPCG(h.Sum64(), 1))
		v := make([]float32, 48)
		for i := range v {
			v[i] = float32(r.NormFloat64())
		}
		u, _ := vector.Unit(v)
		return u
	}
	v := direction(text)
	for i, x := range direction(about) {
		v[i] += x
	}
	return v
}

// embed embeds the backlog, as the serving process would.
func (w *town) embed(model string, embedding func(text string) ([]float32, error)) lifecycle.EmbeddingCounts {
	w.t.Helper()
	if err := w.Entries.UseEmbedder(w.t.Context(), model); err != nil {
		w.t.Fatal(err)
	}
	var total lifecycle.EmbeddingCounts
	for {
		waiting, err := w.Lifecycle.EmbeddingBacklog(w.t.Context(), 7)
		if err != nil {
			w.t.Fatal(err)
		}
		if len(waiting) == 0 {
			break
		}
		var done []lifecycle.EmbeddingResult
		for _, m := range waiting {
			v, err := embedding(m.Text)
			done = append(done, lifecycle.EmbeddingResult{EmbeddingTask: m, Vector: v, Err: err})
		}
		kept, err := w.Lifecycle.SaveVectors(w.t.Context(), model, done)
		if err != nil {
			w.t.Fatal(err)
		}
		total.Vectors += kept.Vectors
		total.Refused += kept.Refused
		total.GivenUp += kept.GivenUp
	}
	if err := w.Lifecycle.MaintainVectors(w.t.Context(), nil); err != nil {
		w.t.Fatal(err)
	}
	return total
}

func (w *town) embedding() entry.Embedding {
	w.t.Helper()
	st, err := w.Entries.Embedding(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	return st
}

// plainVector is a model without knowledge of meaning.
func plainVector(text string) ([]float32, error) { return meaningOf(text, text), nil }

// clubs makes ten groups in which Ann talks, each about its own subject in its own words. It returns the subject of
// each line.
func (w *town) clubs() map[string]string {
	w.t.Helper()
	w.say("", "ann", "Good evening")
	subjects := map[string]string{"Good evening": "greetings"}
	for c := range 10 {
		place := fmt.Sprintf("club%d", c)
		for l := range 10 {
			text := fmt.Sprintf("word%da%d word%db%d", c, l, c, l)
			if c == 4 && l == 6 {
				text = "Our hound chews slippers"
				subjects[text] = "dogs"
			} else {
				subjects[text] = place
			}
			w.say(place, "ann", text)
		}
	}
	return subjects
}

// meant makes vectors from the subjects of texts.
func meant(subjects map[string]string) func(string) ([]float32, error) {
	return func(text string) ([]float32, error) { return meaningOf(subjects[text], text), nil }
}

func withNear(v []float32) func(*recall.Query) {
	return func(q *recall.Query) { q.Near = &recall.QueryEmbedding{Model: meaningModel, Vector: v} }
}

func TestRecallByMeaning(t *testing.T) {
	w := newTown(t)
	subjects := w.clubs()
	const question = "Which pet is gnawing furniture?"
	if r := w.ask("", "ann", question); !r.Nothing {
		t.Fatalf("by words alone: %q", hitTexts(r))
	}
	w.embed(meaningModel, meant(subjects))
	if st := w.embedding(); st.Vectors != 101 || st.Waiting != 0 || st.Failed != 0 || st.Worth < 0.9 {
		t.Fatalf("embedded: %+v", st)
	}
	near := withNear(meaningOf("dogs", "dogs"))
	r := w.ask("", "ann", question, near, func(q *recall.Query) { q.Explain = true })
	if r.Nothing || len(r.Hits) == 0 || r.Hits[0].Memory.Text != "Our hound chews slippers" || r.Hits[0].Weak {
		t.Fatalf("by meaning: %+v", r)
	}
	if !slices.ContainsFunc(r.Hits[0].Reasons, func(r recall.Reason) bool { return r.Feature == "meaning" }) {
		t.Errorf("why: %+v", r.Hits[0].Reasons)
	}
	if !strings.Contains(packed(r), "hound") {
		t.Errorf("packed: %s", packed(r))
	}
	// A match by meaning respects visibility like a match by words.
	if r := w.ask("club3", "ann", question, near); strings.Contains(fmt.Sprint(hitTexts(r), packed(r)), "hound") {
		t.Errorf("another group hears %q", hitTexts(r))
	}
	w.say("", "bob", "Good evening")
	if r := w.ask("", "bob", question, near); len(strongTexts(r)) != 0 || slices.Contains(hitTexts(r), "hound") {
		t.Errorf("who was never there hears %q", hitTexts(r))
	}
	// Later talk is found once it has its vector; meanwhile nothing is lost.
	late := "My puppy buried a shoe"
	subjects[late] = "dogs"
	w.say("", "ann", late)
	if r := w.ask("", "ann", "puppy", near); r.Nothing || r.Hits[0].Memory.Text != late {
		t.Errorf("while it waits: %q", hitTexts(r))
	}
	w.embed(meaningModel, meant(subjects))
	if got := hitTexts(w.ask("", "ann", question, near)); !slices.Contains(got, late) {
		t.Errorf("afterwards: %q", got)
	}
}

// A model that adds nothing to the words must not change the results, and neither must another model's vector or a
// broken one.
func TestRecallIsLexicalWithoutWorth(t *testing.T) {
	for name, c := range map[string]struct {
		model func(map[string]string) func(string) ([]float32, error)
		near  recall.QueryEmbedding
	}{
		"a model that knows nothing": {
			func(map[string]string) func(string) ([]float32, error) { return plainVector },
			recall.QueryEmbedding{Model: meaningModel, Vector: meaningOf("dogs", "x")},
		},
		"another model's vector": {meant, recall.QueryEmbedding{Model: "other", Vector: meaningOf("dogs", "x")}},
		"another dimension":      {meant, recall.QueryEmbedding{Model: meaningModel, Vector: []float32{1, 2, 3}}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newTown(t)
			subjects := w.clubs()
			w.embed(meaningModel, c.model(subjects))
			for _, question := range []string{"word3a4", "Who has a hound?", "Which pet is gnawing?", "word1b1 word7a2"} {
				words := w.ask("", "ann", question)
				with := w.ask("", "ann", question, func(q *recall.Query) { q.Near = &c.near })
				if !slices.Equal(hitTexts(words), hitTexts(with)) || words.Nothing != with.Nothing || packed(words) != packed(with) {
					t.Errorf("%q: by words %q, with vectors %q", question, hitTexts(words), hitTexts(with))
				}
			}
		})
	}
}

func TestRefusedVectorsStayInTheQueue(t *testing.T) {
	nan := float32(math.NaN())
	for name, c := range map[string]struct {
		vector []float32
		err    error
	}{
		"a wrong dimension": {vector: []float32{1, 2}}, "no number": {vector: []float32{1, nan, 0}},
		"infinite": {vector: []float32{float32(math.Inf(-1)), 0, 0}}, "zero": {vector: make([]float32, 3)}, "empty": {},
		"an error": {err: errors.New("the text is too long")},
	} {
		t.Run(name, func(t *testing.T) {
			w := newTown(t)
			w.say("", "ann", "first")
			w.say("", "ann", "poison")
			w.say("", "ann", "last")
			model := func(text string) ([]float32, error) {
				if text == "poison" {
					return c.vector, c.err
				}
				return []float32{1, 2, 3}, nil
			}
			if kept := w.embed(meaningModel, model); kept.Vectors != 2 || kept.Refused != 1 {
				t.Fatalf("stored %+v", kept)
			}
			for try := 2; try <= 5; try++ {
				if st := w.embedding(); st.Vectors != 2 || st.Waiting != 1 || st.Failed != 0 {
					t.Fatalf("before try %d: %+v", try, st)
				}
				if kept := w.embed(meaningModel, model); kept != (lifecycle.EmbeddingCounts{}) {
					t.Fatalf("tried again at once: %+v", kept)
				}
				w.clock.Advance(time.Hour)
				if kept := w.embed(meaningModel, model); kept.Refused != 1 || (kept.GivenUp == 1) != (try == 5) {
					t.Fatalf("try %d: %+v", try, kept)
				}
			}
			w.clock.Advance(24 * time.Hour)
			if kept, st := w.embed(meaningModel, model), w.embedding(); kept.Refused != 0 || st.Failed != 1 || st.Waiting != 0 {
				t.Errorf("given up: %+v, %+v", kept, st)
			}
			if err := w.Entries.RetryEmbeddings(t.Context()); err != nil {
				t.Fatal(err)
			}
			if kept := w.embed(meaningModel, func(string) ([]float32, error) { return []float32{1, 0, 0}, nil }); kept.Vectors != 1 {
				t.Errorf("tried once more: %+v", kept)
			}
		})
	}
}

func TestChangingTheModelReembedsEverything(t *testing.T) {
	w := newTown(t)
	w.clubs()
	w.embed("old", plainVector)
	if kept := w.embed("old", plainVector); kept.Vectors != 0 {
		t.Fatalf("embedded twice: %+v", kept)
	}
	if err := w.Entries.UseEmbedder(t.Context(), "new"); err != nil {
		t.Fatal(err)
	}
	if st := w.embedding(); st.Model != "new" || st.Vectors != 0 || st.Waiting != 101 {
		t.Fatalf("after the change: %+v", st)
	}
	if _, err := w.Lifecycle.SaveVectors(t.Context(), "old", nil); err == nil {
		t.Error("vectors of the old model remain")
	}
	old := w.memoryOf("hound")
	kept := w.embed("new", func(text string) ([]float32, error) {
		if text == old.Text {
			return nil, errors.New("not this one")
		}
		return []float32{1, 2, 3}, nil
	})
	if st := w.embedding(); kept.Vectors != 100 || st.Vectors != 100 || st.Waiting != 1 {
		t.Errorf("embedded again %+v: %+v", kept, st)
	}
	if rows := strings.Count(contents(t, w), "memory_vectors ["); rows != 100 {
		t.Errorf("%d vectors are stored: the old model's last one is still there", rows)
	}
}

func unit(t *testing.T, v []float32) []float32 {
	t.Helper()
	u, err := vector.Unit(v)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// TestUnrecallableMemoriesGetNoVector has a job leave a dream and an observation.
func TestUnrecallableMemoriesGetNoVector(t *testing.T) {
	w := newTown(t)
	said := w.say("", "ann", "I dug the garden")
	ann := w.visibility("", "ann").Audiences()[0]
	dream := observing(ann, "I dreamt of a garden under water.", said.MessageIDs...)
	dream.Kind = model.Dream
	w.infer(1, observing(ann, "Ann digs.", said.MessageIDs...), dream)
	if st := w.embedding(); st.Waiting != 0 {
		t.Fatalf("without a model %d wait", st.Waiting)
	}
	if kept := w.embed(meaningModel, plainVector); kept.Vectors != 2 {
		t.Errorf("%d have a vector, want what Ann said and what was observed", kept.Vectors)
	}
	if st := w.embedding(); st.Waiting != 0 || st.Vectors != 2 {
		t.Errorf("afterwards %+v", st)
	}
}

// TestForgetErasesVectorsAndFailures also checks the backlog against reused ids: SQLite gives the next memory the id of
// the last one if that was forgotten.
func TestForgetErasesVectorsAndFailures(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "stays")
	w.say("", "ann", "fails")
	w.say("", "ann", "goes")
	w.embed(meaningModel, func(text string) ([]float32, error) {
		if text == "fails" {
			return nil, fmt.Errorf("cannot embed %q", text)
		}
		return plainVector(text)
	})
	goes, fails := w.memoryOf("goes"), w.memoryOf("fails")
	stored := vector.Bytes(unit(t, meaningOf("goes", "goes")))
	if !w.onDisk(stored) {
		t.Fatal("the vector is not stored: the test proves nothing")
	}
	for _, id := range []int64{goes.ID, fails.ID} {
		if _, err := w.Eraser.Forget(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	if w.onDisk(stored, []byte("cannot embed")) {
		t.Error("a vector or a failure outlives its memory")
	}
	if st := w.embedding(); st.Vectors != 1 || st.Waiting != 0 {
		t.Errorf("left: %+v", st)
	}
	w.say("", "ann", "new")
	if m := w.memoryOf("new"); m.ID <= fails.ID {
		t.Fatalf("memory %d: a number that was forgotten is used again", m.ID)
	}
	if kept := w.embed(meaningModel, plainVector); kept.Vectors != 1 || w.embedding().Vectors != 2 {
		t.Errorf("embedded %+v", kept)
	}
}

// TestVectorsOfMemoriesForgottenMeanwhile forgets a memory and lets another take its id between listing and storing the
// vector.
func TestVectorsOfMemoriesForgottenMeanwhile(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "stays")
	w.say("", "ann", "secret")
	if err := w.Entries.UseEmbedder(t.Context(), meaningModel); err != nil {
		t.Fatal(err)
	}
	waiting, err := w.Lifecycle.EmbeddingBacklog(t.Context(), 10)
	if err != nil || len(waiting) != 2 {
		t.Fatalf("waiting %+v, %v", waiting, err)
	}
	if _, err := w.Eraser.Forget(t.Context(), w.memoryOf("secret").ID); err != nil {
		t.Fatal(err)
	}
	w.say("", "ann", "harmless")
	var done []lifecycle.EmbeddingResult
	for _, m := range waiting {
		done = append(done, lifecycle.EmbeddingResult{EmbeddingTask: m, Vector: meaningOf(m.Text, m.Text)})
	}
	if kept, err := w.Lifecycle.SaveVectors(t.Context(), meaningModel, done); err != nil || kept.Vectors != 1 {
		t.Fatalf("stored %+v, %v", kept, err)
	}
	if w.onDisk(vector.Bytes(unit(t, meaningOf("secret", "secret")))) {
		t.Error("the vector of what was forgotten remains")
	}
	if waiting, err = w.Lifecycle.EmbeddingBacklog(t.Context(), 10); err != nil || len(waiting) != 1 || waiting[0].Text != "harmless" {
		t.Errorf("still waiting: %+v, %v", waiting, err)
	}
}

func TestEmbedderFaultIsKeptUntilItIsOver(t *testing.T) {
	w := newTown(t)
	if st := w.embedding(); st != (entry.Embedding{}) {
		t.Errorf("without an embedder: %+v", st)
	}
	w.embed(meaningModel, plainVector)
	if err := w.Entries.NoteEmbedderFault(t.Context(), "it is out"); err != nil {
		t.Fatal(err)
	}
	if st := w.embedding(); st.Fault != "it is out" || !st.FaultAt.Equal(w.clock.Now()) {
		t.Errorf("%+v", st)
	}
	if err := w.Entries.NoteEmbedderFault(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	if st := w.embedding(); st.Fault != "" || !st.FaultAt.IsZero() {
		t.Errorf("afterwards: %+v", st)
	}
}

// TestNeighborsAreEmbedded: what is embedded names the speaker and begins with the message before, of the same session only.
// When that message is forgotten, its words go from the vector of what followed.
func TestNeighborsAreEmbedded(t *testing.T) {
	w := newTown(t)
	w.say("club", "ann", "Where do you spend the summer?")
	w.say("pub", "ann", "Nobody was here")
	w.say("club", "bob", "At the lake, as always")
	inputs := func() (found []string) {
		waiting, err := w.Lifecycle.EmbeddingBacklog(t.Context(), 9)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range waiting {
			found = append(found, m.Input())
		}
		return found
	}
	if err := w.Entries.UseEmbedder(t.Context(), meaningModel); err != nil {
		t.Fatal(err)
	}
	want := []string{"Ann: Where do you spend the summer?", "Ann: Nobody was here", "Where do you spend the summer?\nBob: At the lake, as always"}
	if got := inputs(); !slices.EqualFunc(got, want, strings.EqualFold) {
		t.Errorf("embedded %q, want %q", got, want)
	}
	stale, err := w.Lifecycle.EmbeddingBacklog(t.Context(), 9)
	if err != nil {
		t.Fatal(err)
	}
	w.embed(meaningModel, plainVector)
	if _, err := w.Eraser.Forget(t.Context(), w.memoryOf("Where do you spend the summer?").ID); err != nil {
		t.Fatal(err)
	}
	if st := w.embedding(); st.Vectors != 1 || st.Waiting != 1 || st.Failed != 0 {
		t.Errorf("after forgetting: %+v", st)
	}
	if got := inputs(); len(got) != 1 || !strings.EqualFold(got[0], "Bob: At the lake, as always") {
		t.Errorf("embedded again: %q", got)
	}
	// A vector that was under way holds what was forgotten.
	kept, err := w.Lifecycle.SaveVectors(t.Context(), meaningModel, []lifecycle.EmbeddingResult{{EmbeddingTask: stale[2], Vector: meaningOf("a", "b")}})
	if err != nil || kept.Vectors != 0 {
		t.Errorf("a late vector: %+v, %v", kept, err)
	}
	w.embed(meaningModel, plainVector)
	if st := w.embedding(); st.Vectors != 2 || st.Waiting != 0 {
		t.Errorf("afterwards: %+v", st)
	}
}
