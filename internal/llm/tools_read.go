package llm

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"sync"

	"familiar/prompts"
)

// callReader takes the calls of tools out of a response, and passes on the rest: langchaingo then sees an answer like any
// other. What was found may be asked for while langchaingo still reads.
type callReader struct {
	provider string
	streamed bool
	body     io.ReadCloser
	lines    *bufio.Reader
	// ready is what may be read before err.
	ready []byte
	err   error

	mu    sync.Mutex
	calls []*wireCall
	// thoughts are anthropic's blocks of thinking by index, extras the reasoning that openai's format wants back.
	thoughts map[int]map[string]any
	order    []int
	extras   map[string]any
}

// wireCall is a call as it arrives.
type wireCall struct {
	index     int
	id, name  string
	arguments strings.Builder
	raw       fields
}

func newCallReader(provider string, streamed bool, body io.ReadCloser) *callReader {
	return &callReader{
		provider: provider, streamed: streamed || provider == "ollama", body: body, lines: bufio.NewReader(body),
		thoughts: make(map[int]map[string]any), extras: make(map[string]any),
	}
}

// Read implements io.Reader.
func (c *callReader) Read(p []byte) (int, error) {
	for len(c.ready) == 0 && c.err == nil {
		c.next()
	}
	if len(c.ready) > 0 {
		n := copy(p, c.ready)
		c.ready = c.ready[n:]
		return n, nil
	}
	return 0, c.err
}

// Close implements io.Closer.
func (c *callReader) Close() error { return c.body.Close() }

// next reads a line of a stream, or a whole response.
func (c *callReader) next() {
	if !c.streamed {
		var whole []byte
		if whole, c.err = io.ReadAll(c.lines); c.err == nil {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.ready, c.err = c.whole(whole), io.EOF
		}
		return
	}
	var line []byte
	line, c.err = c.lines.ReadBytes('\n')
	c.mu.Lock()
	defer c.mu.Unlock()
	switch c.provider {
	case "ollama":
		c.ollamaLine(line)
	case "anthropic":
		line = c.event(line, c.anthropicEvent)
	default:
		line = c.event(line, c.openAIEvent)
	}
	c.ready = line
}

// event reads the data of a line of a stream of events, and returns the line with what replaces it.
func (c *callReader) event(line []byte, read func(event fields) (changed bool)) []byte {
	data, ok := bytes.CutPrefix(line, []byte("data:"))
	var event fields
	if !ok || json.Unmarshal(data, &event) != nil || !read(event) {
		return line
	}
	return append(append([]byte("data: "), encoded(event)...), '\n')
}

// openAIEvent reads a piece of an answer.
func (c *callReader) openAIEvent(event fields) bool {
	if response := nested(event["response"]); string(event["type"]) == `"response.completed"` {
		c.output(response)
		return false
	}
	return c.choice(event, "delta")
}

// choice takes the calls out of the first choice of a response in OpenAI's format.
func (c *callReader) choice(response fields, part string) (changed bool) {
	var choices []fields
	if json.Unmarshal(response["choices"], &choices) != nil || len(choices) == 0 {
		return false
	}
	message := nested(choices[0][part])
	for _, name := range []string{"reasoning_content", "reasoning_details"} {
		c.addExtra(name, message[name])
	}
	var calls []fields
	if json.Unmarshal(message["tool_calls"], &calls) != nil || len(calls) == 0 {
		return false
	}
	for i, call := range calls {
		c.openAICall(i, call, part == "message")
	}
	delete(message, "tool_calls")
	choices[0][part] = encoded(message)
	response["choices"] = encoded(choices)
	return true
}

// addExtra adds a piece of reasoning: a text or a list.
func (c *callReader) addExtra(name string, piece json.RawMessage) {
	var text string
	var list []any
	switch {
	case json.Unmarshal(piece, &text) == nil && text != "":
		before, _ := c.extras[name].(string)
		c.extras[name] = before + text
	case json.Unmarshal(piece, &list) == nil && len(list) > 0:
		before, _ := c.extras[name].([]any)
		c.extras[name] = append(before, list...)
	}
}

// openAICall reads a call or a piece of one. Some servers leave out the index, or give every call the same.
func (c *callReader) openAICall(place int, piece fields, whole bool) {
	index := place
	var id, name string
	numbered := json.Unmarshal(piece["index"], &index) == nil
	_ = json.Unmarshal(piece["id"], &id) // "" if there is none
	function := nested(piece["function"])
	_ = json.Unmarshal(function["name"], &name) // "" if there is none
	call := c.running(index, numbered)
	if call == nil || whole || id != "" && call.id != "" && id != call.id || !numbered && name != "" {
		call = &wireCall{index: index, raw: piece}
		c.calls = append(c.calls, call)
	}
	if call.id == "" {
		call.id = id
	}
	if call.name == "" {
		call.name = name
	}
	call.arguments.WriteString(argumentText(function["arguments"]))
}

// running returns the call that a piece belongs to, nil if there is none.
func (c *callReader) running(index int, numbered bool) *wireCall {
	for i := len(c.calls) - 1; i >= 0; i-- {
		if !numbered || c.calls[i].index == index {
			return c.calls[i]
		}
	}
	return nil
}

// argumentText returns arguments as text: most servers send them so, some as an object.
func argumentText(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil || string(raw) == "null" {
		return text
	}
	return string(raw)
}

// ollamaLine reads a piece of an answer.
func (c *callReader) ollamaLine(line []byte) {
	if !bytes.Contains(line, []byte(`"tool_calls"`)) {
		return
	}
	var calls []fields
	if json.Unmarshal(nested(nested(line)["message"])["tool_calls"], &calls) != nil {
		return
	}
	for i, call := range calls {
		c.openAICall(len(c.calls)+i, call, true)
	}
}

// anthropicEvent reads a piece of an answer. Calls become blocks without text, so that the numbers of the others stay.
func (c *callReader) anthropicEvent(event fields) bool {
	var kind string
	var index int
	_ = json.Unmarshal(event["type"], &kind)   // "" is none of those below
	_ = json.Unmarshal(event["index"], &index) // 0 is right
	switch kind {
	case "content_block_start":
		block := nested(event["content_block"])
		if !c.anthropicBlock(index, block) {
			return false
		}
		event["content_block"] = json.RawMessage(`{"type":"text","text":""}`)
		return true
	case "content_block_delta":
		delta := nested(event["delta"])
		_ = json.Unmarshal(delta["type"], &kind) // "content_block_delta" is none of those below
		var text string
		switch kind {
		case "input_json_delta":
			_ = json.Unmarshal(delta["partial_json"], &text) // "" is right
			if call := c.running(index, true); call != nil {
				call.arguments.WriteString(text)
			}
			event["delta"] = json.RawMessage(`{"type":"text_delta","text":""}`)
			return true
		case "thinking_delta":
			_ = json.Unmarshal(delta["thinking"], &text) // "" is right
			c.think(index, "thinking", text)
		case "signature_delta":
			_ = json.Unmarshal(delta["signature"], &text) // "" is right
			c.think(index, "signature", text)
		}
	}
	return false
}

// anthropicBlock reads a block, or the beginning of one. It reports whether nothing of it belongs to the answer.
func (c *callReader) anthropicBlock(index int, block fields) (hidden bool) {
	var kind string
	_ = json.Unmarshal(block["type"], &kind) // "" is none of those below
	switch kind {
	case "tool_use":
		call := &wireCall{index: index}
		_ = json.Unmarshal(block["id"], &call.id)     // "" if there is none
		_ = json.Unmarshal(block["name"], &call.name) // "" if there is none
		if input := string(block["input"]); input != "{}" && input != "null" {
			call.arguments.WriteString(input)
		}
		c.calls = append(c.calls, call)
		return true
	case "thinking", "redacted_thinking":
		var whole map[string]any
		if json.Unmarshal(encoded(block), &whole) == nil {
			c.thoughts[index] = whole
			c.order = append(c.order, index)
		}
		return kind != "thinking"
	}
	return false
}

// think adds to a block of thinking.
func (c *callReader) think(index int, name, text string) {
	if block := c.thoughts[index]; block != nil {
		before, _ := block[name].(string)
		block[name] = before + text
	}
}

// whole reads a response that is not streamed.
func (c *callReader) whole(body []byte) []byte {
	var response fields
	if json.Unmarshal(body, &response) != nil {
		return body
	}
	if c.provider != "anthropic" {
		c.output(response)
		if c.choice(response, "message") {
			return encoded(response)
		}
		return body
	}
	var blocks []json.RawMessage
	if json.Unmarshal(response["content"], &blocks) != nil {
		return body
	}
	for i, block := range blocks {
		if c.anthropicBlock(i, nested(block)) {
			blocks[i] = json.RawMessage(`{"type":"text","text":""}`)
		}
	}
	response["content"] = encoded(blocks)
	return encoded(response)
}

// found returns the calls, and the thoughts that belong to them in the provider's format.
func (c *callReader) found() (calls []prompts.Call, thoughts json.RawMessage) {
	if c == nil {
		return nil, nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, call := range c.calls {
		calls = append(calls, call.finished())
	}
	switch {
	case len(calls) == 0:
	case len(c.order) > 0:
		var blocks []any
		for _, index := range c.order {
			blocks = append(blocks, c.thoughts[index])
		}
		thoughts = encoded(blocks)
	case len(c.extras) > 0:
		thoughts = encoded(c.extras)
	}
	return calls, thoughts
}

// any reports whether there are calls.
func (c *callReader) any() bool {
	calls, _ := c.found()
	return len(calls) > 0
}

// finished returns the call when all of it has come.
func (call *wireCall) finished() prompts.Call {
	done := prompts.Call{ID: call.id, Name: call.name, Arguments: call.arguments.String()}
	if strings.TrimSpace(done.Arguments) == "" {
		done.Arguments = "{}"
	}
	if call.raw != nil {
		function := nested(call.raw["function"])
		if function == nil {
			function = fields{}
		}
		function["name"], function["arguments"] = encoded(done.Name), encoded(done.Arguments)
		delete(call.raw, "index")
		call.raw["function"], call.raw["type"] = encoded(function), json.RawMessage(`"function"`)
		done.Raw = encoded(call.raw)
	}
	return done
}
