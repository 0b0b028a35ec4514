package llm_test

// B7: providers are asked as they are today. These tests have OpenAI's Responses interface, which some models have alone.

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/tmc/langchaingo/llms"

	"familiar/internal/llm"
	"familiar/internal/llm/llmtest"
	"familiar/prompts"
)

// responding selects the Responses interface.
func responding(s *llm.Settings) { s.API = "responses" }

func TestB7ResponsesAnswer(t *testing.T) {
	want := prompts.Answer{Text: "I am well.", TokensIn: 21, TokensOut: 4, CacheRead: 5, Requests: 1, Stop: prompts.StopEnd}
	for _, streamed := range []bool{false, true} {
		w := llmtest.Serve(t, llmtest.Responds("I am well."))
		client, _ := clientOf(t, w, func(s *llm.Settings) { responding(s); s.Effort = "low" })
		var said strings.Builder
		var stream func(string)
		if streamed {
			stream = func(d string) { said.WriteString(d) }
		}
		p := rich()
		if got, err := client.Generate(t.Context(), p, stream); err != nil || got != want || streamed && said.String() != want.Text {
			t.Errorf("Generate = %+v, %v, streamed %q, want %+v", got, err, said.String(), want)
		}
		r := w.Requests()[0]
		if r.URL.Path != "/v1/responses" || r.Header.Get("Authorization") != "Bearer "+key {
			t.Errorf("asked %s with %q", r.URL.Path, r.Header.Get("Authorization"))
		}
		raw, err := json.Marshal(r.Fields)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range []string{
			`"model":"test-model"`, `"store":false`, `"instructions":"Be brief."`, `"max_output_tokens":1074`, `"temperature":0.5`, `"reasoning":{"effort":"low"}`,
			`"text":{"format":{"name":"reply","schema":{`, `"strict":true,"type":"json_schema"}}`,
			`"input":[{"content":[{"text":"hi","type":"input_text"}],"role":"user"},{"content":[{"text":"hello","type":"output_text"}],"role":"assistant"},`,
		} {
			if !strings.Contains(string(raw), part) {
				t.Errorf("asked %s, nothing of %s", raw, part)
			}
		}
		for _, field := range []string{"messages", "stop", "max_completion_tokens", "max_tokens", "response_format", "reasoning_effort"} {
			if r.Has(field) {
				t.Errorf("asked with %s, which the interface does not know", field)
			}
		}
	}
}

// TestB7AModelWithoutChatCompletionsIsFoundOut: the refusal is remembered for all clients of the account.
func TestB7AModelWithoutChatCompletionsIsFoundOut(t *testing.T) {
	for _, refusal := range []string{
		`This model is only supported in v1/responses and not in v1/chat/completions.`,
		`This is not a chat model and thus not supported in the v1/chat/completions endpoint. Did you mean to use v1/completions?`,
	} {
		w := llmtest.Serve(t, func(rw http.ResponseWriter, r *llmtest.Request) {
			if strings.HasSuffix(r.URL.Path, "/responses") {
				llmtest.Responds("I am well.")(rw, r)
				return
			}
			llmtest.Sends(404, `{"error":{"message":"`+refusal+`","type":"invalid_request_error","param":"model","code":null}}`)(rw, r)
		})
		var accounts llm.Accounts
		for _, requests := range []int{2, 1} {
			client, waits := clientOf(t, w, func(s *llm.Settings) { s.Accounts = &accounts })
			if got, err := client.Generate(t.Context(), prompt(), nil); err != nil || got.Text != "I am well." || got.Requests != requests || len(*waits) > 0 {
				t.Errorf("Generate = %+v, %v, want an answer after %d requests", got, err, requests)
			}
		}
	}
}

func TestB7TheInterfaceCanBeConfigured(t *testing.T) {
	w := llmtest.Serve(t, llmtest.OnlyResponses(llmtest.Responds("I am well.")))
	client, _ := clientOf(t, w, func(s *llm.Settings) { s.API = "chat" })
	if got, err := client.Generate(t.Context(), prompt(), nil); kind(err) != llm.Bad || got.Requests != 1 {
		t.Errorf("chat: %+v, %v", got, err)
	}
	client, _ = clientOf(t, w, responding)
	if got, err := client.Generate(t.Context(), prompt(), nil); err != nil || got.Requests != 1 {
		t.Errorf("responses: %+v, %v", got, err)
	}
	settings := llm.Settings{Provider: "openai", Model: "m", BaseURL: w.URL, Timeout: 1, MaxTokens: 1, API: "graphql"}
	if _, err := llm.New(settings); err == nil {
		t.Error("another interface was accepted")
	}
}

// TestB7ResponsesEnd has every way in which an answer by the Responses interface ends.
func TestB7ResponsesEnd(t *testing.T) {
	output := `{"type":"output_text","text":"I am"}`
	failed := `"response":{"id":"r","status":"failed","error":{"code":"server_error","message":"The model had a problem."},"output":[]}`
	for _, c := range []struct {
		name   string
		answer llmtest.Answer
		stream bool
		text   string
		stop   prompts.Stop
		kind   llm.Kind
		reason llm.Reason
	}{
		{"the limit", llmtest.RespondsAs("incomplete", "max_output_tokens", output, "I am"), false, "I am", prompts.StopLength, "", ""},
		{"the limit, streamed", llmtest.RespondsAs("incomplete", "max_output_tokens", output, "I am"), true, "I am", prompts.StopLength, "", ""},
		{"only thoughts", llmtest.RespondsAs("incomplete", "max_output_tokens", "", ""), false, "", "", llm.Empty, llm.OnlyThought},
		{"only thoughts, streamed", llmtest.RespondsAs("incomplete", "max_output_tokens", "", ""), true, "", "", llm.Empty, llm.OnlyThought},
		{"a filter", llmtest.RespondsAs("incomplete", "content_filter", output, "I am"), true, "I am", prompts.StopFiltered, "", ""},
		{"a refusal", llmtest.RespondsAs("completed", "", `{"type":"refusal","refusal":"I cannot help."}`, ""), false, "", "", llm.Filtered, ""},
		{"a refusal, streamed", llmtest.RespondsAs("completed", "", `{"type":"refusal","refusal":"I cannot help."}`, ""), true, "", "", llm.Filtered, ""},
		{"a failure", llmtest.Sends(200, `{"id":"r","status":"failed","error":{"code":"server_error","message":"The model had a problem."},"output":[]}`), false, "", "", llm.Server, ""},
		{"a failure, streamed", llmtest.Streams(append(llmtest.ResponsePieces("I am"), llmtest.ResponseEvent("failed", failed))...), true, "I am", "", llm.Server, ""},
		{"an error event", llmtest.Streams(append(llmtest.ResponsePieces("I am"), "event: error\ndata: {\"type\":\"error\",\"code\":\"x\",\"message\":\"The model had a problem.\"}\n\n")...), true, "I am", "", llm.Server, ""},
		{"a cut stream", llmtest.Streams(llmtest.ResponsePieces("I am")...), true, "I am", "", llm.Server, ""},
		{"chat completions' JSON", llmtest.Sends(200, openaiAnswer), false, "", "", llm.Server, llm.OtherFormat},
		{"a page", llmtest.Page(), false, "", "", llm.Server, llm.WebPage},
		{"20 MB", llmtest.Floods(`{"output":[{"content":"`, strings.Repeat("a", 4096)), false, "", "", llm.TooLong, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := llmtest.Serve(t, c.answer)
			client, _ := clientOf(t, w, func(s *llm.Settings) { responding(s); s.Retries = 0 })
			var stream func(string)
			said := &strings.Builder{}
			if c.stream {
				stream, said = collect()
			}
			got, err := client.Generate(t.Context(), prompt(), stream)
			if got.Text != c.text || err == nil && got.Stop != c.stop || kind(err) != c.kind || c.stream && said.String() != c.text {
				t.Errorf("Generate = %+v, %v, streamed %q, want %q, %s and %q", got, err, said, c.text, c.stop, c.kind)
			}
			var fault *llm.Error
			if errors.As(err, &fault) && fault.Reason != c.reason {
				t.Errorf("reason %q, want %q", fault.Reason, c.reason)
			}
			if strings.Contains(c.name, "failure") && !strings.Contains(err.Error(), "The model had a problem.") {
				t.Errorf("nothing of the provider's words: %v", err)
			}
			if err != nil && strings.Contains(err.Error(), "SECRET") || strings.Contains(got.Text+said.String(), "SECRET") {
				t.Errorf("thoughts are said: %+v, %v", got, err)
			}
		})
	}
}

// TestB7ResponsesTakeAnotherForm has parameters that a model by the Responses interface rejects.
func TestB7ResponsesTakeAnotherForm(t *testing.T) {
	for _, c := range []struct{ name, field, body, has string }{
		{"temperature", "temperature", `{"error":{"message":"Unsupported parameter: 'temperature' is not supported with this model.","type":"invalid_request_error","param":"temperature","code":null}}`, "text"},
		{"effort", "reasoning", `{"error":{"message":"Unsupported parameter: 'reasoning.effort' is not supported with this model.","type":"invalid_request_error","param":"reasoning.effort","code":"unsupported_parameter"}}`, "text"},
		{"schema", "text.format.schema", "", "text"},
		{"the limit", "none", `{"error":{"message":"Invalid 'max_output_tokens': must be less than or equal to 64.","type":"invalid_request_error","param":"max_output_tokens"}}`, "max_output_tokens"},
	} {
		t.Run(c.name, func(t *testing.T) {
			refused := 0
			w := llmtest.Serve(t, func(rw http.ResponseWriter, r *llmtest.Request) {
				format, _ := r.Fields["text"].(map[string]any)
				inner, _ := format["format"].(map[string]any)
				limit, _ := r.Fields["max_output_tokens"].(float64)
				switch {
				case c.name == "schema" && inner["schema"] != nil:
					llmtest.Says400(`{"error":{"message":"Invalid parameter: 'text.format' of type 'json_schema' is not supported with this model.","type":"invalid_request_error","param":"text.format","code":null}}`)(rw, r)
				case c.name == "the limit" && limit > 64, r.Has(c.field) && c.body != "":
					llmtest.Says400(c.body)(rw, r)
				default:
					llmtest.Responds("I am well.")(rw, r)
					return
				}
				refused++
			})
			client, _ := clientOf(t, w, func(s *llm.Settings) { responding(s); s.Effort = "low" })
			if got, err := client.Generate(t.Context(), rich(), nil); err != nil || got.Text != "I am well." || refused != 1 {
				t.Fatalf("Generate = %+v, %v after %d refusals", got, err, refused)
			}
			if asked := w.Requests(); !asked[1].Has(c.has) {
				t.Errorf("asked %v", asked[1].Fields)
			}
		})
	}
}

// TestB7ResponsesTakeToolsAndImages asks through langchaingo's types, as the other providers are asked.
func TestB7ResponsesTakeToolsAndImages(t *testing.T) {
	call := `{"id":"resp_1","status":"completed","output":[{"type":"function_call","call_id":"c1","name":"recall","arguments":"{\"query\":\"dog\"}"}],"usage":{"input_tokens":21,"output_tokens":4}}`
	w := llmtest.Serve(t, llmtest.Sends(200, call), llmtest.Responds("He is called Bolt."))
	client, _ := clientOf(t, w, responding)
	model := client.Model()
	tool := llms.Tool{Type: "function", Function: &llms.FunctionDefinition{Name: "recall", Description: "looks it up", Parameters: map[string]any{"type": "object"}}}
	messages := []llms.MessageContent{
		llms.TextParts(llms.ChatMessageTypeSystem, "Be brief."),
		{Role: llms.ChatMessageTypeHuman, Parts: []llms.ContentPart{llms.TextPart("Who is this?"), llms.BinaryPart("image/png", []byte("PNG")), llms.ImageURLPart("https://example.com/a.png")}},
	}
	got, err := model.GenerateContent(t.Context(), messages, llms.WithTools([]llms.Tool{tool}), llms.WithMaxTokens(50))
	if err != nil || len(got.Choices[0].ToolCalls) != 1 || got.Choices[0].ToolCalls[0].FunctionCall.Arguments != `{"query":"dog"}` {
		t.Fatalf("GenerateContent = %+v, %v", got, err)
	}
	messages = append(messages, llms.MessageContent{Role: llms.ChatMessageTypeAI, Parts: []llms.ContentPart{got.Choices[0].ToolCalls[0]}},
		llms.MessageContent{Role: llms.ChatMessageTypeTool, Parts: []llms.ContentPart{llms.ToolCallResponse{ToolCallID: "c1", Name: "recall", Content: "Bolt"}}})
	if got, err = model.GenerateContent(t.Context(), messages, llms.WithTools([]llms.Tool{tool}), llms.WithMaxTokens(50)); err != nil || got.Choices[0].Content != "He is called Bolt." {
		t.Fatalf("GenerateContent = %+v, %v", got, err)
	}
	raw, err := json.Marshal(w.Requests()[1].Fields)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		`{"image_url":"data:image/png;base64,UE5H","type":"input_image"}`, `{"image_url":"https://example.com/a.png","type":"input_image"}`,
		`{"arguments":"{\"query\":\"dog\"}","call_id":"c1","name":"recall","type":"function_call"}`, `{"call_id":"c1","output":"Bolt","type":"function_call_output"}`,
		`"tools":[{"description":"looks it up","name":"recall","parameters":{"type":"object"},"type":"function"}]`,
	} {
		if !strings.Contains(string(raw), part) {
			t.Errorf("asked %s\nnothing of %s", raw, part)
		}
	}
}
