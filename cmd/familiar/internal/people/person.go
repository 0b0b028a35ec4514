// Package people has `familiar person`: whom the personas know, their accounts, and their rights.
package people

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"familiar/channels"
	"familiar/channels/console"
	"familiar/cmd/familiar/internal/find"
	"familiar/config"
	"familiar/internal/cli"
	"familiar/memory"
	"familiar/memory/belief"
	"familiar/memory/model"
	"familiar/memory/turns"
	"familiar/persona/mind"
)

// NewPerson returns the verb `familiar person`.
func NewPerson(inv *cli.Invocation) *cobra.Command {
	return cli.Group("person", "Show the people the persona knows, link their accounts, export or erase them",
		"Show the people the persona knows and its relationship with each of them, link their accounts on several networks,\n"+
			"export everything of a person, take back their consent to training, or erase them.",
		newPersonList(inv), newPersonShow(inv), newPersonLink(inv), newPersonUnlink(inv), newPersonExport(inv), newPersonWithdraw(inv), newPersonErase(inv))
}

// personRow is one person and their relationship with the persona.
type personRow struct {
	ID       int64     `json:"id"`
	Name     string    `json:"name"`
	Handles  []string  `json:"handles"`
	Stage    string    `json:"stage"`
	Style    string    `json:"style"`
	Trust    float64   `json:"trust"`
	Bond     float64   `json:"bond"`
	Sessions int       `json:"sessions"`
	Messages int       `json:"messages"`
	FirstMet time.Time `json:"first_met,omitzero"`
	LastSeen time.Time `json:"last_seen,omitzero"`
	Timezone string    `json:"timezone,omitempty"`
}

// personDetail holds everything about one person.
type personDetail struct {
	personRow
	// Called lists the names they gave themselves, latest first.
	Called []string `json:"called,omitempty"`
	// Training lists the personas with which what they said may be training data.
	Training []trainingRow `json:"training,omitempty"`
}

// NewPeople returns the verb that lists people, under a name of its own among other verbs.
func NewPeople(inv *cli.Invocation) *cobra.Command {
	cmd := newPersonList(inv)
	cmd.Use = "people"
	return cmd
}

func newPersonList(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List all people", Args: cobra.NoArgs,
		RunE: inv.OnStore(func(cmd *cobra.Command, _ []string, cfg *config.Config, store *memory.Store) error {
			people, err := store.Log.People(cmd.Context())
			if err != nil {
				return err
			}
			told, err := store.Beliefs.ClaimedNames(cmd.Context(), belief.Filter{Persona: cfg.Persona})
			if err != nil {
				return err
			}
			rows := make([]personRow, 0, len(people))
			for _, p := range people {
				if isOperator(p) {
					continue
				}
				if called := told[p.ID]; p.Name == console.DefaultName && len(called) > 0 {
					p.Name = called[0]
				}
				row, err := newPersonRow(cmd.Context(), inv, cfg, store, p)
				if err != nil {
					return err
				}
				rows = append(rows, row)
			}
			return cli.Render(inv, rows)
		}),
	}
}

// isOperator reports whether p is the operator, who provides information but does not talk with the persona.
func isOperator(p model.Person) bool {
	return slices.ContainsFunc(p.Handles, func(h channels.Handle) bool { return h.Channel == turns.OperatorChannel })
}

func newPersonShow(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "show NAME|NUMBER", Short: "Show one person and the relationship with them",
		Long: "Show one person and the relationship with them. NAME is their display name, their handle, or a name they gave\n" +
			"themselves in a conversation.",
		Example: "  familiar person show Ann\n  familiar person show console:ann",
		Args:    cobra.ExactArgs(1),
		RunE: inv.OnStore(func(cmd *cobra.Command, args []string, cfg *config.Config, store *memory.Store) error {
			p, err := find.Person(cmd.Context(), store, cfg.Persona, args[0])
			if err != nil {
				return err
			}
			row, err := newPersonRow(cmd.Context(), inv, cfg, store, p)
			if err != nil {
				return err
			}
			told, err := store.Beliefs.ClaimedNames(cmd.Context(), belief.Filter{Persona: cfg.Persona, SubjectPerson: p.ID})
			if err != nil {
				return err
			}
			agreed, err := trainingRows(cmd.Context(), cfg, store, p.ID)
			if err != nil {
				return err
			}
			return cli.RenderOne(inv, personDetail{personRow: row, Called: told[p.ID], Training: agreed})
		}),
	}
}

func newPersonRow(ctx context.Context, inv *cli.Invocation, cfg *config.Config, store *memory.Store, p model.Person) (personRow, error) {
	row := personRow{ID: p.ID, Name: p.Name, Handles: find.HandleNames(p), Timezone: p.Timezone}
	rel, err := store.Turns.Relationship(ctx, cfg.Persona, p.ID)
	if errors.Is(err, memory.ErrNotFound) {
		return row, nil // they have not met
	}
	if err != nil {
		return row, err
	}
	row.Stage, row.Style = mind.Stage(rel, inv.Now()), mind.Style(rel)
	row.Trust, row.Bond = cli.Round(rel.Trust), cli.Round(mind.Bond(rel))
	row.Sessions, row.Messages = rel.Sessions, rel.Messages
	row.FirstMet, row.LastSeen = cli.InZone(rel.FirstMet, cfg), cli.InZone(rel.LastSeen, cfg)
	return row, nil
}
