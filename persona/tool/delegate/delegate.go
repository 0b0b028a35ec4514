// Package delegate has the tool by which a model hands a side task to a helper: another run of a model that sees the task and
// nothing else of the conversation, with fewer rights and a budget of its own.
package delegate

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"familiar/memory/budget"
	"familiar/persona/tool"
	"familiar/prompts"
)

// Name is the tool's name, and that of its calls in the ledger of models.
const Name = "delegate"

// Model answers the helper's prompts.
type Model interface {
	Generate(ctx context.Context, p prompts.Prompt, stream func(delta string)) (prompts.Answer, error)
}

// Budget is what one task may take.
type Budget struct {
	// Calls of tools, fewer if the answer has fewer left.
	Calls int
	// Tokens of all prompts and answers of the helper.
	Tokens int
	// Time for all of it, less if the answer has less left.
	Time time.Duration
}

// Begin returns the model of one run and its context, in which the calls of the model are charged before they are made: to the
// person and room of a place, and to a budget of so many tokens.
type Begin func(ctx context.Context, p tool.Place, tokens int) (context.Context, Model)

// New returns the tool. begin is needed only to call it.
func New(b Budget, begin Begin) tool.Tool { return delegate{b, begin} }

type delegate struct {
	budget Budget
	begin  Begin
}

// Spec implements tool.Tool.
func (d delegate) Spec() tool.Spec {
	return tool.Spec{
		Name: Name,
		Description: "Hand a side task that takes several steps, such as to look something up and compare, to a helper, and get its report. " +
			"The helper sees only what you write as the task: name everything that it needs, and nothing private.",
		Parameters: json.RawMessage(`{"type":"object","properties":{"task":{"type":"string","description":"what to find out or work out, complete in itself, and what to report"}},"required":["task"]}`),
		Aliases:    []string{"helper", "task", "delegate_task"},
		Touches:    []tool.Reach{tool.ReachModel}, Default: tool.Deny, Timeout: d.budget.Time, Tokens: d.budget.Tokens,
	}
}

// Why a task is not done. The texts are for the model.
var (
	errNoTask   = errors.New("the task is empty: write what the helper is to do")
	errNoHelper = errors.New("there is no helper: go on without it")
	errSpent    = errors.New("the limit on models is reached: go on without a helper")
	errFailed   = errors.New("the helper could not finish: go on without it")
)

// shortestReport is how long a report may be at least, in tokens.
const shortestReport = 200

// Call implements tool.Tool.
func (d delegate) Call(ctx context.Context, u tool.Use) (tool.Result, error) {
	var given struct{ Task string }
	if err := u.Decode(&given); err != nil {
		return tool.Result{}, err
	}
	if given.Task == "" {
		return tool.Result{}, errNoTask
	}
	if d.begin == nil || u.Helper == nil {
		return tool.Result{}, errNoHelper
	}
	runner := u.Helper(d.budget.Calls)
	ctx, model := d.begin(ctx, u.Place, d.budget.Tokens)
	if model == nil {
		return tool.Result{}, errNoHelper
	}
	r := run{model: model, runner: runner}
	report, err := r.report(ctx, prompts.Delegate(prompts.DelegateInput{
		Task: given.Task, Tools: runner.Tools(), Calls: runner.MaxCalls() - 1, MaxTokens: max(u.Tokens, shortestReport), Room: u.Room.ID, Now: u.Now,
	}))
	return tool.Result{Text: report, Source: "a helper", Tokens: r.used}, err
}

// run is one run of a helper.
type run struct {
	model  Model
	runner *tool.Runner
	// used are the tokens that the model used so far.
	used int
}

// report asks the model until it reports. The runner ends the rounds of calls.
func (r *run) report(ctx context.Context, p prompts.Prompt) (string, error) {
	for {
		got, err := r.model.Generate(ctx, p, nil)
		r.used += got.TokensIn + got.TokensOut
		switch {
		case errors.Is(err, budget.ErrCapReached):
			return "", errSpent
		case err != nil:
			return "", errFailed
		}
		said, written, unfit := prompts.ReadDelegate(got.Text, p)
		round := p.Asked(got, written, "", r.runner.MaxCalls())
		switch {
		case round != nil:
			p = r.answer(ctx, p, *round)
		case unfit != nil:
			return "", errFailed
		default:
			return said, nil
		}
	}
}

// answer makes the calls of a round and returns the prompt that goes on after them.
func (r *run) answer(ctx context.Context, p prompts.Prompt, round prompts.Round) prompts.Prompt {
	done, over := r.runner.Round(ctx, round.Calls)
	for _, d := range done {
		round.Results = append(round.Results, d.Text)
	}
	p = p.WithRound(round)
	p.NoCalls = over
	return p
}
