package command

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"familiar/channels/gate"
	"familiar/memory"
	"familiar/memory/turns"
	"familiar/persona/modelvoice"
)

// whyCommand shows what shaped the last reply and how the prompt was spent.
func (r Runner) whyCommand(ctx context.Context, c call) (result, error) {
	view, err := r.Store.Turns.LastTurn(ctx, c.hearing)
	if err != nil && !errors.Is(err, memory.ErrNotFound) {
		return result{}, err
	}
	var b strings.Builder
	if why, unasked := wroteFirst[gate.Reason(view.Proactive)]; unasked {
		b.WriteString(c.say(why) + "\n")
	}
	b.WriteString(r.shaped(view.Items, c))
	spent, err := r.budget(ctx, c)
	if err != nil {
		return result{}, err
	}
	b.WriteString(c.spentOn(spent))
	if view.Fault != "" {
		b.WriteString("\n" + c.say("why.fault", "fault", modelvoice.FaultForRoom(view.Fault)))
	}
	answer := result{text: b.String()}
	for _, item := range view.Items {
		if item.MemoryID != 0 {
			answer.memories = append(answer.memories, item.MemoryID)
		}
		if item.BeliefID != 0 {
			answer.beliefs = append(answer.beliefs, item.BeliefID)
		}
		if item.LoopID != 0 {
			answer.loops = append(answer.loops, item.LoopID)
		}
	}
	return answer, nil
}

// wroteFirst has the texts that explain why the persona wrote first.
var wroteFirst = map[gate.Reason]string{
	gate.FollowUp:      "why.followup",
	gate.Encouragement: "why.encouragement",
}

// shaped lists the memories that a reply used. If it used none, it lists those that were available.
func (r Runner) shaped(items []turns.TurnItem, c call) string {
	if len(items) == 0 {
		return c.say("why.none")
	}
	title := c.say("why.used")
	used := slices.DeleteFunc(slices.Clone(items), func(i turns.TurnItem) bool { return !i.Used || quotedWhole(i, items) })
	if len(used) == 0 {
		title, used = c.say("why.had"), items
	}
	var b strings.Builder
	b.WriteString(title)
	for _, item := range used {
		when := c.time("datetime", item.At.In(c.person.Location(r.Zone)))
		fmt.Fprintf(&b, "\n  %s  %s  (%s)", when, attributed(item.Author, item.Text), item.Reason)
	}
	return b.String()
}

// quotedWhole reports whether the evidence of a belief is part of another listed line, so that no line is shown twice.
func quotedWhole(i turns.TurnItem, items []turns.TurnItem) bool {
	return slices.ContainsFunc(items, func(o turns.TurnItem) bool {
		return o.Used && o.Author == i.Author && o.At.Equal(i.At) && strings.Contains(o.Text, i.Text) &&
			(len(o.Text) > len(i.Text) || i.MemoryID != 0 && o.MemoryID == 0)
	})
}
