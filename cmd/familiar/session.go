package main

import (
	"time"

	"github.com/spf13/cobra"

	"familiar/config"
	"familiar/memory"
)

func newSession(a *app) *cobra.Command {
	return group("session", "See the sessions of talk",
		"See the sessions of talk. One ends when its room has been silent for session.gap.", newSessionList(a), newSessionShow(a))
}

// sessionRow is one session in a list.
type sessionRow struct {
	ID           int64     `json:"id"`
	Parent       int64     `json:"parent,omitempty"`
	Room         string    `json:"room"`
	Started      time.Time `json:"started"`
	Ended        time.Time `json:"ended,omitzero"`
	Messages     int       `json:"messages"`
	Significance float64   `json:"significance"`
	Class        string    `json:"class,omitempty"`
}

func newSessionList(a *app) *cobra.Command {
	limit := count(50)
	cmd := &cobra.Command{
		Use: "list", Short: "List sessions, newest first", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withStore(cmd.Context(), func(cfg *config.Config, store *memory.Store) error {
				sessions, err := store.Sessions(cmd.Context(), memory.SessionFilter{Persona: cfg.Persona, Limit: int(limit)})
				if err != nil {
					return err
				}
				rooms, err := store.Rooms(cmd.Context())
				if err != nil {
					return err
				}
				names := make(map[int64]string, len(rooms))
				for _, r := range rooms {
					names[r.ID] = roomName(r)
				}
				rows := make([]sessionRow, 0, len(sessions))
				for _, s := range sessions {
					rows = append(rows, sessionRow{
						ID: s.ID, Parent: s.ParentID, Room: names[s.RoomID], Started: s.Started.In(cfg.Timezone.Location),
						Ended: inZone(s.Ended, cfg), Messages: s.Messages, Significance: round(s.Significance), Class: s.Class,
					})
				}
				return render(a, rows)
			})
		},
	}
	cmd.Flags().Var(&limit, "limit", "how many")
	return cmd
}

// roomName is how a room is shown: by its title, a direct room by its address.
func roomName(r memory.Room) string {
	if r.Title != "" {
		return r.Title
	}
	return r.Channel + "/" + r.Room.ID
}

// inZone is t in the operator's timezone, zero as it is.
func inZone(t time.Time, cfg *config.Config) time.Time {
	if t.IsZero() {
		return t
	}
	return t.In(cfg.Timezone.Location)
}

// messageRow is one message of a session.
type messageRow struct {
	ID   int64     `json:"id"`
	At   time.Time `json:"at"`
	Who  string    `json:"who"`
	Text string    `json:"text"`
	// Fault is why the plain voice spoke in the model's place.
	Fault string `json:"fault,omitempty"`
}

func newSessionShow(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "show NUMBER", Short: "Show what was said in a session", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			n, err := id(cmd, args[0])
			if err != nil {
				return err
			}
			return a.withStore(cmd.Context(), func(cfg *config.Config, store *memory.Store) error {
				messages, err := store.SessionMessages(cmd.Context(), n)
				if err != nil {
					return listed(cmd, err)
				}
				card, err := speaker(cfg)
				if err != nil {
					return err
				}
				faults, err := store.SessionFaults(cmd.Context(), n)
				if err != nil {
					return err
				}
				rows := make([]messageRow, 0, len(messages))
				for _, m := range messages {
					who := m.Name
					if m.PersonID == 0 {
						who = card.Name
					}
					rows = append(rows, messageRow{ID: m.ID, At: m.At.In(cfg.Timezone.Location), Who: who, Text: m.Text, Fault: faults[m.ID]})
				}
				return render(a, rows)
			})
		},
	}
}
