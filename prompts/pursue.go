package prompts

// pursueMaxTokens is the longest answer to Pursue.
const pursueMaxTokens = 400

// PursueInput is what one person said lately.
type PursueInput struct {
	// Name is the persona's.
	Name string
	// Said is numbered as an answer refers to it.
	Said []Numbered
	// Budget is the size of the prompt in tokens, DefaultBudget when 0.
	Budget int
}

// Aim is a goal as a model found it: unproven until its quote is found in the line it names.
type Aim struct {
	Text  string `json:"text"`
	Line  int    `json:"line"`
	Quote string `json:"quote"`
}

// Pursue asks for the goals that somebody tells of themselves, each with the words that tell it. ParsePursue reads the answer.
func Pursue(in PursueInput) Prompt {
	p := numberedTalk("pursue", in.Name, in.Said, in.Budget, nil)
	p.MaxTokens, p.JSON = min(pursueMaxTokens, orDefault(in.Budget, DefaultBudget)), true
	return p
}

// ParsePursue reads the answer to Pursue. One that is cut off, longer than any that was asked for, not JSON or of another
// shape is ErrNotWorded.
func ParsePursue(answer string) ([]Aim, error) {
	var found struct {
		Goals *[]Aim `json:"goals"`
	}
	if err := parseWorded(answer, &found); err != nil || found.Goals == nil {
		return nil, ErrNotWorded
	}
	return *found.Goals, nil
}
