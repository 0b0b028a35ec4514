package prompts

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"

	"familiar/internal/tokens"
)

// The longest answers of the prompts about a finished talk, in tokens.
const (
	extractMaxTokens = 1500
	summaryMaxTokens = 300
)

// Numbered is one message of a finished talk with the number a model refers to it by.
type Numbered struct {
	Number int
	Entry
}

// ExtractInput is a stretch of a finished talk.
type ExtractInput struct {
	// Name is the persona's.
	Name string
	// Relations are the names of relations worth using, in the order to be shown.
	Relations []string
	Messages  []Numbered
	// Budget is the size of the prompt in tokens, DefaultBudget when 0.
	Budget int
}

// ExtractBudget is the size of a prompt about a finished talk for a model that takes window tokens at once, prompt and
// answer together: what the longest answer leaves, but at least half. It is never more than DefaultBudget: a longer
// stretch of talk holds more claims than one answer.
func ExtractBudget(window int) int { return min(DefaultBudget, max(window-extractMaxTokens, window/2)) }

// longestFiled is how much of one message a window shows, in tokens: past that, or where the prompt has less room, it
// is cut in the middle.
const longestFiled = 800

// mostFiled is how much of one message fits a room for talk.
func mostFiled(room int) int { return max(minEntry, min(longestFiled, room-1)) }

// Windows parts a long talk into stretches that each fit the budget, in order; every message is in exactly one.
func (in ExtractInput) Windows() []ExtractInput {
	room := talkRoom(in.Budget, Extract(ExtractInput{Name: in.Name, Relations: in.Relations, Budget: in.Budget}))
	var windows []ExtractInput
	var spent int
	for _, m := range in.Messages {
		cost := min(mostFiled(room)+1, lineCost(in.line(m)))
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

// talkRoom is what a prompt without any talk leaves for it.
func talkRoom(budget int, empty Prompt) int { return orDefault(budget, DefaultBudget) - empty.Tokens() }

func (in ExtractInput) line(n Numbered) string {
	return fmt.Sprintf("%d. %s", n.Number, n.line(in.Name))
}

// Extract asks what people claimed in a talk, each claim with a verbatim quote. ParseExtract reads the answer. A talk
// that may not fit is parted by Windows first: here every message stays, each cut in the middle when it is long. The
// answer may be as long as the prompt, up to 1,500 tokens.
func Extract(in ExtractInput) Prompt {
	entries := make([]Entry, len(in.Messages))
	for i, m := range in.Messages {
		entries[i] = m.Entry
	}
	p := finishedTalk("extract", in.Name, entries, in.Budget, fields{"Relations": strings.Join(in.Relations, ", ")}, func(room int) ([]string, int) {
		lines := make([]string, len(in.Messages))
		for i, m := range in.Messages {
			lines[i] = cutMiddle(in.line(m), mostFiled(room))
		}
		return lines, 0
	})
	p.MaxTokens, p.JSON = min(extractMaxTokens, orDefault(in.Budget, DefaultBudget)), true
	return p
}

// SummaryInput is a finished talk.
type SummaryInput struct {
	// Name is the persona's.
	Name     string
	Messages []Entry
	// Budget is the size of the prompt in tokens, DefaultBudget when 0.
	Budget int
}

// Summary asks for a few sentences about a talk, in the persona's eyes. Of a talk too long for the budget the
// beginning and the end are shown, with a line that counts what is missing between them.
func Summary(in SummaryInput) Prompt {
	p := finishedTalk("summary", in.Name, in.Messages, in.Budget, nil, func(room int) ([]string, int) {
		return fitHeard(in.Messages, in.Name, room)
	})
	p.MaxTokens = min(summaryMaxTokens, orDefault(in.Budget, DefaultBudget))
	return p
}

// finishedTalk is a prompt about a talk: the rules in System, with what else they are given, the talk quoted in one message
// as fit words it.
func finishedTalk(
	kind, name string, entries []Entry, budget int, given fields, fit func(room int) ([]string, int),
) Prompt {
	mark := fence(append(entryTexts(entries), name))
	rules := fields{"Name": oneLine(name), "Fence": mark}
	maps.Copy(rules, given)
	system := render(kind, rules)
	task := func(lines []string) string { return render(kind+"-task", quoted(mark, lines)) }
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

// Extracted is one claim as a model filed it: unproven until its quote is found.
type Extracted struct {
	Message  int    `json:"message"`
	About    string `json:"about"`
	Kind     string `json:"kind"`
	Relation string `json:"relation"`
	Value    string `json:"value"`
	Quote    string `json:"quote"`
	Denied   bool   `json:"denied"`
}

// ErrInvalidExtraction says that a model's answer to Extract is not the JSON it was asked for. Nothing of it can be used.
var ErrInvalidExtraction = errors.New("the model's answer is not a JSON object with a list of claims; nothing was learned from it")

// ParseExtract reads the answer to Extract. An answer that is cut off, not JSON or of another shape is ErrNotFiled.
// A Markdown code fence around the object is allowed.
func ParseExtract(answer string) ([]Extracted, error) {
	var filed struct {
		Claims *[]Extracted `json:"claims"`
	}
	if err := json.Unmarshal([]byte(unfenced(answer)), &filed); err != nil || filed.Claims == nil {
		return nil, ErrInvalidExtraction
	}
	return *filed.Claims, nil
}

// unfenced is an answer without the Markdown code fence some models put around JSON.
func unfenced(answer string) string {
	answer = strings.TrimSpace(answer)
	if inner, ok := strings.CutPrefix(answer, "```"); ok {
		inner = strings.TrimPrefix(inner, "json")
		answer = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(inner), "```"))
	}
	return answer
}
