package embed_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"familiar/internal/embed"
	"familiar/internal/llm"
	"familiar/internal/llm/llmtest"
	"familiar/memory"
	"familiar/memory/entry"
	"familiar/memory/memorytest"
	"familiar/memory/model"
	"familiar/memory/vector"
)

var silent = slog.New(slog.NewTextHandler(io.Discard, nil))

// scripted is an embedder that fails as configured and records its requests.
type scripted struct {
	embed.Hash
	fault func(texts []string) error
	bend  func(text string, vector []float32) []float32

	mu    sync.Mutex
	asked [][]string
}

func (s *scripted) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	s.mu.Lock()
	s.asked = append(s.asked, slices.Clone(texts))
	s.mu.Unlock()
	if s.fault != nil {
		if err := s.fault(texts); err != nil {
			return nil, err
		}
	}
	vectors, err := s.Hash.Embed(ctx, texts)
	for i := range vectors {
		if s.bend != nil {
			vectors[i] = s.bend(texts[i], vectors[i])
		}
	}
	return vectors, err
}

// remember stores texts as the operator's memories.
func remember(t *testing.T, store *memory.Store, texts ...string) {
	t.Helper()
	for _, text := range texts {
		_, err := store.Entries.Remember(t.Context(), entry.NewMemory{
			Persona: "mira", Audience: model.Audience{Kind: model.World}, Origin: model.OriginOperator, Sector: model.Semantic, Text: text, Salience: 0.5,
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func numbered(n int) (texts []string) {
	for i := range n {
		texts = append(texts, fmt.Sprintf("fact number %d", i))
	}
	return texts
}

func drainOf(store *memory.Store, e embed.Embedder) *embed.Worker {
	return &embed.Worker{Store: store, Embedder: e, Batch: 4, Timeout: time.Minute, Log: silent}
}

func embedding(t *testing.T, store *memory.Store) entry.Embedding {
	t.Helper()
	st, err := store.Entries.Embedding(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return st
}

func TestEmbedOnceGoesInBatchesAndAsksForNothingTwice(t *testing.T) {
	store := memorytest.Open(t)
	remember(t, store, numbered(10)...)
	e := &scripted{Hash: embed.Hash{Dimensions: 8}}
	d := drainOf(store, e)
	for i, want := range []embed.Result{{Vectors: 10}, {}} {
		if done, err := d.EmbedOnce(t.Context()); err != nil || done != want {
			t.Errorf("drain %d: %v, %v", i, done, err)
		}
	}
	var want []string // the memories, then what the model is judged by
	for _, p := range vector.Paraphrases("en") {
		want = append(want, p[0], p[1])
	}
	if got := slices.Concat(e.asked...); len(e.asked) != 3+len(want)/d.Batch || !slices.Equal(got, append(numbered(10), want...)) {
		t.Errorf("asked %q", e.asked)
	}
}

// TestOutage: if the embedder is down, no memory is blamed, and the error is visible until it is resolved.
func TestOutage(t *testing.T) {
	store := memorytest.Open(t)
	remember(t, store, numbered(5)...)
	down := errors.New("out of reach")
	e := &scripted{Hash: embed.Hash{Dimensions: 8}, fault: func([]string) error { return down }}
	d := drainOf(store, e)
	for range 10 {
		if _, err := d.EmbedOnce(t.Context()); !errors.Is(err, down) {
			t.Fatalf("failed with %v", err)
		}
	}
	if st := embedding(t, store); st.Waiting != 5 || st.Failed != 0 || st.Fault != "out of reach" {
		t.Errorf("meanwhile %+v", st)
	}
	e.fault = nil
	if done, err := d.EmbedOnce(t.Context()); err != nil || done.Vectors != 5 {
		t.Errorf("afterwards %v, %v", done, err)
	}
	if st := embedding(t, store); st.Vectors != 5 || st.Fault != "" {
		t.Errorf("afterwards %+v", st)
	}
}

// TestPoison: a text the embedder refuses does not delay others, however the refusal looks.
func TestPoison(t *testing.T) {
	nan := float32(math.NaN())
	for name, e := range map[string]*scripted{
		"its batch fails": {fault: func(texts []string) error {
			if slices.Contains(texts, "poison") {
				return errors.New("status 500")
			}
			return nil
		}},
		"its vector is none": {bend: func(text string, v []float32) []float32 {
			if text == "poison" {
				v[0] = nan
			}
			return v
		}},
		"its vector is short": {bend: func(text string, v []float32) []float32 {
			if text == "poison" {
				return v[1:]
			}
			return v
		}},
	} {
		t.Run(name, func(t *testing.T) {
			clock := new(memorytest.Clock)
			store := memorytest.OpenAt(t, clock)
			remember(t, store, "one", "poison", "two", "three", "four", "five")
			e.Hash = embed.Hash{Dimensions: 8}
			d := drainOf(store, e)
			if done, err := d.EmbedOnce(t.Context()); err != nil || done != (embed.Result{Vectors: 5, Refused: 1}) {
				t.Fatalf("%v, %v", done, err)
			}
			for range 10 {
				clock.Advance(time.Hour)
				if _, err := d.EmbedOnce(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			tries := 0
			for _, texts := range e.asked {
				if slices.Contains(texts, "poison") {
					tries++
				}
			}
			if st := embedding(t, store); st.Vectors != 5 || st.Failed != 1 || st.Waiting != 0 || tries > 10 {
				t.Errorf("after %d tries %+v", tries, st)
			}
		})
	}
}

func TestTooFewVectorsAreIgnored(t *testing.T) {
	store := memorytest.Open(t)
	remember(t, store, numbered(3)...)
	if _, err := drainOf(store, short{}).EmbedOnce(t.Context()); err == nil || !strings.Contains(err.Error(), "returned 0 vectors for 3 texts") {
		t.Errorf("failed with %v", err)
	}
	if st := embedding(t, store); st.Vectors != 0 || st.Waiting != 3 {
		t.Errorf("%+v", st)
	}
}

// short is an embedder that omits vectors.
type short struct{}

func (short) Model() string                                        { return "short" }
func (short) Embed(context.Context, []string) ([][]float32, error) { return nil, nil }

// TestRun: new memories get vectors within seconds, and a failing embedder is called less and less often.
func TestRun(t *testing.T) {
	store := memorytest.Open(t) // its goroutines are outside the bubble
	remember(t, store, "before")
	e := &scripted{Hash: embed.Hash{Dimensions: 8}}
	d := drainOf(store, e)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	running := make(chan error, 1)
	go func() { running <- d.Run(ctx) }()
	for embedding(t, store).Vectors < 1 {
		if ctx.Err() != nil {
			t.Fatal("nothing was embedded")
		}
	}
	stop()
	if err := <-running; err != nil {
		t.Error(err)
	}
}

func TestAskerGivesUpInTimeAndRests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log strings.Builder
		e := &scripted{Hash: embed.Hash{Dimensions: 8}}
		hang := func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
		slow := true
		a := &embed.QueryEmbedder{
			Embedder: waiting{e, func(ctx context.Context) error {
				if slow {
					return hang(ctx)
				}
				return nil
			}},
			Timeout: 300 * time.Millisecond, Now: time.Now, Log: slog.New(slog.NewTextHandler(&log, nil)),
		}
		began := time.Now()
		if near := a.EmbedQuery(t.Context(), "where is it?"); near != nil || time.Since(began) != 300*time.Millisecond {
			t.Errorf("a slow one: %v after %v", near, time.Since(began))
		}
		if !strings.Contains(log.String(), "recall uses words alone") {
			t.Errorf("logged %q", log.String())
		}
		slow, began = false, time.Now()
		if near := a.EmbedQuery(t.Context(), "where is it?"); near != nil || time.Since(began) != 0 {
			t.Errorf("while it rests: %v after %v", near, time.Since(began))
		}
		time.Sleep(time.Minute)
		if near := a.EmbedQuery(t.Context(), "where is it?"); near == nil || near.Model != "hash 8" || len(near.Vector) != 8 {
			t.Errorf("afterwards: %v", near)
		}
		if near := a.EmbedQuery(t.Context(), ""); near != nil || len(e.asked) != 1 {
			t.Errorf("nothing asked: %v, %q", near, e.asked)
		}
	})
}

// waiting is an embedder that first runs a function.
type waiting struct {
	embed.Embedder
	first func(context.Context) error
}

func (w waiting) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if err := w.first(ctx); err != nil {
		return nil, err
	}
	return w.Embedder.Embed(ctx, texts)
}

// TestModelIsJudgedAtOnce: a real model is trusted before anybody talked, over the protocol of a real provider. One that
// counts words is not, and one that answers alike for all texts is not.
func TestModelIsJudgedAtOnce(t *testing.T) {
	pairs := vector.Paraphrases("en")
	knowing := func(w http.ResponseWriter, r *llmtest.Request) {
		vectors := make([][]float32, len(r.Input))
		for i, text := range r.Input {
			vectors[i] = make([]float32, len(pairs)+1)
			about := slices.IndexFunc(pairs, func(p [2]string) bool { return p[0] == text || p[1] == text })
			vectors[i][about+1] = 1
		}
		llmtest.Vectors(vectors...)(w, r)
	}
	same := func(w http.ResponseWriter, r *llmtest.Request) {
		llmtest.Vectors(slices.Repeat([][]float32{{1, 2, 3}}, len(r.Input))...)(w, r)
	}
	for name, c := range map[string]struct {
		answer llmtest.Answer
		worth  float64
	}{"knows": {knowing, 1}, "counts words": {llmtest.Embeds(64), 0}, "knows nothing": {same, 0}} {
		t.Run(name, func(t *testing.T) {
			server := llmtest.Serve(t, c.answer)
			e, err := llm.NewEmbedder(llm.EmbedderSettings{Provider: "openai", Model: "m", BaseURL: server.URL + "/v1", Now: time.Now})
			if err != nil {
				t.Fatal(err)
			}
			store := memorytest.Open(t)
			remember(t, store, numbered(3)...)
			if _, err := drainOf(store, e).EmbedOnce(t.Context()); err != nil {
				t.Fatal(err)
			}
			if st := embedding(t, store); st.Vectors != 3 || st.Worth != c.worth {
				t.Errorf("%+v, want worth %v", st, c.worth)
			}
		})
	}
}
