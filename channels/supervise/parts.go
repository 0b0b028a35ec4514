package supervise

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"familiar/channels"
	"familiar/internal/sleep"
)

// Leases says which parts of divided channels belong to which of the processes that share them.
type Leases interface {
	// Taken returns what follows prefix in the names of the leases that some process holds.
	Taken(ctx context.Context, prefix string) ([]string, error)
	// Take has run run while this process holds the lease of that name, if nobody else holds it, and reports whether it did. The
	// context of run ends when the process may no longer hold it.
	Take(ctx context.Context, name string, run func(ctx context.Context) error) (held bool, err error)
	// Changed returns what is closed when a lease may have become free.
	Changed() <-chan struct{}
}

const (
	// lookAgain is how often a process looks for parts that nobody runs, in case that it was not told.
	lookAgain = time.Second
	// A process waits sharePause for each part that it has before it takes another, at most maxSharePause: processes that start
	// together, or outlive another, share the parts.
	sharePause    = time.Second
	maxSharePause = 2 * time.Second
)

// parts runs the parts of a divided channel that are this process' own.
type parts struct {
	*Supervisor
	name    string
	divided channels.Divided
	accept  channels.Accept
	states  *channels.PartStates
	// life ends by stop when some part needs the operator: the others would need the same.
	life context.Context
	stop context.CancelFunc

	mu sync.Mutex
	// running are the parts that are this process' own. reached is what Reachable was told last.
	running map[int]bool
	reached *bool
}

// runParts runs the parts of a divided channel, each by itself: all of them, or those that this process gets if several share them.
func (s *Supervisor) runParts(ctx context.Context, name string, c channels.Divided, accept channels.Accept) {
	p := &parts{Supervisor: s, name: name, divided: c, accept: accept, running: map[int]bool{}}
	p.states = channels.NewPartStates(func(state channels.State) { s.set(name, state) })
	p.life, p.stop = context.WithCancel(ctx)
	defer p.stop()
	var all sync.WaitGroup
	defer all.Wait()
	if s.Leases != nil {
		s.set(name, channels.State{Phase: channels.Standby})
		p.share(ctx, &all)
		return
	}
	for part := range c.Parts() {
		p.states.Set(part, channels.State{Phase: channels.Connecting}) // before one of them is connected
	}
	for part := range c.Parts() {
		all.Go(func() { p.keep(p.life, part) })
	}
}

// share takes one part after the other that no process runs, until ctx ends or a part needs the operator.
func (p *parts) share(ctx context.Context, all *sync.WaitGroup) {
	for p.life.Err() == nil {
		changed := p.Leases.Changed()
		free, found, err := p.nextFree()
		if found {
			sleep.For(p.life, min(time.Duration(p.count())*sharePause, maxSharePause))
			if err = p.take(ctx, free, all); err == nil {
				continue // if another process was quicker, there may be others
			}
		}
		if err != nil && p.life.Err() == nil {
			p.Log.Debug("look for the parts of a channel that nobody runs", "channel", p.name, "error", err)
		}
		select {
		case <-changed:
		case <-time.After(lookAgain):
		case <-p.life.Done():
		}
	}
}

// nextFree returns a part that no process runs, any of them: processes that look at the same time should find different ones.
func (p *parts) nextFree() (part int, found bool, err error) {
	taken, err := p.Leases.Taken(p.life, p.name+"/")
	if err != nil {
		return 0, false, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	var free []int
	for part := range p.divided.Parts() {
		if !p.running[part] && !slices.Contains(taken, strconv.Itoa(part)) {
			free = append(free, part)
		}
	}
	if len(free) == 0 {
		return 0, false, nil
	}
	return free[int(p.Jitter(time.Duration(len(free))))%len(free)], true, nil
}

// take runs a part if this process gets it, and returns once it knows that.
func (p *parts) take(ctx context.Context, part int, all *sync.WaitGroup) error {
	if p.life.Err() != nil {
		return p.life.Err()
	}
	known := make(chan error, 2)
	p.note(part, true)
	all.Go(func() {
		_, err := p.Leases.Take(ctx, fmt.Sprintf("%s/%d", p.name, part), func(ctx context.Context) error {
			known <- nil
			return p.hold(ctx, part)
		})
		p.note(part, false)
		known <- err
	})
	return <-known
}

// hold runs a part while this process has it.
func (p *parts) hold(ctx context.Context, part int) error {
	run, end := context.WithCancel(ctx)
	defer end()
	defer context.AfterFunc(p.life, end)()
	p.keep(run, part)
	<-ctx.Done() // a channel that needs the operator would not do better elsewhere
	p.states.End(part)
	p.tellReachable()
	return ctx.Err()
}

// keep runs a part again and again. If it needs the operator, all parts end.
func (p *parts) keep(ctx context.Context, part int) {
	report := func(state channels.State) {
		p.states.Set(part, state)
		p.tellReachable()
	}
	runner{
		Options: p.Options, log: p.Log.With("channel", p.name, "part", part), report: report,
		run: func(ctx context.Context) error { return p.divided.RunPart(ctx, part, p.accept, report) },
		refuse: func(fatal *channels.StateError) {
			if p.end() {
				report(fatal.State)
				p.logFatal(p.name, fatal)
			}
		},
	}.keepRunning(ctx)
}

// end ends all parts, and reports whether nothing has yet.
func (p *parts) end() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	defer p.stop()
	return p.life.Err() == nil
}

// tellReachable tells whether the network can be reached, if that changed: over any part, since each process sends for all.
func (p *parts) tellReachable() {
	if p.Reachable == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if now := p.states.Reachable(); p.reached == nil || *p.reached != now {
		p.reached = &now
		p.Reachable(p.name, now)
	}
}

func (p *parts) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.running)
}

// note notes whether a part is this process' own.
func (p *parts) note(part int, own bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if own {
		p.running[part] = true
	} else {
		delete(p.running, part)
	}
}
