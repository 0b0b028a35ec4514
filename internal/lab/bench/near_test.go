package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"familiar/internal/embed"
)

// The generated talk: in each session two people discuss one subject, and no word is said twice. Every fifth turn has a
// question about its meaning. Half of these questions also use one of the turn's words.
const (
	subjects = 12
	turnsOf  = 20
)

func turnText(session, turn int) string {
	return fmt.Sprintf("uword%dx%d vword%dx%d", session, turn, session, turn)
}

func question(session, turn int) string {
	if turn%10 == 0 {
		return fmt.Sprintf("Something like uword%dx%d of thing%dx%d", session, turn, session, turn)
	}
	return fmt.Sprintf("Something like thing%dx%d", session, turn)
}

// generated writes the talk with its questions and returns the meaning of each text: its subject, and what only this
// text says.
func generated(t *testing.T) (file string, means map[string][2]string) {
	t.Helper()
	means = map[string][2]string{}
	conversation := map[string]any{}
	var qa []any
	for s := 1; s <= subjects; s++ {
		var turns []any
		for n := range turnsOf {
			id, own := fmt.Sprintf("D%d:%d", s, n+1), fmt.Sprintf("%d/%d", s, n)
			subject := fmt.Sprint("subject ", s)
			turns = append(turns, map[string]string{"speaker": []string{"Ann", "Bo"}[n%2], "dia_id": id, "text": turnText(s, n)})
			means[turnText(s, n)] = [2]string{subject, own}
			if n%5 == 0 {
				qa = append(qa, map[string]any{"question": question(s, n), "category": 4, "evidence": []string{id}})
				means[question(s, n)] = [2]string{subject, own}
			}
		}
		conversation[fmt.Sprintf("session_%d", s)] = turns
		conversation[fmt.Sprintf("session_%d_date_time", s)] = fmt.Sprintf("9:00 am on %d May, 2024", s)
	}
	data, err := json.Marshal(map[string]any{"sample_id": "generated", "conversation": conversation, "qa": qa})
	if err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(t.TempDir(), "generated.json")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return file, means
}

// knowing is an embedder that knows the meaning of texts as well as a good model does. Each vector is the text's
// meaning with added noise.
type knowing struct {
	means map[string][2]string
	blur  float32
}

func (k knowing) Model() string { return "knowing" }

func (k knowing) Embed(_ context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		line := text[strings.LastIndex(text, "\n")+1:]
		if _, said, named := strings.Cut(line, ": "); named {
			line = said
		}
		meaning := k.means[strings.TrimSpace(line)]
		subject, own, blur := direction(meaning[0]), direction(meaning[1]), direction(text)
		vectors[i] = make([]float32, len(own))
		for d := range own {
			vectors[i][d] = subject[d] + own[d] + k.blur*blur[d]
		}
	}
	return vectors, nil
}

// direction returns a random vector that is always the same for a word.
func direction(word string) []float32 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(word))
	r := rand.New(rand.NewPCG(h.Sum64(), 1))
	v := make([]float32, 64)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	return v
}

// TestVectorsOnlyHelp checks that recall improves with an embedder that knows the meaning, and does not get worse with
// one that does not or with one that only counts words.
func TestVectorsOnlyHelp(t *testing.T) {
	file, means := generated(t)
	measure := func(e embed.Embedder) RecallScore {
		t.Helper()
		parts := testParts()
		parts.Embedder = e
		got, err := Recall(t.Context(), parts, []string{file})
		if err != nil {
			t.Fatal(err)
		}
		return got.Overall
	}
	words := measure(nil)
	if words.RecallAt5 < 0.4 || words.RecallAt5 > 0.6 {
		t.Fatalf("by words alone: %+v, want about a half", words)
	}
	for _, dimensions := range []int{8, 64, 384} {
		if got := measure(embed.Hash{Dimensions: dimensions}); got != words {
			t.Errorf("with hashes in %d dimensions %+v, by words alone %+v", dimensions, got, words)
		}
	}
	for blur, least := range map[float32]float64{0.3: 0.95, 1: 0.85, 1000: words.RecallAt5} {
		if got := measure(knowing{means, blur}); got.RecallAt5 < least || got.MRR < words.MRR {
			t.Errorf("knowing, blurred by %v: %+v, by words alone %+v", blur, got, words)
		}
	}
}
