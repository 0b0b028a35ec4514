package llm_test

// O5: a request that the provider rejects is asked again in a form that it takes, and the form is remembered; a prompt
// that is too long is reported as such; a wait that the provider asks for is kept to while nobody waits too long.

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"testing"

	"familiar/internal/llm"
	"familiar/internal/llm/llmtest"
	"familiar/prompts"
)

// refusals are what servers say about a parameter, in the words of the servers.
var refusals = []struct {
	name, provider string
	status         int
	field, body    string
	// instead is a field that the request must have then.
	instead string
}{
	{"OpenAI, temperature", "openai", 400, "temperature", `{"error":{"message":"Unsupported value: 'temperature' does not support 0.5 with this model. Only the default (1) value is supported.","type":"invalid_request_error","param":"temperature","code":"unsupported_value"}}`, ""},
	{"OpenAI, old name", "openai", 400, "max_completion_tokens", `{"error":{"message":"Unrecognized request argument supplied: max_completion_tokens","type":"invalid_request_error","param":null,"code":null}}`, "max_tokens"},
	{"OpenAI, stop", "openai", 400, "stop", `{"error":{"message":"Unsupported parameter: 'stop' is not supported with this model.","type":"invalid_request_error","param":"stop","code":"unsupported_parameter"}}`, ""},
	{"OpenAI, schema", "openai", 400, "response_format.json_schema", `{"error":{"message":"Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.","type":"invalid_request_error","param":"response_format","code":null}}`, "response_format"},
	{"OpenAI, effort", "openai", 400, "reasoning_effort", `{"error":{"message":"Unrecognized request argument supplied: reasoning_effort","type":"invalid_request_error","param":null,"code":null}}`, ""},
	{"Mistral", "openai", 422, "max_completion_tokens", `{"object":"error","message":{"detail":[{"type":"extra_forbidden","loc":["body","max_completion_tokens"],"msg":"Extra inputs are not permitted","input":32000}]},"type":"invalid_request_error","param":null,"code":null}`, "max_tokens"},
	{"vLLM", "openai", 400, "reasoning_effort", `{"object":"error","message":"[{'type': 'extra_forbidden', 'loc': ('body', 'reasoning_effort'), 'msg': 'Extra inputs are not permitted', 'input': 'low'}]","type":"BadRequestError","param":null,"code":400}`, ""},
	{"FastAPI", "openai", 422, "stop", `{"detail":[{"loc":["body","stop"],"msg":"extra fields not permitted","type":"value_error.extra"}]}`, ""},
	{"LM Studio, JSON", "openai", 400, "response_format", `{"error":"'response_format.type' must be 'json_schema' or 'text'"}`, ""},
	{"DeepSeek", "openai", 400, "response_format", `{"error":{"message":"Prompt must contain the word 'json' in some form to use 'response_format' of type 'json_object'.","type":"invalid_request_error"}}`, ""},
	{"Azure, stream options aside", "openai", 400, "reasoning_effort", `{"error":{"code":"BadRequest","message":"Model {modelName} does not support 'reasoning_effort'."}}`, ""},
	{"OpenRouter, quoting the provider behind it", "openai", 400, "temperature", `{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"{\"error\":{\"message\":\"temperature is not supported\",\"param\":\"temperature\"}}","provider_name":"X"}}}`, ""},
	{"OpenRouter, no endpoint", "openai", 404, "response_format", `{"error":{"message":"No endpoints found that support the requested parameters: response_format","code":404}}`, ""},
	{"Gemini", "googleai", 400, "max_completion_tokens", `[{"error":{"code":400,"message":"Invalid JSON payload received. Unknown name \"max_completion_tokens\": Cannot find field.","status":"INVALID_ARGUMENT"}}]`, "max_tokens"},
	{"llama.cpp", "openai", 501, "response_format", `{"error":{"code":501,"message":"Unsupported param: response_format","type":"not_supported_error"}}`, ""},
	{"Ollama, thinking", "ollama", 400, "think", `{"error":"\"test-model\" does not support thinking"}`, ""},
	{"Ollama by OpenAI's format", "openai", 400, "reasoning_effort", `{"error":{"message":"think value \"low\" is not supported for this model","type":"api_error","param":null,"code":null}}`, ""},
	{"Ollama, window", "ollama", 400, "options.num_ctx", `{"error":"invalid option provided: num_ctx"}`, "options.num_predict"},
	{"Anthropic, thinking", "anthropic", 400, "thinking", `{"type":"error","error":{"type":"invalid_request_error","message":"thinking: Extra inputs are not permitted"}}`, "temperature"},
	{"Anthropic, temperature", "anthropic", 400, "temperature", `{"type":"error","error":{"type":"invalid_request_error","message":"` + "`temperature`" + ` is deprecated for this model."}}`, "max_tokens"},
}

// rich is a prompt with every parameter.
func rich() prompts.Prompt {
	p := prompt()
	p.JSON, p.Stop, p.Schema = true, []string{"\nAna:"}, json.RawMessage(`{"type":"object","properties":{},"required":[],"additionalProperties":false}`)
	return p
}

func TestO5ARejectedParameterIsLeftOutAndRemembered(t *testing.T) {
	for _, c := range refusals {
		t.Run(c.name, func(t *testing.T) {
			w := llmtest.Serve(t, llmtest.Rejects(c.field, llmtest.Sends(c.status, c.body), answerOf(c.provider)))
			client, waits := clientOf(t, w, func(s *llm.Settings) {
				as(c.provider)(s)
				s.Effort = "low"
				if c.name == "Anthropic, temperature" {
					s.Effort = ""
				}
			})
			first, err := client.Generate(t.Context(), rich(), nil)
			if err != nil || first.Text != "I am well." || first.Requests < 2 || first.Requests > 3 || len(*waits) != 0 {
				t.Fatalf("Generate = %+v, %v after waits %v, want an answer to the second or third form at once", first, err, *waits)
			}
			again, err := client.Generate(t.Context(), rich(), nil)
			if err != nil || again.Requests != 1 {
				t.Errorf("the next time: %+v, %v, want one request", again, err)
			}
			asked := w.Requests()
			last := asked[len(asked)-1]
			if last.Has(c.field) || c.instead != "" && !last.Has(c.instead) {
				t.Errorf("asked %v, want no %s and %s", last.Fields, c.field, c.instead)
			}
		})
	}
}

// answerOf returns an answer in a provider's format.
func answerOf(provider string) llmtest.Answer {
	switch provider {
	case "anthropic":
		return llmtest.Sends(200, `{"id":"m","type":"message","role":"assistant","content":[{"type":"text","text":"I am well."}],`+
			`"stop_reason":"end_turn","usage":{"input_tokens":21,"output_tokens":4}}`)
	case "ollama":
		return llmtest.Sends(200, ollamaAnswer)
	}
	return llmtest.Sends(200, openaiAnswer)
}

func TestO5AnotherClientOfTheModelKnowsIt(t *testing.T) {
	c := refusals[0]
	w := llmtest.Serve(t, llmtest.Rejects(c.field, llmtest.Sends(c.status, c.body), answerOf("openai")))
	var accounts llm.Accounts
	for i, want := range []int{2, 1} {
		client, _ := clientOf(t, w, func(s *llm.Settings) { s.Accounts = &accounts })
		if got, err := client.Generate(t.Context(), prompt(), nil); err != nil || got.Requests != want {
			t.Errorf("client %d: %+v, %v, want %d requests", i, got, err, want)
		}
	}
}

func TestO5ALimitTooHighIsLowered(t *testing.T) {
	for _, c := range []struct{ name, body string }{
		{"OpenAI", `{"error":{"message":"max_tokens is too large: 200. This model supports at most 64 completion tokens, whereas you provided 200.","type":"invalid_request_error","param":"max_completion_tokens","code":"invalid_value"}}`},
		{"Groq", "{\"error\":{\"message\":\"`max_completion_tokens` must be less than or equal to `64`, the maximum value for `max_completion_tokens` is less than the `context_window` for this model\",\"type\":\"invalid_request_error\"}}"},
	} {
		w := llmtest.Serve(t, llmtest.Says400(c.body), llmtest.Sends(200, openaiAnswer))
		client, _ := clientOf(t, w, nil)
		p := prompt()
		p.MaxTokens = 200
		if _, err := client.Generate(t.Context(), p, nil); err != nil || w.Requests()[1].Fields["max_completion_tokens"] != 64.0 {
			t.Errorf("%s: asked %v, %v, want 64 tokens", c.name, w.Requests()[1].Fields, err)
		}
	}
	anthropic := `{"type":"error","error":{"type":"invalid_request_error","message":"max_tokens: 200 > 64, which is the maximum allowed number of output tokens for test-model"}}`
	w := llmtest.Serve(t, llmtest.Says400(anthropic), answerOf("anthropic"))
	client, _ := clientOf(t, w, as("anthropic"))
	p := prompt()
	p.MaxTokens = 200
	if _, err := client.Generate(t.Context(), p, nil); err != nil || w.Requests()[1].Fields["max_tokens"] != 64.0 {
		t.Errorf("Anthropic: asked %v, %v, want 64 tokens", w.Requests()[1].Fields, err)
	}
}

// TestO5WhatIsNoParameterIsNotAskedAgain also has words that are parameters elsewhere, and a server that never takes it.
func TestO5WhatIsNoParameterIsNotAskedAgain(t *testing.T) {
	for _, c := range []struct {
		name, body string
		most       int
	}{
		{"a message", `{"error":{"message":"Invalid 'messages[1].content': string too short.","param":"messages[1].content"}}`, 1},
		{"a common word", `{"error":{"message":"Please stop sending so much."}}`, 1},
		{"no words", ``, 1},
		{"a page", `<html><body>stop_sequences temperature</body></html>`, 1},
		{"the request in the refusal", `{"detail":"bad","input":{"temperature":0.5}}`, 1},
		{"for ever", `{"error":"unknown fields: temperature, response_format, max_completion_tokens, max_tokens, 'stop', reasoning_effort"}`, 9},
	} {
		w := llmtest.Start(llmtest.Says400(c.body)) // which refuses the limit on the answer too
		t.Cleanup(w.Close)
		client, _ := clientOf(t, w, func(s *llm.Settings) { s.Effort = "high" })
		_, err := client.Generate(t.Context(), rich(), nil)
		var fault *llm.Error
		if n := len(w.Requests()); !errors.As(err, &fault) || fault.Kind != llm.Bad || n > c.most {
			t.Errorf("%s: %v after %d requests, want Bad after %d", c.name, err, n, c.most)
		}
	}
}

// TestO5ContextTooLong has the words of the servers for a prompt that does not fit.
func TestO5ContextTooLong(t *testing.T) {
	for _, c := range []struct {
		name   string
		status int
		body   string
		limit  int
	}{
		{"OpenAI", 400, `{"error":{"message":"This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens. Please reduce the length of the messages.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}`, 8192},
		{"OpenAI, newer", 400, `{"error":{"message":"Input tokens exceed the configured limit of 272,000 tokens. Your messages resulted in 300,123 tokens.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}`, 272000},
		{"vLLM", 400, `{"object":"error","message":"This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4200 in the messages, 800 in the completion). Please reduce the length of the messages or completion.","type":"BadRequestError","code":400}`, 4096},
		{"OpenRouter", 400, `{"error":{"message":"This endpoint's maximum context length is 32768 tokens. However, you requested about 40000 tokens (39200 of text input, 800 in the output).","code":400}}`, 32768},
		{"llama.cpp", 400, `{"error":{"code":400,"message":"the request exceeds the available context size. try increasing the context size or enable context shift","type":"exceed_context_size_error","n_prompt_tokens":14429,"n_ctx":8192}}`, 8192},
		{"llama.cpp, with 200", 200, `{"error":{"code":400,"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error","n_prompt_tokens":1407,"n_ctx":256}}`, 256},
		{"llama.cpp in Python", 500, `{"error":{"message":"Requested tokens (2285) exceed context window of 2048"}}`, 2048},
		{"LM Studio", 400, `{"error":"Trying to keep the first 14538 tokens when context the overflows. However, the model is loaded with context length of only 2048 tokens, which is not enough. Try to load the model with a larger context length, or provide a shorter input"}`, 2048},
		{"Anthropic", 400, `{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}`, 200000},
		{"Anthropic, both", 400, `{"type":"error","error":{"type":"invalid_request_error","message":"input length and ` + "`max_tokens`" + ` exceed context limit: 190000 + 20000 > 200000, decrease input length or ` + "`max_tokens`" + ` and try again"}}`, 200000},
		{"Anthropic, bytes", 413, `{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}`, 0},
		{"Gemini", 400, `[{"error":{"code":400,"message":"The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}]`, 1048576},
		{"Together", 422, `{"error":{"message":"Input validation error: inputs tokens + max_new_tokens must be <= 4097. Given: 4200 inputs tokens and 800 max_new_tokens"}}`, 4097},
		{"Bedrock", 400, `{"message":"Input is too long for requested model."}`, 0},
		{"Groq", 400, `{"error":{"message":"Please reduce the length of the messages or completion.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}`, 0},
		{"a proxy", 413, `<html><head><title>413 Request Entity Too Large</title></head></html>`, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := llmtest.Serve(t, llmtest.Sends(c.status, c.body))
			client, _ := clientOf(t, w, nil)
			_, err := client.Generate(t.Context(), prompt(), nil)
			var fault *llm.Error
			if !errors.As(err, &fault) || fault.Kind != llm.ContextTooLong || fault.Limit != c.limit || len(w.Requests()) != 1 {
				t.Fatalf("Generate: %+v after %d requests, want ContextTooLong with %d", fault, len(w.Requests()), c.limit)
			}
			if limit, tooLong := fault.ContextLimit(); !tooLong || limit != c.limit {
				t.Errorf("ContextLimit = %d, %v", limit, tooLong)
			}
			checkNoSecret(t, err)
		})
	}
}

func TestO5WaitsAreKeptToWhilePatienceLasts(t *testing.T) {
	answer := llmtest.Sends(200, openaiAnswer)
	for _, c := range []struct {
		name    string
		room    int64
		answers []llmtest.Answer
		waits   int
		ok      bool
	}{
		{"somebody waits 7 s", 1, []llmtest.Answer{llmtest.Busy("7"), answer}, 1, true},
		{"but not 9 s", 1, []llmtest.Answer{llmtest.Busy("9"), answer}, 0, false},
		{"nor twice 5 s", 1, []llmtest.Answer{llmtest.Busy("5"), llmtest.Busy("5"), answer}, 1, false},
		{"work waits longer", 0, []llmtest.Answer{llmtest.Busy("25"), llmtest.Busy("20"), answer}, 2, true},
		{"but not for ever", 0, []llmtest.Answer{llmtest.Busy("31"), answer}, 0, false},
	} {
		w := llmtest.Serve(t, c.answers...)
		client, waits := clientOf(t, w, nil)
		p := prompt()
		p.Room = c.room
		if _, err := client.Generate(t.Context(), p, nil); (err == nil) != c.ok || len(*waits) != c.waits {
			t.Errorf("%s: %v after waits %v", c.name, err, *waits)
		}
	}
}

// TestO2EffortIsSentWhereItBelongs also checks that the thoughts do not take the place of the answer.
func TestO2EffortIsSentWhereItBelongs(t *testing.T) {
	for _, c := range []struct {
		provider, field string
		want            any
		limit           func(r *llmtest.Request) any
	}{
		{"openai", "reasoning_effort", "medium", func(r *llmtest.Request) any { return r.Fields["max_completion_tokens"] }},
		{"googleai", "reasoning_effort", "medium", func(r *llmtest.Request) any { return r.Fields["max_completion_tokens"] }},
		{"ollama", "think", "medium", func(r *llmtest.Request) any { return r.Fields["options"].(map[string]any)["num_predict"] }},
		{"anthropic", "thinking", nil, func(r *llmtest.Request) any { return r.Fields["max_tokens"] }},
	} {
		for _, effort := range []string{"", "medium"} {
			w := llmtest.Serve(t, answerOf(c.provider))
			client, _ := clientOf(t, w, func(s *llm.Settings) {
				as(c.provider)(s)
				s.Effort = effort
			})
			if _, err := client.Generate(t.Context(), prompt(), nil); err != nil {
				t.Fatal(err)
			}
			r := w.Requests()[0]
			switch limit := c.limit(r); {
			case effort == "" && (r.Has(c.field) || limit != 50.0):
				t.Errorf("%s without effort: %v", c.provider, r.Fields)
			case effort != "" && (!r.Has(c.field) || limit != 4146.0 || c.want != nil && r.Fields[c.field] != c.want):
				t.Errorf("%s with effort: %v", c.provider, r.Fields)
			}
		}
	}
}

func TestO1JSONIsRequestedInTheStrictestForm(t *testing.T) {
	w := llmtest.Serve(t, answerOf("openai"), answerOf("openai"), answerOf("ollama"))
	client, _ := clientOf(t, w, nil)
	schemaless := rich()
	schemaless.Schema = nil
	var types []string
	for _, p := range []prompts.Prompt{rich(), schemaless} {
		if _, err := client.Generate(t.Context(), p, nil); err != nil {
			t.Fatal(err)
		}
	}
	for _, r := range w.Requests() {
		types = append(types, r.Format.Type)
	}
	if want := []string{"json_schema", "json_object"}; !slices.Equal(types, want) {
		t.Errorf("asked for %v, want %v", types, want)
	}
	ollama, _ := clientOf(t, w, as("ollama"))
	if _, err := ollama.Generate(t.Context(), rich(), nil); err != nil {
		t.Fatal(err)
	}
	if format, ok := w.Requests()[2].Fields["format"].(map[string]any); !ok || format["type"] != "object" {
		t.Errorf("asked ollama for %v", w.Requests()[2].Fields["format"])
	}
}

// TestO5LMStudioGetsASchemaAlthoughItTakesNoJSONObject: what one form teaches does not cost the other.
func TestO5LMStudioGetsASchemaAlthoughItTakesNoJSONObject(t *testing.T) {
	refuses := llmtest.Says400(`{"error":"'response_format.type' must be 'json_schema' or 'text'"}`)
	w := llmtest.Serve(t, refuses, answerOf("openai"))
	client, _ := clientOf(t, w, nil)
	schemaless := rich()
	schemaless.Schema = nil
	for _, p := range []prompts.Prompt{schemaless, rich()} {
		if _, err := client.Generate(t.Context(), p, nil); err != nil {
			t.Fatal(err)
		}
	}
	if r := w.Requests(); len(r) != 3 || r[1].Format != nil || r[2].Format == nil || r[2].Format.Type != "json_schema" {
		t.Errorf("%d requests, want JSON refused, then a schema", len(r))
	}
}

// TestO5AModelWithoutSystemMessages: some templates know people and assistants only.
func TestO5AModelWithoutSystemMessages(t *testing.T) {
	for _, c := range []struct {
		name   string
		status int
		body   string
	}{
		{"OpenAI", 400, `{"error":{"message":"Unsupported value: 'messages[0].role' does not support 'system' with this model.","type":"invalid_request_error","param":"messages[0].role","code":"unsupported_value"}}`},
		{"llama.cpp", 500, `{"error":{"code":500,"message":"System role not supported","type":"server_error"}}`},
		{"vLLM", 400, `{"object":"error","message":"Only user and assistant roles are supported!","type":"BadRequestError","code":400}`},
	} {
		w := llmtest.Serve(t, func(rw http.ResponseWriter, r *llmtest.Request) {
			if r.Messages[0].Role == "system" {
				llmtest.Sends(c.status, c.body)(rw, r)
				return
			}
			llmtest.Says("I am well.")(rw, r)
		})
		client, waits := clientOf(t, w, nil)
		for _, want := range []int{2, 1} {
			if got, err := client.Generate(t.Context(), prompt(), nil); err != nil || got.Requests != want || len(*waits) != 0 {
				t.Errorf("%s: %+v, %v after waits %v, want %d requests", c.name, got, err, *waits, want)
			}
		}
		last := w.Requests()[2].Messages
		if len(last) != 3 || last[0].Role != "user" || last[0].Content != "Be brief.\n\nhi" {
			t.Errorf("%s: asked %+v", c.name, last)
		}
	}
	w := llmtest.Serve(t, llmtest.Sends(500, `{"error":{"message":"The operating system is not available."}}`))
	client, _ := clientOf(t, w, nil)
	if _, err := client.Generate(t.Context(), prompt(), nil); err == nil || w.Requests()[1].Messages[0].Role != "system" {
		t.Errorf("another fault: %v", err)
	}
}
