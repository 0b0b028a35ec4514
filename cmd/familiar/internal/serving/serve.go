// Package serving has the verbs that serve a home: `familiar chat` and `familiar run`. serve.go runs the engine, the channels and the
// jobs, and ends them in order.
package serving

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
	"familiar/memory/fleet"
	"familiar/memory/log"
	personacommand "familiar/persona/command"
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
	// beside runs next to the channels, each until its context ends.
	beside []func(ctx context.Context) error
	// follow, if not nil, reads the session files of other programs until ctx ends.
	follow func(ctx context.Context)
	// run returns when no channel receives messages any more.
	run func(ctx context.Context, personas *app.Personas) error
}

// Serve runs the personas, their channels and the jobs until ctx ends or the listener returns. When ctx ends the jobs stop
// at once, and the engines after the listener's grace.
func Serve(ctx context.Context, a *app.App, personas *app.Personas, hear listener) error {
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
	if hear.catchUp {
		if err := catchUp(ctx, a, timetables); err != nil {
			return unlessCanceled(err)
		}
	}
	life, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	g, life := errgroup.WithContext(life)
	work, stopWork := context.WithCancel(life)
	defer context.AfterFunc(ctx, stopWork)()
	g.Go(func() error { return personas.Run(life) })
	g.Go(func() error { releaseWhenIdle(work, goHeap); return nil })
	g.Go(func() error { personas.WatchCards(work); return nil })
	for _, own := range personas.Apps {
		g.Go(func() error { own.LearnWindows(work); return nil })
	}
	g.Go(func() error {
		return a.Fleet.While(work, jobsLease, func(ctx context.Context) error { return between(ctx, a, timetables, hear) })
	})
	g.Go(func() error { return untilLost(life, a) })
	if len(a.Config.Tools.Servers.Map) > 0 {
		g.Go(func() error { return personas.RunToolServers(work) })
	}
	for _, run := range hear.beside {
		g.Go(func() error { return run(life) })
	}
	g.Go(func() error {
		defer end()
		return hear.run(life, personas)
	})
	g.Go(func() error {
		defer end()
		drainAfter(ctx, life, a.Log, personas, hear.grace)
		return nil
	})
	return unlessCanceled(waitFor(ctx, hear.grace, g))
}

// jobsLease is the name of what the one process holds that does the work between conversations.
const jobsLease = "jobs"

// catchUp runs the jobs that are due, unless another process does.
func catchUp(ctx context.Context, a *app.App, timetables []*scheduler.Scheduler) error {
	_, err := a.Fleet.Take(ctx, jobsLease, func(ctx context.Context) error {
		for _, timetable := range timetables {
			if err := timetable.CatchUp(ctx); err != nil {
				return err
			}
		}
		return nil
	})
	return err
}

// between does the work between conversations: it runs the jobs, computes vectors and follows files.
func between(ctx context.Context, a *app.App, timetables []*scheduler.Scheduler, hear listener) error {
	g, ctx := errgroup.WithContext(ctx)
	for _, timetable := range timetables {
		g.Go(func() error { return timetable.Run(ctx) })
	}
	if a.EmbedWorker != nil {
		g.Go(func() error { return a.EmbedWorker.Run(ctx) })
	}
	if hear.follow != nil {
		g.Go(func() error { hear.follow(ctx); return nil })
	}
	return g.Wait()
}

// untilLost fails with fleet.ErrGone when other processes have taken over what this one did.
func untilLost(ctx context.Context, a *app.App) error {
	select {
	case <-ctx.Done():
		return nil
	case <-a.Fleet.Lost():
		return fleet.ErrGone
	}
}

// drainer waits until everything is answered and sent that can be, and leaves to others what arrives from now on.
type drainer interface {
	Drain(ctx context.Context) error
	Retire()
}

// drainAfter waits until ctx ends, then for at most grace until the engines have answered and sent what they can. It returns
// early when life ends.
func drainAfter(ctx, life context.Context, logger *slog.Logger, engines drainer, grace time.Duration) {
	select {
	case <-life.Done():
		return
	case <-ctx.Done():
	}
	if grace == 0 {
		return
	}
	logger.Info("stopping: nothing more is received; replies in progress are finished", "at_most", grace)
	engines.Retire()
	drain, cancel := context.WithTimeout(life, grace)
	defer cancel()
	if err := engines.Drain(drain); err != nil && life.Err() == nil {
		logger.Warn("stopping with replies unfinished or unsent: they are kept for the next start")
	}
}

// The time that a serving process takes to stop: StopGrace for replies in progress, then stopEnd for everything else.
const (
	StopGrace = 5 * time.Second
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

// DrainTimeout limits the wait for replies in progress after the channel has ended.
const DrainTimeout = 30 * time.Second

// terminalListener runs the terminal's channel until it ends, then waits for the replies to what was received. A script
// gets the same replies from the same database: the jobs that are due catch up first. At a terminal nobody waits for them.
func terminalListener(c channels.Channel, script bool) listener {
	return listener{channels: []channels.Channel{c}, catchUp: script, run: func(ctx context.Context, personas *app.Personas) error {
		if err := c.Run(ctx, personas.Accept); err != nil {
			return err
		}
		drain, done := context.WithTimeout(ctx, DrainTimeout)
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

// networkLease starts the names of the leases of connections to networks, followed by the channel's name, or that of its part.
const networkLease = "network "

// partLeases are the leases of the parts of divided channels. Every process sends there, so none has to tell that it can.
type partLeases struct{ *fleet.Member }

// Taken lists the parts of a channel that some process runs.
func (l partLeases) Taken(ctx context.Context, prefix string) ([]string, error) {
	return l.Member.Taken(ctx, networkLease+prefix)
}

// Take has run run while this process is the one that runs the part of that name.
func (l partLeases) Take(ctx context.Context, name string, run func(ctx context.Context) error) (bool, error) {
	return l.Member.Take(ctx, networkLease+name, run)
}

// NetworkListener runs networks. After stopping is closed they receive nothing more, but still send.
func NetworkListener(stopping <-chan struct{}, a *app.App, s *supervise.Supervisor, networks []channels.Channel) listener {
	return listener{channels: networks, grace: StopGrace, run: func(ctx context.Context, personas *app.Personas) error {
		s.Reachable = personas.Reachable
		if a.Fleet != nil {
			s.Leases = partLeases{a.Fleet}
			s.Hold = func(ctx context.Context, channel string, run func(ctx context.Context) error) error {
				return a.Fleet.While(ctx, networkLease+channel, func(ctx context.Context) error {
					personas.Connect(channel, true)
					defer personas.Connect(channel, false)
					return run(ctx)
				})
			}
		}
		accept := a.Gate(personas.Cast).Around(skipMalformed(a.Log, personas.Accept))
		routed := func(ctx context.Context, m channels.Message) error { return accept(ctx, personas.Router().Call(m)) }
		s.Run(ctx, untilStopped(stopping, routed), personacommand.All(), networks...)
		return nil
	}}
}
