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
	// grace is how long replies in progress may take after the process was asked to stop.
	grace time.Duration
	// beside, if not nil, runs next to the channels until ctx ends.
	beside func(ctx context.Context) error
	// run returns when no channel receives messages any more.
	run func(ctx context.Context, engine *persona.Engine) error
}

// serve runs the engine, its channels and the jobs until ctx ends or the listener returns. When ctx ends the jobs stop at
// once, and the engine after the listener's grace.
func serve(ctx context.Context, a *app.App, engine *persona.Engine, hear listener) error {
	if n, err := a.Store.Jobs.AbandonRuns(ctx); err != nil {
		return err
	} else if n > 0 {
		a.Log.Warn("jobs were interrupted when the last process ended", "runs", n)
	}
	jobs, err := a.Jobs(engine)
	if err != nil {
		return err
	}
	if err := logStart(ctx, a, hear.channels, jobs); err != nil {
		return err
	}
	timetable := a.Scheduler(jobs...)
	if hear.catchUp {
		if err := timetable.CatchUp(ctx); err != nil {
			return unlessCanceled(err)
		}
	}
	life, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	g, life := errgroup.WithContext(life)
	work, stopWork := context.WithCancel(life)
	defer context.AfterFunc(ctx, stopWork)()
	g.Go(func() error { return engine.Run(life) })
	g.Go(func() error { a.LearnWindows(work); return nil })
	g.Go(func() error { releaseWhenIdle(work, goHeap); return nil })
	g.Go(func() error { return timetable.Run(work) })
	if a.EmbedWorker != nil {
		g.Go(func() error { return a.EmbedWorker.Run(work) })
	}
	if hear.beside != nil {
		g.Go(func() error { return hear.beside(life) })
	}
	g.Go(func() error {
		defer end()
		return hear.run(life, engine)
	})
	g.Go(func() error {
		defer end()
		drainAfter(ctx, life, a.Log, engine, hear.grace)
		return nil
	})
	return unlessCanceled(waitFor(ctx, hear.grace, g))
}

// drainAfter waits until ctx ends, then for at most grace until the engine has answered and sent what it can. It returns early
// when life ends.
func drainAfter(ctx, life context.Context, logger *slog.Logger, engine *persona.Engine, grace time.Duration) {
	select {
	case <-life.Done():
		return
	case <-ctx.Done():
	}
	if grace == 0 {
		return
	}
	logger.Info("stopping: nothing more is received; replies in progress are finished", "at_most", grace)
	drain, cancel := context.WithTimeout(life, grace)
	defer cancel()
	if err := engine.Drain(drain); err != nil && life.Err() == nil {
		logger.Warn("stopping with replies unfinished or unsent: they are kept for the next start")
	}
}

// The time that a serving process takes to stop: stopGrace for replies in progress, then stopEnd for everything else.
const (
	stopGrace = 5 * time.Second
	stopEnd   = 4 * time.Second
)

// errStillBusy reports that something did not end in time. Everything that was acknowledged is stored.
var errStillBusy = errors.New("stopped before all work had ended: it is repeated at the next start")

// waitFor waits for g, but not longer than stopEnd after grace once ctx has ended.
func waitFor(ctx context.Context, grace time.Duration, g *errgroup.Group) error {
	ended := make(chan error, 1)
	go func() { ended <- g.Wait() }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	late := time.NewTimer(grace + stopEnd)
	defer late.Stop()
	select {
	case err := <-ended:
		return err
	case <-late.C:
		return errStillBusy
	}
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
	return listener{channels: []channels.Channel{c}, catchUp: script, run: func(ctx context.Context, engine *persona.Engine) error {
		if err := c.Run(ctx, engine.Accept); err != nil {
			return err
		}
		drain, done := context.WithTimeout(ctx, drainTimeout)
		defer done()
		if err := engine.Drain(drain); err != nil && ctx.Err() == nil {
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

// errStopping refuses a message of a network, which delivers it again to the next process.
var errStopping = errors.New("familiar is stopping")

// untilStopped wraps accept so that nothing is received after stopping is closed.
func untilStopped(stopping <-chan struct{}, accept channels.Accept) channels.Accept {
	return func(ctx context.Context, m channels.Message) error {
		select {
		case <-stopping:
			return errStopping
		default:
			return accept(ctx, m)
		}
	}
}

// networkListener runs networks. After stopping is closed they receive nothing more, but still send.
func networkListener(stopping <-chan struct{}, a *app.App, s *supervise.Supervisor, networks []channels.Channel) listener {
	return listener{channels: networks, grace: stopGrace, run: func(ctx context.Context, engine *persona.Engine) error {
		s.Reachable = engine.Reachable
		accept := a.Gate(engine).Around(skipMalformed(a.Log, engine.Accept))
		s.Run(ctx, untilStopped(stopping, accept), persona.Commands(), networks...)
		return nil
	}}
}
