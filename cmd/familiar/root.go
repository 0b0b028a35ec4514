package main

import (
	"github.com/spf13/cobra"

	"familiar/cmd/familiar/internal/backups"
	"familiar/cmd/familiar/internal/checkpoints"
	"familiar/cmd/familiar/internal/dashboard"
	"familiar/cmd/familiar/internal/doctor"
	"familiar/cmd/familiar/internal/exports"
	"familiar/cmd/familiar/internal/imports"
	"familiar/cmd/familiar/internal/jobs"
	"familiar/cmd/familiar/internal/lore"
	"familiar/cmd/familiar/internal/mcp"
	"familiar/cmd/familiar/internal/memories"
	"familiar/cmd/familiar/internal/mind"
	"familiar/cmd/familiar/internal/networks"
	"familiar/cmd/familiar/internal/people"
	"familiar/cmd/familiar/internal/personas"
	"familiar/cmd/familiar/internal/plugins"
	"familiar/cmd/familiar/internal/queues"
	"familiar/cmd/familiar/internal/serving"
	"familiar/cmd/familiar/internal/setup"
	"familiar/cmd/familiar/internal/status"
	"familiar/cmd/familiar/internal/stores"
	"familiar/cmd/familiar/internal/tokens"
	"familiar/cmd/familiar/internal/tools"
	"familiar/cmd/familiar/internal/version"
	"familiar/cmd/familiar/internal/watches"
	"familiar/internal/cli"
)

// verbs lists the verbs of the command line, in the order that help shows them.
var verbs = []func(*cli.Invocation) *cobra.Command{
	serving.NewChat,
	func(inv *cli.Invocation) *cobra.Command { return serving.NewRun(inv, dashboard.Handler) },
	dashboard.NewDashboard,
	setup.NewInit,
	setup.NewConfig,
	doctor.NewDoctor,
	status.NewStatus,
	networks.NewChannel,
	mcp.NewMCP,
	tokens.NewToken,
	func(inv *cli.Invocation) *cobra.Command {
		return personas.NewPersona(inv, serving.NewPersonaChat(inv))
	},
	func(inv *cli.Invocation) *cobra.Command {
		return memories.NewMemory(inv, mind.NewBeliefs, mind.NewPortrait, people.NewPeople)
	},
	checkpoints.NewCheckpoint,
	backups.NewBackup,
	backups.NewRecover,
	stores.NewStore,
	mind.NewPrompt,
	mind.NewBelief,
	people.NewPerson,
	mind.NewSession,
	jobs.NewJob,
	status.NewUsage,
	tools.NewTool,
	lore.NewLore,
	mind.NewDream,
	mind.NewFollowUp,
	queues.NewOutbox,
	queues.NewInbox,
	exports.NewExport,
	imports.NewImport,
	imports.NewReplay,
	watches.NewCapture,
	watches.NewWatch,
	plugins.NewPlugin,
	version.NewVersion,
}

func newRoot(inv *cli.Invocation) *cobra.Command {
	return cli.NewRoot(inv, cli.Group("familiar", "A chat bot with a persona that remembers",
		"Familiar answers in chats as a persona that remembers the people it talks with. It needs no account and no configuration\n"+
			"to start: `familiar chat` opens a chat in this terminal, `familiar init` sets up a language model.\n\n"+cli.ExitCodes), verbs)
}
