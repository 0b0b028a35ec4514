package compare

import (
	"context"
	"fmt"

	"familiar/persona/modelvoice"
	"familiar/prompts"
)

// judge asks a model to rate the mind's answers. Without a model there is no rating. A model error is recorded as a
// fault.
func (m *ModeReport) judge(ctx context.Context, model modelvoice.Model, s Scenario) {
	if model == nil {
		return
	}
	var v prompts.Verdict
	_, err := modelvoice.Ask(ctx, model, prompts.Judge(m.toJudge(s)), func(text string) (err error) {
		v, err = prompts.ParseVerdict(text)
		return err
	})
	if err == nil {
		m.Verdict = &v
		return
	}
	m.blame(fmt.Sprintf("not judged: %v", err))
}

// blame records a fault.
func (m *ModeReport) blame(fault string) {
	if m.Fault != "" {
		m.Fault += "; "
	}
	m.Fault += fault
}

// toJudge returns the probe as input for the judge.
func (m *ModeReport) toJudge(s Scenario) prompts.JudgeInput {
	in := prompts.JudgeInput{Name: s.Card.Name, Character: s.Card.Description + " " + s.Card.Voice}
	for _, f := range s.Facts {
		in.Told = append(in.Told, f.Fact)
	}
	for i, step := range m.Steps {
		if step.Said != "" {
			in.Talk = append(in.Talk, prompts.Entry{Name: s.Person, Text: step.Said, At: s.at(i)})
		}
		in.Talk = append(in.Talk, prompts.Entry{Self: true, Text: step.Reply, At: s.at(i)})
	}
	return in
}
