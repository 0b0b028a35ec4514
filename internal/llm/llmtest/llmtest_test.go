package llmtest_test

import (
	"io"
	"math"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tmc/langchaingo/llms/openai"

	"familiar/internal/llm/llmtest"
)

// ask posts a body and returns the status and the answer.
func ask(t *testing.T, s *llmtest.Server, body string) (int, string) {
	t.Helper()
	resp, err := http.Post(s.URL+"/v1/chat/completions", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	said, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(said)
}

func TestAnswersComeInOrderAndAreStored(t *testing.T) {
	s := llmtest.Start(llmtest.Busy("3"), llmtest.After(time.Millisecond, llmtest.Says("so be it")))
	defer s.Close()
	if status, _ := ask(t, s, `{"model":"m"}`); status != http.StatusTooManyRequests {
		t.Errorf("the first answer has status %d", status)
	}
	if status, said := ask(t, s, `{"messages":[{"role":"user","content":"be"}]}`); status != http.StatusOK || said != llmtest.Whole("so be it") {
		t.Errorf("the second answer is %d %s", status, said)
	}
	want := llmtest.Delta("so ", "") + llmtest.Delta("be ", "") + llmtest.Delta("it", "") + llmtest.Delta("", "stop") + llmtest.Usage + llmtest.Done
	if _, said := ask(t, s, `{"stream":true,"response_format":{"type":"json_object"},"max_tokens":7}`); said != want {
		t.Errorf("streamed %s, want %s", said, want)
	}
	if status, _ := ask(t, s, `no JSON`); status != http.StatusBadRequest {
		t.Errorf("took a request that is no JSON: %d", status)
	}
	asked := s.Requests()
	if len(asked) != 3 || asked[0].Model != "m" || asked[1].Prompt() != "be" || asked[2].Format == nil || asked[2].Fields["max_tokens"] != 7.0 {
		t.Errorf("stored %+v", asked)
	}
}

// TestEmbeddingsAreAsAClientExpects uses the same library as the client.
func TestEmbeddingsAreAsAClientExpects(t *testing.T) {
	s := llmtest.Serve(t, llmtest.Embeds(64))
	client, err := openai.New(openai.WithToken("k"), openai.WithBaseURL(s.URL+"/v1"), openai.WithEmbeddingModel("e"))
	if err != nil {
		t.Fatal(err)
	}
	texts := []string{"My cat is called Tom.", "What is my cat called?", "Storms tonight", ""}
	got, err := client.CreateEmbedding(t.Context(), texts)
	if err != nil || len(got) != len(texts) {
		t.Fatalf("%d vectors, %v", len(got), err)
	}
	for i, text := range texts {
		if !slices.Equal(got[i], llmtest.Vector(text, 64)) || math.Abs(cosine(got[i], got[i])-1) > 1e-6 {
			t.Errorf("the vector of %q is %v", text, got[i])
		}
	}
	if near, far := cosine(got[0], got[1]), cosine(got[0], got[2]); near <= far {
		t.Errorf("words in common: %.2f, none: %.2f", near, far)
	}
	if r := s.Requests()[0]; r.URL.Path != "/v1/embeddings" || r.Model != "e" {
		t.Errorf("asked %s of %s", r.URL, r.Model)
	}
}

func cosine(a, b []float32) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}
