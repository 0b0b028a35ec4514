package queue_test

// B3: at most N requests are in flight, talk goes before work, and rooms take turns.

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"familiar/internal/llm/queue"
)

// run starts a request for a room that takes a second, and records when it started.
type run struct {
	q     *queue.Queue
	mu    sync.Mutex
	order []int64
	now   int
	most  int
}

func (r *run) ask(t *testing.T, room int64) {
	release, err := r.q.Acquire(t.Context(), room)
	if err != nil {
		t.Errorf("room %d: %v", room, err)
		return
	}
	defer release()
	r.mu.Lock()
	r.order = append(r.order, room)
	r.now++
	r.most = max(r.most, r.now)
	r.mu.Unlock()
	time.Sleep(time.Second)
	r.mu.Lock()
	r.now--
	r.mu.Unlock()
}

// start starts requests in this order.
func (r *run) start(t *testing.T, wg *sync.WaitGroup, rooms ...int64) {
	for _, room := range rooms {
		wg.Go(func() { r.ask(t, room) })
		synctest.Wait()
	}
}

func TestB3RoomsTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &run{q: queue.New(1)}
		var wg sync.WaitGroup
		r.start(t, &wg, 9, 1, 1, 1, 2, 3, 2)
		wg.Wait()
		if want := []int64{9, 1, 2, 3, 1, 2, 1}; !slices.Equal(r.order, want) || r.most != 1 {
			t.Errorf("served %v, want %v; %d at once", r.order, want, r.most)
		}
	})
}

func TestB3TalkGoesBeforeWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &run{q: queue.New(2)}
		var wg sync.WaitGroup
		for _, room := range []int64{0, 0, 0, 1, 2, 3} { // one place is left free for talk
			r.start(t, &wg, room)
			time.Sleep(time.Millisecond) // no two requests end at one instant
		}
		wg.Wait()
		if want := []int64{0, 1, 2, 3, 0, 0}; !slices.Equal(r.order, want) || r.most != 2 {
			t.Errorf("served %v, want %v; %d at once", r.order, want, r.most)
		}
	})
}

func TestB3AllRoomsAreServed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &run{q: queue.New(2)}
		begun := time.Now()
		var wg sync.WaitGroup
		for room := range int64(24) {
			r.start(t, &wg, room+1)
		}
		wg.Wait()
		if took := time.Since(begun); took != 12*time.Second || r.most != 2 || len(r.order) != 24 {
			t.Errorf("%d rooms in %v, %d at once", len(r.order), took, r.most)
		}
	})
}

func TestB3WhoeverGivesUpLeavesTheQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, room := range []int64{0, 7} {
			q := queue.New(1)
			release, err := q.Acquire(t.Context(), 1)
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			if _, err := q.Acquire(ctx, room); !errors.Is(err, context.DeadlineExceeded) || q.Waiting() != 0 {
				t.Errorf("room %d: %v, %d still wait", room, err, q.Waiting())
			}
			if _, err := q.Acquire(ctx, room); err == nil {
				t.Error("admitted after its context had ended")
			}
			release()
			release() // a second call does nothing
			again, err := q.Acquire(t.Context(), room)
			if err != nil {
				t.Fatal(err)
			}
			again()
		}
	})
}
