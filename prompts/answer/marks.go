package answer

import (
	"strings"
	"unicode/utf8"
)

// mark is a mark in an answer.
type mark struct {
	kind   markKind
	length int
}

type markKind int

const (
	dropped         markKind = iota // a mark without effect
	opensReasoning                  // <think>
	closesReasoning                 // </think>
	fenceMark                       // a mark of the prompt's fence
	finalChannel                    // the name of the final channel, whose marks were stripped
	otherChannel                    // the name of another channel, whose marks were stripped
	startsTurn                      // <|start|>, <|im_start|>
	namesChannel                    // <|channel|>
	startsMessage                   // <|message|>
	endsTurn                        // <|end|>, <|im_end|>
	otherTurn                       // <|user|>
	strikes                         // <s>, which some chats show as struck out
	strikeEnd                       // </s>, which ends a turn unless something was struck out
)

// The forms without a regular name.
const (
	kimiOpen  = "◁think▷"
	kimiClose = "◁/think▷"
	// attributes is the longest text after a tag's name.
	attributes = 200
)

// tags are the names of tags, in lower case. Those of reasoning hide what they hold, the others are removed alone.
var tags = map[string]bool{
	"think": true, "thinking": true, "thinks": true, "thought": true, "thoughts": true, "thought_process": true,
	"reason": true, "reasoning": true, "reflection": true, "reflect": true, "analysis": true, "analyse": true, "analyze": true,
	"scratchpad": true, "inner_monologue": true, "monologue": true, "internal": true, "internal_monologue": true, "planning": true,
	"antthinking": true, "seed:think": true, "chain_of_thought": true, "cot": true,
	"answer": false, "final": false, "final_answer": false, "response": false, "reply": false, "output": false,
}

// literals are marks with a fixed text, in lower case.
var literals = []struct {
	text string
	kind markKind
}{
	{"[think]", opensReasoning},
	{"[/think]", closesReasoning},
	{kimiOpen, opensReasoning},
	{kimiClose, closesReasoning},
	{"[inst]", otherTurn},
	{"[/inst]", dropped},
	{"<start_of_turn>", startsTurn},
	{"<end_of_turn>", endsTurn},
	{"<bos>", dropped},
	{"<eos>", endsTurn},
	{"<s>", strikes},
	{"</s>", strikeEnd},
	{"<|channel>", opensReasoning},
	{"<channel|>", closesReasoning},
}

// special are the names between <| and |>, in lower case. Others are removed.
var special = map[string]markKind{
	"start": startsTurn, "im_start": startsTurn, "start_header_id": startsTurn, "end_header_id": startsMessage,
	"channel": namesChannel, "message": startsMessage,
	"end": endsTurn, "return": endsTurn, "call": endsTurn, "im_end": endsTurn, "eot_id": endsTurn, "eom_id": endsTurn,
	"endoftext": endsTurn, "end_of_text": endsTurn, "eot": endsTurn, "end_of_turn": endsTurn,
	"user": otherTurn, "system": otherTurn, "observation": otherTurn,
	"think": opensReasoning, "thinking": opensReasoning, "begin_of_thought": opensReasoning, "start_thinking": opensReasoning,
	"/think": closesReasoning, "/thinking": closesReasoning, "end_of_thought": closesReasoning, "end_thinking": closesReasoning,
}

// longestSpecial is the longest name between <| and |>.
const longestSpecial = 32

// match returns the mark that text starts with, length 0 for none; more means that it may become one.
func (w *wire) match(text string, complete bool) (m mark, more bool) {
	for _, f := range w.fence {
		if strings.HasPrefix(text, f) {
			return mark{fenceMark, len(f)}, false
		}
		more = more || strings.HasPrefix(f, text)
	}
	for _, l := range literals {
		if l.text[0] != text[0] {
			continue
		}
		if n := len(l.text); len(text) >= n && strings.EqualFold(text[:n], l.text) {
			return mark{l.kind, n}, false
		}
		more = more || len(text) < len(l.text) && strings.EqualFold(l.text[:len(text)], text)
	}
	for _, find := range []func(string) (mark, bool){specialMark, tagMark} {
		found, unsure := find(text)
		if found.length > 0 {
			return found, false
		}
		more = more || unsure
	}
	found, unsure := w.channelName(text, complete)
	return found, more || unsure
}

// specialMark matches <|name|>.
func specialMark(text string) (m mark, more bool) {
	if !strings.HasPrefix(text, "<|") {
		return m, text == "<"
	}
	for i := 2; i < len(text) && i < longestSpecial; i++ {
		switch b := text[i]; {
		case b == '|' && i+1 == len(text):
			return m, true
		case b == '|' && text[i+1] == '>' && i > 2:
			return mark{special[strings.ToLower(text[2:i])], i + 2}, false
		case b != '_' && b != '/' && b != '-' && !isLetter(b) && !isDigit(b):
			return m, false
		}
	}
	return m, len(text) < longestSpecial
}

// tagMark matches a tag of reasoning or around the answer, in any case, with attributes, also with its brackets escaped.
func tagMark(text string) (m mark, more bool) {
	rest, bracket := text, ">"
	switch {
	case text[0] == '<':
		rest = text[1:]
	case strings.HasPrefix(text, "&lt;"):
		rest, bracket = text[4:], "&gt;"
	default:
		return m, text[0] == '&' && strings.HasPrefix("&lt;", text)
	}
	rest = strings.TrimLeft(rest, " ")
	after, closing := strings.CutPrefix(rest, "/")
	rest = strings.TrimLeft(after, " ")
	if len(text)-len(rest) > attributes {
		return m, false
	}
	n := 0
	for n < len(rest) && (isLetter(rest[n]) || rest[n] == '_' || rest[n] == ':') {
		n++
	}
	name := strings.ToLower(rest[:n])
	reasoning, known := tags[name]
	if n == len(rest) {
		return m, mayBeTag(name)
	}
	if !known {
		return m, false
	}
	rest = rest[n:]
	end := strings.Index(rest, bracket)
	if end < 0 {
		return m, len(rest) <= attributes && !strings.Contains(rest, "<")
	}
	inner := rest[:end]
	if end > attributes || strings.Contains(inner, "<") || inner != "" && !strings.ContainsAny(inner[:1], " \t\n/") {
		return m, false
	}
	m.length = len(text) - len(rest) + end + len(bracket)
	switch {
	case !reasoning || strings.HasSuffix(inner, "/"):
		m.kind = dropped
	case closing:
		m.kind = closesReasoning
	default:
		m.kind = opensReasoning
	}
	return m, false
}

// mayBeTag reports whether a name may become that of a tag.
func mayBeTag(name string) bool {
	for tag := range tags {
		if strings.HasPrefix(tag, name) {
			return true
		}
	}
	return false
}

// channelName matches the name of a channel whose marks were stripped: "assistantfinal" anywhere, and "analysis" or
// "final" directly before the first word of the answer.
func (w *wire) channelName(text string, complete bool) (m mark, more bool) {
	for _, name := range []string{"assistantfinal", "assistantanalysis", "assistantcommentary"} {
		if strings.HasPrefix(text, name) {
			kind := otherChannel
			if name == "assistantfinal" {
				kind = finalChannel
			}
			return mark{kind, len(name)}, false
		}
		more = more || strings.HasPrefix(name, text)
	}
	if w.began || w.place != inAnswer || w.depth > 0 {
		return m, more
	}
	for _, name := range []string{"analysis", "commentary", "final"} {
		rest, found := strings.CutPrefix(text, name)
		if !found {
			more = more || strings.HasPrefix(name, text)
			continue
		}
		if len(rest) < 2+utf8.UTFMax && !complete {
			return m, true
		}
		if beginsText(rest, name != "final") {
			kind := otherChannel
			if name == "final" {
				kind = dropped
			}
			return mark{kind, len(name)}, false
		}
	}
	return m, more
}

// beginsText reports whether a text begins with a capital letter, and if apart, also after a space or a line break.
func beginsText(text string, apart bool) bool {
	if apart {
		text = strings.TrimLeft(text, " \n")
	}
	return text != "" && 'A' <= text[0] && text[0] <= 'Z'
}

func isLetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }

func isDigit(b byte) bool { return '0' <= b && b <= '9' }
