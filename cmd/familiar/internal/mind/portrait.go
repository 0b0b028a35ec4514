package mind

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"familiar/cmd/familiar/internal/find"
	"familiar/config"
	"familiar/internal/cli"
	"familiar/memory"
	"familiar/memory/model"
)

// portraitRow is the portrait of somebody.
type portraitRow struct {
	ID   int64     `json:"id"`
	At   time.Time `json:"at"`
	Text string    `json:"text"`
}

// NewPortrait returns the verb that shows the portrait that the persona has of somebody in their direct room.
func NewPortrait(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "portrait NAME|NUMBER", Short: "Show the portrait of a person that the job portrait wrote", Args: cobra.ExactArgs(1),
		RunE: inv.OnStore(func(cmd *cobra.Command, args []string, cfg *config.Config, store *memory.Store) error {
			person, err := find.Person(cmd.Context(), store, cfg.Persona, args[0])
			if err != nil {
				return err
			}
			room, err := find.DirectRoom(cmd.Context(), store, person.ID, args[0])
			if err != nil {
				return err
			}
			h, err := store.Log.Visibility(cmd.Context(), cfg.Persona, room.ID)
			if err != nil {
				return err
			}
			drawn, err := store.Lifecycle.InferencesAbout(cmd.Context(), h, person.ID, model.Portrait, 1)
			if err != nil {
				return err
			}
			if len(drawn) == 0 {
				return fmt.Errorf("%w: there is no portrait of %s: the job portrait writes them, with a model", memory.ErrNotFound, person.Name)
			}
			return cli.RenderOne(inv, portraitRow{drawn[0].ID, drawn[0].Created.In(cfg.Timezone.Location), drawn[0].Text})
		}),
	}
}
