package modelvoice

import (
	"context"
	"slices"
	"sync"

	"familiar/memory/budget"
	"familiar/memory/turns"
)

// Spent sums what the metered calls of one context used, by job and model. It is safe for concurrent use.
type Spent struct {
	mu  sync.Mutex
	all []turns.Usage
}

type spentKey struct{}

// WithSpent returns a context whose calls are added to s.
func WithSpent(ctx context.Context, s *Spent) context.Context {
	return context.WithValue(ctx, spentKey{}, s)
}

// Usage returns what was used so far, nil if no call was made.
func (s *Spent) Usage() []turns.Usage {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.all)
}

// add adds a call, unless it ended before anything was asked.
func (s *Spent) add(c Call) {
	if c.Used == (budget.Used{}) {
		return
	}
	used := turns.Usage{
		Job: c.Job, Model: c.Model, Requests: c.Used.Requests, In: c.Used.In + c.Used.FailedIn, Out: c.Used.Out + c.Used.FailedOut,
		CacheRead: c.Used.CacheRead, CacheWritten: c.Used.CacheWritten, Cost: c.Cost, Took: c.Took,
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.all {
		if s.all[i].Job == used.Job && s.all[i].Model == used.Model {
			s.all[i].Add(used)
			return
		}
	}
	s.all = append(s.all, used)
}
