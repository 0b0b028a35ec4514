package prompts

import (
	"fmt"
	"slices"
	"strings"

	"familiar/prompts/answer"

	"familiar/internal/text"
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
	statements := make([]string, len(in.Statements))
	for i, s := range in.Statements {
		statements[i] = fmt.Sprintf("%c. %s", 'A'+i%26, oneLine(s))
	}
	p := finishedTalk("check", in.Name, in.Budget, nil, func(room int) ([]string, int) {
		notes := append([]string{"STATEMENTS"}, statements...)
		lines, leftOut := in.relevant(room - linesCost(notes))
		return append(lines, notes...), leftOut
	})
	p.MaxTokens, p.JSON, p.Schema = min(checkFrame+checkMaxTokens*len(in.Statements), orDefault(in.Budget, DefaultBudget)), true, answer.Schema(saidLetters{})
	return p
}

// relevant returns the lines that fit into room tokens, in order: those that share most words with a statement.
func (in CheckInput) relevant(room int) (lines []string, leftOut int) {
	words := map[string]bool{}
	for _, s := range in.Statements {
		for word := range text.PlainWords(s) {
			words[word] = true
		}
	}
	all := make([]string, len(in.Lines))
	shared := make([]int, len(in.Lines))
	order := make([]int, len(in.Lines))
	for i, l := range in.Lines {
		all[i], order[i] = cutMiddle(fmt.Sprintf("%d. %s", l.Number, l.line(in.Name)), maxEntryIn(room)), i
		for word := range text.PlainWords(l.Text) {
			if words[word] {
				shared[i]++
			}
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return shared[b] - shared[a] })
	kept := map[int]bool{}
	for _, i := range order {
		if cost := lineCost(all[i]); cost <= room {
			room -= cost
			kept[i] = true
		}
	}
	for i, line := range all {
		if kept[i] {
			lines = append(lines, line)
		}
	}
	return lines, len(all) - len(lines)
}

// MaxStatements is how many statements one Check may ask about.
const MaxStatements = 26

// saidLetters is the JSON form of the answer.
type saidLetters struct {
	Said *[]string `json:"said"`
}

// ParseCheck parses the answer to Check about n statements: which of them the lines say. A statement without a verdict
// is not said. If the answer is not the requested JSON, the error is ErrInvalidAnswer.
func ParseCheck(text string, n int) ([]bool, error) {
	var verdict saidLetters
	if err := answer.JSON(text, &verdict); err != nil || verdict.Said == nil {
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
