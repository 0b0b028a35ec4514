package llm

import (
	"encoding/base64"
	"encoding/json"
	"strings"

	"familiar/prompts"
)

// hasInput reports that a body is for OpenAI's Responses interface, which takes input in place of messages.
func (f fields) hasInput() bool { return f["input"] != nil }

// addInputTools adds the tools and rounds of a prompt to the body of a request to the Responses interface.
func (f fields) addInputTools(p prompts.Prompt) {
	var tools []map[string]any
	for _, t := range p.Tools {
		tools = append(tools, map[string]any{"type": "function", "name": t.Name, "description": t.Description, "parameters": t.Parameters, "strict": false})
	}
	f[toolsField] = encoded(tools)
	if p.NoCalls {
		f[choiceField] = json.RawMessage(`"none"`)
	}
	var input []json.RawMessage
	if len(p.Rounds) == 0 || json.Unmarshal(f["input"], &input) != nil {
		return
	}
	for number, r := range p.Rounds {
		if strings.TrimSpace(r.Text) != "" {
			input = append(input, encoded(map[string]any{"role": "assistant", "content": []any{map[string]any{"type": "output_text", "text": r.Text}}}))
		}
		for i, c := range r.Calls {
			input = append(input, encoded(map[string]any{"type": "function_call", "call_id": callID(number, i, c), "name": toolName(c), "arguments": arguments(c)}))
		}
		for i, c := range r.Calls {
			input = append(input, encoded(map[string]any{"type": "function_call_output", "call_id": callID(number, i, c), "output": r.Results[i]}))
		}
	}
	f["input"] = encoded(input)
}

// addInputImages adds pictures to the last message of a request to the Responses interface.
func (f fields) addInputImages(images []prompts.Image) {
	var input []fields
	if json.Unmarshal(f["input"], &input) != nil || len(input) == 0 {
		return
	}
	last := input[len(input)-1]
	var parts []any
	for _, image := range images {
		url := "data:" + image.MIME + ";base64," + base64.StdEncoding.EncodeToString(image.Data)
		parts = append(parts, map[string]any{"type": "input_image", "image_url": url})
	}
	var text string
	var content []any
	switch {
	case json.Unmarshal(last["content"], &text) == nil:
		content = []any{map[string]any{"type": "input_text", "text": text}}
	case json.Unmarshal(last["content"], &content) != nil:
		return
	}
	last["content"] = encoded(append(parts, content...))
	f["input"] = encoded(input)
}

// output reads the calls in a response of the Responses interface, or in the last event of a streamed one.
func (c *callReader) output(response fields) {
	var items []struct {
		Type      string `json:"type"`
		CallID    string `json:"call_id"`
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	}
	if json.Unmarshal(response["output"], &items) != nil {
		return
	}
	for i, item := range items {
		if item.Type == "function_call" {
			call := &wireCall{index: i, id: item.CallID, name: item.Name}
			call.arguments.WriteString(item.Arguments)
			c.calls = append(c.calls, call)
		}
	}
}
