package find

import (
	"context"

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
