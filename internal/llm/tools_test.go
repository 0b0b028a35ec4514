package llm_test

// B4: tools are sent, and their calls read, in each provider's format, streamed or not; a model that takes none is asked
// without them and stays so; calls and thoughts go back unchanged to the model they came from.
// B5: pictures are sent in each provider's format; a model that refuses one is not shown another.

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"familiar/internal/llm"
	"familiar/internal/llm/llmtest"
	"familiar/prompts"
)

func toolPrompt() prompts.Prompt {
	return prompt().WithTools([]prompts.Tool{{
		Name: "recall", Description: "Look it up.", Parameters: json.RawMessage(`{"type":"object","properties":{"query":{"type":"string"}},"required":["query"]}`),
	}})
}

// toolAnswers call recall for "cat" and for "dog", after a few words.
var toolAnswers = []struct {
	name, provider string
	streamed       bool
	answer         llmtest.Answer
	text           string
}{
	{"OpenAI", "openai", false, llmtest.Sends(200, `{"choices":[{"index":0,"message":{"role":"assistant","content":null,"reasoning_content":"Hm.","tool_calls":[`+
		`{"id":"a","type":"function","function":{"name":"recall","arguments":"{\"query\":\"cat\"}"},"extra_content":{"google":{"thought_signature":"sig"}}},`+
		`{"id":"b","type":"function","function":{"name":"recall","arguments":"{\"query\":\"dog\"}"}}]},"finish_reason":"tool_calls"}]}`), ""},
	{"OpenAI, streamed", "openai", true, llmtest.Streams(
		llmtest.Delta("One ", ""), llmtest.Delta("moment.", ""),
		openAIPiece(`{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"recall","arguments":""}}]}`),
		openAIPiece(`{"tool_calls":[{"index":0,"function":{"arguments":"{\"query\":"}}]}`),
		openAIPiece(`{"tool_calls":[{"index":1,"id":"b","type":"function","function":{"name":"recall","arguments":"{\"query\":"}}]}`),
		openAIPiece(`{"tool_calls":[{"index":0,"function":{"arguments":"\"cat\"}"}},{"index":1,"function":{"arguments":"\"dog\"}"}}]}`),
		llmtest.Delta("", "tool_calls"), llmtest.Usage, llmtest.Done), "One moment."},
	{"Google, whole calls with one index", "googleai", true, llmtest.Streams(
		openAIPiece(`{"role":"assistant","tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"recall","arguments":"{\"query\":\"cat\"}"}}]}`),
		openAIPiece(`{"tool_calls":[{"index":0,"id":"b","type":"function","function":{"name":"recall","arguments":"{\"query\":\"dog\"}"}}]}`),
		llmtest.Delta("", "stop"), llmtest.Done), ""},
	{"a server that leaves out index and id", "openai", true, llmtest.Streams(
		openAIPiece(`{"tool_calls":[{"function":{"name":"recall","arguments":{"query":"cat"}}},{"function":{"name":"recall","arguments":{"query":"dog"}}}]}`),
		llmtest.Delta("", "tool_calls"), llmtest.Done), ""},
	{"Anthropic", "anthropic", false, llmtest.Sends(200, `{"id":"m","type":"message","role":"assistant","content":[{"type":"thinking","thinking":"Hm.","signature":"s"},`+
		`{"type":"text","text":"One moment."},{"type":"tool_use","id":"a","name":"recall","input":{"query":"cat"}},{"type":"tool_use","id":"b","name":"recall","input":{"query":"dog"}}],`+
		`"stop_reason":"tool_use","usage":{"input_tokens":21,"output_tokens":4}}`), "One moment."},
	{"Anthropic, streamed", "anthropic", true, llmtest.Streams(event(anthropicStart),
		event(`{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}`),
		event(`{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Hm."}}`),
		event(`{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"s"}}`),
		event(`{"type":"content_block_stop","index":0}`),
		event(`{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}`),
		event(`{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"One moment."}}`),
		event(`{"type":"content_block_stop","index":1}`),
		event(`{"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"a","name":"recall","input":{}}}`),
		event(`{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"query\":"}}`),
		event(`{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"\"cat\"}"}}`),
		event(`{"type":"content_block_stop","index":2}`),
		event(`{"type":"content_block_start","index":3,"content_block":{"type":"tool_use","id":"b","name":"recall","input":{}}}`),
		event(`{"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":"{\"query\":\"dog\"}"}}`),
		event(`{"type":"content_block_stop","index":3}`),
		event(`{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":4}}`), event(`{"type":"message_stop"}`)), "One moment."},
	{"Ollama", "ollama", false, llmtest.Sends(200, `{"model":"m","message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"recall","arguments":{"query":"cat"}}},`+
		`{"function":{"name":"recall","arguments":{"query":"dog"}}}]},"done":true,"done_reason":"stop","prompt_eval_count":21,"eval_count":4}`), ""},
	{"Ollama, streamed", "ollama", true, llmtest.Streams(
		`{"model":"m","message":{"role":"assistant","content":"One moment."},"done":false}`+"\n",
		`{"model":"m","message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"recall","arguments":{"query":"cat"}}}]},"done":false}`+"\n",
		`{"model":"m","message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"recall","arguments":{"query":"dog"}}}]},"done":false}`+"\n",
		`{"model":"m","message":{"role":"assistant","content":""},"done":true,"prompt_eval_count":21,"eval_count":4}`+"\n"), "One moment."},
}

// openAIPiece is one event with any delta.
func openAIPiece(delta string) string {
	return "data: " + `{"choices":[{"index":0,"delta":` + delta + `,"finish_reason":null}]}` + "\n\n"
}

func TestB4ToolsOnTheWire(t *testing.T) {
	for _, tt := range toolAnswers {
		t.Run(tt.name, func(t *testing.T) {
			w := llmtest.Serve(t, tt.answer, answerOf(tt.provider))
			c, _ := clientOf(t, w, as(tt.provider))
			stream, said := collect()
			if !tt.streamed {
				stream = nil
			}
			got, err := c.Generate(t.Context(), toolPrompt(), stream)
			if err != nil || got.Asked == nil || len(got.Asked.Calls) != 2 || got.Text != tt.text {
				t.Fatalf("Generate = %+v, %v", got, err)
			}
			for i, query := range []string{"cat", "dog"} {
				if call := got.Asked.Calls[i]; call.Name != "recall" || call.Arguments != fmt.Sprintf(`{"query":%q}`, query) {
					t.Errorf("call %d is %+v", i, call)
				}
			}
			if tt.streamed && said.String() != tt.text {
				t.Errorf("streamed %q, want %q", said, tt.text)
			}
			round := *got.Asked
			round.Results = []string{"It is Tom.", "It is Rex."}
			next := toolPrompt().WithRound(round)
			next.NoCalls = true
			if answer, err := c.Generate(t.Context(), next, nil); err != nil || answer.Text == "" || answer.Asked != nil {
				t.Errorf("then %+v, %v", answer, err)
			}
			checkRound(t, tt.provider, w.Requests())
		})
	}
}

// checkRound checks what a provider was sent: the tools, and then the calls with their results.
func checkRound(t *testing.T, provider string, asked []*llmtest.Request) {
	t.Helper()
	first, then := body(t, asked[0]), body(t, asked[1])
	want := map[string][]string{
		"openai": {`"type":"function"`, `"parameters":{"properties"`}, "googleai": {`"type":"function"`},
		"ollama": {`"type":"function"`}, "anthropic": {`"input_schema":{"properties"`, `"name":"recall"`},
	}[provider]
	for _, part := range want {
		if !strings.Contains(first, part) {
			t.Errorf("asked %s without %s", first, part)
		}
	}
	want = map[string][]string{
		"openai": {`"tool_choice":"none"`, `"role":"tool"`, `"It is Tom."`, `"It is Rex."`}, "googleai": {`"tool_choice":"none"`, `"tool_call_id":"a"`, `"tool_call_id":"b"`},
		"ollama":    {`"role":"tool"`, `"tool_name":"recall"`, `"arguments":{"query":"cat"}`},
		"anthropic": {`"tool_choice":{"type":"none"}`, `"tool_use_id":"a"`, `"id":"b"`, `"input":{"query":"cat"}`, `"signature":"s"`, `"thinking":"Hm."`},
	}[provider]
	for _, part := range want {
		if !strings.Contains(then, part) {
			t.Errorf("then asked %s without %s", then, part)
		}
	}
	if provider == "ollama" && strings.Contains(then, `"tools"`) {
		t.Errorf("offered tools that may not be used: %s", then)
	}
	if strings.Contains(first, "thought_signature") {
		t.Error("the first request has a signature")
	}
}

func body(t *testing.T, r *llmtest.Request) string {
	t.Helper()
	plain, err := json.Marshal(r.Fields)
	if err != nil {
		t.Fatal(err)
	}
	return string(plain)
}

func TestB4SignaturesGoBack(t *testing.T) {
	w := llmtest.Serve(t, toolAnswers[0].answer, llmtest.Says("Tom."))
	c, _ := clientOf(t, w, nil)
	got, err := c.Generate(t.Context(), toolPrompt(), nil)
	if err != nil {
		t.Fatal(err)
	}
	round := *got.Asked
	round.Results = []string{"a", "b"}
	if _, err := c.Generate(t.Context(), toolPrompt().WithRound(round), nil); err != nil {
		t.Fatal(err)
	}
	if sent := body(t, w.Requests()[1]); !strings.Contains(sent, `"thought_signature":"sig"`) || !strings.Contains(sent, `"reasoning_content":"Hm."`) {
		t.Errorf("sent back %s", sent)
	}
	round.By = "another model"
	if _, err := c.Generate(t.Context(), toolPrompt().WithRound(round), nil); err != nil {
		t.Fatal(err)
	}
	if sent := body(t, w.Requests()[2]); strings.Contains(sent, "thought_signature") || strings.Contains(sent, "reasoning_content") || !strings.Contains(sent, `"tool_call_id":"a"`) {
		t.Errorf("sent to another model %s", sent)
	}
}

func TestB4ModelsWithoutTools(t *testing.T) {
	for _, tt := range []struct {
		name, provider string
		status         int
		refusal        string
	}{
		{"Ollama", "ollama", 400, `{"error":"registry.ollama.ai/library/gemma3:latest does not support tools"}`},
		{"vLLM", "openai", 400, `{"object":"error","message":"\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set","type":"BadRequestError","code":400}`},
		{"llama.cpp", "openai", 500, `{"error":{"code":500,"message":"tools param requires --jinja flag","type":"server_error"}}`},
		{"OpenRouter", "openai", 404, `{"error":{"message":"No endpoints found that support tool use. To learn more about provider routing, visit: https://openrouter.ai/docs/provider-routing","code":404}}`},
		{"OpenAI", "openai", 400, `{"error":{"message":"Unsupported parameter: 'tools' is not supported with this model.","type":"invalid_request_error","param":"tools","code":"unsupported_parameter"}}`},
		{"Groq", "openai", 400, `{"error":{"message":"` + "`tool calling` is not supported with this model" + `","type":"invalid_request_error"}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := llmtest.Serve(t, llmtest.Rejects("tools", llmtest.Sends(tt.status, tt.refusal), answerOf(tt.provider)))
			c, _ := clientOf(t, w, as(tt.provider))
			p := toolPrompt().WithRound(prompts.Round{Calls: []prompts.Call{{Name: "recall", Arguments: `{"query":"cat"}`}}, Results: []string{"It is Tom."}})
			if !c.Can().Tools {
				t.Error("nothing is known yet")
			}
			for range 2 {
				if got, err := c.Generate(t.Context(), p, nil); err != nil || got.Text == "" {
					t.Fatalf("Generate = %+v, %v", got, err)
				}
			}
			asked := w.Requests()
			if len(asked) != 3 || c.Can().Tools || !strings.Contains(asked[1].Prompt(), "It is Tom.") {
				t.Errorf("%d requests, the last %v", len(asked), asked[len(asked)-1].Fields)
			}
		})
	}
}

func TestB4PromptsWithoutToolsStay(t *testing.T) {
	for _, provider := range []string{"openai", "anthropic", "ollama"} {
		w := llmtest.Serve(t, answerOf(provider))
		c, _ := clientOf(t, w, func(s *llm.Settings) {
			as(provider)(s)
			s.NoTools = true
		})
		for _, p := range []prompts.Prompt{prompt(), toolPrompt()} {
			if _, err := c.Generate(t.Context(), p, nil); err != nil {
				t.Fatal(err)
			}
		}
		if a, b := body(t, w.Requests()[0]), body(t, w.Requests()[1]); a != b || c.Can().Tools {
			t.Errorf("%s: with tools switched off %s, want %s", provider, b, a)
		}
	}
}

func TestB5PicturesOnTheWire(t *testing.T) {
	p := prompt().WithImages([]prompts.Image{{MIME: "image/png", Data: []byte("picture")}})
	for provider, want := range map[string]string{
		"openai":    `{"image_url":{"url":"data:image/png;base64,cGljdHVyZQ=="},"type":"image_url"}`,
		"googleai":  `"url":"data:image/png;base64,cGljdHVyZQ=="`,
		"anthropic": `{"source":{"data":"cGljdHVyZQ==","media_type":"image/png","type":"base64"},"type":"image"}`,
		"ollama":    `"images":["cGljdHVyZQ=="]`,
	} {
		w := llmtest.Serve(t, answerOf(provider))
		c, _ := clientOf(t, w, as(provider))
		if _, err := c.Generate(t.Context(), p, nil); err != nil {
			t.Fatal(err)
		}
		if sent := body(t, w.Requests()[0]); !strings.Contains(sent, want) {
			t.Errorf("%s was sent %s", provider, sent)
		}
	}
}

func TestB5ModelsThatDoNotSee(t *testing.T) {
	for provider, refusals := range map[string][]string{
		"openai": {
			`{"error":{"message":"Invalid content type. image_url is only supported by certain models.","type":"invalid_request_error","param":"messages.[1].content.[1].type"}}`,
			`{"error":{"message":"gpt-test is not a multimodal model","type":"BadRequestError"}}`,
			`{"error":{"code":500,"message":"image input is not supported - hint: if this is unexpected, you may need to provide the mmproj","type":"server_error"}}`,
			`{"error":"Model does not support images. Please use a model that does."}`,
		},
		"ollama": {`{"error":"this model is missing data required for image input"}`},
	} {
		for _, refusal := range refusals {
			status := 400
			if strings.Contains(refusal, `"code":500`) {
				status = 500
			}
			w := llmtest.Serve(t, func(hw http.ResponseWriter, r *llmtest.Request) {
				if sent := body(t, r); strings.Contains(sent, "cGljdHVyZQ==") {
					llmtest.Sends(status, refusal)(hw, r)
					return
				}
				answerOf(provider)(hw, r)
			})
			c, _ := clientOf(t, w, as(provider))
			p := prompt().WithImages([]prompts.Image{{MIME: "image/png", Data: []byte("picture")}})
			for range 2 {
				if got, err := c.Generate(t.Context(), p, nil); err != nil || got.Text == "" {
					t.Errorf("%s: %+v, %v", refusal, got, err)
				}
			}
			if n := len(w.Requests()); n != 3 || c.Can().Images {
				t.Errorf("%s: %d requests", refusal, n)
			}
		}
	}
}
