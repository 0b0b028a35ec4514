package main

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"familiar/config"
	"familiar/memory"
	"familiar/persona/mind"
)

func newPerson(a *app) *cobra.Command {
	return group("person", "See the people the persona knows", "", newPersonList(a), newPersonShow(a))
}

// personRow is one person and what the persona has with them.
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

func newPersonList(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List everybody", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withStore(cmd.Context(), func(cfg *config.Config, store *memory.Store) error {
				people, err := store.People(cmd.Context())
				if err != nil {
					return err
				}
				rows := make([]personRow, 0, len(people))
				for _, p := range people {
					row, err := a.personRow(cmd.Context(), cfg, store, p)
					if err != nil {
						return err
					}
					rows = append(rows, row)
				}
				return render(a, rows)
			})
		},
	}
}

func newPersonShow(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "show NAME", Short: "Show one person and what the persona has with them", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withStore(cmd.Context(), func(cfg *config.Config, store *memory.Store) error {
				p, err := someone(cmd.Context(), store, args[0])
				if err != nil {
					return err
				}
				row, err := a.personRow(cmd.Context(), cfg, store, p)
				if err != nil {
					return err
				}
				return renderOne(a, row)
			})
		},
	}
}

func (a *app) personRow(ctx context.Context, cfg *config.Config, store *memory.Store, p memory.Person) (personRow, error) {
	row := personRow{ID: p.ID, Name: p.Name, Timezone: p.Timezone}
	for _, h := range p.Handles {
		row.Handles = append(row.Handles, h.Channel+":"+h.ID)
	}
	rel, err := store.Relationship(ctx, cfg.Persona, p.ID)
	if errors.Is(err, memory.ErrNotFound) {
		return row, nil // they have not met
	}
	if err != nil {
		return row, err
	}
	row.Stage, row.Style = mind.Stage(rel, a.now()), mind.Style(rel)
	row.Trust, row.Bond = round(rel.Trust), round(mind.Bond(rel))
	row.Sessions, row.Messages = rel.Sessions, rel.Messages
	row.FirstMet, row.LastSeen = inZone(rel.FirstMet, cfg), inZone(rel.LastSeen, cfg)
	return row, nil
}

// named says that a person goes by word: their name, or one of their handles.
func named(p memory.Person, word string) bool {
	if strings.EqualFold(p.Name, word) {
		return true
	}
	for _, h := range p.Handles {
		if strings.EqualFold(h.ID, word) || strings.EqualFold(h.Channel+":"+h.ID, word) {
			return true
		}
	}
	return false
}
