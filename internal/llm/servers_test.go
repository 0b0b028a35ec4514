package llm_test

// B7: Ollama, OpenRouter, LM Studio and llama.cpp are asked as they take it.

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"familiar/internal/llm"
	"familiar/internal/llm/llmtest"
	"familiar/prompts"
)

// compatible are servers that speak OpenAI's protocol, each in its way.
var compatible = map[string]llmtest.Answer{
	"LM Studio": llmtest.LMStudio("I am well."), "llama.cpp": llmtest.LlamaCpp(4096, "I am well."), "OpenRouter": llmtest.OpenRouter("I am well."),
}

func TestB7CompatibleServersAnswer(t *testing.T) {
	want := prompts.Answer{Text: "I am well.", TokensIn: 21, TokensOut: 4, Requests: 1, Stop: prompts.StopEnd}
	object := prompt()
	object.JSON = true
	for name, answer := range compatible {
		t.Run(name, func(t *testing.T) {
			w := llmtest.Serve(t, answer)
			client, _ := clientOf(t, w, func(s *llm.Settings) { s.APIKey = "" })
			for _, p := range []prompts.Prompt{prompt(), rich()} { // rich asks for JSON by schema
				if got, err := client.Generate(t.Context(), p, nil); err != nil || got != want {
					t.Errorf("Generate = %+v, %v, want %+v", got, err, want)
				}
				stream, said := collect()
				if got, err := client.Generate(t.Context(), p, stream); err != nil || got != want || said.String() != want.Text {
					t.Errorf("Generate = %+v, %v, streamed %q, want %+v", got, err, said, want)
				}
			}
			before := len(w.Requests())
			if got, err := client.Generate(t.Context(), object, nil); err != nil || got.Text != want.Text {
				t.Errorf("for JSON: %+v, %v", got, err)
			}
			requests := len(w.Requests()) - before
			if refuses := name == "LM Studio"; requests == 2 != refuses {
				t.Errorf("for JSON: %d requests", requests)
			}
			if got, err := client.Generate(t.Context(), object, nil); err != nil || got.Requests != 1 {
				t.Errorf("for JSON again: %+v, %v, want one request", got, err)
			}
			if got, err := client.Generate(t.Context(), rich(), nil); err != nil || got.Requests != 1 || w.Requests()[len(w.Requests())-1].Format.Type != "json_schema" {
				t.Errorf("a schema is not requested any more: %+v, %v", got, err)
			}
		})
	}
}

// TestB7CompatibleServersFail has what these servers say when they cannot answer.
func TestB7CompatibleServersFail(t *testing.T) {
	for _, c := range []struct {
		name   string
		answer llmtest.Answer
		kind   llm.Kind
		says   string
	}{
		{"llama.cpp, loading", llmtest.Sends(503, `{"error":{"message":"Loading model","type":"unavailable_error","code":503}}`), llm.Server, "Loading model"},
		{"llama.cpp, too long", llmtest.LlamaCpp(5, ""), llm.ContextTooLong, "model.context_tokens"},
		{"LM Studio, no model", llmtest.Sends(404, `{"error":{"message":"Model \"test-model\" not found. Please load it.","type":"invalid_request_error","code":"model_not_found"}}`), llm.Bad, "model.model"},
		{"LM Studio, too long", llmtest.Sends(400, `{"error":"The number of tokens to keep from the initial prompt is greater than the context length. Try to load the model with a larger context length, or provide a shorter input."}`), llm.ContextTooLong, "model.context_tokens"},
		{"OpenRouter, no credit", llmtest.Sends(402, `{"error":{"message":"Insufficient credits. Add more using https://openrouter.ai/settings/credits","code":402}}`), llm.Bad, "credit"},
		{"OpenRouter, an error in the stream", llmtest.Streams(": OPENROUTER PROCESSING\n\n", `data: {"error":{"code":502,"message":"Provider disconnected"},"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}`+"\n\n"), llm.Server, "Provider disconnected"},
		{"OpenRouter, moderation", llmtest.Sends(403, `{"error":{"code":403,"message":"Your input was flagged","metadata":{"reasons":["violence"],"flagged_input":"x"}}}`), llm.Auth, "ask openai"},
		{"OpenAI, no credit", llmtest.Sends(429, `{"error":{"message":"You exceeded your current quota, please check your plan and billing details.","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}`), llm.RateLimited, "credit"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := llmtest.Serve(t, c.answer)
			client, _ := clientOf(t, w, func(s *llm.Settings) { s.Retries = 0 })
			for _, streamed := range []bool{false, true} {
				if !streamed && strings.Contains(c.name, "stream") {
					continue
				}
				var stream func(string)
				if streamed {
					stream, _ = collect()
				}
				_, err := client.Generate(t.Context(), prompt(), stream)
				var fault *llm.Error
				if !errors.As(err, &fault) || fault.Kind != c.kind || !strings.Contains(err.Error(), c.says) {
					t.Errorf("Generate (streamed %v): %v, want %s and %q", streamed, err, c.kind, c.says)
				}
			}
		})
	}
	anthropic := llmtest.Says400(`{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits."}}`)
	client, _ := clientOf(t, llmtest.Serve(t, anthropic), as("anthropic"))
	var fault *llm.Error
	if _, err := client.Generate(t.Context(), prompt(), nil); !errors.As(err, &fault) || fault.Reason != llm.NoCredit || !fault.Permanent() {
		t.Errorf("Generate: %v, want no credit", err)
	}
}

// TestB7OllamaIsAskedAsItTakesIt has what only Ollama knows: thinking by its own name, and how long a model stays loaded.
func TestB7OllamaIsAskedAsItTakesIt(t *testing.T) {
	for _, c := range []struct {
		name, effort string
		answer       llmtest.Answer
		requests     int
		think        string
	}{
		{"no effort", "", answerOf("ollama"), 1, "null"},
		{"levels", "high", answerOf("ollama"), 1, `"high"`},
		{"no levels", "high", func(w http.ResponseWriter, r *llmtest.Request) {
			if _, level := r.Fields["think"].(string); level {
				llmtest.Says400(`{"error":"think value \"high\" is not supported for this model"}`)(w, r)
				return
			}
			answerOf("ollama")(w, r)
		}, 2, "true"},
		{"no thinking", "high", llmtest.Rejects("think", llmtest.Says400(`{"error":"\"test-model\" does not support thinking"}`), answerOf("ollama")), 3, "null"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := llmtest.Serve(t, c.answer)
			client, _ := clientOf(t, w, func(s *llm.Settings) {
				as("ollama")(s)
				s.Effort, s.ExtraBody = c.effort, map[string]any{"keep_alive": "30m", "options": map[string]any{"num_gpu": 20}}
			})
			if got, err := client.Generate(t.Context(), prompt(), nil); err != nil || got.Requests != c.requests {
				t.Fatalf("Generate = %+v, %v, want %d requests", got, err, c.requests)
			}
			last := w.Requests()[c.requests-1]
			think, err := json.Marshal(last.Fields["think"])
			if err != nil || string(think) != c.think {
				t.Errorf("think is %s, want %s", think, c.think)
			}
			options, _ := last.Fields["options"].(map[string]any)
			if last.Fields["keep_alive"] != "30m" || options["num_gpu"] != 20.0 || options["num_ctx"] != 4096.0 || options["num_predict"] == nil {
				t.Errorf("asked %v", last.Fields)
			}
		})
	}
}
