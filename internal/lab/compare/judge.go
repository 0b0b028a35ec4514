package compare

import (
	"context"

	"familiar/internal/lab/judge"
	"familiar/persona/modelvoice"
	"familiar/prompts"
)

// judge asks a model to rate the mind's answers. Without a model there is no rating. A model error is recorded as a
// fault.
func (m *ModeReport) judge(ctx context.Context, model modelvoice.Model, s Scenario) {
	if model == nil {
		return
	}
	var err error
	if m.Verdict, err = judge.Ask(ctx, model, m.toJudge(s)); err != nil {
		m.blame(err.Error())
	}
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
	for _, f := range s.Foreign {
		in.Private = append(in.Private, f.Fact)
	}
	for i, step := range m.Steps {
		if step.Said != "" {
			in.Talk = append(in.Talk, prompts.Entry{Name: s.Person, Text: step.Said, At: s.at(i)})
		}
		in.Talk = append(in.Talk, prompts.Entry{Self: true, Text: step.Reply, At: s.at(i)})
	}
	return in
}
