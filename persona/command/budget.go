package command

import (
	"context"
	"fmt"
	"strings"

	"familiar/memory/model"
	"familiar/prompts"
)

// budgetCommand shows how many tokens each part of a prompt takes.
func (r Runner) budgetCommand(ctx context.Context, c call) (result, error) {
	spent, err := r.budget(ctx, c)
	if err != nil || spent == nil {
		return c.told("budget.none"), err
	}
	var b strings.Builder
	b.WriteString(c.say("budget.title"))
	for _, s := range spent {
		b.WriteString("\n  " + c.say("budget.of", "name", fmt.Sprintf("%-8s", s.Name), "tokens", fmt.Sprintf("%5d", s.Tokens), "budget", fmt.Sprintf("%5d", s.Budget)))
		if s.LeftOut > 0 {
			b.WriteString(", " + c.say("budget.leftout", "n", s.LeftOut))
		}
	}
	fmt.Fprintf(&b, "\n  %-8s %5d", c.say("budget.together"), prompts.Prompt{Slices: spent}.Tokens())
	if r.WithoutModel {
		b.WriteString("\n" + c.say("budget.nomodel"))
	}
	return result{text: b.String()}, nil
}

// spentOn returns one line with the tokens of each slice, "" for none.
func (c call) spentOn(slices []prompts.Slice) string {
	if len(slices) == 0 {
		return ""
	}
	var parts []string
	for _, s := range slices {
		parts = append(parts, fmt.Sprintf("%s %d", s.Name, s.Tokens))
	}
	return "\n" + c.say("why.tokens", "parts", strings.Join(parts, ", "))
}

// budget returns the slices of the prompt that the asker's last message in the room would produce now, nil if they
// wrote nothing there. Without a model it shows what a model would have seen.
func (r Runner) budget(ctx context.Context, c call) (slices []prompts.Slice, err error) {
	err = r.Store.Snapshot(ctx, func(ctx context.Context) error {
		recent, err := r.Store.Recall.Recent(ctx, c.hearing, r.RecentMessages)
		var said model.Message
		for _, m := range recent {
			if m.PersonID == c.person.ID {
				said = m
			}
		}
		if err != nil || said.ID == 0 {
			return err
		}
		prompt, err := r.Engine.PromptAgain(ctx, c.person, c.room, c.hearing, said)
		slices = prompt.Slices
		return err
	})
	return slices, err
}
