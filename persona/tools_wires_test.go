package persona_test

// B4: in every format in which a model calls tools, streamed or not, calls are made, repaired or answered with the mistake, and bounded.

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"familiar/channels"
	"familiar/internal/llm"
	"familiar/internal/llm/llmtest"
	"familiar/internal/tokens"
	"familiar/memory/memorytest"
	"familiar/persona"
	"familiar/persona/modelvoice"
	"familiar/persona/plain"
	"familiar/persona/tool"
	"familiar/prompts"
)

// parrot returns its query, and how many results were asked for.
type parrot struct{}

func (parrot) Spec() tool.Spec {
	return tool.Spec{
		Name: "echo", Description: "Says it again.", Default: tool.Allow, Aliases: []string{"repeat"},
		Parameters: json.RawMessage(`{"type":"object","properties":{"query":{"type":"string"},"times":{"type":"integer"}},"required":["query"]}`),
	}
}

func (parrot) Call(_ context.Context, u tool.Use) (tool.Result, error) {
	var given struct {
		Query string
		Times int
	}
	err := u.Decode(&given)
	return tool.Result{Text: fmt.Sprintf("%d times %s", given.Times, given.Query)}, err
}

// streaming is a desk that shows replies while they are written.
type streaming struct{ *desk }

func (streaming) Preview(context.Context, channels.Room, string, string) error { return nil }
func (streaming) CancelPreview(context.Context, channels.Room, string) error   { return nil }

// onWire plays with a model that is asked in a format.
func onWire(t *testing.T, w llmtest.Wire, stream bool, answers ...llmtest.Answer) (*stage, *llmtest.Server) {
	t.Helper()
	provider := llmtest.Serve(t, answers...)
	base := provider.URL + "/v1"
	if w.Provider == "ollama" {
		base = provider.URL
	}
	client, err := llm.New(llm.Settings{
		Provider: w.Provider, API: w.API, Model: "m", BaseURL: base, APIKey: "k", Timeout: 10 * time.Second, MaxTokens: 300,
		Now: time.Now, Rand: func() float64 { return 0.5 }, Sleep: func(context.Context, time.Duration) error { return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	registry, err := tool.NewRegistry(tool.Rules{}, tool.DefaultLimits, parrot{}, returning{"big", strings.Repeat("much ", 200_000), tool.Allow})
	if err != nil {
		t.Fatal(err)
	}
	clock := &memorytest.Clock{}
	s := playOn(t, memorytest.OpenAt(t, clock), clock, func(p *persona.Parts) {
		registry.Log, registry.Clock = p.Store.ToolCalls, p.Now
		p.Tools = registry
		p.Model = llm.Answering(func(prompts.Prompt) string { return `{"claims": []}` })
		meter := modelvoice.Meter{Store: p.Store, Persona: "tess", Now: p.Now}
		p.Voice = modelvoice.Fallback(modelvoice.NewVoice(modelvoice.Chain{{Model: client}}, meter, 0, 0), plain.New())
		if stream {
			p.Channels = []channels.Channel{streaming{p.Channels[0].(*desk)}}
		}
	})
	return s, provider
}

// wireCases are what a model calls, and what it is told. Several calls are made at once; rounds are one after another.
var wireCases = []struct {
	name   string
	rounds [][]string
	told   []string
}{
	{"a call", [][]string{{"echo", `{"query":"cat"}`}}, []string{"0 times cat"}},
	{"calls at once", [][]string{{"echo", `{"query":"cat"}`, "echo", `{"query":"dog","times":2}`, "recall", `{"query":"boat"}`}}, []string{"0 times cat", "2 times dog", "nothing of that"}},
	{"calls after another", [][]string{{"echo", `{"query":"cat"}`}, {"echo", `{"query":"dog"}`}}, []string{"0 times cat", "0 times dog"}},
	{"malformed JSON", [][]string{{"echo", `{query: 'cat', "times": 3,}`}}, []string{"3 times cat"}},
	{"JSON without its end", [][]string{{"echo", `{"query": "cat"`}}, []string{"0 times cat"}},
	{"wrong types that mean the right ones", [][]string{{"echo", `{"query":5,"times":"2"}`}}, []string{"2 times 5"}},
	{"wrong types", [][]string{{"echo", `{"query":{"a":7}}`}, {"echo", `{"query":"cat"}`}}, []string{`echo needs "query" as a text`, "0 times cat"}},
	{"a missing argument", [][]string{{"echo", `{}`}, {"echo", `{"query":"cat"}`}}, []string{`echo needs "query" as a text`, "0 times cat"}},
	{"another name", [][]string{{"functions.Echo", `{"query":"cat"}`, "repeat", `{"query":"dog"}`}}, []string{"0 times cat", "0 times dog"}},
	{"an unknown tool", [][]string{{"fly_away", `{"query":"x"}`}}, []string{`there is no tool "fly_away"`}},
	{"a result that is too large", [][]string{{"big", `{"query":"x"}`}}, []string{"much much"}},
}

func TestB4ToolsOnEveryWire(t *testing.T) {
	for _, wire := range llmtest.Wires {
		for _, stream := range []bool{false, true} {
			for _, tt := range wireCases {
				t.Run(fmt.Sprintf("%s, streamed %t, %s", wire.Name, stream, tt.name), func(t *testing.T) {
					var answers []llmtest.Answer
					for _, round := range tt.rounds {
						answers = append(answers, wire.Calls("One moment.", round...))
					}
					s, provider := onWire(t, wire, stream, append(answers, wire.Says("That is all."))...)
					if said := s.say("ann", "what is there?"); said != "That is all." {
						t.Errorf("said %q", said)
					}
					results := wire.Results(last(provider))
					if len(results) != len(tt.told) {
						t.Fatalf("told %.300q", results)
					}
					for i, want := range tt.told {
						if !strings.Contains(results[i], want) || tokens.Estimate(results[i]) > tool.DefaultLimits.Result {
							t.Errorf("result %d is %.300q, want %q", i, results[i], want)
						}
					}
				})
			}
		}
	}
}

// TestS16CallsAreBoundedOnEveryWire has a model call forever, also after it was told not to.
func TestS16CallsAreBoundedOnEveryWire(t *testing.T) {
	for _, wire := range llmtest.Wires {
		for _, stream := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, streamed %t", wire.Name, stream), func(t *testing.T) {
				n := 0
				s, provider := onWire(t, wire, stream, func(w http.ResponseWriter, r *llmtest.Request) {
					n++
					wire.Calls("", "echo", fmt.Sprintf(`{"query":"%d"}`, n), "echo", fmt.Sprintf(`{"query":"also %d"}`, n))(w, r)
				})
				said := s.say("ann", "what is there?")
				if said == "" || strings.Contains(said, "echo") {
					t.Errorf("said %q", said)
				}
				if made := len(s.calls()); made > tool.DefaultLimits.Calls || len(provider.Requests()) > 2*(tool.DefaultLimits.Rounds+1) {
					t.Errorf("%d calls, %d requests", made, len(provider.Requests()))
				}
			})
		}
	}
}
