// Package queue decides whose request goes to a provider next. It bounds the requests in flight: talk goes before work,
// and the rooms that wait take turns.
package queue

import (
	"context"
	"slices"
	"sync"
)

// Queue admits a limited number of requests at a time. It is safe for concurrent use.
type Queue struct {
	limit int

	mu            sync.Mutex
	running, jobs int
	// rooms are the rooms that wait, the next one first; talk holds their waiters, oldest first.
	rooms []int64
	talk  map[int64][]waiter
	work  []waiter
}

// waiter is closed when its request may start.
type waiter chan struct{}

// New returns a queue that admits limit requests at a time, at least 1.
func New(limit int) *Queue {
	return &Queue{limit: max(1, limit), talk: make(map[int64][]waiter)}
}

// Acquire waits until a request may start and returns what ends it, which must be called once. room is where somebody
// waits for the answer, 0 for work. Work leaves one place free for talk, if there are two or more. If ctx ends first,
// the error is ctx's.
func (q *Queue) Acquire(ctx context.Context, room int64) (release func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	w := q.enter(room)
	release = sync.OnceFunc(func() { q.leave(room) })
	select {
	case <-w:
		return release, nil
	case <-ctx.Done():
		if !q.withdraw(room, w) {
			release()
		}
		return nil, ctx.Err()
	}
}

// Waiting returns how many requests wait.
func (q *Queue) Waiting() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := len(q.work)
	for _, waiters := range q.talk {
		n += len(waiters)
	}
	return n
}

// enter adds a waiter at the end of its line.
func (q *Queue) enter(room int64) waiter {
	q.mu.Lock()
	defer q.mu.Unlock()
	w := make(waiter)
	if room == 0 {
		q.work = append(q.work, w)
	} else {
		if len(q.talk[room]) == 0 {
			q.rooms = append(q.rooms, room)
		}
		q.talk[room] = append(q.talk[room], w)
	}
	q.admit()
	return w
}

// leave ends a request.
func (q *Queue) leave(room int64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.running--
	if room == 0 {
		q.jobs--
	}
	q.admit()
}

// withdraw removes a waiter. It reports false if its request was admitted meanwhile.
func (q *Queue) withdraw(room int64, w waiter) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	same := func(other waiter) bool { return other == w }
	if room == 0 {
		n := len(q.work)
		q.work = slices.DeleteFunc(q.work, same)
		return len(q.work) < n
	}
	n := len(q.talk[room])
	left := slices.DeleteFunc(q.talk[room], same)
	if len(left) == n {
		return false
	}
	q.talk[room] = left
	if len(left) == 0 {
		delete(q.talk, room)
		q.rooms = slices.DeleteFunc(q.rooms, func(other int64) bool { return other == room })
	}
	return true
}

// admit starts as many requests as there are places.
func (q *Queue) admit() {
	for q.running < q.limit {
		switch {
		case len(q.rooms) > 0:
			close(q.nextRoom())
		case len(q.work) > 0 && q.jobs < max(1, q.limit-1):
			close(q.work[0])
			q.work = q.work[1:]
			q.jobs++
		default:
			return
		}
		q.running++
	}
}

// nextRoom takes the oldest waiter of the room whose turn it is, and puts that room last.
func (q *Queue) nextRoom() waiter {
	room := q.rooms[0]
	q.rooms = q.rooms[1:]
	w := q.talk[room][0]
	if rest := q.talk[room][1:]; len(rest) > 0 {
		q.talk[room] = rest
		q.rooms = append(q.rooms, room)
	} else {
		delete(q.talk, room)
	}
	return w
}
