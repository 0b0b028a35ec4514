package llmtest

import (
	"fmt"
	"net/http"
	"strings"
)

// Calls answers with text and then calls of tools, each given as its name and its arguments, as requested: streamed in
// pieces, or at once.
func Calls(text string, nameAndArguments ...string) Answer {
	return func(w http.ResponseWriter, r *Request) {
		var whole, opened, filled []string
		for i := 0; i+1 < len(nameAndArguments); i += 2 {
			id, name, arguments := quoted(fmt.Sprintf("call%d", i/2+1)), quoted(nameAndArguments[i]), nameAndArguments[i+1]
			call := func(arguments string) string {
				return fmt.Sprintf(`{"index":%d,"id":%s,"type":"function","function":{"name":%s,"arguments":%s}}`, i/2, id, name, quoted(arguments))
			}
			whole = append(whole, call(arguments))
			half := len(arguments) / 2
			opened = append(opened, toolDelta(call(arguments[:half])))
			filled = append(filled, toolDelta(fmt.Sprintf(`{"index":%d,"function":{"arguments":%s}}`, i/2, quoted(arguments[half:]))))
		}
		if !r.Stream {
			Sends(http.StatusOK, fmt.Sprintf(`{"choices":[{"index":0,"message":{"role":"assistant","content":%s,"tool_calls":[%s]},"finish_reason":"tool_calls"}],%s}`,
				quoted(text), strings.Join(whole, ","), usage))(w, r)
			return
		}
		var events []string
		for _, word := range strings.SplitAfter(text, " ") {
			events = append(events, Delta(word, ""))
		}
		events = append(append(events, opened...), filled...)
		Streams(append(events, Delta("", "tool_calls"), Usage, Done)...)(w, r)
	}
}

// toolDelta returns the event for a piece of a call.
func toolDelta(call string) string {
	return event(`{"choices":[{"index":0,"delta":{"tool_calls":[` + call + `]},"finish_reason":null}]}`)
}
