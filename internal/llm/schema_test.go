package llm_test

// O1: JSON is requested by schema where the provider has that, as an object next, and in words where it rejects both.

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"familiar/internal/llm"
	"familiar/internal/llm/llmtest"
)

func TestO1AnthropicIsAskedBySchema(t *testing.T) {
	for _, c := range []struct {
		name, effort, refusal string
		requests              int
		form                  llm.JSONForm
		has                   string
	}{
		{"a model that takes it", "", "", 1, llm.JSONBySchema, `"output_config":{"format":{"schema":{`},
		{"one that names the parameter", "", "output_config.format: Extra inputs are not permitted", 2, llm.JSONInWords, ""},
		{"one that does not", "", "'claude-x' does not support output format.", 2, llm.JSONInWords, ""},
		{"one that rejects the schema", "", "For 'integer' type, property 'minimum' is not supported", 2, llm.JSONInWords, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			body, err := json.Marshal(map[string]any{"type": "error", "error": map[string]string{"type": "invalid_request_error", "message": c.refusal}})
			if err != nil {
				t.Fatal(err)
			}
			answer := answerOf("anthropic")
			if c.refusal != "" {
				answer = llmtest.Rejects("output_config.format", llmtest.Says400(string(body)), answer)
			}
			w := llmtest.Serve(t, answer)
			client, _ := clientOf(t, w, as("anthropic"))
			for _, requests := range []int{c.requests, 1} { // it is remembered
				if got, err := client.Generate(t.Context(), rich(), nil); err != nil || got.Requests != requests || client.JSONForm() != c.form {
					t.Errorf("Generate = %+v, %v, %s, want %d requests and %s", got, err, client.JSONForm(), requests, c.form)
				}
			}
			asked := w.Requests()
			last, err := json.Marshal(asked[len(asked)-1].Fields)
			if err != nil || !strings.Contains(string(last), c.has) || c.has == "" && strings.Contains(string(last), "json_schema") {
				t.Errorf("asked %s, %v", last, err)
			}
		})
	}
}

// TestO1ASchemaAndEffortGoTogether: a model of Anthropic's takes both in one object.
func TestO1ASchemaAndEffortGoTogether(t *testing.T) {
	adaptive := llmtest.Says400(`{"type":"error","error":{"type":"invalid_request_error","message":"\"thinking.type.enabled\" is not supported for this model. Use \"thinking.type.adaptive\" and \"output_config.effort\"."}}`)
	w := llmtest.Serve(t, llmtest.Rejects("thinking.budget_tokens", adaptive, answerOf("anthropic")))
	client, _ := clientOf(t, w, func(s *llm.Settings) { as("anthropic")(s); s.Effort = "low" })
	if got, err := client.Generate(t.Context(), rich(), nil); err != nil || got.Requests != 2 {
		t.Fatalf("Generate = %+v, %v", got, err)
	}
	if last := w.Requests()[1]; !last.Has("output_config.format") || !last.Has("output_config.effort") {
		t.Errorf("asked %v", last.Fields)
	}
}

// TestO1AWrongSchemaIsLeftOutOnce: a server that rejects a schema without a word of it is asked without. What has nothing to do
// with it is not asked again.
func TestO1AWrongSchemaIsLeftOutOnce(t *testing.T) {
	for _, c := range []struct {
		name     string
		answer   llmtest.Answer
		requests int
		kind     llm.Kind
	}{
		{"the schema", func(w http.ResponseWriter, r *llmtest.Request) {
			if r.Format != nil && r.Format.Type == "json_schema" {
				llmtest.Says400(`{"error":{"message":"additionalProperties must not be false here"}}`)(w, r)
				return
			}
			llmtest.Says("{}")(w, r)
		}, 2, ""},
		{"something else", llmtest.Says400(`{"error":{"message":"no"}}`), 1, llm.Bad},
		{"no such model", llmtest.Sends(404, `{"error":{"message":"no such model","code":"model_not_found"}}`), 1, llm.Bad},
		{"no credit", llmtest.Says400(`{"error":{"message":"Your credit balance is too low"}}`), 1, llm.Bad},
	} {
		w := llmtest.Serve(t, c.answer)
		client, _ := clientOf(t, w, nil)
		if got, err := client.Generate(t.Context(), rich(), nil); kind(err) != c.kind || got.Requests != c.requests {
			t.Errorf("%s: %+v, %v, want %d requests and %q", c.name, got, err, c.requests, c.kind)
		}
	}
}
