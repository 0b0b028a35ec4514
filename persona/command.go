package persona

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"familiar/channels"
	"familiar/channels/gate"
	"familiar/channels/markdown"
	"familiar/memory"
	"familiar/memory/erase"
	"familiar/memory/log"
	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/memory/turns"
	"familiar/persona/modelvoice"
	"familiar/persona/scene"
	"familiar/persona/words"
)

// commander answers commands, in the order of their room.
type commander struct{ *Engine }

// command is a request to the persona's memory. The answer is shown in the room where it was asked and contains only
// what that room's audience may see.
type command struct {
	channels.Command
	run func(cm commander, ctx context.Context, c commandRequest) (commandResult, error)
}

// commandRequest is one command as it was given.
type commandRequest struct {
	hearing memory.Visibility
	person  model.Person
	room    model.Room
	// channel is the channel it came from.
	channel channels.Channel
	// account is the account that gave it.
	account channels.Handle
	rest    string
}

// commandResult is the answer to a command.
type commandResult struct {
	// text is plain: marks in what it quotes are shown as they were written.
	text string
	// memories, beliefs and loops are the ones shown in the text.
	memories, beliefs, loops []int64
	// forget are memories to forget together with the answer. forgotten then returns the text.
	forget    []int64
	forgotten func(erase.ForgetResult) string
	// correct is a memory that gets a new text together with the answer, nil for none.
	correct *correction
	// apply stores the answer together with what it tells of, nil if it tells of nothing else that is stored.
	apply func(ctx context.Context, answer log.CommandAnswer) error
}

// commands returns the commands in the order of /help. It is a function because /help lists itself.
func commands() []command {
	return []command{
		{channels.Command{Name: "memory", Args: "[words]", Help: "what I remember of you, or what I remember about some words", PrivateReply: true}, commander.memoryCommand},
		{channels.Command{Name: "why", Help: "which remembered lines shaped my last answer, who said them and when", PrivateReply: true}, commander.whyCommand},
		{channels.Command{Name: "budget", Help: "how much of a model's context each kind of thing takes, in tokens", PrivateReply: true}, commander.budgetCommand},
		{channels.Command{Name: "forget", Args: "WHAT", Help: "forget a memory by its number, what you said of something, or the last hour", PrivateReply: true}, commander.forgetCommand},
		{channels.Command{Name: "correct", Args: "NUMBER TEXT", Help: "put what you said right: the memory with that number becomes your new text", PrivateReply: true}, commander.correctCommand},
		{channels.Command{Name: "quiet", Args: "[off]", Help: "I never write first, or may again with off", PrivateReply: true}, commander.quietCommand},
		{channels.Command{Name: "timezone", Args: "[zone]", Help: "which clock I go by for you, or set it", PrivateReply: true}, commander.timezoneCommand},
		{channels.Command{Name: "remind", Args: "[WHEN WHAT]", Help: "remind you at a time, such as tomorrow at 9 call mum; alone it lists, drop NUMBER drops one", PrivateReply: true}, commander.remindCommand},
		{channels.Command{Name: "link", Args: "[code]", Help: "a code that joins your account on another network, or join with the code from there", PrivateReply: true}, commander.linkCommand},
		{channels.Command{Name: "unlink", Args: "[account]", Help: "this account, or the one named, is a person of its own again", PrivateReply: true}, commander.unlinkCommand},
		{channels.Command{Name: "help", Help: "this list", PrivateReply: true}, commander.helpCommand},
	}
}

// Commands returns the commands in the order of /help, for networks that show a command list.
func Commands() []channels.Command {
	var all []channels.Command
	for _, c := range commands() {
		all = append(all, c.Command)
	}
	return all
}

// isCommand reports whether m is a command.
func isCommand(m channels.Message) bool {
	_, _, ok := m.Command()
	return ok
}

// command answers one command. A command is neither a turn nor a memory; only the fact that it was answered is kept.
func (cm commander) command(ctx context.Context, h log.InboxEntry) error {
	person, room, err := cm.Store.Turns.UpsertParticipant(ctx, h.Message)
	if err != nil {
		return fmt.Errorf("identify the author of a command: %w", err)
	}
	hearing, err := cm.Store.Log.Visibility(ctx, cm.Card.Key, room.ID)
	if err != nil {
		return fmt.Errorf("find the audience of a command: %w", err)
	}
	name, rest, _ := h.Message.Command()
	if isPublic(h.Message) {
		return cm.answerElsewhere(ctx, h, person, room, name)
	}
	answer := commandResult{text: fmt.Sprintf("I know no /%s. /help lists what I know.", name)}
	for _, c := range commands() {
		if c.Name != name {
			continue
		}
		if answer, err = c.run(cm, ctx, commandRequest{hearing, person, room, cm.channels[room.Channel], h.Message.Author.Handle, rest}); err != nil {
			return fmt.Errorf("/%s: %w", name, err)
		}
	}
	if err := cm.tell(ctx, h, room, answer); err != nil {
		return fmt.Errorf("answer /%s: %w", name, err)
	}
	cm.sender.wake(room)
	return nil
}

// tell queues the answer to a command and, in the same transaction, forgets the memory that the answer reports as
// forgotten.
func (cm commander) tell(ctx context.Context, h log.InboxEntry, room model.Room, t commandResult) error {
	answer := log.CommandAnswer{
		Persona: cm.Card.Key, InboxID: h.ID, Room: room, Key: "command-" + cm.eventKey(h.Message), Text: markdown.Escape(t.text), ReplyData: h.Message.ReplyData,
		Memories: t.memories, Beliefs: t.beliefs, Loops: t.loops,
	}
	switch {
	case t.apply != nil:
		return t.apply(ctx, answer)
	case t.correct != nil:
		return t.correct.apply(ctx, cm, answer)
	}
	if len(t.forget) == 0 {
		return cm.Store.Log.AnswerCommand(ctx, answer)
	}
	return cm.Store.Eraser.ForgetAndAnswer(ctx, t.forget, func(gone erase.ForgetResult) log.CommandAnswer {
		answer.Text = markdown.Escape(t.forgotten(gone))
		return answer
	})
}

// helpCommand lists the commands and the channel's own hints.
func (cm commander) helpCommand(_ context.Context, c commandRequest) (commandResult, error) {
	var asks []channels.Hint
	for _, known := range commands() {
		asks = append(asks, channels.Hint{Input: strings.TrimSpace("/" + known.Name + " " + known.Args), Effect: known.Help})
	}
	besides := []channels.Hint{{Input: "stop", Effect: "cuts me short while I am answering"}}
	if h, ok := c.channel.(channels.Hinter); ok {
		besides = append(besides, h.Hints()...)
	}
	return commandResult{text: "You can ask my memory itself:" + hinted(asks) + "\nBesides:" + hinted(besides)}, nil
}

// hinted formats the hints, one per line.
func hinted(hints []channels.Hint) string {
	var b strings.Builder
	for _, h := range hints {
		fmt.Fprintf(&b, "\n  %-16s %s", h.Input, h.Effect)
	}
	return b.String()
}

// memoryShown is how many memories /memory lists.
const memoryShown = 20

// memoryCommand lists memories, or searches them.
func (cm commander) memoryCommand(ctx context.Context, c commandRequest) (commandResult, error) {
	var (
		found []model.Memory
		title = "What I remember here, what matters first:"
		err   error
	)
	if c.rest == "" {
		if found, err = cm.portrait(ctx, c); err != nil {
			return commandResult{}, err
		}
		var rest []model.Memory
		rest, err = cm.Store.Recall.MemoriesFor(ctx, c.hearing, memoryShown)
		found = append(found, rest...)
	} else {
		var recalled recall.Result
		recalled, err = cm.Store.Recall.Find(ctx, c.hearing, recall.Query{
			Text: words.Cut(c.rest, scene.QueryLimit), Near: cm.embedQuery(ctx, c.person.Name, words.Cut(c.rest, scene.QueryLimit)), Asker: c.person.ID, Now: cm.Now().In(c.person.Location(cm.Settings.Zone)), Limit: memoryShown, WithoutFacts: cm.Card.WithoutFacts,
		})
		for _, hit := range recalled.Hits {
			if !hit.Weak {
				found = append(found, hit.Memory)
			}
		}
		title = fmt.Sprintf("What I remember about %q, best first:", c.rest)
	}
	if err != nil {
		return commandResult{}, err
	}
	if len(found) == 0 {
		return commandResult{text: "I remember nothing of that here."}, nil
	}
	var b strings.Builder
	var shown []int64
	b.WriteString(title)
	for _, m := range found {
		shown = append(shown, m.ID)
		fmt.Fprintf(&b, "\n  %d  %s  %s", m.ID, m.Created.In(c.person.Location(cm.Settings.Zone)).Format("2 Jan 2006"), cm.attributed(m.Author, m.Text))
	}
	return commandResult{text: b.String(), memories: shown}, nil
}

// portrait returns the portrait of the person in a direct room: only they read it. They correct it by saying what is so,
// or forget it.
func (cm commander) portrait(ctx context.Context, c commandRequest) ([]model.Memory, error) {
	if !c.hearing.Room().Direct {
		return nil, nil
	}
	drawn, err := cm.Store.Lifecycle.InferencesAbout(ctx, c.hearing, c.person.ID, model.Portrait, 1)
	return slices.DeleteFunc(drawn, func(m model.Memory) bool { return m.Audience.Kind != model.Private }), err
}

// whyCommand shows what shaped the last reply and how the prompt was spent.
func (cm commander) whyCommand(ctx context.Context, c commandRequest) (commandResult, error) {
	view, err := cm.Store.Turns.LastTurn(ctx, c.hearing)
	if err != nil && !errors.Is(err, memory.ErrNotFound) {
		return commandResult{}, err
	}
	var b strings.Builder
	if why, unasked := wroteFirst[gate.Reason(view.Proactive)]; unasked {
		b.WriteString(why + "\n")
	}
	b.WriteString(cm.shaped(view.Items, c))
	spent, err := cm.budget(ctx, c)
	if err != nil {
		return commandResult{}, err
	}
	b.WriteString(spentOn(spent))
	if view.Fault != "" {
		fmt.Fprintf(&b, "\nIt was the plain voice that spoke: %s.", modelvoice.FaultForRoom(view.Fault))
	}
	answer := commandResult{text: b.String()}
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

// wroteFirst explains why the persona wrote first.
var wroteFirst = map[gate.Reason]string{
	gate.FollowUp:      "I wrote first because the time of something you had told me of was over. /quiet stops it.",
	gate.Encouragement: "I wrote first because the time of something you had told me of was near. /quiet stops it.",
}

// shaped lists the memories that a reply used. If it used none, it lists those that were available.
func (cm commander) shaped(items []turns.TurnItem, c commandRequest) string {
	if len(items) == 0 {
		return "Nothing remembered shaped my last answer."
	}
	title := "What shaped my last answer:"
	used := slices.DeleteFunc(slices.Clone(items), func(i turns.TurnItem) bool { return !i.Used || quotedWhole(i, items) })
	if len(used) == 0 {
		title, used = "What I had in mind for my last answer:", items
	}
	var b strings.Builder
	b.WriteString(title)
	for _, item := range used {
		when := item.At.In(c.person.Location(cm.Settings.Zone)).Format("2 Jan 2006 15:04")
		fmt.Fprintf(&b, "\n  %s  %s  (%s)", when, cm.attributed(item.Author, item.Text), item.Reason)
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

// attributed returns a remembered line with its author.
func (cm commander) attributed(author, text string) string {
	text = words.Cut(strings.Join(strings.Fields(text), " "), words.ShownRunes)
	if author == "" {
		return text
	}
	return fmt.Sprintf("%s: “%s”", author, text)
}
