package prompts

import (
	"errors"
	"fmt"

	"familiar/internal/tokens"
	"familiar/prompts/answer"
)

// judgeMaxTokens is the longest verdict, in tokens: five numbers and a sentence.
const judgeMaxTokens = 200

// JudgeInput is a conversation to be judged.
type JudgeInput struct {
	// Name is the persona's name, Character its intended character in the operator's words.
	Name, Character string
	// Told are facts the persona was told before the conversation.
	Told []string
	Talk []Entry
	// Budget is the size of the prompt in tokens, DefaultBudget if 0.
	Budget int
}

// Judge asks how good a persona's answers are. ParseVerdict parses the answer.
func Judge(in JudgeInput) Prompt {
	system := render("judge", fields{
		"Name": oneLine(in.Name), "Character": oneLine(in.Character), "Fence": fenceMark,
	})
	task := func(told, talk []string) string {
		return render("judge-task", fields{"Told": quoted(told), "Talk": quoted(talk)})
	}
	frame := tokens.Estimate(system) + tokens.Estimate(task(nil, nil))
	room := max(0, orDefault(in.Budget, DefaultBudget)-frame)
	told := make([]string, len(in.Told))
	for i, t := range in.Told {
		told[i] = "- " + oneLine(t)
	}
	told, leftOut := fitFirst(told, room/2)
	talk, cut := fitToAnswer(in.Talk, in.Name, room-linesCost(told))
	return Prompt{
		Name: "judge", System: system, Messages: []Message{{User, task(told, talk)}}, Fence: fenceMark,
		MaxTokens: judgeMaxTokens, JSON: true, Work: true, Schema: answer.Schema(Verdict{}),
		Slices: []Slice{
			{Name: SliceSafety, Budget: frame, Tokens: frame},
			{Name: SliceTalk, Budget: room, Tokens: linesCost(told) + linesCost(talk), LeftOut: leftOut + cut},
		},
	}
}

// Verdict rates a persona's answers, each aspect from 1 to 5.
type Verdict struct {
	Recall      int    `json:"recall"`
	Relevance   int    `json:"relevance"`
	Personality int    `json:"personality"`
	Insight     int    `json:"insight"`
	Naturalness int    `json:"naturalness"`
	Why         string `json:"why"`
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
	for _, mark := range []struct {
		of    string
		given int
	}{
		{"recall", v.Recall},
		{"relevance", v.Relevance},
		{"personality", v.Personality},
		{"insight", v.Insight},
		{"naturalness", v.Naturalness},
	} {
		if mark.given < 1 || mark.given > 5 {
			return Verdict{}, fmt.Errorf("%w: %s is %d, not 1 to 5", ErrNoVerdict, mark.of, mark.given)
		}
	}
	v.Why = oneLine(v.Why)
	return v, nil
}
