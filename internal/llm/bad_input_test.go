package llm_test

// Bad input: whatever a server sends, the error is typed and the operator reads one clear sentence. O2: what a model
// thinks is never part of an answer.

import (
	"errors"
	"strings"
	"testing"
	"time"

	"familiar/internal/llm"
	"familiar/internal/llm/llmtest"
)

// TestBadInputIsOneClearSentence: what the operator can do about each is named.
func TestBadInputIsOneClearSentence(t *testing.T) {
	ollama := llmtest.Sends(200, ollamaAnswer)
	notFound := llmtest.Sends(404, `{"error":{"message":"The model `+"`test-model`"+` does not exist or you do not have access to it.","type":"invalid_request_error","param":null,"code":"model_not_found"}}`)
	for _, c := range []struct {
		name, provider string
		answer         llmtest.Answer
		kind           llm.Kind
		reason         llm.Reason
		says           string
	}{
		{"a hang", "openai", llmtest.Hangs(), llm.Timeout, "", "model.timeout"},
		{"20 MB", "openai", llmtest.Floods(`{"choices":[{"message":{"content":"`, strings.Repeat("a", 4096)), llm.TooLong, "", "larger than 1 MB"},
		{"a page with 200", "openai", llmtest.Page(), llm.Server, llm.WebPage, "a web page"},
		{"a page with 404", "openai", llmtest.Sends(404, "<html><body>Not Found</body></html>"), llm.Bad, llm.WebPage, "a web page"},
		{"ollama's JSON", "openai", ollama, llm.Server, llm.OtherFormat, "model.provider"},
		{"OpenAI's JSON", "ollama", llmtest.Sends(200, openaiAnswer), llm.Server, llm.OtherFormat, "model.provider"},
		{"OpenAI's JSON to Anthropic", "anthropic", llmtest.Sends(200, openaiAnswer), llm.Server, "", "model.base_url"},
		{"a revoked key", "openai", llmtest.Sends(401, `{"error":{"message":"Incorrect API key provided: `+key+`"}}`), llm.Auth, "", "model.api_key"},
		{"no such model", "openai", notFound, llm.Bad, llm.NoSuchModel, "model.model"},
		{"no such model, Ollama", "ollama", llmtest.Sends(404, `{"error":"model \"test-model\" not found, try pulling it first"}`), llm.Bad, llm.NoSuchModel, "model.model"},
		{"no such model, OpenRouter", "openai", llmtest.Says400(`{"error":{"message":"x/test-model is not a valid model ID","code":400}}`), llm.Bad, llm.NoSuchModel, "model.model"},
		{"no such model, Mistral", "openai", llmtest.Says400(`{"object":"error","message":"Invalid model: test-model","type":"invalid_model","param":null,"code":"1500"}`), llm.Bad, llm.NoSuchModel, "model.model"},
		{"no such model, Google", "googleai", llmtest.Sends(404, `[{"error":{"code":404,"message":"models/test-model is not found for API version v1main","status":"NOT_FOUND"}}]`), llm.Bad, llm.NoSuchModel, "model.model"},
		{"no such model, Anthropic", "anthropic", llmtest.Sends(404, `{"type":"error","error":{"type":"not_found_error","message":"model: test-model"}}`), llm.Bad, llm.NoSuchModel, "model.model"},
		{"no such deployment", "openai", llmtest.Sends(404, `{"error":{"code":"DeploymentNotFound","message":"The API deployment for this resource does not exist."}}`), llm.Bad, llm.NoSuchModel, "model.model"},
		{"an error with 200", "openai", llmtest.Sends(200, `{"error":{"message":"Rate limit exceeded","code":429}}`), llm.RateLimited, "", "raise the account's limits"},
		{"only thoughts", "openai", llmtest.Sends(200, `{"choices":[{"message":{"content":"","reasoning":"Let me think"},"finish_reason":"length"}]}`), llm.Empty, llm.OnlyThought, "raise model.max_tokens"},
		{"NUL bytes", "openai", llmtest.Sends(200, strings.Repeat("\x00", 500)), llm.Server, llm.OtherFormat, "model.base_url"},
	} {
		for _, streamed := range []bool{false, true} {
			t.Run(c.name, func(t *testing.T) {
				w := llmtest.Serve(t, c.answer)
				client, _ := clientOf(t, w, func(s *llm.Settings) {
					as(c.provider)(s)
					s.Retries, s.Timeout = 0, 10*time.Second
					if c.kind == llm.Timeout {
						s.Timeout = 300 * time.Millisecond
					}
				})
				var stream func(string)
				if streamed {
					stream, _ = collect()
				}
				got, err := client.Generate(t.Context(), prompt(), stream)
				var fault *llm.Error
				if !errors.As(err, &fault) || got.Text != "" || got.TokensIn+got.TokensOut != 0 {
					t.Fatalf("Generate = %+v, %v, want an error and no cost", got, err)
				}
				if streamed && (c.name == "20 MB" || c.name == "only thoughts") {
					return // such a body is no stream at all
				}
				if fault.Kind != c.kind || fault.Reason != c.reason && !streamed || !strings.Contains(err.Error(), c.says) && !streamed {
					t.Errorf("Generate (streamed %v): %s %q: %v, want %s %q and %q", streamed, fault.Kind, fault.Reason, err, c.kind, c.reason, c.says)
				}
				checkNoSecret(t, err)
			})
		}
	}
}

func TestBadInputAKeyRevokedInMidTalk(t *testing.T) {
	answer, revoke := llmtest.Revokes(llmtest.Says("I am well."))
	w := llmtest.Serve(t, answer)
	client, _ := clientOf(t, w, nil)
	if _, err := client.Generate(t.Context(), talk(1), nil); err != nil {
		t.Fatal(err)
	}
	revoke()
	for range 3 {
		if got, err := client.Generate(t.Context(), talk(1), nil); kind(err) != llm.Auth || got.Requests != 1 {
			t.Errorf("Generate = %+v, %v, want Auth after one request", got, err)
		}
	}
	var fault *llm.Error
	if _, err := client.Generate(t.Context(), talk(1), nil); !errors.As(err, &fault) || fault.Kind != llm.Open || !fault.Permanent() ||
		!strings.Contains(err.Error(), "model.api_key") {
		t.Errorf("Generate: %v, want Open that still names the key", err)
	}
}

// TestO2ReasoningIsNeverSaid sends thoughts the way each server does, beside the answer and alone.
func TestO2ReasoningIsNeverSaid(t *testing.T) {
	chunk := func(delta, finish string) string {
		return `data: {"choices":[{"index":0,"delta":` + delta + `,"finish_reason":` + finish + "}]}\n\n"
	}
	whole := func(message string) llmtest.Answer {
		return llmtest.Sends(200, `{"choices":[{"index":0,"message":`+message+`,"finish_reason":"stop"}]}`)
	}
	stop := chunk(`{}`, `"stop"`) + llmtest.Usage + llmtest.Done
	block := func(data string) string { return "data: " + data + "\n\n" }
	thinking := block(anthropicStart) + block(`{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}}`) +
		block(`{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"SECRET"}}`) +
		block(`{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"SECRET"}}`) + block(`{"type":"content_block_stop","index":0}`)
	end := block(`{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":4}}`) + block(`{"type":"message_stop"}`)
	for _, c := range []struct {
		name, provider string
		stream         bool
		answer, alone  llmtest.Answer
	}{
		{"reasoning_content", "openai", false, whole(`{"content":"I am well.","reasoning_content":"SECRET"}`), whole(`{"content":null,"reasoning_content":"SECRET"}`)},
		{"reasoning", "openai", false, whole(`{"content":"I am well.","reasoning":"SECRET","reasoning_details":[{"text":"SECRET"}]}`), whole(`{"content":"","reasoning":"SECRET"}`)},
		{
			"reasoning_content, streamed", "openai", true,
			llmtest.Streams(chunk(`{"reasoning_content":"SECRET"}`, "null"), chunk(`{"content":"I am"}`, "null"), chunk(`{"content":" well."}`, "null"), stop),
			llmtest.Streams(chunk(`{"reasoning_content":"SECRET"}`, "null"), stop),
		},
		{
			"reasoning, streamed", "openai", true,
			llmtest.Streams(chunk(`{"content":"","reasoning":"SECRET"}`, "null"), chunk(`{"content":"I am well."}`, "null"), stop),
			llmtest.Streams(chunk(`{"content":null,"reasoning":"SECRET"}`, "null"), stop),
		},
		{
			"thinking", "ollama", false,
			llmtest.Sends(200, `{"message":{"role":"assistant","content":"I am well.","thinking":"SECRET"},"done":true}`),
			llmtest.Sends(200, `{"message":{"role":"assistant","content":"","thinking":"SECRET"},"done":true}`),
		},
		{
			"thinking, streamed", "ollama", true,
			llmtest.Streams(`{"message":{"role":"assistant","content":"","thinking":"SECRET"},"done":false}`+"\n", ollamaPiece("I am well."), `{"message":{"content":""},"done":true}`+"\n"),
			llmtest.Streams(`{"message":{"role":"assistant","content":"","thinking":"SECRET"},"done":false}`+"\n", `{"message":{"content":""},"done":true}`+"\n"),
		},
		{
			"thinking block", "anthropic", false,
			llmtest.Sends(200, `{"type":"message","role":"assistant","content":[{"type":"thinking","thinking":"SECRET","signature":"x"},{"type":"text","text":"I am well."}],"stop_reason":"end_turn","usage":{"input_tokens":21,"output_tokens":4}}`),
			llmtest.Sends(200, `{"type":"message","role":"assistant","content":[{"type":"thinking","thinking":"SECRET","signature":"x"}],"stop_reason":"max_tokens","usage":{"input_tokens":21,"output_tokens":4}}`),
		},
		{
			"encrypted thinking", "anthropic", false,
			llmtest.Sends(200, `{"type":"message","role":"assistant","content":[{"type":"redacted_thinking","data":"SECRET"},{"type":"text","text":"I am well."}],"stop_reason":"end_turn","usage":{"input_tokens":21,"output_tokens":4}}`),
			llmtest.Sends(200, `{"type":"message","role":"assistant","content":[{"type":"redacted_thinking","data":"SECRET"}],"stop_reason":"max_tokens","usage":{"input_tokens":21,"output_tokens":4}}`),
		},
		{
			"encrypted thinking, streamed", "anthropic", true,
			llmtest.Streams(strings.Replace(thinking, `"content_block":{"type":"thinking","thinking":""}`, `"content_block":{"type":"redacted_thinking","data":"SECRET"}`, 1),
				block(`{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}`),
				block(`{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"I am well."}}`), block(`{"type":"content_block_stop","index":1}`), end),
			llmtest.Streams(strings.Replace(thinking, `"content_block":{"type":"thinking","thinking":""}`, `"content_block":{"type":"redacted_thinking","data":"SECRET"}`, 1), end),
		},
		{
			"thinking block, streamed", "anthropic", true,
			llmtest.Streams(thinking, block(`{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}`),
				block(`{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"I am well."}}`), block(`{"type":"content_block_stop","index":1}`), end),
			llmtest.Streams(thinking, end),
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := llmtest.Serve(t, c.answer, c.alone)
			client, _ := clientOf(t, w, as(c.provider))
			said := &strings.Builder{}
			var stream func(string)
			if c.stream {
				stream, said = collect()
			}
			got, err := client.Generate(t.Context(), prompt(), stream)
			if err != nil || got.Text != "I am well." || c.stream && said.String() != "I am well." {
				t.Errorf("Generate = %+v, %v, streamed %q", got, err, said)
			}
			said.Reset()
			got, err = client.Generate(t.Context(), prompt(), stream)
			var fault *llm.Error
			if !errors.As(err, &fault) || fault.Kind != llm.Empty || fault.Reason != llm.OnlyThought || got.Text != "" || said.Len() != 0 {
				t.Errorf("thoughts alone: %+v, %v, streamed %q", got, err, said)
			}
			if err != nil && strings.Contains(err.Error(), "SECRET") {
				t.Errorf("the thoughts are in the error: %v", err)
			}
		})
	}
}
