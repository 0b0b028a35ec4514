// Package home is the first page of the dashboard: what runs, what waits, what it costs, and what needs attention.
package home

import (
	"context"
	"net/http"
	"time"

	"familiar/web/layout"
)

// Overview is what the page shows besides findings.
type Overview struct {
	// Running is the command that serves the home, "" if nothing does. Since is when it began.
	Running string
	Since   time.Time
	Version string
	// Problems are what keeps the serving process from its work, in words.
	Problems []string
	// Database is the size of the database in bytes.
	Database int64
	Personas []Persona
	Networks []Network
	Queues   Queues
	Jobs     []Job
	Spent    Spent
	Limits   []Limit
	// Next is what to do first, "" for nothing.
	Next string
}

// Persona is one persona that is served.
type Persona struct {
	Key, Name string
	// Voice says what words its replies.
	Voice string
}

// Network is one chat network.
type Network struct {
	Name, State, Account string
	// Works reports that messages come and go.
	Works bool
	Since time.Time
	// Problem is what is wrong, NextStep what to do about it.
	Problem, NextStep string
	Unsent, Dead      int
}

// Queues counts what waits.
type Queues struct {
	// Waiting counts messages without an answer yet, Oldest is since when the first waits; Unanswered were given up.
	Waiting, Unanswered int
	Oldest              time.Time
	// Unsent counts replies that wait to be sent, Dead those that were given up.
	Unsent, Dead int
}

// Job is one job of a persona.
type Job struct {
	Persona, Name string
	// Last is when it last began, Ended how that run ended. Next is when it is due, zero if it is off; Needs is what it lacks.
	Last  time.Time
	Ended string
	Next  time.Time
	Needs string
}

// Spent is what models were used for today.
type Spent struct {
	Tokens  int
	Dollars float64
}

// Limit is a cap on spending. Share is how much of it is used, 0–1 and more.
type Limit struct {
	Name, Used, Of string
	Share          float64
}

// Finding is something that the doctor found, with its fix.
type Finding struct {
	Check, Text, NextStep string
	// Stops reports that something does not work; otherwise it is a warning.
	Stops bool
}

// Pages are the first page and the check that it offers.
type Pages struct {
	// Overview reads what runs and what waits.
	Overview func(ctx context.Context) (Overview, error)
	// Glance runs the checks of the doctor that cost nothing, Check all of them: it asks the networks and the models.
	Glance, Check func(ctx context.Context) []Finding
	Now           func() time.Time

	findings findings
}

// Mount mounts the pages.
func (p *Pages) Mount(shell *layout.Shell) {
	shell.Get("/{$}", func(w http.ResponseWriter, r *http.Request) error {
		o, err := p.Overview(r.Context())
		if err != nil {
			return err
		}
		found := p.findings.read(r.Context(), p.Now(), p.Glance)
		return shell.Write(w, r, layout.Page{Title: "Home", Section: layout.Home, Body: page(o, found), Live: []string{"attention", "numbers", "networks", "jobs"}})
	})
	shell.Post("/check", func(w http.ResponseWriter, r *http.Request) error {
		text := "All checks ran and found nothing to do."
		if len(p.findings.renew(r.Context(), p.Now(), p.Check)) > 0 {
			text = "All checks ran. What they found is below."
		}
		return layout.Done(w, r, "/", layout.Notice{Text: text})
	})
}
