package llm_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"familiar/internal/llm"
	"familiar/internal/llm/llmtest"
	"familiar/prompts"
)

// key is the secret no error may contain.
const key = "sk-canary/8+fb1"

// clientOf returns a client of the server whose waits take no time but are recorded.
func clientOf(t *testing.T, w *llmtest.Server, change func(*llm.Settings)) (*llm.Client, *[]time.Duration) {
	t.Helper()
	var waits []time.Duration
	s := llm.Settings{
		Provider: "openai", Model: "test-model", BaseURL: w.URL + "/v1", APIKey: key, Timeout: 10 * time.Second,
		MaxTokens: 200, Temperature: 0.5, Retries: 2, Now: time.Now, Rand: func() float64 { return 0.5 },
		Sleep: func(ctx context.Context, d time.Duration) error {
			waits = append(waits, d)
			return ctx.Err()
		},
	}
	if change != nil {
		change(&s)
	}
	c, err := llm.New(s)
	if err != nil {
		t.Fatal(err)
	}
	return c, &waits
}

// prompt returns the tests' prompt.
func prompt() prompts.Prompt {
	return prompts.Prompt{
		Name: "reply", System: "Be brief.", MaxTokens: 50,
		Messages: []prompts.Message{{Role: prompts.User, Text: "hi"}, {Role: prompts.Assistant, Text: "hello"}, {Role: prompts.User, Text: "how are you?"}},
		Slices:   []prompts.Slice{{Name: "talk", Tokens: 12}},
	}
}

// openaiAnswer is a complete answer in OpenAI's format.
var openaiAnswer = llmtest.Whole("I am well.")

// collect returns a stream callback and its result.
func collect() (func(string), *strings.Builder) {
	var b strings.Builder
	return func(d string) { b.WriteString(d) }, &b
}
