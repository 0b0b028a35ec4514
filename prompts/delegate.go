package prompts

import (
	"strconv"
	"time"

	"familiar/internal/tokens"
	"familiar/prompts/answer"
)

const (
	// delegatedTask is how much of a task is shown, in tokens.
	delegatedTask = 600
	// helperName names the helper to package answer; it is no persona.
	helperName = "helper"
)

// DelegateInput is a side task for a helper.
type DelegateInput struct {
	// Task is what to do, in the words of the model that gives it: all that the helper is told.
	Task string
	// Tools are what the helper may call, Calls how often at most.
	Tools []Tool
	Calls int
	// MaxTokens is the longest answer.
	MaxTokens int
	// Room is where somebody waits.
	Room int64
	Now  time.Time
}

// Delegate asks a helper to do a side task. ReadDelegate reads the answer.
func Delegate(in DelegateInput) Prompt {
	system := render("delegate", fields{
		"Fence": fenceMark, "Tools": len(in.Tools) > 0, "Calls": strconv.Itoa(in.Calls), "Words": strconv.Itoa(in.MaxTokens / 2), "Today": in.Now.Format("Monday, 2 January 2006"),
	})
	task := render("delegate-task", quoted([]string{cutMiddle(plain(in.Task), delegatedTask)}))
	return Prompt{
		Name: "delegate", System: system, Messages: []Message{{User, task}}, Fence: fenceMark, Work: true, Room: in.Room, MaxTokens: in.MaxTokens,
		Slices: []Slice{{Name: SliceSafety, Tokens: tokens.Estimate(system) + tokens.Estimate(task)}},
	}.WithTools(in.Tools)
}

// ReadDelegate reads what a helper wrote for p: the calls that it wrote as text, and what it says beside them. It fails with an
// error of package answer if it says nothing of use.
func ReadDelegate(text string, p Prompt) (said string, calls []answer.Call, err error) {
	r := answer.NewReader(p.Reading(helperName, true))
	r.Write(text)
	said, err = r.Close()
	return said, r.Calls(), err
}
