package prompts

// DreamInput is what a persona dreams of: what was said over the last weeks, in one place.
type DreamInput struct {
	// Card is who dreams.
	Card     Card
	Memories []Numbered
	// Budget is the size of the prompt in tokens, DefaultBudget when 0.
	Budget int
}

// DreamResult is a night as a model words it.
type DreamResult struct {
	Dream Statement `json:"dream"`
	// Insight is what the persona understood of it, nil for nothing.
	Insight *Statement `json:"insight"`
}

// Dream asks for a dream in the persona's voice, woven from what was said, and for what it understood of it.
// ParseDream reads the answer.
func Dream(in DreamInput) Prompt {
	p := numberedTalk("dream", in.Card.Name, in.Memories, in.Budget, fields{"Card": in.Card.fields()})
	p.MaxTokens, p.JSON = min(dreamMaxTokens, orDefault(in.Budget, DefaultBudget)), true
	return p
}

// ParseDream reads the answer to Dream. One that is cut off, longer than any that was asked for, not JSON or of another
// shape is ErrNotWorded.
func ParseDream(answer string) (d DreamResult, err error) {
	if err := parseWorded(answer, &d); err != nil || d.Dream.Text == "" {
		return DreamResult{}, ErrInvalidAnswer
	}
	return d, nil
}
