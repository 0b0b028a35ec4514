package prompts

import (
	"fmt"

	"familiar/prompts/answer"
)

// findGoalsMaxTokens is the longest answer to FindGoals.
const findGoalsMaxTokens = 400

// FindGoalsInput holds one person's recent messages.
type FindGoalsInput struct {
	// Name is the persona's name.
	Name string
	// Messages are numbered, so that the answer can refer to them.
	Messages []Numbered
	// Budget is the size of the prompt in tokens, DefaultBudget if 0.
	Budget int
}

// FoundGoal is a goal found by a model: unproven until its quote is found in the given line.
type FoundGoal struct {
	Text  string `json:"text"`
	Line  int    `json:"line"`
	Quote string `json:"quote"`
}

// foundGoals is the answer to FindGoals.
type foundGoals struct {
	Goals *[]FoundGoal `json:"goals"`
}

// FindGoals asks for the goals people state about themselves, each with a quote. ParseFindGoals parses the answer.
func FindGoals(in FindGoalsInput) Prompt {
	p := numberedTalk("pursue", in.Name, in.Messages, in.Budget, nil)
	p.MaxTokens, p.JSON, p.Schema = min(findGoalsMaxTokens, orDefault(in.Budget, DefaultBudget)), true, answer.Schema(foundGoals{})
	return p
}

// ParseFindGoals parses the answer to FindGoals. If it is truncated, too long, not JSON or of the wrong shape, the
// error is ErrInvalidAnswer.
func ParseFindGoals(text string) ([]FoundGoal, error) {
	var found foundGoals
	if err := answer.JSON(text, &found); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalidAnswer, err)
	}
	if found.Goals == nil {
		return nil, ErrInvalidAnswer
	}
	return *found.Goals, nil
}
