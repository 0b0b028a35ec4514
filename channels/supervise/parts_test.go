package supervise_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"familiar/channels"
	"familiar/channels/supervise"
)

// divided is a channel with parts, which run as configured, otherwise until their context ends.
type divided struct {
	script
	parts int
	part  func(ctx context.Context, part int, report func(channels.State)) error

	mu   sync.Mutex
	runs map[int]int
	now  map[int]bool
}

func (d *divided) Parts() int { return d.parts }

func (d *divided) RunPart(ctx context.Context, part int, _ channels.Accept, report func(channels.State)) error {
	d.mu.Lock()
	if d.runs == nil {
		d.runs, d.now = map[int]int{}, map[int]bool{}
	}
	d.runs[part]++
	d.now[part] = true
	d.mu.Unlock()
	defer func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.now, part)
	}()
	if d.part != nil {
		if err := d.part(ctx, part, report); err != nil {
			return err
		}
	}
	report(channels.State{Phase: channels.Connected, Account: "@mira"})
	<-ctx.Done()
	return ctx.Err()
}

// running returns the parts that run now, sorted.
func (d *divided) running() (all []int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for part := range d.now {
		all = append(all, part)
	}
	slices.Sort(all)
	return all
}

func (d *divided) ran(part int) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.runs[part]
}

// table is what several processes hold.
type table struct {
	mu      sync.Mutex
	held    map[string]bool
	changed chan struct{}
}

func newTable() *table { return &table{held: map[string]bool{}, changed: make(chan struct{})} }

func (l *table) Taken(_ context.Context, prefix string) (names []string, _ error) {
	time.Sleep(time.Millisecond)
	l.mu.Lock()
	defer l.mu.Unlock()
	for name := range l.held {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			names = append(names, rest)
		}
	}
	return names, nil
}

func (l *table) Take(ctx context.Context, name string, run func(ctx context.Context) error) (bool, error) {
	time.Sleep(time.Millisecond)
	l.mu.Lock()
	if l.held[name] {
		l.mu.Unlock()
		return false, nil
	}
	l.held[name] = true
	l.mu.Unlock()
	defer func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.held, name)
		close(l.changed)
		l.changed = make(chan struct{})
	}()
	return true, run(ctx)
}

func (l *table) Changed() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.changed
}

// process is one of those that share a channel.
type process struct {
	*divided
	*watch
	s    *supervise.Supervisor
	stop context.CancelFunc
	log  strings.Builder
	// reached is what Reachable was told.
	reached []bool
}

// begin starts a process with a divided channel; leases is nil for one that is alone.
func begin(t *testing.T, leases supervise.Leases, c *divided) *process {
	t.Helper()
	c.name = "net"
	p := &process{divided: c, watch: &watch{}}
	p.s = supervise.New(supervise.Options{
		Publish: p.publish, Now: time.Now, Jitter: func(d time.Duration) time.Duration { return rand.N(d + 1) },
		Log: slog.New(slog.NewTextHandler(&p.log, nil)), Leases: leases,
		Reachable: func(_ string, now bool) { p.reached = append(p.reached, now) },
	})
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	all.Go(func() { p.s.Run(ctx, nil, nil, c) })
	p.stop = func() { cancel(); all.Wait() }
	t.Cleanup(p.stop)
	return p
}

// after waits for d of the test's time.
func after(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func want[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func TestAProcessThatIsAloneRunsAllParts(t *testing.T) {
	for name, leases := range map[string]supervise.Leases{"without others": nil, "the first of several": newTable()} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				if leases != nil {
					leases = newTable()
				}
				p := begin(t, leases, &divided{parts: 3})
				after(4 * time.Second)
				want(t, "runs", p.running(), []int{0, 1, 2})
				want(t, "published last", p.last("net").Phase, channels.Connected)
				want(t, "told the sender", p.reached, []bool{false, true})
			})
		})
	}
}

// TestProcessesShareTheParts that start together, and those that are left take over what one had.
func TestProcessesShareTheParts(t *testing.T) {
	for range 20 { // who takes what is chance
		synctest.Test(t, func(t *testing.T) {
			leases := newTable()
			all := []*process{begin(t, leases, &divided{parts: 3}), begin(t, leases, &divided{parts: 3}), begin(t, leases, &divided{parts: 3})}
			after(10 * time.Second)
			var parts []int
			for _, p := range all {
				want(t, "parts of a process", len(p.running()), 1)
				parts = append(parts, p.running()...)
			}
			slices.Sort(parts)
			want(t, "parts of all", parts, []int{0, 1, 2})
			all[0].stop()
			after(3 * time.Second)
			parts = append(all[1].running(), all[2].running()...)
			slices.Sort(parts)
			want(t, "parts of those that are left", parts, []int{0, 1, 2})
			all[1].stop()
			after(5 * time.Second)
			want(t, "parts of the last", all[2].running(), []int{0, 1, 2})
		})
	}
}

func TestAProcessWithoutAPartStandsBy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		leases := newTable()
		first := begin(t, leases, &divided{parts: 2})
		after(5 * time.Second)
		second := begin(t, leases, &divided{parts: 2})
		after(time.Minute)
		want(t, "state of the second", second.s.States()["net"].Phase, channels.Standby)
		want(t, "published by the second", len(second.states), 0)
		first.stop()
		want(t, "state of the first", first.s.States()["net"].Phase, channels.Standby)
		after(5 * time.Second)
		want(t, "runs in the second", second.running(), []int{0, 1})
		want(t, "state of the second", second.s.States()["net"].Phase, channels.Connected)
	})
}

// TestAPartThatFailsIsRestartedAlone has one part that fails twice, and looks at the states meanwhile.
func TestAPartThatFailsIsRestartedAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &divided{parts: 2}
		c.part = func(_ context.Context, part int, report func(channels.State)) error {
			if part != 1 || c.ran(1) > 2 {
				return nil
			}
			report(channels.State{Phase: channels.Backfilling})
			time.Sleep(time.Second)
			panic("index out of range")
		}
		p := begin(t, nil, c)
		after(1500 * time.Millisecond)
		want(t, "state while one part waits", p.s.States()["net"].Phase, channels.Transient)
		after(time.Minute)
		want(t, "runs of the parts", []int{c.ran(0), c.ran(1)}, []int{1, 3})
		want(t, "state", p.s.States()["net"], channels.State{Phase: channels.Connected, Account: "@mira"})
		if last := p.reached[len(p.reached)-1]; !last || len(p.reached) > 2 {
			t.Errorf("the sender was told %v, although one part was always connected", p.reached)
		}
		if !strings.Contains(p.log.String(), "part=1") {
			t.Errorf("the part is not named in\n%s", p.log.String())
		}
	})
}

// TestA14APartThatNeedsTheOperatorStopsAll in this process, and is told of once.
func TestA14APartThatNeedsTheOperatorStopsAll(t *testing.T) {
	refused := channels.State{Phase: channels.Refused, Problem: "the token is not accepted", NextStep: "set another one", Account: "@mira"}
	for name, shared := range map[string]bool{"alone": false, "with others": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := &divided{parts: 3}
				c.part = func(ctx context.Context, part int, report func(channels.State)) error {
					report(channels.State{Phase: channels.Connected, Account: "@mira"})
					if part == 0 {
						return nil
					}
					time.Sleep(time.Minute)
					if ctx.Err() != nil {
						return errors.New("the connection is closed")
					}
					return &channels.StateError{State: refused}
				}
				var leases supervise.Leases
				if shared {
					leases = newTable()
				}
				p := begin(t, leases, c)
				after(time.Hour)
				want(t, "runs", p.running(), []int(nil))
				want(t, "state", p.s.States()["net"], refused)
				want(t, "published last", p.last("net"), refused)
				if n := strings.Count(p.log.String(), "stays stopped"); n != 1 {
					t.Errorf("told %d times in\n%s", n, p.log.String())
				}
			})
		})
	}
}

// TestTheStateOfPartsDoesNotFlap while they start one after the other.
func TestTheStateOfPartsDoesNotFlap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &divided{parts: 3}
		c.part = func(_ context.Context, part int, report func(channels.State)) error {
			time.Sleep(time.Duration(part+1) * time.Second)
			report(channels.State{Phase: channels.Backfilling})
			time.Sleep(5 * time.Second)
			return nil
		}
		p := begin(t, nil, c)
		after(time.Minute)
		var phases []channels.Phase
		for _, s := range p.states["net"] {
			if len(phases) == 0 || phases[len(phases)-1] != s.Phase {
				phases = append(phases, s.Phase)
			}
		}
		want(t, "published", phases, []channels.Phase{channels.Connecting, channels.Backfilling, channels.Connected})
	})
}
