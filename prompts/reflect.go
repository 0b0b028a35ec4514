package prompts

import (
	"errors"
	"fmt"
	"strconv"

	"familiar/prompts/answer"
)

const (
	// reflectMaxTokens and dreamMaxTokens are the longest answers to Reflect and Dream.
	reflectMaxTokens = 500
	dreamMaxTokens   = 700
)

// ReflectInput holds a person's recent messages.
type ReflectInput struct {
	// Name is the persona's name.
	Name string
	// Memories are numbered, so that the answer can refer to them.
	Memories []Numbered
	// Most is the maximum number of observations requested.
	Most int
	// Budget is the size of the prompt in tokens, DefaultBudget if 0.
	Budget int
}

// Statement is a sentence by a model with the numbers of its sources: unproven until each source is found.
type Statement struct {
	Text string `json:"text"`
	From []int  `json:"from"`
	// Salience is its importance, 0–1, as rated by the model.
	Salience float64 `json:"salience"`
}

// observations is the answer to Reflect.
type observations struct {
	Observations *[]Statement `json:"observations"`
}

// ErrInvalidAnswer reports that a model's answer to Reflect, Dream or FindGoals is not the requested JSON. Nothing in
// it can be used.
var ErrInvalidAnswer = errors.New("the model's answer is not the requested JSON object; nothing in it was used")

// Reflect asks for patterns in a person's messages, each with the numbers of its sources. ParseReflect parses the
// answer. Every memory is kept; the longest are cut in the middle.
func Reflect(in ReflectInput) Prompt {
	p := numberedTalk("reflect", in.Name, in.Memories, in.Budget, fields{"Most": strconv.Itoa(in.Most)})
	p.MaxTokens, p.JSON, p.Schema = min(reflectMaxTokens, orDefault(in.Budget, DefaultBudget)), true, answer.Schema(observations{})
	return p
}

// numberedTalk returns a prompt about a finished conversation with numbered entries.
func numberedTalk(kind, name string, talk []Numbered, budget int, given fields) Prompt {
	return finishedTalk(kind, name, budget, given, func(room int) ([]string, int) {
		lines := make([]string, len(talk))
		for i, n := range talk {
			lines[i] = cutMiddle(fmt.Sprintf("%d. %s", n.Number, n.line(name)), max(minEntry, min(maxExtractEntry, room/len(talk)-1)))
		}
		return lines, 0
	})
}

// ParseReflect parses the answer to Reflect. If it is truncated, too long, not JSON or of the wrong shape, the error is
// ErrInvalidAnswer.
func ParseReflect(text string) ([]Statement, error) {
	var seen observations
	if err := answer.JSON(text, &seen); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalidAnswer, err)
	}
	if seen.Observations == nil {
		return nil, ErrInvalidAnswer
	}
	return *seen.Observations, nil
}
