// Package tokens has `familiar token`: which other programs may use the memory of a persona, and how much of it they see.
package tokens

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"familiar/cmd/familiar/internal/find"
	"familiar/config"
	"familiar/internal/cli"
	"familiar/memory"
	"familiar/memory/access"
	"familiar/persona/card"
)

// NewToken returns the verb `familiar token`.
func NewToken(inv *cli.Invocation) *cobra.Command {
	return cli.Group("token", "Give other programs access to a persona and its memory",
		"Give other programs access to a persona and its memory, while `familiar run` serves http.listen. Each token belongs to one\n"+
			"program and one persona, and sees what one person, one room or the operator may see. `familiar mcp` needs no token.",
		newCreate(inv), newList(inv), newRevoke(inv))
}

// tokenRow is one token, without its secret.
type tokenRow struct {
	ID      int64  `json:"id"`
	Client  string `json:"client"`
	Persona string `json:"persona"`
	// Sees says whose view it has: "Ann", "the room chess", "everything".
	Sees     string    `json:"sees"`
	Writes   string    `json:"writes"`
	Created  time.Time `json:"created"`
	Expires  time.Time `json:"expires,omitzero"`
	LastUsed time.Time `json:"last_used,omitzero"`
}

// createdRow is a token that was just created.
type createdRow struct {
	tokenRow
	Token string `json:"token"`
}

// wanted are the flags of create.
type wanted struct {
	view  find.View
	grant access.Grant
	days  int
}

func newCreate(inv *cli.Invocation) *cobra.Command {
	var w wanted
	cmd := &cobra.Command{
		Use: "create", Short: "Create a token for a program", Args: cobra.NoArgs,
		Long: "Create a token for a program, and print it once: only its fingerprint is stored. It sees what a direct chat with one\n" +
			"person sees (--as), what one group sees (--room), or everything of the persona (--operator), and then speaks in chats for whom\n" +
			"it names. What it writes is marked with its name and counts as hearsay; with --first-hand it counts as the person's own words.",
		Example: "  familiar token create --client cursor --as Ann --first-hand\n" +
			"  familiar token create --client sillytavern --as Ann --persona vela\n" +
			"  familiar token create --client open-webui --operator --days 90",
		RunE: inv.OnNewStore(func(cmd *cobra.Command, _ []string, cfg *config.Config, store *memory.Store) error {
			if w.grant.Client == "" {
				return cli.Usage(cmd, errors.New("--client is missing: name the program that gets the token"))
			}
			return create(cmd.Context(), inv, cfg, store, w)
		}),
	}
	f := cmd.Flags()
	f.StringVar(&w.grant.Client, "client", "", "the `NAME` of the program")
	cli.PersonaFlag(cmd, inv, &w.grant.Persona, "the `KEY` of the persona (default: the configured one)")
	find.AccessFlags(cmd, &w.view, &w.grant)
	f.IntVar(&w.days, "days", 0, "it is valid for this `NUMBER` of days (default: until revoked)")
	return cmd
}

// create creates a token and shows it.
func create(ctx context.Context, inv *cli.Invocation, cfg *config.Config, store *memory.Store, w wanted) error {
	g := w.grant
	g.Persona = cmp.Or(g.Persona, cfg.Persona)
	if _, err := card.LoadCard(cfg.Home.Personas(), g.Persona); err != nil {
		return err
	}
	if w.days < 0 {
		return errors.New("--days takes a number of at least 1")
	}
	if w.days > 0 {
		g.Expires = inv.Now().AddDate(0, 0, w.days)
	}
	if err := find.Bind(ctx, inv, store, &g, w.view); err != nil {
		return err
	}
	token, g, err := store.Access.Create(ctx, rand.Reader, g)
	if err != nil {
		return err
	}
	row, err := rowOf(ctx, cfg, store, g)
	if err != nil {
		return err
	}
	if cfg.HTTP.Listen == "" {
		inv.Note("nothing listens yet: set http.listen in familiar.yaml, or start `familiar run --http 127.0.0.1:8484`")
	}
	return cli.RenderDone(inv, createdRow{row, token}, "%s", token)
}

func newList(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List all tokens, without their secrets", Args: cobra.NoArgs,
		RunE: inv.OnNewStore(func(cmd *cobra.Command, _ []string, cfg *config.Config, store *memory.Store) error {
			all, err := store.Access.List(cmd.Context())
			if err != nil {
				return err
			}
			var rows []tokenRow
			for _, g := range all {
				row, err := rowOf(cmd.Context(), cfg, store, g)
				if err != nil {
					return err
				}
				rows = append(rows, row)
			}
			return cli.Render(inv, rows)
		}),
	}
}

func newRevoke(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "revoke NUMBER", Short: "Make a token invalid at once", Args: cobra.ExactArgs(1),
		RunE: inv.OnStore(func(cmd *cobra.Command, args []string, cfg *config.Config, store *memory.Store) error {
			id, err := cli.ParseID(cmd, args[0])
			if err != nil {
				return err
			}
			g, err := store.Access.Revoke(cmd.Context(), id)
			if err != nil {
				return cli.WithListHint(cmd, err)
			}
			row, err := rowOf(cmd.Context(), cfg, store, g)
			if err != nil {
				return err
			}
			return cli.RenderDone(inv, row, "The token of %s is not valid any more.", cli.OneLine(g.Client))
		}),
	}
}

// rowOf returns how a grant is shown.
func rowOf(ctx context.Context, cfg *config.Config, store *memory.Store, g access.Grant) (tokenRow, error) {
	row := tokenRow{
		ID: g.ID, Client: g.Client, Persona: g.Persona, Writes: "hearsay",
		Created: cli.InZone(g.Created, cfg), Expires: cli.InZone(g.Expires, cfg), LastUsed: cli.InZone(g.LastUsed, cfg),
	}
	switch {
	case g.ReadOnly:
		row.Writes = "nothing"
	case g.FirstHand:
		row.Writes = "first-hand"
	}
	switch g.Kind {
	case access.Person:
		p, err := store.Log.Person(ctx, g.PersonID)
		if err != nil {
			return row, err
		}
		row.Sees = p.Name
	case access.Room:
		room, err := find.Group(ctx, store, fmt.Sprint(g.RoomID))
		if err != nil {
			return row, err
		}
		row.Sees = "the group " + find.RoomName(room)
	case access.Operator:
		row.Sees = "everything"
	}
	return row, nil
}
