package main

import (
	"github.com/spf13/cobra"

	"familiar/internal/cli"
)

// verbs is every verb of the command line: one line each, in the order help shows them.
var verbs = []func(*cli.Invocation) *cobra.Command{
	newChat,
	newRun,
	newInit,
	newConfig,
	newDoctor,
	newChannel,
	newPersona,
	newMemory,
	newBelief,
	newPerson,
	newSession,
	newJob,
	newDream,
	newFollowUp,
	newReplay,
	newVersion,
}

func newRoot(inv *cli.Invocation) *cobra.Command {
	return cli.NewRoot(inv, cli.Group("familiar", "A chat bot with a persona that remembers",
		"Familiar answers in chats as a persona that remembers who it talks with. It needs neither an account nor a\n"+
			"configuration to begin: `familiar chat` talks here, `familiar init` sets up a language model.\n\n"+cli.ExitCodes), verbs)
}
