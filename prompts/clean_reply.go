package prompts

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// stampHead is the head of an entry as a model may imitate it: "Fri 2026-05-01 14:03 | ".
var stampHead = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d{4}-\d{2}-\d{2} \d{2}:\d{2} \| `)
})

// CleanReply is what of a model's answer may be said in a room: without the marks of the prompt, without the head of an
// entry or the persona's own name in front, without reasoning that some local models print in <think> marks. It is
// empty when nothing is left.
func CleanReply(answer, fence, name string) string {
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

// CleanPartialReply is Spoken for an answer that is still growing: an end that may become a mark, and a beginning that may
// become the head of an entry or a name, are held back. What is shown is only ever added to.
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

// mayBecomeHead says that a text is the beginning of something withoutHead takes off.
func mayBecomeHead(text, name string) bool {
	for _, label := range labels(name) {
		if label += ":"; len(text) < len(label) && strings.EqualFold(text, label[:len(text)]) {
			return true
		}
	}
	for day := time.Sunday; day <= time.Saturday; day++ {
		whole := day.String()[:3] + " 2000-01-01 00:00 | "
		if len(text) < len(whole) && stampHead().MatchString(text+whole[len(text):]) {
			return true
		}
	}
	return false
}

// labels are the names a model may put in front of its own words.
func labels(name string) []string {
	return slices.DeleteFunc([]string{name, "you", "assistant"}, func(label string) bool { return label == "" })
}

func marks(fence string) []string {
	if fence == "" {
		return nil
	}
	return []string{"<" + fence + ">", "</" + fence + ">", fence}
}

// withoutThinking leaves out what stands between <think> and </think>, or after an open <think>.
func withoutThinking(text string) string {
	if !strings.Contains(text, "<think>") {
		return text // not copied: an answer that grows is looked at again with every piece
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

// withoutHead takes one label off the front of a text.
func withoutHead(text, name string) string {
	text = strings.TrimPrefix(text, stampHead().FindString(text))
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
