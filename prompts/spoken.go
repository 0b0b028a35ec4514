package prompts

import (
	"regexp"
	"strings"
	"sync"
)

// stampHead is the head of an entry as a model may imitate it: "Fri 2026-05-01 14:03 | ".
var stampHead = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d{4}-\d{2}-\d{2} \d{2}:\d{2} \| `)
})

// Spoken is what of a model's answer may be said in a room: without the marks of the prompt, without the head of an
// entry or the persona's own name in front, without reasoning that some local models print in <think> marks. It is
// empty when nothing is left.
func Spoken(answer, fence, name string) string {
	text := withoutThinking(strings.ToValidUTF8(answer, "\uFFFD"))
	for _, mark := range marks(fence) {
		text = strings.ReplaceAll(text, mark, " ") // a space, so that what stood around a mark does not become one
	}
	for {
		shorter := withoutHead(strings.TrimSpace(text), name)
		if shorter == text {
			return text
		}
		text = shorter
	}
}

// SpokenSoFar is Spoken for an answer that is still growing: an end that may become a mark, and a beginning that may
// become a name, are held back.
func SpokenSoFar(answer, fence, name string) string {
	if open, rest, found := strings.Cut(answer, "<think>"); found && !strings.Contains(rest, "</think>") {
		answer = open
	}
	for _, mark := range append(marks(fence), "<think>") {
		for n := min(len(mark)-1, len(answer)); n > 0; n-- {
			if strings.HasSuffix(answer, mark[:n]) {
				answer = answer[:len(answer)-n]
				break
			}
		}
	}
	text := Spoken(answer, fence, name)
	if strings.HasPrefix(strings.ToLower(name+":"), strings.ToLower(text)) {
		return ""
	}
	return text
}

func marks(fence string) []string {
	if fence == "" {
		return nil
	}
	return []string{"<" + fence + ">", "</" + fence + ">", fence}
}

// withoutThinking leaves out what stands between <think> and </think>, or after an open <think>.
func withoutThinking(text string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "<think>")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		b.WriteByte(' ')
		_, text, _ = strings.Cut(rest, "</think>")
	}
}

// withoutHead takes one label off the front of a text.
func withoutHead(text, name string) string {
	text = strings.TrimPrefix(text, stampHead().FindString(text))
	for _, label := range []string{name, "you", "assistant"} {
		if label == "" || len(text) <= len(label) || !strings.EqualFold(text[:len(label)], label) {
			continue
		}
		if rest, ok := strings.CutPrefix(text[len(label):], ":"); ok {
			return strings.TrimSpace(rest)
		}
	}
	return text
}
