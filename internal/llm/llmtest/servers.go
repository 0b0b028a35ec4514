package llmtest

import (
	"fmt"
	"net/http"
	"strings"
)

// LMStudio answers as LM Studio's server does: it takes JSON by schema, or none.
func LMStudio(text string) Answer {
	return func(w http.ResponseWriter, r *Request) {
		if r.Format != nil && r.Format.Type != "json_schema" && r.Format.Type != "text" {
			Says400(`{"error":"'response_format.type' must be 'json_schema' or 'text'"}`)(w, r)
			return
		}
		Says(text)(w, r)
	}
}

// LlamaCpp answers as llama.cpp's server does with a window of that many tokens, a token being four characters: it says so when
// a prompt is longer, begins a stream with a piece without text, and ends it with timings.
func LlamaCpp(window int, text string) Answer {
	return func(w http.ResponseWriter, r *Request) {
		if n := len(r.Prompt()) / 4; n > window {
			Says400(fmt.Sprintf(`{"error":{"code":400,"message":"request (%[1]d tokens) exceeds the available context size (%[2]d tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":%[1]d,"n_ctx":%[2]d}}`, n, window))(w, r)
			return
		}
		if !r.Stream {
			Says(text)(w, r)
			return
		}
		events := []string{event(`{"choices":[{"finish_reason":null,"index":0,"delta":{"role":"assistant","content":null}}],"object":"chat.completion.chunk"}`)}
		for _, word := range strings.SplitAfter(text, " ") {
			events = append(events, Delta(word, ""))
		}
		last := event(fmt.Sprintf(`{"choices":[],%s,"timings":{"prompt_n":%d,"predicted_n":%d,"predicted_per_second":40.1}}`, usage, TokensIn, TokensOut))
		Streams(append(events, event(`{"choices":[{"finish_reason":"stop","index":0,"delta":{}}]}`), last, Done)...)(w, r)
	}
}

// OpenRouter answers as OpenRouter does: with comments while it waits for the provider behind it.
func OpenRouter(text string) Answer {
	return func(w http.ResponseWriter, r *Request) {
		if !r.Stream {
			Sends(http.StatusOK, "\n         \n"+Whole(text))(w, r) // it keeps the connection alive with white space
			return
		}
		events := []string{": OPENROUTER PROCESSING\n\n", ": OPENROUTER PROCESSING\n\n"}
		for _, word := range strings.SplitAfter(text, " ") {
			events = append(events, Delta(word, ""))
		}
		Streams(append(events, Delta("", "stop"), Usage, Done)...)(w, r)
	}
}

// Ollama answers in Ollama's own format, a line for each word if streamed.
func Ollama(text string) Answer {
	line := func(content string, done bool) string {
		counts := ""
		if done {
			counts = fmt.Sprintf(`,"done_reason":"stop","prompt_eval_count":%d,"eval_count":%d`, TokensIn, TokensOut)
		}
		return fmt.Sprintf(`{"model":"m","message":{"role":"assistant","content":%s},"done":%v%s}`, quoted(content), done, counts)
	}
	return func(w http.ResponseWriter, r *Request) {
		if !r.Stream {
			Sends(http.StatusOK, line(text, true))(w, r)
			return
		}
		var lines []string
		for _, word := range strings.SplitAfter(text, " ") {
			lines = append(lines, line(word, false)+"\n")
		}
		Streams(append(lines, line("", true)+"\n")...)(w, r)
	}
}
