package persona

import (
	"context"
	"fmt"
	"strings"

	"familiar/channels"
	"familiar/channels/markdown"
	"familiar/memory"
	"familiar/memory/erase"
	"familiar/memory/log"
	"familiar/memory/model"
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
	// server is the network's id of the server that the room belongs to.
	server string
	rest   string
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
	// correct is a memory that gets a new text together with the answer, audience one that others may hear then; nil for
	// none.
	correct  *correction
	audience *erase.AudienceChange
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
		{channels.Command{Name: "share", Args: "NUMBER [in GROUP]", Help: "I may speak of that memory in a group too", PrivateReply: true}, commander.shareCommand},
		{channels.Command{Name: "private", Args: "NUMBER|last", Help: "I keep what you said in a group for our direct talk alone", PrivateReply: true}, commander.privateCommand},
		{channels.Command{Name: "quiet", Args: "[off]", Help: "I never write first, or may again with off", PrivateReply: true}, commander.quietCommand},
		{channels.Command{Name: "timezone", Args: "[zone]", Help: "which clock I go by for you, or set it", PrivateReply: true}, commander.timezoneCommand},
		{channels.Command{Name: "link", Args: "[code]", Help: "a code that joins your account on another network, or join with the code from there", PrivateReply: true}, commander.linkCommand},
		{channels.Command{Name: "unlink", Args: "[account]", Help: "this account, or the one named, is a person of its own again", PrivateReply: true}, commander.unlinkCommand},
		{channels.Command{Name: "persona", Args: "[key]", Help: "who I am and who else is here, or switch this talk to another", PrivateReply: true}, commander.personaCommand},
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
		request := commandRequest{hearing, person, room, cm.channels[room.Channel], h.Message.Author.Handle, h.Message.Server, rest}
		if answer, err = c.run(cm, ctx, request); err != nil {
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
	if t.audience != nil {
		return cm.Store.Eraser.ChangeAudience(ctx, *t.audience, answer)
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
