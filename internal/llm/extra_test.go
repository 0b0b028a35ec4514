package llm

// B2: a model's own keys and headers are in every request; secrets among them are in no error.

import (
	"errors"
	"strings"
	"testing"
	"time"

	"familiar/internal/llm/llmtest"
	"familiar/prompts"
)

func TestB2ExtraKeysAndHeadersAreInEveryRequest(t *testing.T) {
	p := llmtest.Serve(t, llmtest.Says("Hello."))
	for _, stream := range []func(string){nil, func(string) {}} {
		client, err := New(Settings{
			Provider: "openai", Model: "m", BaseURL: p.URL, Timeout: time.Minute, MaxTokens: 100, Now: time.Now, Rand: func() float64 { return 0 },
			ExtraBody: map[string]any{"top_k": 40, "temperature": 0.25, "chat_template_kwargs": map[string]any{"enable_thinking": false}, "stream_options": map[string]any{"more": true}},
			Headers:   map[string]string{"X-Title": "Familiar"},
		})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := client.Generate(t.Context(), prompts.Prompt{System: "s", Messages: []prompts.Message{{Role: prompts.User, Text: "hi"}}, MaxTokens: 7}, stream); err != nil {
			t.Fatal(err)
		}
		requests := p.Requests()
		r := requests[len(requests)-1]
		if r.Fields["top_k"] != float64(40) || r.Fields["temperature"] != 0.25 || r.Fields["chat_template_kwargs"] == nil || r.Model != "m" || r.Stream != (stream != nil) {
			t.Errorf("sent %v", r.Fields)
		}
		if options, _ := r.Fields["stream_options"].(map[string]any); stream != nil && (options["more"] != true || options["include_usage"] != true) {
			t.Errorf("objects are not merged: %v", options)
		}
		if r.Header.Get("X-Title") != "Familiar" {
			t.Errorf("headers %v", r.Header)
		}
	}
}

func TestB2AnErrorShowsNoSecretHeader(t *testing.T) {
	const secret = "hdr-canary/1 2"
	p := llmtest.Serve(t, llmtest.Sends(400, `{"error":{"message":"bad `+secret+`"}}`))
	client, err := New(Settings{
		Provider: "openai", Model: "m", BaseURL: p.URL, Timeout: time.Minute, MaxTokens: 100, Now: time.Now, Rand: func() float64 { return 0 },
		Headers: map[string]string{"X-Gateway-Key": secret},
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = client.Generate(t.Context(), prompts.Prompt{Messages: []prompts.Message{{Role: prompts.User, Text: "hi"}}, MaxTokens: 7}, nil)
	var fault *Error
	if !errors.As(err, &fault) || strings.Contains(err.Error(), "canary") || !strings.Contains(err.Error(), "[key]") {
		t.Errorf("the error is %v", err)
	}
}

func TestB2MergingLeavesOtherBodiesAlone(t *testing.T) {
	for in, want := range map[string]string{
		`{"a":1,"b":{"c":12345678901234567890}}`: `{"a":[2],"b":{"c":12345678901234567890,"d":null},"e":"x"}`,
		`[1]`:                                    `[1]`,
		`null`:                                   `null`,
		`hello`:                                  `hello`,
		``:                                       ``,
	} {
		got, err := mergeJSON([]byte(in), map[string]any{"a": []any{2}, "b": map[string]any{"d": nil}, "e": "x"})
		if err != nil || string(got) != want {
			t.Errorf("%s became %s, %v, want %s", in, got, err, want)
		}
	}
}

func TestB2AnotherModelIsAskedOnlyWhereItMaySucceed(t *testing.T) {
	for kind, want := range map[Kind]bool{
		RateLimited: true, Server: true, Auth: true, Timeout: true, Bad: true, Open: true, ContextTooLong: false, Canceled: false, Empty: false, TooLong: false,
	} {
		if got := (&Error{Kind: kind}).Elsewhere(); got != want {
			t.Errorf("%s: %v, want %v", kind, got, want)
		}
	}
}
