package main

import (
	"github.com/spf13/cobra"

	"familiar/internal/cli"
)

// verbs lists the verbs of the command line, in the order that help shows them.
var verbs = []func(*cli.Invocation) *cobra.Command{
	newChat,
	newRun,
	newInit,
	newConfig,
	newDoctor,
	newChannel,
	newPersona,
	newMemory,
	newPrompt,
	newBelief,
	newPerson,
	newSession,
	newJob,
	newUsage,
	newDream,
	newFollowUp,
	newOutbox,
	newInbox,
	newImport,
	newReplay,
	newVersion,
}

func newRoot(inv *cli.Invocation) *cobra.Command {
	return cli.NewRoot(inv, cli.Group("familiar", "A chat bot with a persona that remembers",
		"Familiar answers in chats as a persona that remembers the people it talks with. It needs no account and no configuration\n"+
			"to start: `familiar chat` opens a chat in this terminal, `familiar init` sets up a language model.\n\n"+cli.ExitCodes), verbs)
}
