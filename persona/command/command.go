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
	// more is what /help says of the command beside its Help, "" for nothing.
	more string
	run  func(r Runner, ctx context.Context, c call) (result, error)
}

// call is one command as it was given.
type call struct {
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
	// inbox is the command's inbox row.
	inbox int64
}

// result is the answer to a command.
type result struct {
	// text is plain: marks in what it quotes are shown as they were written.
	text string
	// memories, beliefs and loops are the ones shown in the text.
	memories, beliefs, loops []int64
	// forget are memories to forget together with the answer. forgotten then returns the text.
	forget    []int64
	forgotten func(erase.ForgetResult) string
	// eraseSelf erases the person who asked, together with the answer.
	eraseSelf bool
	// apply stores the answer together with what it tells of, nil if it tells of nothing else that is stored.
	apply func(ctx context.Context, answer log.CommandAnswer) error
}

// pauseName is the command that is also obeyed where others read the answer.
const pauseName = "pause"

// commands returns the commands in the order of /help. It is a function because /help lists itself. All answers are shown
// to the person alone where the network can.
func commands() []command {
	return []command{
		private("memory", "[words]", "what I know of you, or about some words",
			"Facts come first, then memories. The numbers work with /forget and /correct. In a group I list only what the group may hear.", Runner.memoryCommand),
		private("why", "", "which remembered lines shaped my last answer", "It says who told them and when.", Runner.whyCommand),
		private("budget", "", "how much of a model's context each kind of thing takes", "It counts in tokens.", Runner.budgetCommand),
		private("forget", "WHAT", "forget something by its number or its words, the last hour, or all of you with me",
			"/forget 12 or /forget f3 forgets one. /forget my shift and /forget last hour list what would go and wait for your yes. /forget me erases everything of you. What goes is gone for good, with all that I concluded from it.", Runner.forgetCommand),
		private("export", "", "a file with everything I know of you", "I send it in a direct talk only.", Runner.exportCommand),
		private("correct", "NUMBER TEXT", "put what you said right", "/correct 12 My dog is called Rex gives memory 12 these words; /correct f3 puts a fact right.", Runner.correctCommand),
		private("share", "NUMBER [in GROUP]", "I may speak of that memory in a group too", "What you tell me alone stays between us otherwise. /private NUMBER takes it back.", Runner.shareCommand),
		private("private", "NUMBER|last", "I keep what you said in a group for our direct talk alone", "I forget it in the group, with what I said and concluded there from it.", Runner.privateCommand),
		private("quiet", "[off]", "I never write first, or may again with off", "I answer as before.", Runner.quietCommand),
		private(pauseName, "[off]", "I hear and keep nothing of what you say, until /pause off",
			"In a direct talk it holds everywhere, in a group for you in this group. Commands still work.", Runner.pauseCommand),
		private("language", "[language|off]", "which language I answer you in, or set it", "/language German or /language de; with off it is the one you write in.", Runner.languageCommand),
		private("timezone", "[zone]", "which clock I go by for you, or set it", "Take a name such as Europe/Lisbon, or a large city.", Runner.timezoneCommand),
		private("remind", "[WHEN WHAT]", "remind you at a time", "/remind tomorrow at 9 call mum; /remind alone lists them, /remind drop 2 drops one.", Runner.remindCommand),
		private("link", "[code]", "a code that joins your account on another network, or join with the code from there", "/unlink parts them again.", Runner.linkCommand),
		private("unlink", "[account]", "this account, or the one named, is a person of its own again", "", Runner.unlinkCommand),
		private("persona", "[key]", "who I am and who else is here, or switch this talk to another", "Each has a memory of their own.", Runner.personaCommand),
		private("help", "[command]", "this list, or more about one command", "", Runner.helpCommand),
	}
}

// private returns a command whose answer is for the person who asked alone.
func private(name, args, help, more string, run func(Runner, context.Context, call) (result, error)) command {
	return command{channels.Command{Name: name, Args: args, Help: help, PrivateReply: true}, more, run}
}

// All returns the commands in the order of /help, for networks that show a command list.
func All() []channels.Command {
	var all []channels.Command
	for _, c := range commands() {
		all = append(all, c.Command)
	}
	return all
}

// Is reports whether m is a command.
func Is(m channels.Message) bool {
	_, _, ok := m.Command()
	return ok
}

// Run answers one command. A command is neither a turn nor a memory; only the fact that it was answered is kept.
func (r Runner) Run(ctx context.Context, h log.InboxEntry) error {
	name, rest, _ := h.Message.Command()
	return r.answer(ctx, h, name, rest)
}

// answer answers a message that asks for a command, in its own words or in plain ones.
func (r Runner) answer(ctx context.Context, h log.InboxEntry, name, rest string) error {
	person, room, err := r.Store.Turns.UpsertParticipant(ctx, h.Message)
	if err != nil {
		return fmt.Errorf("identify the author of a command: %w", err)
	}
	hearing, err := r.Store.Log.Visibility(ctx, r.Card.Key, room.ID)
	if err != nil {
		return fmt.Errorf("find the audience of a command: %w", err)
	}
	if isPublic(h.Message) && name != pauseName { // which tells nobody anything, and must work where there is no direct room
		return r.answerElsewhere(ctx, h, person, room, name)
	}
	answer := result{text: fmt.Sprintf("I know no /%s. /help lists what I know.", name)}
	for _, c := range commands() {
		if c.Name != name {
			continue
		}
		given := call{hearing, person, room, r.Channels[room.Channel], h.Message.Author.Handle, h.Message.Server, rest, h.ID}
		if answer, err = c.run(r, ctx, given); err != nil {
			return fmt.Errorf("/%s: %w", name, err)
		}
	}
	if err := r.tell(ctx, h, room, answer); err != nil {
		return fmt.Errorf("answer /%s: %w", name, err)
	}
	r.Outbox.Wake(room)
	return nil
}

// tell queues the answer to a command and, in the same transaction, forgets the memory that the answer reports as
// forgotten.
func (r Runner) tell(ctx context.Context, h log.InboxEntry, room model.Room, t result) error {
	if t.eraseSelf {
		return r.eraseAndTell(ctx, h, room)
	}
	answer := log.CommandAnswer{
		Persona: r.Card.Key, InboxID: h.ID, Room: room, Key: "command-" + r.Engine.EventKey(h.Message), Text: markdown.Escape(t.text), ReplyData: h.Message.ReplyData,
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
		for _, known := range commands() {
			if known.Name == name {
				usage := strings.TrimSpace("/" + known.Name + " " + known.Args)
				return result{text: strings.TrimSpace(usage + ": " + known.Help + ". " + known.more)}, nil
			}
		}
		return result{text: fmt.Sprintf("I know no /%s. /help lists what I know.", words.Cut(name, zoneRunes))}, nil
	}
	var asks []channels.Hint
	for _, known := range commands() {
		asks = append(asks, channels.Hint{Input: strings.TrimSpace("/" + known.Name + " " + known.Args), Effect: known.Help})
	}
	besides := []channels.Hint{{Input: "stop", Effect: "cuts me short while I am answering"}}
	if h, ok := c.channel.(channels.Hinter); ok {
		besides = append(besides, h.Hints()...)
	}
	return result{text: "You can ask my memory itself:" + hinted(asks) + "\nBesides:" + hinted(besides)}, nil
}

// hinted formats the hints, one per line.
func hinted(hints []channels.Hint) string {
	var b strings.Builder
	for _, h := range hints {
		fmt.Fprintf(&b, "\n  %-16s %s", h.Input, h.Effect)
	}
	return b.String()
}
