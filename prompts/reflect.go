package prompts

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
)

const (
	// reflectMaxTokens and dreamMaxTokens are the longest answers to Reflect and Dream.
	reflectMaxTokens = 500
	dreamMaxTokens   = 700
	// longestAnswer is how many bytes of an answer are read: what is longer is not what was asked for.
	longestAnswer = 64 << 10
)

// ReflectInput is what somebody said lately.
type ReflectInput struct {
	// Name is the persona's.
	Name string
	// Memories are numbered as an answer refers to them.
	Memories []Numbered
	// Most is how many observations are asked for at most.
	Most int
	// Budget is the size of the prompt in tokens, DefaultBudget when 0.
	Budget int
}

// Statement is what a model put into words, with the numbers of what it rests on: unproven until each of them is found.
type Statement struct {
	Text string `json:"text"`
	From []int  `json:"from"`
	// Salience is how much it matters, 0–1 as the model sees it.
	Salience float64 `json:"salience"`
}

// ErrInvalidAnswer says that a model's answer to Reflect or Dream is not the JSON it was asked for. Nothing of it can be used.
var ErrInvalidAnswer = errors.New("the model's answer is not the JSON object it was asked for; nothing was made of it")

// Reflect asks for patterns in what somebody said, each with the numbers it rests on. ParseReflect reads the answer. Every
// memory stays, the longest are cut in the middle.
func Reflect(in ReflectInput) Prompt {
	p := numberedTalk("reflect", in.Name, in.Memories, in.Budget, fields{"Most": strconv.Itoa(in.Most)})
	p.MaxTokens, p.JSON = min(reflectMaxTokens, orDefault(in.Budget, DefaultBudget)), true
	return p
}

// numberedTalk is a finished talk whose entries are numbered.
func numberedTalk(kind, name string, talk []Numbered, budget int, given fields) Prompt {
	entries := make([]Entry, len(talk))
	for i, n := range talk {
		entries[i] = n.Entry
	}
	return finishedTalk(kind, name, entries, budget, given, func(room int) ([]string, int) {
		lines := make([]string, len(talk))
		for i, n := range talk {
			lines[i] = cutMiddle(fmt.Sprintf("%d. %s", n.Number, n.line(name)), max(minEntry, min(longestFiled, room/len(talk)-1)))
		}
		return lines, 0
	})
}

// ParseReflect reads the answer to Reflect. One that is cut off, longer than any that was asked for, not JSON or of another
// shape is ErrNotWorded.
func ParseReflect(answer string) ([]Statement, error) {
	var seen struct {
		Observations *[]Statement `json:"observations"`
	}
	if err := parseWorded(answer, &seen); err != nil || seen.Observations == nil {
		return nil, ErrInvalidAnswer
	}
	return *seen.Observations, nil
}

func parseWorded(answer string, into any) error {
	if len(answer) > longestAnswer {
		return ErrInvalidAnswer
	}
	return json.Unmarshal([]byte(unfenced(answer)), into)
}
