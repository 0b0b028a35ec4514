package llm

import (
	"regexp"
	"strings"

	"github.com/tmc/langchaingo/llms"

	"familiar/prompts"
)

// text returns the text of a response. Anthropic's blocks are separate choices; its thinking is a choice without
// content.
func text(r *llms.ContentResponse) string {
	if r == nil {
		return ""
	}
	var b strings.Builder
	for _, c := range r.Choices {
		if c != nil {
			b.WriteString(c.Content)
		}
	}
	return strings.TrimSpace(b.String())
}

// stopReason returns the provider's stop reason, or "".
func stopReason(r *llms.ContentResponse) string {
	if r == nil || len(r.Choices) == 0 || r.Choices[0] == nil {
		return ""
	}
	return r.Choices[0].StopReason
}

// stop maps the providers' stop reasons.
func stop(reason string) prompts.Stop {
	switch strings.ToLower(reason) {
	case "length", "max_tokens", "model_context_window_exceeded":
		return prompts.StopLength
	case "content_filter", "refusal", "safety":
		return prompts.StopFiltered
	}
	return prompts.StopEnd
}

// usage returns the provider's token counts, 0 and 0 if there are none. Each provider's package has its own names.
func usage(r *llms.ContentResponse) (in, out int) {
	if r == nil || len(r.Choices) == 0 || r.Choices[0] == nil {
		return 0, 0
	}
	info := r.Choices[0].GenerationInfo
	for _, names := range [][2]string{{"PromptTokens", "CompletionTokens"}, {"InputTokens", "OutputTokens"}} {
		in, _ = info[names[0]].(int)
		out, _ = info[names[1]].(int)
		if in+out > 0 {
			for _, cached := range []string{"CacheCreationInputTokens", "CacheReadInputTokens"} {
				n, _ := info[cached].(int)
				in += n
			}
			return in, out
		}
	}
	return 0, 0
}

// cacheUsage returns how many tokens of a prompt the provider read from its cache, and how many it wrote there. Anthropic
// counts both beside the other tokens of a prompt, OpenAI those read among them, and it charges nothing for writing.
func cacheUsage(r *llms.ContentResponse) (read, written int) {
	if r == nil || len(r.Choices) == 0 || r.Choices[0] == nil {
		return 0, 0
	}
	info := r.Choices[0].GenerationInfo
	for _, name := range []string{"CacheReadInputTokens", "PromptCachedTokens"} {
		n, _ := info[name].(int)
		read += n
	}
	written, _ = info["CacheCreationInputTokens"].(int)
	return read, written
}

// thoughts matches a part of a response in which the model thinks.
var thoughts = regexp.MustCompile(`"(reasoning|reasoning_content|thinking)"\s*:\s*"[^"]|"type"\s*:\s*"(reasoning|redacted_thinking)"`)

// thoughtOnly reports that a response without text holds thoughts. They are never part of an answer: langchaingo keeps
// them apart or does not read them.
func thoughtOnly(w *watch) bool { return thoughts.Match(w.opening()) }
