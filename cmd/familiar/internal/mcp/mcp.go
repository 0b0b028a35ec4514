// Package mcp has `familiar mcp`: the memory for programs that speak the Model Context Protocol.
package mcp

import (
	"cmp"
	"context"
	"errors"
	"io"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"familiar/cmd/familiar/internal/find"
	"familiar/cmd/familiar/internal/version"
	"familiar/config"
	"familiar/internal/app"
	"familiar/internal/cli"
	"familiar/internal/mcpserver"
	"familiar/memory"
	"familiar/memory/access"
	"familiar/persona/card"
)

// wanted are the flags.
type wanted struct {
	view  find.View
	grant access.Grant
}

// NewMCP returns the verb `familiar mcp`.
func NewMCP(inv *cli.Invocation) *cobra.Command {
	var w wanted
	cmd := &cobra.Command{
		Use: "mcp", Short: "Offer the memory to a program over the Model Context Protocol", Args: cobra.NoArgs,
		Long: "Offer the memory to a program over the Model Context Protocol on standard input and output. Programs start this themselves:\n" +
			"docs/mcp.md has the lines for Claude Code, Codex, Cursor and others. It works beside `familiar run`. The program sees what a\n" +
			"direct chat with one person sees (--as), what one group sees (--room), or everything of the persona (--operator). What it\n" +
			"writes is marked with its name and counts as hearsay; with --first-hand it counts as the person's own words.",
		Example: "  claude mcp add familiar -- familiar mcp --as Ann --client claude-code --first-hand",
		RunE: inv.OnNewStore(func(cmd *cobra.Command, _ []string, cfg *config.Config, store *memory.Store) error {
			return serve(cmd.Context(), inv, cfg, store, w)
		}),
	}
	f := cmd.Flags()
	f.StringVar(&w.grant.Client, "client", "mcp", "the `NAME` of the program")
	cli.PersonaFlag(cmd, inv, &w.grant.Persona, "the `KEY` of the persona (default: the configured one)")
	find.AccessFlags(cmd, &w.view, &w.grant)
	return cmd
}

// serve serves one program until it closes the input.
func serve(ctx context.Context, inv *cli.Invocation, cfg *config.Config, store *memory.Store, w wanted) error {
	g, err := grant(ctx, inv, cfg, store, w)
	if err != nil {
		return err
	}
	log := cli.NewLog(inv.Errs, cfg, inv.JSON)
	api, err := app.MemoryAPI(cfg, store, log, inv.Now)
	if err != nil {
		return err
	}
	o := mcpserver.Options{Version: version.Describe(version.Info()).Version, Log: log}
	err = mcpserver.Run(ctx, api.For(g), o, mcpserver.Stdio(inv.In, inv.Out))
	if errors.Is(err, context.Canceled) || errors.Is(err, io.EOF) || errors.Is(err, sdk.ErrConnectionClosed) {
		return nil
	}
	return err
}

// grant returns what the program may do: whoever starts it on this machine chooses.
func grant(ctx context.Context, inv *cli.Invocation, cfg *config.Config, store *memory.Store, w wanted) (access.Grant, error) {
	g := w.grant
	g.Persona = cmp.Or(g.Persona, cfg.Persona)
	c, err := card.LoadCard(cfg.Home.Personas(), g.Persona)
	if err != nil {
		return g, err
	}
	store.Recall.SetLanguage(c.Key, c.Language)
	if err := find.Bind(ctx, inv, store, &g, w.view); err != nil {
		return g, err
	}
	return g, g.Validate(inv.Now())
}
