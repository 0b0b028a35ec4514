package command

import (
	"context"

	"familiar/channels"
	"familiar/memory/understand/zones"
	"familiar/persona/card"
)

// pauseName is the command that is also obeyed where others read the answer.
const pauseName = "pause"

// commands returns the commands in the order of /help, without their texts. It is a function because /help lists itself.
func commands() []command {
	const direct, discreet, group = channels.InDirect, channels.InDiscreetGroup, channels.InGroup
	all := []command{
		private("memory", discreet, Runner.memoryCommand, optional("words")),
		private("why", discreet, Runner.whyCommand),
		private("budget", discreet, Runner.budgetCommand),
		private("forget", discreet, Runner.forgetCommand, required("what")),
		private("me", direct, Runner.pageCommand),
		private("export", direct, Runner.exportCommand),
		private("correct", discreet, Runner.correctCommand, required("number"), required("text")),
		private("share", direct, Runner.shareCommand, required("number"), optional("group")),
		private("private", discreet, Runner.privateCommand, required("number")),
		private("quiet", discreet, Runner.quietCommand, optional("switch", "off")),
		private(pauseName, group, Runner.pauseCommand, optional("switch", "off")),
		private("voice", discreet, Runner.voiceCommand, optional("switch", "on", "off", "auto")),
		private(trainingName, direct, Runner.trainingCommand, optional("switch", "on", "off")),
		private("language", discreet, Runner.languageCommand, suggesting("language", card.Languages())),
		private("timezone", discreet, Runner.timezoneCommand, suggesting("zone", zones.Names())),
		private("remind", direct, Runner.remindCommand, optional("when"), optional("what")),
		private("link", direct, Runner.linkCommand, optional("code")),
		private("unlink", direct, Runner.unlinkCommand, optional("account")),
		private("persona", discreet, Runner.personaCommand, optional("key")),
	}
	var names []string
	for _, c := range all {
		names = append(names, c.Name)
	}
	return append(all, private("help", group, Runner.helpCommand, optional("command", names...)))
}

// private returns a command whose answer is shown to the person who asked alone, where the network can.
func private(name string, where channels.Place, run func(Runner, context.Context, call) (result, error), options ...channels.Option) command {
	return command{channels.Command{Name: name, Where: where, Options: options, PrivateReply: true}, run}
}

// required and optional return a part of what follows a command, which is one of the choices if there are any.
func required(name string, choices ...string) channels.Option {
	return channels.Option{Name: name, Required: true, Choices: choices}
}

func optional(name string, choices ...string) channels.Option {
	return channels.Option{Name: name, Choices: choices}
}

// suggesting returns an optional part with values to offer while somebody types.
func suggesting(name string, values []string) channels.Option {
	return channels.Option{Name: name, Suggestions: values}
}

// All returns the commands in the order of /help, with their texts in every language, for networks that show a command list.
func All() []channels.Command {
	var all []channels.Command
	for _, c := range commands() {
		c.Args, c.Help = inEveryLanguage(c.Name+".args"), inEveryLanguage(c.Name+".help")
		for i := range c.Options {
			c.Options[i].Help = inEveryLanguage(c.Name + "." + c.Options[i].Name)
		}
		all = append(all, c.Command)
	}
	return all
}

// inEveryLanguage returns the text under key in each language that has it.
func inEveryLanguage(key string) channels.Localized {
	texts := channels.Localized{}
	for tag, read := range tongues {
		if text := read().say(key); text != "" {
			texts[tag] = text
		}
	}
	return texts
}
