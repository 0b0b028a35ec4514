package persona

import (
	"context"
	"fmt"
	"strings"

	"familiar/channels"
	"familiar/memory/log"
	"familiar/memory/model"
	"familiar/persona/modelvoice"
	"familiar/prompts"
)

// budgetCommand shows how many tokens each part of a prompt takes.
func (cm commander) budgetCommand(ctx context.Context, c commandRequest) (commandResult, error) {
	spent, err := cm.budget(ctx, c)
	if err != nil || spent == nil {
		return commandResult{text: "You have said nothing here yet that I would answer."}, err
	}
	var b strings.Builder
	b.WriteString("What a model has in front of it for your last words, in tokens:")
	for _, s := range spent {
		fmt.Fprintf(&b, "\n  %-8s %5d of %5d", s.Name, s.Tokens, s.Budget)
		if s.LeftOut > 0 {
			fmt.Fprintf(&b, ", %d left out", s.LeftOut)
		}
	}
	fmt.Fprintf(&b, "\n  %-8s %5d", "together", prompts.Prompt{Slices: spent}.Tokens())
	if cm.Model == nil {
		b.WriteString("\nI speak without a model: this is what one would have.")
	}
	return commandResult{text: b.String()}, nil
}

// spentOn returns one line with the tokens of each slice, "" for none.
func spentOn(slices []prompts.Slice) string {
	if len(slices) == 0 {
		return ""
	}
	var parts []string
	for _, s := range slices {
		parts = append(parts, fmt.Sprintf("%s %d", s.Name, s.Tokens))
	}
	return "\nContext in tokens: " + strings.Join(parts, ", ") + "."
}

// budget returns the slices of the prompt that the asker's last message in the room would produce now, nil if they
// wrote nothing there. Without a model it shows what a model would have seen.
func (cm commander) budget(ctx context.Context, c commandRequest) (slices []prompts.Slice, err error) {
	t := &turn{
		started: cm.Now(), room: c.room, visibility: c.hearing, asker: c.person, authors: []int64{c.person.ID},
		people: map[int64]model.Person{c.person.ID: c.person},
	}
	t.now = t.started.In(t.asker.Location(cm.Settings.Zone))
	err = cm.Store.Snapshot(ctx, func(ctx context.Context) error {
		said, err := cm.lastSaid(ctx, t)
		if err != nil || said.ID == 0 {
			return err
		}
		if err := cm.rethink(ctx, t, said); err != nil {
			return err
		}
		room, _ := cm.Settings.Budgets()
		slices = prompts.Reply(modelvoice.ReplyInput(t.scene, room)).Slices
		return nil
	})
	return slices, err
}

// lastSaid returns the asker's last message in the room, or a zero message.
func (cm commander) lastSaid(ctx context.Context, t *turn) (last model.Message, err error) {
	recent, err := cm.Store.Recall.Recent(ctx, t.visibility, cm.Settings.RecentMessages)
	for _, m := range recent {
		if m.PersonID == t.asker.ID {
			last = m
		}
	}
	return last, err
}

// rethink builds the scene for a recorded message as if it arrived now. It stores nothing.
func (cm commander) rethink(ctx context.Context, t *turn, said model.Message) error {
	t.pending = []log.InboxEntry{{Message: channels.Message{Text: said.Text, At: said.At, Direct: t.room.Direct, Addressed: true}}}
	if err := cm.findSession(ctx, t); err != nil {
		return err
	}
	for i, m := range t.recent {
		if m.ID >= said.ID {
			t.recent = t.recent[:i]
			break
		}
	}
	cm.annotate(t)
	if err := cm.closeLoops(ctx, t); err != nil {
		return err
	}
	return cm.buildScene(ctx, t)
}
