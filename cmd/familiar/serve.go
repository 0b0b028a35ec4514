package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"familiar/channels"
	"familiar/channels/supervise"
	"familiar/internal/app"
	"familiar/memory/log"
	"familiar/persona"
	"familiar/scheduler"
)

// listener runs channels while the home is served.
type listener struct {
	channels []channels.Channel
	// catchUp runs the jobs that are due before the channels receive anything, so that no answer depends on how far a
	// job has come. Otherwise they run next to the conversations.
	catchUp bool
	// run returns when no channel receives messages any more.
	run func(ctx context.Context, personas *app.Personas) error
}

// serve runs the personas, their channels and the jobs until ctx ends or the listener returns.
func serve(ctx context.Context, a *app.App, personas *app.Personas, hear listener) error {
	if n, err := a.Store.Jobs.AbandonRuns(ctx); err != nil {
		return err
	} else if n > 0 {
		a.Log.Warn("jobs were interrupted when the last process ended", "runs", n)
	}
	timetables, err := personas.Jobs()
	if err != nil {
		return err
	}
	for i, own := range personas.Apps {
		if err := logStart(ctx, own, hear.channels, timetables[i].Jobs); err != nil {
			return err
		}
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	if hear.catchUp {
		for _, timetable := range timetables {
			if err := timetable.CatchUp(ctx); err != nil {
				return unlessCanceled(err)
			}
		}
	}
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return personas.Run(ctx) })
	g.Go(func() error { releaseWhenIdle(ctx, goHeap); return nil })
	for i, own := range personas.Apps {
		g.Go(func() error { own.LearnWindows(ctx); return nil })
		g.Go(func() error { return timetables[i].Run(ctx) })
	}
	if a.EmbedWorker != nil {
		g.Go(func() error { return a.EmbedWorker.Run(ctx) })
	}
	g.Go(func() error {
		defer stop()
		return hear.run(ctx, personas)
	})
	return unlessCanceled(g.Wait())
}

// unlessCanceled returns err, nil if it only says that the user stopped the program.
func unlessCanceled(err error) error {
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// logStart logs what is being served.
func logStart(ctx context.Context, a *app.App, chans []channels.Channel, jobs []scheduler.Job) error {
	var heard, due []string
	for _, c := range chans {
		heard = append(heard, c.Name())
	}
	for _, j := range jobs {
		due = append(due, j.Name)
	}
	recall, err := a.RecallLine(ctx)
	if err != nil {
		return err
	}
	a.Log.Info("serving", "persona", a.Card.Key, "voice", a.VoiceLine(), "recall", recall,
		"channels", strings.Join(heard, ","), "jobs", strings.Join(due, ","))
	if len(chans) == 0 {
		a.Log.Warn("no channel is configured: only the jobs run; use `familiar chat` to chat in the terminal")
	}
	return nil
}

// drainTimeout limits the wait for replies in progress after the channel has ended.
const drainTimeout = 30 * time.Second

// terminalListener runs the terminal's channel until it ends, then waits for the replies to what was received. A script
// gets the same replies from the same database: the jobs that are due catch up first. At a terminal nobody waits for them.
func terminalListener(c channels.Channel, script bool) listener {
	return listener{channels: []channels.Channel{c}, catchUp: script, run: func(ctx context.Context, personas *app.Personas) error {
		if err := c.Run(ctx, personas.Accept); err != nil {
			return err
		}
		drain, done := context.WithTimeout(ctx, drainTimeout)
		defer done()
		if err := personas.Drain(drain); err != nil && ctx.Err() == nil {
			return fmt.Errorf("wait for the last replies: %w", err)
		}
		return nil
	}}
}

// skipMalformed wraps accept so that a message that can never be stored counts as accepted. Otherwise its network would
// deliver it again and again, and nothing after it.
func skipMalformed(logger *slog.Logger, accept channels.Accept) channels.Accept {
	return func(ctx context.Context, m channels.Message) error {
		err := accept(ctx, m)
		if errors.Is(err, log.ErrMalformed) || errors.Is(err, log.ErrTooLong) {
			logger.Error("skip a message that cannot be stored", "room", m.Room, "error", err)
			return nil
		}
		return err
	}
}

// networkListener runs networks until ctx ends.
func networkListener(a *app.App, s *supervise.Supervisor, networks []channels.Channel) listener {
	return listener{channels: networks, run: func(ctx context.Context, personas *app.Personas) error {
		s.Reachable = personas.Reachable
		accept := a.Gate(personas.Cast).Around(skipMalformed(a.Log, personas.Accept))
		s.Run(ctx, func(ctx context.Context, m channels.Message) error { return accept(ctx, personas.Router().Call(m)) }, persona.Commands(), networks...)
		return nil
	}}
}
