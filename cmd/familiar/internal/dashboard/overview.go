package dashboard

import (
	"context"

	"familiar/channels"
	"familiar/cmd/familiar/internal/doctor"
	"familiar/cmd/familiar/internal/networks"
	"familiar/cmd/familiar/internal/status"
	"familiar/internal/app"
	"familiar/internal/cli"
	"familiar/web/home"
)

// homePages returns the first page, made of what `familiar status` and `familiar doctor` say.
func homePages(inv *cli.Invocation, a *app.App) *home.Pages {
	return &home.Pages{
		Now:      inv.Now,
		Overview: func(ctx context.Context) (home.Overview, error) { return overview(ctx, inv, a) },
		Glance:   func(ctx context.Context) []home.Finding { return problems(doctor.Glance(ctx, inv)) },
		Check:    func(ctx context.Context) []home.Finding { return problems(doctor.Check(ctx, inv)) },
	}
}

// problems leaves out what works.
func problems(found []doctor.Finding) (all []home.Finding) {
	for _, f := range found {
		if f.IsProblem() {
			all = append(all, home.Finding{Check: f.Check, Text: f.Text, NextStep: f.NextStep, Stops: f.Stops()})
		}
	}
	return all
}

func overview(ctx context.Context, inv *cli.Invocation, a *app.App) (o home.Overview, err error) {
	s, err := status.Read(ctx, inv)
	if err != nil {
		return o, err
	}
	o = home.Overview{
		Running: s.Running, Since: s.Since, Version: s.Version, Problems: s.Problems, Database: int64(s.Database), Next: s.Next,
		Queues: home.Queues{Waiting: s.Waiting, Unanswered: s.Unanswered, Oldest: s.Oldest, Unsent: s.Unsent, Dead: s.Dead},
		Spent:  home.Spent{Tokens: s.Tokens, Dollars: float64(s.Dollars)},
	}
	cards, err := app.ServedCards(a.Config)
	if err != nil {
		return o, err
	}
	for _, c := range cards {
		o.Personas = append(o.Personas, home.Persona{Key: c.Key, Name: c.Name, Voice: a.ViewOf(c).VoiceName()})
	}
	for _, n := range s.Networks {
		o.Networks = append(o.Networks, homeNetwork(n))
	}
	for _, j := range s.Jobs {
		o.Jobs = append(o.Jobs, home.Job{Persona: j.Persona, Name: j.Job, Last: j.Last, Ended: j.Ended, Next: j.Next, Needs: j.Needs})
	}
	for _, l := range s.Limits {
		o.Limits = append(o.Limits, home.Limit{Name: l.Limit, Used: l.Used, Of: l.Of, Share: l.Share})
	}
	return o, nil
}

func homeNetwork(n networks.StatusRow) home.Network {
	return home.Network{
		Name: n.Channel, State: n.State, Account: n.Account, Works: n.State == string(channels.Connected), Since: n.Since,
		Problem: n.Problem, NextStep: n.NextStep, Unsent: n.Unsent, Dead: n.Dead,
	}
}
