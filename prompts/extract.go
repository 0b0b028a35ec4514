package prompts

import (
	"errors"
	"fmt"
	"maps"
	"strings"

	"familiar/internal/tokens"
	"familiar/prompts/answer"
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

// ExtractInput is a part of a conversation.
type ExtractInput struct {
	// Name is the persona's name.
	Name string
	// Relations are the names of useful relations, Kinds those of the kinds of claims, in display order.
	Relations, Kinds []string
	// Known is what is believed of the people, the best matching first: as many as fit a third of the room for the talk are shown.
	Known []KnownFact
	// Context are messages that were read before and only help to understand Messages.
	Context  []Numbered
	Messages []Numbered
	// Budget is the size of the prompt in tokens, DefaultBudget if 0.
	Budget int
}

// KnownFact is a note that exists, with the number by which the answer may refer to it.
type KnownFact struct {
	Number int
	Text   string
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

const (
	// contextLines is how many messages of one part are shown before the next one, to understand it, if there is room
	// for contextRoom tokens of messages.
	contextLines = 4
	contextRoom  = 1000
	// exampleBudget is the budget from which the prompt has examples.
	exampleBudget = 2500
)

// Windows splits a long conversation into parts that each fit the budget, in order. Every message is in exactly one
// part. The parts after the first have the last messages of the one before as their context.
func (in ExtractInput) Windows() []ExtractInput {
	frame := in
	frame.Messages = nil
	room := talkRoom(in.Budget, Extract(frame))
	var windows []ExtractInput
	var spent int
	for _, m := range in.Messages {
		cost := min(maxEntryIn(room)+1, lineCost(in.line(m)))
		if len(windows) == 0 || spent+cost > room {
			next := frame
			spent = 0
			if n := len(windows); n > 0 && room > contextRoom {
				before := windows[n-1].Messages
				next.Context = before[max(0, len(before)-contextLines):]
				spent = linesCost(in.contextLines(next.Context)) - linesCost(in.contextLines(frame.Context))
			}
			windows = append(windows, next)
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

// Extract asks what the messages of a conversation tell about people, compared with what is known, each with a verbatim
// quote. ParseExtract parses the answer. Split a long conversation with Windows first: Extract keeps every message, and
// cuts long ones in the middle. The answer may be as long as the prompt, up to 1,500 tokens.
func Extract(in ExtractInput) Prompt {
	rules := fields{
		"Relations": strings.Join(in.Relations, ", "), "Kinds": strings.Join(in.Kinds, ", "),
		"Examples": orDefault(in.Budget, DefaultBudget) >= exampleBudget,
	}
	p := finishedTalk("extract", in.Name, in.Budget, rules, func(room int) ([]string, int) {
		lines, leftOut := in.knownLines(room / 3)
		lines = append(append(lines, in.contextLines(in.Context)...), "NEW")
		longest := maxEntryIn(room - linesCost(lines))
		for _, m := range in.Messages {
			lines = append(lines, cutMiddle(in.line(m), longest))
		}
		return lines, leftOut
	})
	p.MaxTokens, p.JSON, p.Schema = min(extractMaxTokens, orDefault(in.Budget, DefaultBudget)), true, answer.Schema(extraction{})
	return p
}

// contextLines returns messages that were read before as the prompt shows them.
func (in ExtractInput) contextLines(context []Numbered) (lines []string) {
	for _, m := range context {
		lines = append(lines, cutMiddle(in.line(m), minEntry))
	}
	if len(lines) > 0 {
		lines = append([]string{"READ"}, lines...)
	}
	return lines
}

// knownLines returns the known facts that fit into room tokens, and how many do not.
func (in ExtractInput) knownLines(room int) (lines []string, leftOut int) {
	if len(in.Known) == 0 {
		return nil, 0
	}
	all := make([]string, len(in.Known))
	for i, k := range in.Known {
		all[i] = fmt.Sprintf("#%d %s", k.Number, cutMiddle(oneLine(k.Text), minEntry))
	}
	for _, line := range all {
		if room -= lineCost(line); room < 0 {
			break
		}
		lines = append(lines, line)
	}
	return append([]string{"KNOWN"}, lines...), len(all) - len(lines)
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
	p := finishedTalk("summary", in.Name, in.Budget, nil, func(room int) ([]string, int) {
		return fitToAnswer(in.Messages, in.Name, room)
	})
	p.MaxTokens = min(summaryMaxTokens, orDefault(in.Budget, DefaultBudget))
	return p
}

// finishedTalk returns a prompt about a conversation: the rules with their fields in System, and the quoted
// conversation in one message, formatted by fit.
func finishedTalk(kind, name string, budget int, given fields, fit func(room int) ([]string, int)) Prompt {
	rules := fields{"Name": oneLine(name), "Fence": fenceMark}
	maps.Copy(rules, given)
	system := render(kind, rules)
	task := func(lines []string) string { return render(kind+"-task", quoted(lines)) }
	frame := tokens.Estimate(system) + tokens.Estimate(task(nil))
	room := orDefault(budget, DefaultBudget) - frame
	lines, leftOut := fit(room)
	return Prompt{
		Name: kind, System: system, Messages: []Message{{User, task(lines)}}, Fence: fenceMark, Work: true,
		Slices: []Slice{
			{Name: SliceSafety, Budget: frame, Tokens: frame},
			{Name: SliceTalk, Budget: room, Tokens: linesCost(lines), LeftOut: leftOut},
		},
	}
}

// The states of an extracted claim, compared with what is known.
const (
	StateNew     = "new"
	StateSame    = "same"
	StateChanges = "changes"
	StateEnds    = "ends"
)

// Extracted is one claim from a model: unproven until its quote is found.
type Extracted struct {
	// State compares the claim with the known fact numbered ID, 0 for none.
	State string `json:"state"`
	ID    int    `json:"id"`
	// Message is the number of the message that makes the claim, Quote its words.
	Message int    `json:"message"`
	Quote   string `json:"quote"`
	// Subject is whom or what it is about, "" for the speaker.
	Subject  string `json:"subject"`
	Kind     string `json:"kind"`
	Relation string `json:"relation"`
	Value    string `json:"value"`
	// Sentence is the fact in normal words.
	Sentence string `json:"sentence"`
	// Due is the day of a plan as 2006-01-02, "" for none.
	Due       string `json:"due"`
	Sensitive bool   `json:"sensitive"`
}

// extraction is the answer to Extract.
type extraction struct {
	Claims *[]Extracted `json:"claims"`
}

// ErrInvalidExtraction reports that a model's answer to Extract is not the requested JSON. Nothing in it can be used.
var ErrInvalidExtraction = errors.New("the model's answer is not a JSON object with a list of claims; nothing was learned from it")

// ParseExtract parses the answer to Extract, wherever the JSON stands in it. If it is truncated, not JSON or of the wrong
// shape, the error is ErrInvalidExtraction.
func ParseExtract(text string) ([]Extracted, error) {
	var filed extraction
	if err := answer.JSON(text, &filed); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalidExtraction, err)
	}
	if filed.Claims == nil {
		return nil, ErrInvalidExtraction
	}
	return *filed.Claims, nil
}
