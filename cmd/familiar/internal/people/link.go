package people

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"familiar/channels"
	"familiar/cmd/familiar/internal/find"
	"familiar/config"
	"familiar/internal/cli"
	"familiar/memory"
	"familiar/memory/link"
	"familiar/memory/model"
)

func newPersonLink(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "link NAME|NUMBER NAME|NUMBER", Short: "Make two people one: the same person on two networks", Args: cobra.ExactArgs(2),
		Long: "Make two people one: the same person on two networks. Both accounts then share one memory, as after /link. The two must\n" +
			"not have accounts on the same network. `familiar person unlink` separates them again.",
		Example: "  familiar person link telegram:1001 discord:2002",
		RunE: inv.OnStore(func(cmd *cobra.Command, args []string, cfg *config.Config, store *memory.Store) error {
			var both [2]model.Person
			for i, word := range args {
				p, err := find.Person(cmd.Context(), store, cfg.Persona, word)
				if err != nil {
					return err
				}
				both[i] = p
			}
			err := store.Links.Join(cmd.Context(), both[0].ID, both[1].ID)
			if errors.Is(err, link.ErrSameNetwork) {
				return fmt.Errorf("%w: %s and %s; nothing was changed", err, strings.Join(find.HandleNames(both[0]), ", "), strings.Join(find.HandleNames(both[1]), ", "))
			}
			if err != nil {
				return err
			}
			return sayPerson(cmd.Context(), inv, store, both[0].ID, "one person now")
		}),
	}
}

func newPersonUnlink(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "unlink HANDLE", Short: "Make an account a person of its own again", Args: cobra.ExactArgs(1),
		Long: "Make an account a person of its own again, with what was said over its network. HANDLE is the account with its network,\n" +
			"as `familiar person list` shows it. What was concluded from several networks together is dropped, and jobs conclude\n" +
			"it anew from what each said.",
		Example: "  familiar person unlink discord:2002",
		RunE: inv.OnStore(func(cmd *cobra.Command, args []string, _ *config.Config, store *memory.Store) error {
			channel, id, ok := strings.Cut(args[0], ":")
			if !ok {
				return fmt.Errorf("%q is no account: name the network too, such as discord:2002; `familiar person list` lists all people", args[0])
			}
			p, err := store.Log.PersonByHandle(cmd.Context(), channels.Handle{Channel: channel, ID: id})
			if err != nil {
				return fmt.Errorf("%w; `familiar person list` lists all people", err)
			}
			done, err := store.Links.Separate(cmd.Context(), p.ID, channel)
			if err != nil {
				return fmt.Errorf("%w; nothing was changed", err)
			}
			return sayPerson(cmd.Context(), inv, store, done.Leaves, "a person of their own again")
		}),
	}
}

// linkedPerson is a person after a link changed.
type linkedPerson struct {
	ID      int64    `json:"id"`
	Name    string   `json:"name"`
	Handles []string `json:"handles"`
}

// sayPerson says which accounts a person has.
func sayPerson(ctx context.Context, inv *cli.Invocation, store *memory.Store, id int64, what string) error {
	p, err := store.Log.Person(ctx, id)
	if err != nil {
		return err
	}
	inv.Say("%d %s (%s) is %s", p.ID, p.Name, strings.Join(find.HandleNames(p), ", "), what)
	if !inv.JSON {
		return nil
	}
	return cli.RenderOne(inv, linkedPerson{p.ID, p.Name, find.HandleNames(p)})
}
