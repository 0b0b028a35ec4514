package llmtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// OnlyResponses serves a model of OpenAI's that has the Responses interface alone: it answers there, and refuses chat
// completions.
func OnlyResponses(answer Answer) Answer {
	return func(w http.ResponseWriter, r *Request) {
		if strings.HasSuffix(r.URL.Path, "/responses") {
			answer(w, r)
			return
		}
		Sends(http.StatusNotFound, `{"error":{"message":"This model is only supported in v1/responses and not in v1/chat/completions.","type":"invalid_request_error","param":"model","code":null}}`)(w, r)
	}
}

// thinkingItem is what a model thought: no part of the answer.
const thinkingItem = `{"id":"rs_1","type":"reasoning","summary":[{"type":"summary_text","text":"SECRET thoughts"}]}`

// Responds answers by the Responses interface, streamed word by word or at once, after thoughts.
func Responds(text string) Answer {
	return RespondsAs("completed", "", fmt.Sprintf(`{"type":"output_text","text":%s,"annotations":[]}`, quoted(text)), text)
}

// RespondsAs answers by the Responses interface with a status ("completed", "incomplete"), the reason why it is incomplete,
// and the content of its message, none if empty. said is what is streamed of it.
func RespondsAs(status, reason, content, said string) Answer {
	return func(w http.ResponseWriter, r *Request) {
		why := "null"
		if reason != "" {
			why = fmt.Sprintf(`{"reason":%s}`, quoted(reason))
		}
		output := thinkingItem
		if content != "" {
			output += fmt.Sprintf(`,{"id":"msg_1","type":"message","role":"assistant","status":%s,"content":[%s]}`, quoted(status), content)
		}
		effort, _ := json.Marshal(r.Fields["reasoning"]) // it was JSON
		whole := fmt.Sprintf(`{"id":"resp_1","object":"response","status":%s,"error":null,"incomplete_details":%s,"reasoning":%s,"output":[%s],`+
			`"usage":{"input_tokens":%d,"input_tokens_details":{"cached_tokens":5},"output_tokens":%d,"output_tokens_details":{"reasoning_tokens":1},"total_tokens":%d}}`,
			quoted(status), why, effort, output, TokensIn, TokensOut, TokensIn+TokensOut)
		if !r.Stream {
			Sends(http.StatusOK, whole)(w, r)
			return
		}
		events := append([]string{ResponseEvent("created", `"response":{"id":"resp_1","status":"in_progress","error":null,"output":[]}`)}, ResponsePieces(said)...)
		Streams(append(events, ResponseEvent(status, `"response":`+whole))...)(w, r)
	}
}

// ResponsePieces returns the events of a streamed answer before its end: thoughts, then the words.
func ResponsePieces(said string) []string {
	events := []string{
		ResponseEvent("output_item.added", `"output_index":0,"item":`+thinkingItem),
		ResponseEvent("reasoning_summary_text.delta", `"item_id":"rs_1","delta":"SECRET thoughts"`),
	}
	for _, word := range strings.SplitAfter(said, " ") {
		if word != "" {
			events = append(events, ResponseEvent("output_text.delta", fmt.Sprintf(`"item_id":"msg_1","content_index":0,"delta":%s`, quoted(word))))
		}
	}
	return events
}

// ResponseEvent returns an event of the Responses interface with these fields.
func ResponseEvent(kind, fields string) string {
	return fmt.Sprintf("event: response.%[1]s\ndata: {\"type\":\"response.%[1]s\",%[2]s}\n\n", kind, fields)
}
