// Package supervise keeps channels running. It restarts each channel when it ends, with growing pauses, until only the
// operator can help, and publishes its status. The end or panic of one channel never affects another.
package supervise

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"familiar/channels"
	"familiar/internal/sleep"
)

// The pause between two runs of a channel doubles from firstPause to maxPause. A run longer than stableAfter shows that
// the channel works and resets the pause.
const (
	firstPause  = time.Second
	maxPause    = 5 * time.Minute
	stableAfter = 2 * time.Minute
)

// Options configures a Supervisor.
type Options struct {
	// Publish stores a channel's status where others can read it. It may be slow and is retried when it fails.
	Publish func(ctx context.Context, channel string, s channels.State) error
	Now     func() time.Time
	// Jitter returns a random duration between 0 and its argument, to spread pauses.
	Jitter func(time.Duration) time.Duration
	Log    *slog.Logger
	// Hold, if set, runs a channel with whose network one process at a time is connected, whenever this process is the one.
	Hold func(ctx context.Context, channel string, run func(ctx context.Context) error) error
	// Leases, if set, says which parts of a divided channel this process runs.
	Leases Leases
	// Reachable, if set, is called with each change of a channel's status, and whether its network can be reached.
	Reachable func(channel string, now bool)
}

// Supervisor runs channels. Run may be called once.
type Supervisor struct {
	Options

	mu sync.Mutex
	// boards hold the states to publish, by channel.
	boards map[string]*stateBoard
}

// New returns a Supervisor; Run starts it.
func New(o Options) *Supervisor {
	return &Supervisor{Options: o, boards: map[string]*stateBoard{}}
}

// Reporter returns the Host.Report function of the named channel. A state reported before Run is published when Run
// starts.
func (s *Supervisor) Reporter(name string) func(channels.State) {
	s.board(name)
	return func(state channels.State) {
		if s.set(name, state) && s.Reachable != nil && state.Phase != channels.Standby {
			s.Reachable(name, state.Phase == channels.Connected || state.Phase == channels.Backfilling)
		}
	}
}

// set notes a channel's status, and reports whether it changed.
func (s *Supervisor) set(name string, state channels.State) bool {
	changed := s.board(name).put(state)
	if changed {
		s.logChange(name, state)
	}
	return changed
}

// States returns the state of each channel that has a reporter.
func (s *Supervisor) States() map[string]channels.State {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make(map[string]channels.State, len(s.boards))
	for name, b := range s.boards {
		all[name] = b.now()
	}
	return all
}

// logChange logs a change of a channel's status.
func (s *Supervisor) logChange(name string, state channels.State) {
	level := slog.LevelInfo
	switch {
	case state.Fatal():
		level = slog.LevelError
	case state.Phase == channels.Transient:
		level = slog.LevelWarn
	}
	args := []any{"channel", name, "state", state.Phase}
	if state.Problem != "" {
		args = append(args, "says", state.Problem)
	}
	if state.NextStep != "" {
		args = append(args, "do", state.NextStep)
	}
	s.Log.Log(context.Background(), level, "a channel's status changed", args...)
}

// Run runs all channels until ctx ends and passes commands to those that list them. A channel that needs the operator
// stays stopped until the next start; Run continues even if all channels are stopped. It returns when every channel has
// ended and every state is published.
func (s *Supervisor) Run(ctx context.Context, accept channels.Accept, commands []channels.Command, all ...channels.Channel) {
	var running, publishing sync.WaitGroup
	done := make(chan struct{})
	for _, c := range all {
		name := c.Name()
		board := s.board(name)
		publishing.Go(func() { s.publish(done, name, board) })
		running.Go(func() {
			if lister, ok := c.(channels.Commander); ok {
				lister.Commands(commands)
			}
			s.keepTurn(ctx, c, accept)
		})
	}
	running.Wait()
	close(done)
	publishing.Wait()
	<-ctx.Done()
}

// keepTurn runs a channel whenever it is this process that may be connected with its network.
func (s *Supervisor) keepTurn(ctx context.Context, c channels.Channel, accept channels.Accept) {
	if d, ok := c.(channels.Divided); ok && d.Parts() > 1 {
		s.runParts(ctx, c.Name(), d, accept)
		return
	}
	if _, exclusive := c.(channels.Exclusive); !exclusive || s.Hold == nil {
		s.keepWhole(ctx, c, accept)
		return
	}
	s.Reporter(c.Name())(channels.State{Phase: channels.Standby})
	err := s.Hold(ctx, c.Name(), func(ctx context.Context) error {
		s.keepWhole(ctx, c, accept)
		if ctx.Err() != nil {
			s.Reporter(c.Name())(channels.State{Phase: channels.Standby})
		}
		<-ctx.Done() // a channel that needs the operator would not do better elsewhere
		return ctx.Err()
	})
	if err != nil && ctx.Err() == nil {
		s.Log.Error("a channel ended with this process' place among the others", "channel", c.Name(), "error", err)
	}
}

// keepWhole runs a channel again and again.
func (s *Supervisor) keepWhole(ctx context.Context, c channels.Channel, accept channels.Accept) {
	report := s.Reporter(c.Name())
	runner{
		Options: s.Options, log: s.Log.With("channel", c.Name()), report: report,
		run:    func(ctx context.Context) error { return c.Run(ctx, accept) },
		refuse: func(fatal *channels.StateError) { report(fatal.State); s.logFatal(c.Name(), fatal) },
	}.keepRunning(ctx)
}

// logFatal logs that a channel stays stopped.
func (s *Supervisor) logFatal(name string, err error) {
	s.Log.Error("a channel needs the operator and stays stopped until the next start", "channel", name, "error", err)
}

// runner is a channel, or a part of one, that is run again and again.
type runner struct {
	Options
	log    *slog.Logger
	report func(channels.State)
	run    func(ctx context.Context) error
	// refuse is told that only the operator can help.
	refuse func(fatal *channels.StateError)
}

// keepRunning runs r until ctx ends, or only the operator can help.
func (r runner) keepRunning(ctx context.Context) {
	pause := firstPause
	for ctx.Err() == nil {
		r.report(channels.State{Phase: channels.Connecting})
		began := r.Now()
		err := runRecovered(ctx, r.run)
		if ctx.Err() != nil {
			return
		}
		if fatal, ok := errors.AsType[*channels.StateError](err); ok {
			r.refuse(fatal)
			return
		}
		if r.Now().Sub(began) >= stableAfter {
			pause = firstPause
		}
		wait := pause + r.Jitter(pause/2)
		r.log.Warn("a channel ended", "error", err, "again_in", wait)
		r.report(channels.State{Phase: channels.Transient, Problem: "the connection ended; reconnecting"})
		sleep.For(ctx, wait)
		pause = min(2*pause, maxPause)
	}
}

// runRecovered calls run and turns a panic into an error.
func runRecovered(ctx context.Context, run func(ctx context.Context) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return run(ctx)
}
