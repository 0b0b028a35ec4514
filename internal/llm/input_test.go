package llm

import (
	"encoding/json"
	"io"
	"strings"
	"testing"

	"familiar/prompts"
)

// TestB4ToolsOfTheResponsesInterface checks the bodies of the interface that takes input in place of messages.
func TestB4ToolsOfTheResponsesInterface(t *testing.T) {
	p := prompts.Prompt{}.WithTools([]prompts.Tool{{Name: "recall", Description: "Look it up.", Parameters: json.RawMessage(`{"type":"object"}`)}}).
		WithRound(prompts.Round{Text: "Hm.", Calls: []prompts.Call{{ID: "a", Name: "recall", Arguments: `{"query":"cat"}`}}, Results: []string{"Tom."}}).
		WithImages([]prompts.Image{{MIME: "image/png", Data: []byte("picture")}})
	p.NoCalls = true
	body := fields{"input": json.RawMessage(`[{"role":"user","content":[{"type":"input_text","text":"hi"}]}]`)}
	body.addImages("openai", p.Images)
	body.addTools(Settings{Provider: "openai"}, p)
	for field, want := range map[string]string{
		"tools":       `[{"description":"Look it up.","name":"recall","parameters":{"type":"object"},"strict":false,"type":"function"}]`,
		"tool_choice": `"none"`,
		"input": `[{"content":[{"image_url":"data:image/png;base64,cGljdHVyZQ==","type":"input_image"},{"text":"hi","type":"input_text"}],"role":"user"},` +
			`{"content":[{"text":"Hm.","type":"output_text"}],"role":"assistant"},` +
			`{"arguments":"{\"query\":\"cat\"}","call_id":"a","name":"recall","type":"function_call"},{"call_id":"a","output":"Tom.","type":"function_call_output"}]`,
	} {
		if got := string(body[field]); got != want {
			t.Errorf("%s is %s, want %s", field, got, want)
		}
	}
	if !body.hasImages() {
		t.Error("the picture is not recognized")
	}
	answer := `{"status":"completed","output":[{"type":"reasoning"},{"type":"function_call","call_id":"a","name":"recall","arguments":"{\"query\":\"cat\"}"}]}`
	for streamed, text := range map[bool]string{
		false: answer,
		true:  "event: response.completed\ndata: " + `{"type":"response.completed","response":` + answer + "}\n\n",
	} {
		r := newCallReader("openai", streamed, io.NopCloser(strings.NewReader(text)))
		passed, err := io.ReadAll(r)
		calls, _ := r.found()
		if err != nil || string(passed) != text || len(calls) != 1 || calls[0].ID != "a" || calls[0].Arguments != `{"query":"cat"}` {
			t.Errorf("streamed %v: passed %s, calls %+v, %v", streamed, passed, calls, err)
		}
	}
}
