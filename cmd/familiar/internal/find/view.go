package find

import (
	"context"

	"github.com/spf13/cobra"

	"familiar/internal/cli"
	"familiar/memory"
	"familiar/memory/access"
)

// View is whose view of the memory a program gets, as flags name it: the operator's, that of a group, or else that of a person,
// console.DefaultName if As is empty.
type View struct {
	As, Room string
	Operator bool
}

// AccessFlags adds the flags that say what a program may do to cmd: whose view it gets, and how it writes.
func AccessFlags(cmd *cobra.Command, v *View, g *access.Grant) {
	f := cmd.Flags()
	f.StringVar(&v.As, "as", "", "it sees and says what this person may: a `NAME`, number or account (default: you)")
	f.StringVar(&v.Room, "room", "", "it sees what this group sees: a `TITLE` or number")
	f.BoolVar(&v.Operator, "operator", false, "it sees everything of the persona")
	f.BoolVar(&g.FirstHand, "first-hand", false, "what it writes are the person's own words")
	f.BoolVar(&g.ReadOnly, "read-only", false, "it may not write")
	cmd.MarkFlagsMutuallyExclusive("as", "room", "operator")
	cmd.MarkFlagsMutuallyExclusive("first-hand", "read-only")
}

// Bind sets whose view the grant has.
func Bind(ctx context.Context, inv *cli.Invocation, store *memory.Store, g *access.Grant, v View) error {
	switch {
	case v.Operator:
		g.Kind = access.Operator
	case v.Room != "":
		room, err := Group(ctx, store, v.Room)
		if err != nil {
			return err
		}
		g.Kind, g.RoomID = access.Room, room.ID
	default:
		p, isNew, err := PersonOrNew(ctx, store, g.Persona, v.As, inv.Now())
		if err != nil {
			return err
		}
		if isNew {
			inv.Note("%s is new: whoever chats in the terminal under this name is the same person", p.Name)
		}
		g.Kind, g.PersonID = access.Person, p.ID
	}
	return nil
}
