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

// listener is how channels are run while the home is served.
type listener struct {
	channels []channels.Channel
	// run returns when nobody is heard any more.
	run func(ctx context.Context, engine *persona.Engine) error
}

// serve runs the engine, its channels and the jobs until ctx ends or nobody is heard any more.
func serve(ctx context.Context, a *app.App, engine *persona.Engine, hear listener) error {
	if n, err := a.Store.Jobs.AbandonRuns(ctx); err != nil {
		return err
	} else if n > 0 {
		a.Log.Warn("jobs were cut short when the last process ended", "runs", n)
	}
	jobs, err := a.Jobs(engine)
	if err != nil {
		return err
	}
	if err := logStart(ctx, a, hear.channels, jobs); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return engine.Run(ctx) })
	g.Go(func() error { releaseWhenIdle(ctx, goHeap); return nil })
	g.Go(func() error { return a.Scheduler(jobs...).Run(ctx) })
	if a.EmbedWorker != nil {
		g.Go(func() error { return a.EmbedWorker.Run(ctx) })
	}
	g.Go(func() error {
		defer stop()
		return hear.run(ctx, engine)
	})
	if err := g.Wait(); err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// logStart tells the log what is served.
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
		a.Log.Warn("no channel is configured: nobody is heard, only jobs run; `familiar chat` talks in the terminal")
	}
	return nil
}

// drainTimeout bounds how long answers still under way are waited for once nobody is listening any more.
const drainTimeout = 30 * time.Second

// terminalListener hears a channel of this terminal until it ends; what was heard by then is still answered.
func terminalListener(c channels.Channel) listener {
	return listener{[]channels.Channel{c}, func(ctx context.Context, engine *persona.Engine) error {
		if err := c.Run(ctx, engine.Accept); err != nil {
			return err
		}
		drain, done := context.WithTimeout(ctx, drainTimeout)
		defer done()
		if err := engine.Drain(drain); err != nil && ctx.Err() == nil {
			return fmt.Errorf("wait for the last answers: %w", err)
		}
		return nil
	}}
}

// skipMalformed is accept, but for a message that can never be kept: its network would deliver it for ever, and nothing after it.
func skipMalformed(logger *slog.Logger, accept channels.Accept) channels.Accept {
	return func(ctx context.Context, m channels.Message) error {
		err := accept(ctx, m)
		if errors.Is(err, log.ErrMalformed) || errors.Is(err, log.ErrTooLong) {
			logger.Error("pass over a message that cannot be kept", "room", m.Room, "error", err)
			return nil
		}
		return err
	}
}

// networkListener hears networks until ctx ends, each as well as it can be.
func networkListener(a *app.App, s *supervise.Supervisor, networks []channels.Channel) listener {
	return listener{networks, func(ctx context.Context, engine *persona.Engine) error {
		s.Run(ctx, a.Gate(engine).Around(skipMalformed(a.Log, engine.Accept)), persona.Commands(), networks...)
		return nil
	}}
}
