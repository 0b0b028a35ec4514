package jobs

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"familiar/memory/jobrun"
	"familiar/memory/lifecycle"
	"familiar/memory/model"
)

const (
	// scopesAtOnce is how many scopes share a write if no model is involved, newsAtOnce how many of their messages. A
	// turn waits for such a write for a few milliseconds only.
	scopesAtOnce = 50
	newsAtOnce   = 500
	// besides is how many scopes are read in parallel. The other readers are left to turns.
	besides = 2
)

// scope is the news of one scope, by author.
type scope struct {
	audience model.Audience
	authors  []lifecycle.BacklogEntry
}

// scopesOf groups news by scope. Unread lists the authors of a scope consecutively.
func scopesOf(news []lifecycle.BacklogEntry) (scopes []scope) {
	for _, u := range news {
		if n := len(scopes); n == 0 || scopes[n-1].audience != u.Audience {
			scopes = append(scopes, scope{audience: u.Audience})
		}
		last := &scopes[len(scopes)-1]
		last.authors = append(last.authors, u)
	}
	return scopes
}

// mark returns the cursor of a job that has read all news of the scope.
func (s scope) mark(job string) jobrun.Cursor {
	m := jobrun.Cursor{Job: job, Audience: s.audience}
	for _, u := range s.authors {
		m.Memory = max(m.Memory, u.Last)
	}
	return m
}

// since returns the news of the scope after a memory.
func (s scope) since(read int64) scope {
	s.authors = slices.DeleteFunc(slices.Clone(s.authors), func(u lifecycle.BacklogEntry) bool { return u.Last <= read })
	return s
}

// people returns the people in the scope.
func (s scope) people() (ids []int64) {
	if s.audience.Kind == model.Private {
		ids = append(ids, s.audience.Ref)
	}
	for _, u := range s.authors {
		ids = append(ids, u.Author)
	}
	return ids
}

// memories counts the new memories.
func (s scope) memories() (n int) {
	for _, u := range s.authors {
		n += u.Memories
	}
	return n
}

// portions splits scopes into groups that share a write. With a model each scope is its own group, because its answers
// are expensive.
func (n Deps) portions(scopes []scope) func(yield func([]scope) bool) {
	return func(yield func([]scope) bool) {
		for len(scopes) > 0 {
			some, news := 1, scopes[0].memories()
			for n.Model == nil && some < min(scopesAtOnce, len(scopes)) && news+scopes[some].memories() <= newsAtOnce {
				news += scopes[some].memories()
				some++
			}
			if !yield(scopes[:some]) {
				return
			}
			scopes = scopes[some:]
		}
	}
}

// forEachBacklog hands a job the scopes with a backlog, group by group, and claims their people meanwhile. People
// claimed by another run are left to a later one. After a crash, finished groups stay finished.
func (n Deps) forEachBacklog(ctx context.Context, job string, run int64, read func([]scope) error) error {
	news, last, err := n.Store.Lifecycle.Backlog(ctx, n.Card.Key, job)
	if err != nil || len(news) == 0 {
		return err
	}
	left := false
	for some := range n.portions(scopesOf(news)) {
		mine, others, err := n.claim(ctx, job, run, some)
		if err != nil {
			return err
		}
		if len(mine) > 0 {
			if err := read(mine); err != nil {
				return err
			}
		}
		if err := n.Store.Jobs.Release(ctx, run); err != nil {
			return err
		}
		left = left || others
	}
	if left {
		return nil
	}
	_, err = n.Store.Lifecycle.Infer(ctx, n.Card.Key, run, nil, jobrun.Cursor{Job: job, Audience: model.Audience{Kind: model.World}, Memory: last})
	return err
}

// claim returns those scopes whose people this run could claim, without what another run has read since. left reports
// that there are others.
func (n Deps) claim(ctx context.Context, job string, run int64, some []scope) (mine []scope, left bool, err error) {
	var people []int64
	for _, s := range some {
		people = append(people, s.people()...)
	}
	claimed, err := n.Store.Jobs.TryClaim(ctx, n.Card.Key, run, people...)
	if err != nil {
		return nil, false, err
	}
	read, err := n.Store.Lifecycle.Cursors(ctx, n.Card.Key, job)
	if err != nil {
		return nil, false, err
	}
	for _, s := range some {
		if slices.ContainsFunc(s.people(), func(id int64) bool { return !slices.Contains(claimed, id) }) {
			left = true
			continue
		}
		if s = s.since(read[s.audience]); len(s.authors) > 0 {
			mine = append(mine, s)
		}
	}
	return mine, left, nil
}

// parallel calls do for each element in parallel and returns the results in order.
func parallel[S, T any](ctx context.Context, things []S, think func(context.Context, S) (T, error)) ([]T, error) {
	made := make([]T, len(things))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(besides)
	for i, s := range things {
		g.Go(func() (err error) {
			made[i], err = think(ctx, s)
			return err
		})
	}
	return made, g.Wait()
}
