package people

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"familiar/channels"
	"familiar/channels/markdown"
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
			"not have accounts on the same network. Each account is told in its direct room. `familiar person unlink` separates\n" +
			"them again.",
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
			notices, err := Join(cmd.Context(), store, cfg.Persona, both)
			if err != nil {
				return err
			}
			inv.Say("%s", toldOf(notices))
			return sayPerson(cmd.Context(), inv, store, both[0].ID, "one person now")
		}),
	}
}

func newPersonUnlink(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "unlink HANDLE", Short: "Make an account a person of its own again", Args: cobra.ExactArgs(1),
		Long: "Make an account a person of its own again, with what was said over its network. HANDLE is the account with its network,\n" +
			"as `familiar person list` shows it. What was concluded from several networks together is dropped, and jobs conclude\n" +
			"it anew from what each said. Each account is told in its direct room.",
		Example: "  familiar person unlink discord:2002",
		RunE: inv.OnStore(func(cmd *cobra.Command, args []string, cfg *config.Config, store *memory.Store) error {
			channel, id, ok := strings.Cut(args[0], ":")
			if !ok {
				return fmt.Errorf("%q is no account: name the network too, such as discord:2002; `familiar person list` lists all people", args[0])
			}
			p, err := store.Log.PersonByHandle(cmd.Context(), channels.Handle{Channel: channel, ID: id})
			if err != nil {
				return fmt.Errorf("%w; `familiar person list` lists all people", err)
			}
			done, notices, err := Part(cmd.Context(), store, cfg.Persona, p, channel)
			if err != nil {
				return err
			}
			inv.Say("%s", toldOf(notices))
			return sayPerson(cmd.Context(), inv, store, done.Leaves, "a person of their own again")
		}),
	}
}

// Join makes two people one, and has the persona tell each account in its direct room. It returns what they are told.
func Join(ctx context.Context, store *memory.Store, persona string, both [2]model.Person) ([]link.Notice, error) {
	notices, err := joinNotices(ctx, store, both)
	if err != nil {
		return nil, err
	}
	err = store.Links.Join(ctx, both[0].ID, both[1].ID, persona, notices...)
	if errors.Is(err, link.ErrSameNetwork) {
		err = fmt.Errorf("%w: %s and %s; nothing was changed", err, strings.Join(find.HandleNames(both[0]), ", "), strings.Join(find.HandleNames(both[1]), ", "))
	}
	return notices, err
}

// Part makes the accounts of a person on a network a person of their own again, and has the persona tell each account in its direct
// room. It returns what they are told.
func Part(ctx context.Context, store *memory.Store, persona string, p model.Person, channel string) (done link.Separated, notices []link.Notice, err error) {
	rooms, err := roomsToTell(ctx, store, p)
	if err != nil {
		return done, nil, err
	}
	done, err = store.Links.Separate(ctx, p.ID, channel, persona, func(done link.Separated) []link.Notice {
		notices = partNotices(rooms, done)
		return notices
	})
	if err != nil {
		return done, nil, fmt.Errorf("%w; nothing was changed", err)
	}
	return done, notices, nil
}

// joinNotices returns what the accounts of two people are told when the operator makes them one.
func joinNotices(ctx context.Context, store *memory.Store, both [2]model.Person) (notices []link.Notice, err error) {
	for i, p := range both {
		rooms, err := roomsToTell(ctx, store, p)
		if err != nil {
			return nil, err
		}
		for _, room := range rooms {
			notices = append(notices, link.Notice{Room: room, Text: fmt.Sprintf(
				"Whoever runs me joined this account with %s: both are one person to me now, and what was told there I know here too. If that is wrong, send /unlink at once.",
				markdown.Escape(accountsOf(both[1-i])))})
		}
	}
	return notices, nil
}

// partNotices returns what the accounts of a person are told when the operator has parted one of them.
func partNotices(rooms []model.Room, done link.Separated) (notices []link.Notice) {
	for _, room := range rooms {
		text := fmt.Sprintf("Whoever runs me parted your account on %s from this one: it is a person of its own again.", done.Channel)
		if room.Channel == done.Channel {
			text = "Whoever runs me parted this account from your others: it is a person of its own again, and I know here what was said here."
		}
		notices = append(notices, link.Notice{Room: room, Text: text})
	}
	return notices
}

// roomsToTell returns the latest direct room of a person on each network, none if they blocked the persona.
func roomsToTell(ctx context.Context, store *memory.Store, p model.Person) (rooms []model.Room, err error) {
	if !p.BlockedAt.IsZero() {
		return nil, nil
	}
	all, err := store.Turns.DirectRooms(ctx, p.ID)
	for _, room := range all {
		if !slices.ContainsFunc(rooms, func(r model.Room) bool { return r.Channel == room.Channel }) {
			rooms = append(rooms, room)
		}
	}
	return rooms, err
}

// accountsOf names the networks on which a person has accounts, with the name they have there.
func accountsOf(p model.Person) string {
	var networks []string
	for _, h := range p.Handles {
		if !slices.Contains(networks, h.Channel) {
			networks = append(networks, h.Channel)
		}
	}
	return fmt.Sprintf("the account of %s on %s", p.Name, strings.Join(networks, " and "))
}

// toldOf tells the operator who is told.
func toldOf(notices []link.Notice) string {
	if len(notices) == 0 {
		return "Nobody is told: there is no direct room to say it in."
	}
	var networks []string
	for _, n := range notices {
		networks = append(networks, n.Room.Channel)
	}
	return "Told in the direct rooms on " + strings.Join(networks, " and ") + "."
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
	handles := find.HandleNames(p)
	return cli.RenderDone(inv, linkedPerson{p.ID, p.Name, handles}, "%d %s (%s) is %s", p.ID, p.Name, strings.Join(handles, ", "), what)
}
