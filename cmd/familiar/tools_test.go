package main

// B4: the binary offers its tools to the model that is configured, makes the calls, and charges each round.

import (
	"net/http"
	"strings"
	"testing"

	"familiar/internal/llm/llmtest"
)

func TestB4ToolsEndToEnd(t *testing.T) {
	t.Parallel()
	p := llmtest.Serve(t, func(w http.ResponseWriter, r *llmtest.Request) {
		switch {
		case !strings.Contains(r.Prompt(), "flowerpot"):
			llmtest.Says("Hello.")(w, r)
		case len(r.Messages) > 0 && r.Messages[len(r.Messages)-1].Role == "tool":
			llmtest.Says("I will keep it in mind.")(w, r)
		case r.Has("tools"):
			llmtest.Calls("", "note", `{"text":"Ann keeps the spare key under the flowerpot"}`)(w, r)
		default:
			llmtest.Says("They talked about a key.")(w, r)
		}
	})
	for settings, offered := range map[string]bool{"": true, "  tools: off\n": false} {
		home := configHome(t, p, settings)
		before := len(p.Requests())
		r := familiar(t, home, keyed, "i keep the spare key under the flowerpot\n", "chat", "--as", "Ann")
		r.must(t)
		tools := 0
		for _, asked := range p.Requests()[before:] {
			if asked.Has("tools") {
				tools++
			}
		}
		if offered != strings.Contains(r.out, "I will keep it in mind.") || offered != (tools == 2) {
			t.Errorf("%q: said %q with %d requests for tools", settings, r.out, tools)
		}
	}
}
