package prompts

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// entryHead matches the head of an entry as a model may imitate it: "Fri 2026-05-01 14:03 | ".
var entryHead = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d{4}-\d{2}-\d{2} \d{2}:\d{2} \| `)
})

// CleanReply returns the part of a model's answer that may be sent to a room. It removes the prompt's fence marks, an
// entry head or the persona's own name at the start, and reasoning that some local models print in <think> marks. The
// result may be empty.
func CleanReply(answer, fence, name string) string {
	text := withoutThinking(strings.ToValidUTF8(answer, "\uFFFD"))
	for _, mark := range marks(fence) {
		text = strings.ReplaceAll(text, mark, " ") // a space, so that the text around a mark does not form a new one
	}
	for {
		shorter := withoutHead(strings.TrimSpace(text), name)
		if shorter == text {
			return text
		}
		text = shorter
	}
}

// CleanPartialReply is CleanReply for an incomplete answer. It holds back an end that may become a mark, and a
// beginning that may become an entry head or a name. The result only grows with the answer.
func CleanPartialReply(answer, fence, name string) string {
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
	text := CleanReply(answer, fence, name)
	if mayBecomeHead(text, name) {
		return ""
	}
	return text
}

// mayBecomeHead reports whether text is the beginning of something withoutHead removes.
func mayBecomeHead(text, name string) bool {
	for _, label := range labels(name) {
		if label += ":"; len(text) < len(label) && strings.EqualFold(text, label[:len(text)]) {
			return true
		}
	}
	for day := time.Sunday; day <= time.Saturday; day++ {
		whole := day.String()[:3] + " 2000-01-01 00:00 | "
		if len(text) < len(whole) && entryHead().MatchString(text+whole[len(text):]) {
			return true
		}
	}
	return false
}

// labels returns the names a model may put before its own words.
func labels(name string) []string {
	return slices.DeleteFunc([]string{name, "you", "assistant"}, func(label string) bool { return label == "" })
}

func marks(fence string) []string {
	if fence == "" {
		return nil
	}
	return []string{"<" + fence + ">", "</" + fence + ">", fence}
}

// withoutThinking removes the text between <think> and </think>, or after an open <think>.
func withoutThinking(text string) string {
	if !strings.Contains(text, "<think>") {
		return text // not copied, because a growing answer is checked again with every piece
	}
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

// withoutHead removes one label from the front of a text.
func withoutHead(text, name string) string {
	text = strings.TrimPrefix(text, entryHead().FindString(text))
	for _, label := range labels(name) {
		if len(text) <= len(label) || !strings.EqualFold(text[:len(label)], label) {
			continue
		}
		if rest, ok := strings.CutPrefix(text[len(label):], ":"); ok {
			return strings.TrimSpace(rest)
		}
	}
	return text
}
