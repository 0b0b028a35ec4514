package llm_test

// P13: the beginning that the prompts of a talk have in common is marked for Anthropic's cache, and what providers read from
// their caches is known.

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"familiar/internal/llm"
	"familiar/internal/llm/llmtest"
	"familiar/prompts"
)

// turnOf returns the prompt of the nth turn of a talk, as package prompts makes it: the notes of each turn are gone from the
// next prompt.
func turnOf(n, system int) prompts.Prompt {
	p := prompt()
	p.Room, p.System = 7, strings.Repeat("You are a lighthouse keeper. ", system)
	p.Messages = nil
	for i := range n {
		p.Messages = append(p.Messages,
			prompts.Message{Role: prompts.User, Text: fmt.Sprintf("message %d %s", i, strings.Repeat("about the sea ", 30))},
			prompts.Message{Role: prompts.Assistant, Text: fmt.Sprintf("answer %d", i)})
	}
	p.Messages = append(p.Messages, prompts.Message{Role: prompts.User, Text: fmt.Sprintf("message %d, and notes only for it", n)})
	return p
}

// marks returns where a request has marks: "system" and the indices of messages.
func marks(t *testing.T, r *llmtest.Request) (at []string) {
	t.Helper()
	holds := func(v any) bool {
		raw, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Contains(string(raw), `"cache_control":{"type":"ephemeral"}`)
	}
	if holds(r.Fields["system"]) {
		at = append(at, "system")
	}
	for i, m := range r.Messages {
		if holds(m.Content) {
			at = append(at, fmt.Sprint(i))
		}
	}
	return at
}

func TestP13TheStableBeginningIsMarkedForAnthropic(t *testing.T) {
	job := turnOf(3, 400)
	job.Room, job.Work = 0, true
	for _, c := range []struct {
		name, provider string
		prompt         prompts.Prompt
		want           string
	}{
		{"a talk", "anthropic", turnOf(3, 400), "system 5"},
		{"a short card", "anthropic", turnOf(30, 1), "59"},
		{"the first turn", "anthropic", turnOf(0, 400), "system"},
		{"nothing long enough", "anthropic", turnOf(2, 1), ""},
		{"a job", "anthropic", job, "system"},
		{"OpenAI", "openai", turnOf(3, 400), ""},
		{"Anthropic's model behind a gateway", "gateway", turnOf(3, 400), "0 6"}, // the first message is the system message
		{"the same with a short card", "gateway", turnOf(30, 1), "60"},
	} {
		t.Run(c.name, func(t *testing.T) {
			answer := answerOf(c.provider)
			if c.provider == "anthropic" {
				answer = llmtest.NewAnthropic("I am well.").Answer
			}
			w := llmtest.Serve(t, answer)
			client, _ := clientOf(t, w, func(s *llm.Settings) {
				if as(c.provider)(s); c.provider == "gateway" {
					s.Provider, s.Model = "openai", "anthropic/claude-x"
				}
			})
			if got, err := client.Generate(t.Context(), c.prompt, nil); err != nil || got.Text != "I am well." {
				t.Fatalf("Generate = %+v, %v", got, err)
			}
			if got := strings.Join(marks(t, w.Requests()[0]), " "); got != c.want {
				t.Errorf("marked %q, want %q", got, c.want)
			}
		})
	}
}

func TestP13TheNextTurnReadsTheCache(t *testing.T) {
	for _, streamed := range []bool{false, true} {
		w := llmtest.Serve(t, llmtest.NewAnthropic("I am well.").Answer)
		client, _ := clientOf(t, w, as("anthropic"))
		var before prompts.Answer
		for n := range 4 {
			var stream func(string)
			if streamed {
				stream, _ = collect()
			}
			got, err := client.Generate(t.Context(), turnOf(n, 400), stream)
			if err != nil {
				t.Fatal(err)
			}
			if n > 0 && got.CacheRead != before.CacheRead+before.CacheWritten {
				t.Errorf("turn %d (streamed %v) read %d tokens, want all %d that were kept", n, streamed, got.CacheRead, before.CacheRead+before.CacheWritten)
			}
			if share := float64(got.CacheRead) / float64(got.TokensIn); n > 0 && share < 0.85 {
				t.Errorf("turn %d (streamed %v) read %.2f of %d tokens", n, streamed, share, got.TokensIn)
			}
			before = got
		}
	}
}

func TestP13AServerWithoutACacheIsAskedWithoutMarks(t *testing.T) {
	refusal := llmtest.Says400(`{"type":"error","error":{"type":"invalid_request_error","message":"system.0.cache_control: Extra inputs are not permitted"}}`)
	w := llmtest.Serve(t, refusal, answerOf("anthropic"))
	client, _ := clientOf(t, w, as("anthropic"))
	for _, requests := range []int{2, 1} { // it is remembered
		if got, err := client.Generate(t.Context(), turnOf(3, 400), nil); err != nil || got.Requests != requests {
			t.Errorf("Generate = %+v, %v, want %d requests", got, err, requests)
		}
	}
	if asked := w.Requests(); len(marks(t, asked[1]))+len(marks(t, asked[2])) != 0 {
		t.Errorf("asked %v", asked[2].Fields)
	}
}

func TestP13OpenAISaysWhatItReadFromItsCache(t *testing.T) {
	usage := `"usage":{"prompt_tokens":2100,"completion_tokens":4,"prompt_tokens_details":{"cached_tokens":1920}}`
	w := llmtest.Serve(t, llmtest.Sends(200, `{"choices":[{"message":{"role":"assistant","content":"I am well."},"finish_reason":"stop"}],`+usage+`}`),
		llmtest.Streams(llmtest.Delta("I am well.", "stop"), `data: {"choices":[],`+usage+"}\n\n", llmtest.Done))
	client, _ := clientOf(t, w, nil)
	want := prompts.Answer{Text: "I am well.", TokensIn: 2100, TokensOut: 4, CacheRead: 1920, Requests: 1, Stop: prompts.StopEnd}
	stream, _ := collect()
	for _, f := range []func(string){nil, stream} {
		if got, err := client.Generate(t.Context(), prompt(), f); err != nil || got != want {
			t.Errorf("Generate = %+v, %v, want %+v", got, err, want)
		}
	}
}

// TestB7AnthropicThinksAsTheModelTakesIt has models that think within a number of tokens, as they see fit, and not at all.
func TestB7AnthropicThinksAsTheModelTakesIt(t *testing.T) {
	for _, c := range []struct {
		name     string
		answer   llmtest.Answer
		requests int
		want     map[string]bool
	}{
		{"a budget", answerOf("anthropic"), 1, map[string]bool{"thinking.budget_tokens": true, "output_config": false, "temperature": false}},
		{
			"adaptive", llmtest.Rejects("thinking.budget_tokens", llmtest.Says400(`{"type":"error","error":{"type":"invalid_request_error","message":"\"thinking.type.enabled\" is not supported for this model. Use \"thinking.type.adaptive\" and \"output_config.effort\" to control thinking behavior."}}`), answerOf("anthropic")), 2,
			map[string]bool{"thinking.type": true, "thinking.budget_tokens": false, "output_config.effort": true, "temperature": false},
		},
		{
			"none", llmtest.Rejects("thinking", llmtest.Says400(`{"type":"error","error":{"type":"invalid_request_error","message":"thinking: Extra inputs are not permitted"}}`), answerOf("anthropic")), 2,
			map[string]bool{"thinking": false, "output_config": false, "temperature": true},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := llmtest.Serve(t, c.answer)
			client, _ := clientOf(t, w, func(s *llm.Settings) { as("anthropic")(s); s.Effort = "low" })
			if got, err := client.Generate(t.Context(), prompt(), nil); err != nil || got.Requests != c.requests {
				t.Fatalf("Generate = %+v, %v, want %d requests", got, err, c.requests)
			}
			last := w.Requests()[c.requests-1]
			for field, has := range c.want {
				if last.Has(field) != has {
					t.Errorf("asked %v, %s: %v", last.Fields, field, has)
				}
			}
		})
	}
}
