// Package status has the verbs that tell what a home does and what it has used: `familiar status` and `familiar usage`.
package status

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"familiar/cmd/familiar/internal/jobs"
	"familiar/cmd/familiar/internal/networks"
	"familiar/cmd/familiar/internal/queues"
	"familiar/cmd/familiar/internal/version"
	"familiar/config"
	"familiar/internal/app"
	"familiar/internal/cli"
	"familiar/internal/operations"
	"familiar/memory"
	"familiar/memory/budget"
)

// Overview says what runs and what waits.
type Overview struct {
	// Running names the command that serves the home, "" if nothing does.
	Running string    `json:"running"`
	PID     int       `json:"pid,omitempty"`
	Since   time.Time `json:"since,omitzero"`
	Uptime  string    `json:"uptime,omitempty"`
	// Version is that of the serving process, or of this one.
	Version string `json:"version"`
	// Ready is "yes", or "no" if something keeps the serving process from its work; Problems says what.
	Ready    string   `json:"ready,omitempty"`
	Problems []string `json:"problems,omitempty"`
	Home     string   `json:"home"`
	// Persona is the configured one, Personas are all that are served.
	Persona  string   `json:"persona"`
	Personas []string `json:"personas"`
	Metrics  string   `json:"metrics,omitempty"`
	// Dashboard is its address, "" if the serving process does not serve it.
	Dashboard string `json:"dashboard,omitempty"`
	// Database is the size of the database with its log.
	Database cli.FileSize `json:"database"`
	// Waiting is the number of messages that wait for an answer, Oldest since when the first does. Unanswered were given up.
	Waiting    int       `json:"waiting"`
	Oldest     time.Time `json:"oldest,omitzero"`
	Unanswered int       `json:"unanswered"`
	// Unsent is the number of replies that wait to be sent. Dead letters were given up.
	Unsent int `json:"unsent"`
	Dead   int `json:"dead"`
	// LastJob and NextJob say in words which job ran last and which is due next.
	LastJob string `json:"last_job,omitempty"`
	NextJob string `json:"next_job,omitempty"`
	// Tokens and Dollars are what models were used for today.
	Tokens  int   `json:"tokens_today"`
	Dollars money `json:"dollars_today,omitempty"`
	// Next is what to do first.
	Next string `json:"do,omitempty"`
}

// Status is everything that the verb shows.
type Status struct {
	Overview
	Networks []networks.StatusRow `json:"networks"`
	// Processes are those that answer from a memory on a server; there are none for one in a file.
	Processes []ProcessRow `json:"processes"`
	Jobs      []jobs.Row   `json:"jobs"`
	Limits    []LimitRow   `json:"limits"`
}

// ProcessRow is a process that answers from the memory.
type ProcessRow struct {
	Process  string    `json:"process"`
	Version  string    `json:"version"`
	Since    time.Time `json:"since"`
	Channels string    `json:"channels"`
	// Holds counts the rooms, the connections and the jobs that are its own.
	Holds int `json:"holds"`
	// Heard is how long ago it was last heard of.
	Heard string `json:"heard"`
}

// processRows lists the processes that answer from the memory.
func processRows(ctx context.Context, cfg *config.Config, store *memory.Store) (rows []ProcessRow, err error) {
	all, err := store.Fleet.Processes(ctx)
	for _, p := range all {
		rows = append(rows, ProcessRow{
			Process: p.Name, Version: p.Version, Since: cli.InZone(p.Since, cfg), Channels: strings.Join(p.Channels, ", "),
			Holds: p.Leases, Heard: p.Silent.Round(100*time.Millisecond).String() + " ago",
		})
	}
	return rows, err
}

// NewStatus returns the verb `familiar status`.
func NewStatus(inv *cli.Invocation) *cobra.Command {
	var ready bool
	cmd := &cobra.Command{
		Use: "status", Short: "Show what runs, what waits, and what to do", Args: cobra.NoArgs,
		Long: "Show what serves the home and since when, the personas, the networks with what to do about each, the messages and replies\n" +
			"that wait, the last and the next job, and what models were used for today. It asks the serving process through a socket\n" +
			"in the home, and reads the rest from the database, also when nothing runs. With --ready it shows nothing and fails unless\n" +
			"`familiar run` serves the home and can receive, store and answer messages: for health checks of containers.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if ready {
				return checkReady(cmd.Context(), inv)
			}
			s, err := Read(cmd.Context(), inv)
			if err != nil {
				return err
			}
			return showStatus(inv, s)
		},
	}
	cmd.Flags().BoolVar(&ready, "ready", false, "show nothing; fail unless a process serves the home and is ready")
	return cmd
}

// checkReady fails unless a process serves the home and is ready.
func checkReady(ctx context.Context, inv *cli.Invocation) error {
	cfg, err := inv.Config()
	if err != nil {
		return err
	}
	now, err := operations.Ask(ctx, cfg.Home.Socket())
	if err != nil {
		return fmt.Errorf("`familiar run` does not serve %s: %w", cfg.Home, err)
	}
	if !now.Ready {
		return fmt.Errorf("not ready: %s", english.OxfordWordSeries(now.Problems, "and"))
	}
	return nil
}

// Read asks the serving process, if there is one, and reads the store.
func Read(ctx context.Context, inv *cli.Invocation) (s Status, err error) {
	cfg, err := inv.Config()
	if err != nil {
		return s, err
	}
	s.Home, s.Persona, s.Version = string(cfg.Home), cfg.Persona, version.Describe(version.Info()).Version
	s.Personas = cfg.Served()
	if h, held := app.HolderOf(cfg.Home.Lock()); held {
		s.Running, s.PID, s.Since = "familiar "+h.Verb, h.PID, h.Since.In(cfg.Timezone.Location)
		s.Uptime = strings.TrimSpace(humanize.RelTime(h.Since, inv.Now(), "", ""))
		if now, err := operations.Ask(ctx, cfg.Home.Socket()); err == nil && now.PID == h.PID {
			s.Version, s.Problems, s.Metrics, s.Dashboard, s.Ready = now.Version, now.Problems, now.Listen, now.Dashboard, "no"
			if now.Ready {
				s.Ready = "yes"
			}
		}
	}
	if s.Networks, err = networks.NetworkRows(ctx, inv); err != nil {
		return s, err
	}
	err = inv.WithStore(ctx, func(cfg *config.Config, store *memory.Store) error { return s.readStore(ctx, inv, cfg, store) })
	if errors.Is(err, memory.ErrNotFound) {
		err = nil // nothing was ever stored
	}
	s.Next = s.advice()
	return s, err
}

// readStore reads queues, jobs and spending.
func (s *Status) readStore(ctx context.Context, inv *cli.Invocation, cfg *config.Config, store *memory.Store) error {
	file, log, err := store.Size()
	if err != nil {
		return err
	}
	s.Database = cli.FileSize(file + log)
	queues, err := app.ReadQueues(ctx, store.Log, cfg.Served()...)
	if err != nil {
		return err
	}
	for _, q := range queues {
		s.Waiting, s.Unanswered, s.Unsent, s.Dead = s.Waiting+q.Inbox.Waiting, s.Unanswered+q.Inbox.Dead, s.Unsent+q.Outbox.Unsent, s.Dead+q.Outbox.Dead
		if at := q.Inbox.Oldest; !at.IsZero() && (s.Oldest.IsZero() || at.Before(s.Oldest)) {
			s.Oldest = cli.InZone(at, cfg)
		}
	}
	if _, err := app.ServedCards(cfg); err == nil { // a broken persona is the doctor's concern
		if s.Jobs, err = jobs.ServedJobs(ctx, inv, cfg, store); err != nil {
			return err
		}
	}
	s.LastJob, s.NextJob = jobsInWords(cfg, s.Jobs, inv.Now())
	today := inv.Now().In(cfg.Timezone.Location).Format(time.DateOnly)
	spent, err := store.Budget.Spent(ctx, today, today)
	if err != nil {
		return err
	}
	var cost budget.Money
	for _, one := range spent {
		s.Tokens += one.In + one.Out
		cost += one.Cost
	}
	s.Dollars = money(cost.Dollars())
	if s.Processes, err = processRows(ctx, cfg, store); err != nil {
		return err
	}
	caps := app.CapsOf(cfg.Limits)
	s.Limits, err = limitRows(ctx, store, budget.Caps{Day: caps.Day, Month: caps.Month}, today, nil)
	return err
}

// jobsInWords says which job ran last and which is due next.
func jobsInWords(cfg *config.Config, rows []jobs.Row, now time.Time) (last, next string) {
	var ran, due jobs.Row
	for _, j := range rows {
		if j.Last.After(ran.Last) {
			ran = j
		}
		if !j.Next.IsZero() && (due.Next.IsZero() || j.Next.Before(due.Next)) {
			due = j
		}
	}
	if ran.Job != "" {
		last = fmt.Sprintf("%s%s, %s, %s", ran.Job, cli.OfOther(cfg, ran.Persona), ran.Ended, humanize.RelTime(ran.Last, now, "ago", "from now"))
	}
	if due.Job != "" {
		next = fmt.Sprintf("%s%s, %s", due.Job, cli.OfOther(cfg, due.Persona), humanize.RelTime(due.Next, now, "overdue", "from now"))
	}
	return last, next
}

// advice returns what to do first, "" for nothing.
func (s *Status) advice() string {
	for _, n := range s.Networks {
		if s.Running != "" && n.NextStep != "" {
			return n.Channel + ": " + n.NextStep
		}
	}
	switch {
	case s.Running == "" && len(s.Networks) > 0:
		return "start it with `familiar run`"
	case len(s.Problems) > 0:
		return "`familiar doctor` finds out why"
	case s.Dead > 0:
		return queues.HelpLetters
	case s.Unanswered > 0:
		return queues.HelpMessages
	}
	return ""
}

// showStatus shows the overview, then the networks and the limits.
func showStatus(inv *cli.Invocation, s Status) error {
	if inv.JSON {
		s.Networks, s.Jobs, s.Limits = append([]networks.StatusRow{}, s.Networks...), append([]jobs.Row{}, s.Jobs...), append([]LimitRow{}, s.Limits...)
		s.Processes = append([]ProcessRow{}, s.Processes...)
		return cli.WriteJSON(inv.Out, s)
	}
	if s.Running == "" {
		s.Running = "nothing"
	}
	if err := cli.RenderOne(inv, s.Overview); err != nil {
		return err
	}
	if len(s.Networks) > 0 {
		inv.Say("")
		if err := cli.Render(inv, s.Networks); err != nil {
			return err
		}
	}
	if len(s.Processes) > 0 {
		inv.Say("")
		if err := cli.Render(inv, s.Processes); err != nil {
			return err
		}
	}
	if len(s.Limits) == 0 {
		return nil
	}
	inv.Say("")
	return cli.Render(inv, s.Limits)
}
