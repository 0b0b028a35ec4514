package llmtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// Wire is a format in which a provider is asked, and in which a model calls tools.
type Wire struct {
	Name string
	// Provider and API are the client's settings for it.
	Provider, API string
	// Says answers with text, Calls with text and calls of tools, each given as its name and its arguments, which need not be valid.
	Says  func(text string) Answer
	Calls func(text string, nameAndArguments ...string) Answer
	// Results returns the results of calls that a request carries, in order.
	Results func(r *Request) []string
}

// Wires are all formats: those of the providers, and calls that a model writes as text.
var Wires = []Wire{
	{"OpenAI chat", "openai", "chat", Says, Calls, messageResults},
	{"OpenAI responses", "openai", "responses", Responds, responseCalls, responseResults},
	{"Anthropic", "anthropic", "", anthropicSays, anthropicCalls, anthropicResults},
	{"Ollama", "ollama", "", Ollama, ollamaCalls, messageResults},
	{"text", "openai", "chat", Says, textCalls, messageResults},
}

// messageResults reads messages of the role tool.
func messageResults(r *Request) (all []string) {
	for _, m := range r.Messages {
		if m.Role == "tool" {
			all = append(all, fmt.Sprint(m.Content))
		}
	}
	return all
}

// textCalls has a model write its calls as text.
func textCalls(text string, nameAndArguments ...string) Answer {
	for i := 0; i+1 < len(nameAndArguments); i += 2 {
		text += fmt.Sprintf("\n<tool_call>{\"name\": %s, \"arguments\": %s}</tool_call>", quoted(nameAndArguments[i]), nameAndArguments[i+1])
	}
	return Says(text)
}

// argumentsOf returns arguments as a JSON value: those that are none as text.
func argumentsOf(text string) string {
	if json.Valid([]byte(text)) {
		return text
	}
	return quoted(text)
}

func responseCalls(text string, nameAndArguments ...string) Answer {
	return func(w http.ResponseWriter, r *Request) {
		output := thinkingItem
		events := []string{ResponseEvent("created", `"response":{"id":"resp_1","status":"in_progress","error":null,"output":[]}`)}
		if text != "" {
			events = append(events, ResponsePieces(text)...)
			output += fmt.Sprintf(`,{"id":"msg_1","type":"message","role":"assistant","status":"completed","content":[{"type":"output_text","text":%s,"annotations":[]}]}`, quoted(text))
		}
		for i := 0; i+1 < len(nameAndArguments); i += 2 {
			item := func(arguments string) string {
				return fmt.Sprintf(`{"id":"fc_%[1]d","type":"function_call","status":"completed","call_id":"call%[1]d","name":%[2]s,"arguments":%[3]s}`,
					i/2+1, quoted(nameAndArguments[i]), quoted(arguments))
			}
			arguments := nameAndArguments[i+1]
			output += "," + item(arguments)
			of := fmt.Sprintf(`"item_id":"fc_%d","output_index":%d,`, i/2+1, i/2+2)
			events = append(events, ResponseEvent("output_item.added", of+`"item":`+item("")),
				ResponseEvent("function_call_arguments.delta", of+`"delta":`+quoted(arguments)),
				ResponseEvent("output_item.done", of+`"item":`+item(arguments)))
		}
		whole := fmt.Sprintf(`{"id":"resp_1","object":"response","status":"completed","error":null,"incomplete_details":null,"output":[%s],"usage":{"input_tokens":%d,"output_tokens":%d,"total_tokens":%d}}`,
			output, TokensIn, TokensOut, TokensIn+TokensOut)
		if !r.Stream {
			Sends(http.StatusOK, whole)(w, r)
			return
		}
		Streams(append(events, ResponseEvent("completed", `"response":`+whole))...)(w, r)
	}
}

func responseResults(r *Request) (all []string) {
	for _, item := range listOf(r.Fields["input"]) {
		if item["type"] == "function_call_output" {
			all = append(all, fmt.Sprint(item["output"]))
		}
	}
	return all
}

// listOf returns the objects of a list.
func listOf(value any) (all []map[string]any) {
	list, _ := value.([]any)
	for _, one := range list {
		if object, ok := one.(map[string]any); ok {
			all = append(all, object)
		}
	}
	return all
}

func anthropicSays(text string) Answer { return anthropicCalls(text) }

func anthropicCalls(text string, nameAndArguments ...string) Answer {
	return func(w http.ResponseWriter, r *Request) {
		var blocks, events []string
		add := func(block, opened, delta string) {
			n := len(blocks)
			blocks = append(blocks, block)
			events = append(events, fmt.Sprintf(`{"type":"content_block_start","index":%d,"content_block":%s}`, n, opened),
				fmt.Sprintf(`{"type":"content_block_delta","index":%d,"delta":%s}`, n, delta), fmt.Sprintf(`{"type":"content_block_stop","index":%d}`, n))
		}
		if text != "" {
			add(`{"type":"text","text":`+quoted(text)+`}`, `{"type":"text","text":""}`, `{"type":"text_delta","text":`+quoted(text)+`}`)
		}
		stop := "end_turn"
		for i := 0; i+1 < len(nameAndArguments); i += 2 {
			stop = "tool_use"
			head := fmt.Sprintf(`{"type":"tool_use","id":"call%d","name":%s,"input":`, i/2+1, quoted(nameAndArguments[i]))
			add(head+argumentsOf(nameAndArguments[i+1])+`}`, head+`{}}`, `{"type":"input_json_delta","partial_json":`+quoted(nameAndArguments[i+1])+`}`)
		}
		if !r.Stream {
			Sends(http.StatusOK, fmt.Sprintf(`{"id":"m","type":"message","role":"assistant","content":[%s],"stop_reason":%q,"usage":{"input_tokens":%d,"output_tokens":%d}}`,
				strings.Join(blocks, ","), stop, TokensIn, TokensOut))(w, r)
			return
		}
		events = append([]string{fmt.Sprintf(`{"type":"message_start","message":{"id":"m","role":"assistant","content":[],"usage":{"input_tokens":%d,"output_tokens":1}}}`, TokensIn)}, events...)
		events = append(events, fmt.Sprintf(`{"type":"message_delta","delta":{"stop_reason":%q},"usage":{"output_tokens":%d}}`, stop, TokensOut), `{"type":"message_stop"}`)
		Streams(anthropicEvents(events)...)(w, r)
	}
}

// anthropicEvents returns events as Anthropic streams them: after the name of their type.
func anthropicEvents(events []string) []string {
	for i, e := range events {
		kind, _, _ := strings.Cut(strings.TrimPrefix(e, `{"type":"`), `"`)
		events[i] = "event: " + kind + "\ndata: " + e + "\n\n"
	}
	return events
}

func anthropicResults(r *Request) (all []string) {
	for _, m := range r.Messages {
		for _, block := range listOf(m.Content) {
			if block["type"] == "tool_result" {
				all = append(all, fmt.Sprint(block["content"]))
			}
		}
	}
	return all
}

func ollamaCalls(text string, nameAndArguments ...string) Answer {
	return func(w http.ResponseWriter, r *Request) {
		var calls []string
		for i := 0; i+1 < len(nameAndArguments); i += 2 {
			calls = append(calls, fmt.Sprintf(`{"function":{"name":%s,"arguments":%s}}`, quoted(nameAndArguments[i]), argumentsOf(nameAndArguments[i+1])))
		}
		line := func(content, calls, end string) string {
			return fmt.Sprintf(`{"model":"m","message":{"role":"assistant","content":%s%s}%s}`, quoted(content), calls, end)
		}
		called := `,"tool_calls":[` + strings.Join(calls, ",") + `]`
		end := fmt.Sprintf(`,"done":true,"done_reason":"stop","prompt_eval_count":%d,"eval_count":%d`, TokensIn, TokensOut)
		if !r.Stream {
			Sends(http.StatusOK, line(text, called, end))(w, r)
			return
		}
		const more = `,"done":false`
		Streams(line(text, "", more)+"\n", line("", called, more)+"\n", line("", "", end)+"\n")(w, r)
	}
}
