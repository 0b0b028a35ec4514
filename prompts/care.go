package prompts

import (
	"strings"

	"familiar/internal/tokens"
	"familiar/prompts/answer"
)

// dangerMaxTokens is the longest answer to Danger, in tokens, dangerBudget the default size of its prompt: it is asked
// while somebody waits.
const (
	dangerMaxTokens = 60
	dangerBudget    = 1200
)

// DangerInput is what a model is asked about before an answer is written.
type DangerInput struct {
	// Name is the persona's name.
	Name string
	// Talk are the messages before, Said the messages to judge, oldest first.
	Talk, Said []Entry
	// Budget is the size of the prompt in tokens, 0 for a small one.
	Budget int
}

// Danger asks whether somebody is in danger by what they say, in any language. ParseDanger parses the answer.
func Danger(in DangerInput) Prompt {
	system := render("danger", fields{"Name": oneLine(in.Name), "Fence": fenceMark})
	task := func(talk, said []string) string {
		return render("danger-task", fields{"Talk": quoted(talk), "Said": quoted(said), "Before": len(talk) > 0})
	}
	frame := tokens.Estimate(system) + tokens.Estimate(task([]string{""}, nil))
	room := max(0, orDefault(in.Budget, dangerBudget)-frame)
	said, cut := fitToAnswer(in.Said, in.Name, room)
	talk, dropped := fitLast(lines(in.Talk, in.Name), (room-linesCost(said))/2)
	return Prompt{
		Name: "danger", System: system, Messages: []Message{{User, task(talk, said)}}, Fence: fenceMark,
		MaxTokens: dangerMaxTokens, JSON: true, Work: true, Schema: answer.Schema(verdictOfDanger{}),
		Slices: []Slice{
			{Name: SliceSafety, Budget: frame, Tokens: frame},
			{Name: SliceTalk, Budget: room, Tokens: linesCost(talk) + linesCost(said), LeftOut: cut + dropped},
		},
	}
}

// lines returns entries as lines of a prompt.
func lines(entries []Entry, name string) (all []string) {
	for _, e := range untimed(entries) {
		all = append(all, e.line(name))
	}
	return all
}

// verdictOfDanger is the JSON form of the answer.
type verdictOfDanger struct {
	Danger string `json:"danger"`
	Sure   bool   `json:"sure"`
}

// The dangers that a model tells apart.
const (
	DangerNone  = "none"
	DangerSelf  = "self"
	DangerOther = "other"
	DangerNeed  = "need"
	DangerHarm  = "harm_by_others"
)

// ParseDanger parses the answer to Danger: the danger, one of those above, and whether the model is sure of it. If the
// answer is not the requested JSON, the error is ErrInvalidAnswer.
func ParseDanger(text string) (danger string, sure bool, err error) {
	var v verdictOfDanger
	if err := answer.JSON(text, &v); err != nil {
		return "", false, ErrInvalidAnswer
	}
	switch d := strings.ToLower(strings.TrimSpace(v.Danger)); d {
	case DangerNone, DangerSelf, DangerOther, DangerNeed, DangerHarm:
		return d, v.Sure, nil
	}
	return "", false, ErrInvalidAnswer
}

// Careful says why somebody is met with care.
type Careful struct {
	// Now reports that the messages to answer speak of danger, else they did before.
	Now bool
	// Danger is what they spoke of: DangerSelf, DangerHarm, DangerNeed or DangerOther.
	Danger string
	// Returns reports that they come back after some time.
	Returns bool
	// Reach are those whom they can reach, one line each.
	Reach []string
}

// line returns the instruction for somebody who is met with care, "" for nobody.
func (c *Careful) line() string {
	if c == nil {
		return ""
	}
	reach := make([]string, len(c.Reach))
	for i, r := range c.Reach {
		reach[i] = oneLine(r)
	}
	return render("careful", fields{
		"Now": c.Now, "Returns": c.Returns, "Reach": strings.Join(reach, "; "),
		"Self": c.Danger == DangerSelf, "Harm": c.Danger == DangerHarm, "Need": c.Danger == DangerNeed, "Other": c.Danger == DangerOther,
	})
}
