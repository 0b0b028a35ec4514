// Package supervise keeps channels running: each is run again when it ends, with growing pauses, until only the operator
// can help, and how it stands is published. One channel's end, or its panic, never reaches another.
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
)

// The pauses between two runs of a channel double from pauseFirst to pauseLast. A run that lasted for steady has shown
// that the channel works: the next pause is the first again.
const (
	pauseFirst = time.Second
	pauseLast  = 5 * time.Minute
	steady     = 2 * time.Minute
)

// Options are what a Supervisor stands on.
type Options struct {
	// Publish keeps how a channel stands where others read it. It may take its time and is tried again when it fails.
	Publish func(ctx context.Context, channel string, s channels.State) error
	Now     func() time.Time
	// Jitter spreads a pause: it returns something between 0 and its argument.
	Jitter func(time.Duration) time.Duration
	Log    *slog.Logger
}

// Supervisor runs channels. It runs once.
type Supervisor struct {
	Options

	mu sync.Mutex
	// boards are what is to be published, by channel.
	boards map[string]*board
}

// New makes a Supervisor; Run starts it.
func New(o Options) *Supervisor {
	return &Supervisor{Options: o, boards: map[string]*board{}}
}

// Reporter is the Host.Report of the channel with that name. What it is told before Run is published then.
func (s *Supervisor) Reporter(name string) func(channels.State) {
	b := s.board(name)
	return func(state channels.State) {
		if b.put(state) {
			s.tell(name, state)
		}
	}
}

// tell logs a change of how a channel stands.
func (s *Supervisor) tell(name string, state channels.State) {
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
	s.Log.Log(context.Background(), level, "a channel stands otherwise", args...)
}

// Run runs all channels, telling those that list commands what there is to list, until ctx ends. A channel that only the
// operator can help rests until the next start; Run goes on even when all of them do. It returns when every channel and
// all that was to be published has come to its end.
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
			s.keep(ctx, c, accept)
		})
	}
	running.Wait()
	close(done)
	publishing.Wait()
	<-ctx.Done()
}

// keep runs one channel again and again.
func (s *Supervisor) keep(ctx context.Context, c channels.Channel, accept channels.Accept) {
	report := s.Reporter(c.Name())
	pause := pauseFirst
	for ctx.Err() == nil {
		report(channels.State{Phase: channels.Connecting})
		began := s.Now()
		err := contained(ctx, c, accept)
		if ctx.Err() != nil {
			return
		}
		if fatal, ok := errors.AsType[*channels.StateError](err); ok {
			report(fatal.State)
			s.Log.Error("a channel needs the operator and rests until the next start", "channel", c.Name(), "error", err)
			return
		}
		if s.Now().Sub(began) >= steady {
			pause = pauseFirst
		}
		wait := pause + s.Jitter(pause/2)
		s.Log.Warn("a channel ended", "channel", c.Name(), "error", err, "again_in", wait)
		report(channels.State{Phase: channels.Transient, Problem: "the connection ended; it is made again by itself"})
		if !sleep(ctx, wait) {
			return
		}
		pause = min(2*pause, pauseLast)
	}
}

// contained is c.Run, with a panic turned into an error.
func contained(ctx context.Context, c channels.Channel, accept channels.Accept) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return c.Run(ctx, accept)
}

// sleep waits for d and says whether ctx still lives.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}
