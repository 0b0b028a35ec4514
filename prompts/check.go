package prompts

import (
	"fmt"
	"strings"
)

// checkMaxTokens is the longest answer to Check per statement, in tokens, and checkFrame what is around them.
const (
	checkMaxTokens = 14
	checkFrame     = 40
)

// CheckInput is what a model is asked to check: whether lines say statements that were derived from them.
type CheckInput struct {
	// Name is the persona's name.
	Name string
	// Lines are the lines that the statements rest on.
	Lines      []Numbered
	Statements []string
	// Budget is the size of the prompt in tokens, DefaultBudget if 0.
	Budget int
}

// Check asks of each statement whether the lines say it: a short second reading that shares nothing with the first.
// ParseCheck parses the answer.
func Check(in CheckInput) Prompt {
	entries := make([]Entry, 0, len(in.Lines)+len(in.Statements))
	for _, l := range in.Lines {
		entries = append(entries, l.Entry)
	}
	statements := make([]string, len(in.Statements))
	for i, s := range in.Statements {
		statements[i] = fmt.Sprintf("%c. %s", 'A'+i%26, oneLine(s))
		entries = append(entries, Entry{Text: s})
	}
	p := finishedTalk("check", in.Name, entries, in.Budget, nil, func(room int) ([]string, int) {
		lines := make([]string, 0, len(in.Lines)+len(statements)+1)
		for _, l := range in.Lines {
			lines = append(lines, cutMiddle(fmt.Sprintf("%d. %s", l.Number, l.line(in.Name)), max(minEntry, min(maxExtractEntry, room/max(1, len(in.Lines))-1))))
		}
		lines = append(lines, "STATEMENTS")
		return append(lines, statements...), 0
	})
	p.MaxTokens, p.JSON = min(checkFrame+checkMaxTokens*len(in.Statements), orDefault(in.Budget, DefaultBudget)), true
	return p
}

// MaxStatements is how many statements one Check may ask about.
const MaxStatements = 26

// ParseCheck parses the answer to Check about n statements: which of them the lines say. A statement without a verdict
// is not said. If the answer is not the requested JSON, the error is ErrInvalidAnswer.
func ParseCheck(answer string, n int) ([]bool, error) {
	var verdict struct {
		Said *[]string `json:"said"`
	}
	if err := parseJSONAnswer(answer, &verdict); err != nil || verdict.Said == nil {
		return nil, ErrInvalidAnswer
	}
	said := make([]bool, n)
	for _, letter := range *verdict.Said {
		letter = strings.ToUpper(strings.Trim(letter, " ."))
		if i := strings.IndexAny("ABCDEFGHIJKLMNOPQRSTUVWXYZ", letter); len(letter) == 1 && i >= 0 && i < n {
			said[i] = true
		}
	}
	return said, nil
}
