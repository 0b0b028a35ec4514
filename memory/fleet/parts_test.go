package fleet

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"familiar/channels"
	"familiar/channels/supervise"
	"familiar/internal/pgtest"
)

// divided is a channel with three parts, and those of them that run in one process.
type divided struct {
	channels.Channel
	mu  sync.Mutex
	now map[int]bool
}

func (d *divided) Name() string { return "net" }

func (d *divided) Parts() int { return 3 }

func (d *divided) RunPart(ctx context.Context, part int, _ channels.Accept, report func(channels.State)) error {
	report(channels.State{Phase: channels.Connected})
	d.note(part, true)
	<-ctx.Done()
	d.note(part, false)
	return ctx.Err()
}

func (d *divided) note(part int, runs bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if delete(d.now, part); runs {
		d.now[part] = true
	}
}

func (d *divided) parts() []int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Sorted(maps.Keys(d.now))
}

// TestProcessesShareThePartsOfAChannel, and the others take over what one had that stops.
func TestProcessesShareThePartsOfAChannel(t *testing.T) {
	t.Parallel()
	address := pgtest.URL(t)
	var members []*Member
	for i := range 3 {
		members = append(members, join(t, address, fmt.Sprint(i)))
	}
	var all []*divided
	var stops []func()
	for _, m := range members {
		c := &divided{now: map[int]bool{}}
		s := supervise.New(supervise.Options{
			Publish: func(context.Context, string, channels.State) error { return nil }, Now: time.Now, Leases: m,
			Jitter: func(d time.Duration) time.Duration { return rand.N(d + 1) }, Log: slog.New(slog.DiscardHandler),
		})
		ctx, cancel := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { s.Run(ctx, nil, nil, c) })
		stop := func() { cancel(); running.Wait() }
		t.Cleanup(stop)
		all, stops = append(all, c), append(stops, stop)
	}
	run := func(processes ...*divided) (parts []int) {
		for _, c := range processes {
			parts = append(parts, c.parts()...)
		}
		slices.Sort(parts)
		return parts
	}
	eventually(t, "each part runs once", 20*time.Second, func() bool { return slices.Equal(run(all...), []int{0, 1, 2}) })
	for i, c := range all {
		if n := len(c.parts()); n != 1 {
			t.Errorf("process %d has %d parts", i, n)
		}
	}
	stops[0]()
	if err := members[0].Leave(t.Context()); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the others have them", 20*time.Second, func() bool { return slices.Equal(run(all[1:]...), []int{0, 1, 2}) })
}
