package prompts

import "familiar/prompts/answer"

// portraitMaxTokens is the longest answer to Portrait.
const portraitMaxTokens = 700

// PortraitInput holds what is known of a person.
type PortraitInput struct {
	// Name is the persona's name, Person that of whom the portrait is of.
	Name, Person string
	// Facts are numbered, so that the answer can refer to them.
	Facts []Numbered
	// Budget is the size of the prompt in tokens, DefaultBudget if 0.
	Budget int
}

// Portrait asks for a portrait of a person in some sentences, each with the numbers of the facts it rests on.
// ParsePortrait parses the answer.
func Portrait(in PortraitInput) Prompt {
	p := numberedTalk("portrait", in.Name, in.Facts, in.Budget, nil)
	p.MaxTokens, p.JSON, p.Schema = min(portraitMaxTokens, orDefault(in.Budget, DefaultBudget)), true, answer.Schema(portrait{})
	return p
}

// portrait is the JSON form of the answer.
type portrait struct {
	Portrait *[]Statement `json:"portrait"`
}

// ParsePortrait parses the answer to Portrait. If it is truncated, too long, not JSON or of the wrong shape, the error is
// ErrInvalidAnswer.
func ParsePortrait(text string) ([]Statement, error) {
	var drawn portrait
	if err := answer.JSON(text, &drawn); err != nil || drawn.Portrait == nil {
		return nil, ErrInvalidAnswer
	}
	return *drawn.Portrait, nil
}
