package prompts

// pursueMaxTokens is the longest answer to Pursue.
const pursueMaxTokens = 400

// FindGoalsInput is what one person said lately.
type FindGoalsInput struct {
	// Name is the persona's.
	Name string
	// Messages is numbered as an answer refers to it.
	Messages []Numbered
	// Budget is the size of the prompt in tokens, DefaultBudget when 0.
	Budget int
}

// FoundGoal is a goal as a model found it: unproven until its quote is found in the line it names.
type FoundGoal struct {
	Text  string `json:"text"`
	Line  int    `json:"line"`
	Quote string `json:"quote"`
}

// FindGoals asks for the goals that somebody tells of themselves, each with the words that tell it. ParsePursue reads the answer.
func FindGoals(in FindGoalsInput) Prompt {
	p := numberedTalk("pursue", in.Name, in.Messages, in.Budget, nil)
	p.MaxTokens, p.JSON = min(pursueMaxTokens, orDefault(in.Budget, DefaultBudget)), true
	return p
}

// ParseFindGoals reads the answer to Pursue. One that is cut off, longer than any that was asked for, not JSON or of another
// shape is ErrNotWorded.
func ParseFindGoals(answer string) ([]FoundGoal, error) {
	var found struct {
		Goals *[]FoundGoal `json:"goals"`
	}
	if err := parseWorded(answer, &found); err != nil || found.Goals == nil {
		return nil, ErrInvalidAnswer
	}
	return *found.Goals, nil
}
