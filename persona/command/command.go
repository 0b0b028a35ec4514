package command

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
	"familiar/persona/words"
)

// command is a request to the persona's memory. The answer is shown in the room where it was asked and contains only
// what that room's audience may see.
type command struct {
	channels.Command
	run func(r Runner, ctx context.Context, c call) (result, error)
}

// call is one command as it was given.
type call struct {
	// tongue is the language of the answer.
	*tongue
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
	// inbox is the command's inbox row, key that of its answer.
	inbox int64
	key   string
}

// result is the answer to a command.
type result struct {
	// text is plain: marks in what it quotes are shown as they were written.
	text string
	// memories, beliefs and loops are the ones shown in the text.
	memories, beliefs, loops []int64
	// ask is the question that it puts with buttons, nil for none.
	ask *model.Ask
	// forget are memories to forget together with the answer. forgotten then returns the text.
	forget    []int64
	forgotten func(erase.ForgetResult) string
	// eraseSelf, if not nil, erases the person who asked, together with the answer in this language.
	eraseSelf *tongue
	// afterwards, if not nil, runs once the answer is stored. A crash may keep it from running.
	afterwards func(ctx context.Context) error
	// apply stores the answer together with what it tells of, nil if it tells of nothing else that is stored.
	apply func(ctx context.Context, answer log.CommandAnswer) error
}

// Is reports whether m is a command.
func Is(m channels.Message) bool {
	_, _, ok := m.Command()
	return ok
}

// Run answers one command. A command is neither a turn nor a memory; only the fact that it was answered is kept.
func (r Runner) Run(ctx context.Context, h log.InboxEntry) error {
	name, rest, _ := h.Message.Command()
	return r.answer(ctx, h, spoken{"", name, rest})
}

// spoken is a command with what follows it, and the message that asks for it in plain words, "" for none.
type spoken struct{ plain, name, rest string }

// answer answers a message that asks for a command, in its own words or in plain ones.
func (r Runner) answer(ctx context.Context, h log.InboxEntry, asked spoken) error {
	c, err := r.callOf(ctx, h, asked)
	if err != nil {
		return err
	}
	obeyed := asked.name == pauseName || asked.takesBack() // they tell nobody anything, and must work where there is no direct room
	if isPublic(h.Message) && !obeyed {
		return r.answerElsewhere(ctx, h, c, asked.name)
	}
	answer := c.told("help.unknown", "name", asked.name)
	for _, known := range commands() {
		if known.Name != asked.name {
			continue
		}
		if answer, err = known.run(r, ctx, c); err != nil {
			return fmt.Errorf("/%s: %w", asked.name, err)
		}
	}
	if err := r.tell(ctx, h, c.room, answer); err != nil {
		return fmt.Errorf("answer /%s: %w", asked.name, err)
	}
	r.Outbox.Wake(c.room)
	if answer.afterwards != nil {
		return answer.afterwards(ctx)
	}
	return nil
}

// callOf finds out who gives a command and where, who may hear the answer, and in which language it is given.
func (r Runner) callOf(ctx context.Context, h log.InboxEntry, asked spoken) (call, error) {
	person, room, err := r.Store.Turns.UpsertParticipant(ctx, h.Message)
	if err != nil {
		return call{}, fmt.Errorf("identify the author of a command: %w", err)
	}
	hearing, err := r.Store.Log.Visibility(ctx, r.Card.Key, room.ID)
	if err != nil {
		return call{}, fmt.Errorf("find the audience of a command: %w", err)
	}
	in, err := r.tongueFor(ctx, person, hearing, asked.plain, asked.rest)
	return call{
		tongue: in, hearing: hearing, person: person, room: room, channel: r.Channels[room.Channel],
		account: h.Message.Author.Handle, server: h.Message.Server, rest: asked.rest, inbox: h.ID, key: r.answerKey(h.Message),
	}, err
}

// answerKey returns the idempotency key of the answer to a command.
func (r Runner) answerKey(m channels.Message) string { return "command-" + r.Engine.EventKey(m) }

// tell queues the answer to a command and, in the same transaction, forgets the memory that the answer reports as
// forgotten.
func (r Runner) tell(ctx context.Context, h log.InboxEntry, room model.Room, t result) error {
	if t.eraseSelf != nil {
		return r.eraseAndTell(ctx, h, room, t.eraseSelf)
	}
	answer := log.CommandAnswer{
		Persona: r.Card.Key, InboxID: h.ID, Room: room, Key: r.answerKey(h.Message), Text: markdown.Escape(t.text), ReplyData: h.Message.ReplyData, Ask: t.ask,
		Memories: t.memories, Beliefs: t.beliefs, Loops: t.loops,
	}
	if t.apply != nil {
		return t.apply(ctx, answer)
	}
	if len(t.forget) == 0 {
		return r.Store.Log.AnswerCommand(ctx, answer)
	}
	return r.Store.Eraser.ForgetAndAnswer(ctx, t.forget, func(gone erase.ForgetResult) log.CommandAnswer {
		answer.Text = markdown.Escape(t.forgotten(gone))
		return answer
	})
}

// helpCommand lists the commands and the channel's own hints, or explains one command.
func (r Runner) helpCommand(_ context.Context, c call) (result, error) {
	if name := strings.ToLower(strings.TrimPrefix(c.rest, "/")); name != "" {
		if !knownCommand(name) {
			return c.told("help.unknown", "name", words.Cut(name, zoneRunes)), nil
		}
		return result{text: c.explained(name)}, nil
	}
	var asks strings.Builder
	for _, known := range commands() {
		hint(&asks, c.usage(known.Name), c.say(known.Name+".help"))
	}
	var besides strings.Builder
	hint(&besides, "stop", c.say("help.stop"))
	if h, ok := c.channel.(channels.Hinter); ok {
		for _, more := range h.Hints() {
			hint(&besides, more.Input, more.Effect.In(c.tag))
		}
	}
	return c.told("help.list", "commands", asks.String(), "besides", besides.String()), nil
}

// explained says how a command is given and what it does.
func (t *tongue) explained(name string) string {
	return strings.TrimSpace(t.say("help.one", "usage", t.usage(name), "help", t.say(name+".help"), "more", t.say(name+".more")))
}

// usage returns how a command is given.
func (t *tongue) usage(name string) string {
	return strings.TrimSpace("/" + name + " " + t.say(name+".args"))
}

// hint adds an input and its effect as a line.
func hint(b *strings.Builder, input, effect string) { fmt.Fprintf(b, "\n  %-16s %s", input, effect) }
