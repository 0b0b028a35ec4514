package prompts

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"

	"familiar/internal/tokens"
)

// The longest answers to the prompts about a finished conversation, in tokens.
const (
	extractMaxTokens = 1500
	summaryMaxTokens = 300
)

// Numbered is a message of a finished conversation with the number a model refers to it by.
type Numbered struct {
	Number int
	Entry
}

// ExtractInput is a part of a finished conversation.
type ExtractInput struct {
	// Name is the persona's name.
	Name string
	// Relations are the names of useful relations, in display order.
	Relations []string
	Messages  []Numbered
	// Budget is the size of the prompt in tokens, DefaultBudget if 0.
	Budget int
}

// ExtractBudget returns the size of a prompt about a finished conversation for a model with a context window of window
// tokens, prompt and answer together: what the longest answer leaves, but at least half. It is at most DefaultBudget: a
// longer part contains more claims than fit into one answer.
func ExtractBudget(window int) int { return min(DefaultBudget, max(window-extractMaxTokens, window/2)) }

// maxExtractEntry is the longest part of one message shown, in tokens; longer messages are cut in the middle, as are
// all if the prompt has less room.
const maxExtractEntry = 800

// maxEntryIn returns the longest part of one message that fits into room tokens.
func maxEntryIn(room int) int { return max(minEntry, min(maxExtractEntry, room-1)) }

// Windows splits a long conversation into parts that each fit the budget, in order. Every message is in exactly one
// part.
func (in ExtractInput) Windows() []ExtractInput {
	room := talkRoom(in.Budget, Extract(ExtractInput{Name: in.Name, Relations: in.Relations, Budget: in.Budget}))
	var windows []ExtractInput
	var spent int
	for _, m := range in.Messages {
		cost := min(maxEntryIn(room)+1, lineCost(in.line(m)))
		if len(windows) == 0 || spent+cost > room {
			windows = append(windows, ExtractInput{Name: in.Name, Relations: in.Relations, Budget: in.Budget})
			spent = 0
		}
		last := &windows[len(windows)-1]
		last.Messages = append(last.Messages, m)
		spent += cost
	}
	return windows
}

// talkRoom returns the room a prompt without messages leaves for them.
func talkRoom(budget int, empty Prompt) int { return orDefault(budget, DefaultBudget) - empty.Tokens() }

func (in ExtractInput) line(n Numbered) string {
	return fmt.Sprintf("%d. %s", n.Number, n.line(in.Name))
}

// Extract asks for the claims people made in a conversation, each with a verbatim quote. ParseExtract parses the
// answer. Split a long conversation with Windows first: Extract keeps every message, and cuts long ones in the middle.
// The answer may be as long as the prompt, up to 1,500 tokens.
func Extract(in ExtractInput) Prompt {
	entries := make([]Entry, len(in.Messages))
	for i, m := range in.Messages {
		entries[i] = m.Entry
	}
	p := finishedTalk("extract", in.Name, entries, in.Budget, fields{"Relations": strings.Join(in.Relations, ", ")}, func(room int) ([]string, int) {
		lines := make([]string, len(in.Messages))
		for i, m := range in.Messages {
			lines[i] = cutMiddle(in.line(m), maxEntryIn(room))
		}
		return lines, 0
	})
	p.MaxTokens, p.JSON = min(extractMaxTokens, orDefault(in.Budget, DefaultBudget)), true
	return p
}

// SummaryInput is a finished conversation.
type SummaryInput struct {
	// Name is the persona's name.
	Name     string
	Messages []Entry
	// Budget is the size of the prompt in tokens, DefaultBudget if 0.
	Budget int
}

// Summary asks for a summary of a conversation in a few sentences, from the persona's point of view. If the
// conversation exceeds the budget, its beginning and end are shown, with a line that counts the missing messages.
func Summary(in SummaryInput) Prompt {
	p := finishedTalk("summary", in.Name, in.Messages, in.Budget, nil, func(room int) ([]string, int) {
		return fitToAnswer(in.Messages, in.Name, room)
	})
	p.MaxTokens = min(summaryMaxTokens, orDefault(in.Budget, DefaultBudget))
	return p
}

// finishedTalk returns a prompt about a conversation: the rules with their fields in System, and the quoted
// conversation in one message, formatted by fit.
func finishedTalk(
	kind, name string, _ []Entry, budget int, given fields, fit func(room int) ([]string, int),
) Prompt {
	const mark = fenceMark
	rules := fields{"Name": oneLine(name), "Fence": mark}
	maps.Copy(rules, given)
	system := render(kind, rules)
	task := func(lines []string) string { return render(kind+"-task", quoted(lines)) }
	frame := tokens.Estimate(system) + tokens.Estimate(task(nil))
	room := orDefault(budget, DefaultBudget) - frame
	lines, leftOut := fit(room)
	return Prompt{
		Name: kind, System: system, Messages: []Message{{User, task(lines)}}, Fence: mark,
		Slices: []Slice{
			{Name: SliceSafety, Budget: frame, Tokens: frame},
			{Name: SliceTalk, Budget: room, Tokens: linesCost(lines), LeftOut: leftOut},
		},
	}
}

// Extracted is one claim from a model: unproven until its quote is found.
type Extracted struct {
	Message  int    `json:"message"`
	About    string `json:"about"`
	Kind     string `json:"kind"`
	Relation string `json:"relation"`
	Value    string `json:"value"`
	Quote    string `json:"quote"`
	Denied   bool   `json:"denied"`
}

// ErrInvalidExtraction reports that a model's answer to Extract is not the requested JSON. Nothing in it can be used.
var ErrInvalidExtraction = errors.New("the model's answer is not a JSON object with a list of claims; nothing was learned from it")

// ParseExtract parses the answer to Extract. If it is truncated, not JSON or of the wrong shape, the error is
// ErrInvalidExtraction. A Markdown code fence around the object is allowed.
func ParseExtract(answer string) ([]Extracted, error) {
	var filed struct {
		Claims *[]Extracted `json:"claims"`
	}
	if err := json.Unmarshal([]byte(unfenced(answer)), &filed); err != nil || filed.Claims == nil {
		return nil, ErrInvalidExtraction
	}
	return *filed.Claims, nil
}

// unfenced removes the Markdown code fence some models put around JSON.
func unfenced(answer string) string {
	answer = strings.TrimSpace(answer)
	if inner, ok := strings.CutPrefix(answer, "```"); ok {
		inner = strings.TrimPrefix(inner, "json")
		answer = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(inner), "```"))
	}
	return answer
}
