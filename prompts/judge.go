package prompts

import (
	"errors"
	"fmt"
	"strings"

	"familiar/internal/tokens"
	"familiar/prompts/answer"
)

// judgeMaxTokens is the longest verdict, in tokens: the marks and a sentence.
const judgeMaxTokens = 250

// JudgeInput is a conversation to be judged.
type JudgeInput struct {
	// Name is the persona's name, Character its intended character in the operator's words.
	Name, Character string
	// Told are facts the persona was told before the conversation, Outdated what it was told and is no longer so, Private what
	// others told it that is nobody else's business.
	Told, Outdated, Private []string
	Talk                    []Entry
	// Budget is the size of the prompt in tokens, DefaultBudget if 0.
	Budget int
}

// Judge asks how good a persona's answers are. ParseVerdict parses the answer.
func Judge(in JudgeInput) Prompt {
	var names []string
	for _, m := range (Verdict{}).Marks() {
		names = append(names, fmt.Sprintf("%q: 1", m.Of))
	}
	system := render("judge", fields{
		"Name": oneLine(in.Name), "Character": oneLine(in.Character), "Fence": fenceMark, "Form": strings.Join(names, ", "),
	})
	task := func(told, outdated, private, talk []string) string {
		return render("judge-task", fields{"Told": quoted(told), "Outdated": quotedIf(outdated), "Private": quotedIf(private), "Talk": quoted(talk)})
	}
	outdated, private := listed(in.Outdated), listed(in.Private)
	frame := tokens.Estimate(system) + tokens.Estimate(task(nil, outdated, private, nil))
	room := max(0, orDefault(in.Budget, DefaultBudget)-frame)
	told, leftOut := fitFirst(listed(in.Told), room/2)
	talk, cut := fitToAnswer(in.Talk, in.Name, room-linesCost(told))
	return Prompt{
		Name: "judge", System: system, Messages: []Message{{User, task(told, outdated, private, talk)}}, Fence: fenceMark,
		MaxTokens: judgeMaxTokens, JSON: true, Work: true, Schema: answer.Schema(Verdict{}),
		Slices: []Slice{
			{Name: SliceSafety, Budget: frame, Tokens: frame},
			{Name: SliceTalk, Budget: room, Tokens: linesCost(told) + linesCost(talk), LeftOut: leftOut + cut},
		},
	}
}

// listed returns texts as entries of a list.
func listed(texts []string) (lines []string) {
	for _, t := range texts {
		lines = append(lines, "- "+oneLine(t))
	}
	return lines
}

// quotedIf quotes lines, "" for none.
func quotedIf(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return quoted(lines)
}

// Verdict rates a persona's answers, each aspect from 1 to 5.
type Verdict struct {
	// Recall is whether what was told is used, Current whether nothing outdated is, Discretion whether nothing is passed on
	// that others told.
	Recall      int    `json:"recall"`
	Current     int    `json:"current"`
	Discretion  int    `json:"discretion"`
	Relevance   int    `json:"relevance"`
	Personality int    `json:"personality"`
	Insight     int    `json:"insight"`
	Naturalness int    `json:"naturalness"`
	Why         string `json:"why"`
}

// Mark is the rating of one aspect.
type Mark struct {
	Of    string
	Given int
}

// Marks returns the ratings in order.
func (v Verdict) Marks() []Mark {
	return []Mark{
		{"recall", v.Recall},
		{"current", v.Current},
		{"discretion", v.Discretion},
		{"relevance", v.Relevance},
		{"personality", v.Personality},
		{"insight", v.Insight},
		{"naturalness", v.Naturalness},
	}
}

// ErrNoVerdict reports that a model's answer to Judge is not the requested JSON, or contains an invalid rating.
var ErrNoVerdict = errors.New("the model's answer is not a verdict")

// ParseVerdict parses the answer to Judge. If it is truncated, not JSON or has a rating outside 1 to 5, the error is
// ErrNoVerdict.
func ParseVerdict(text string) (Verdict, error) {
	var v Verdict
	if err := answer.JSON(text, &v); err != nil {
		return Verdict{}, fmt.Errorf("%w: %w", ErrNoVerdict, err)
	}
	for _, mark := range v.Marks() {
		if mark.Given < 1 || mark.Given > 5 {
			return Verdict{}, fmt.Errorf("%w: %s is %d, not 1 to 5", ErrNoVerdict, mark.Of, mark.Given)
		}
	}
	v.Why = oneLine(v.Why)
	return v, nil
}
