package timeline

import (
	"context"
	"sync"
	"time"
)

const (
	// maxFilms is for how many personas a film is kept at a time.
	maxFilms = 2
	// idle is after how long without a viewer a film is dropped.
	idle = time.Minute
	// fresh is how old a film may be before it is made anew. One that took long may be older: maxShare of the time goes into
	// making films at most.
	fresh    = 15 * time.Second
	maxShare = 20
	// longest bounds how long one film may take.
	longest = 2 * time.Minute
)

// films keeps the films that somebody looks at. All who look at a persona share one.
type films struct {
	shoot func(ctx context.Context, persona string) (*film, error)
	now   func() time.Time

	mu   sync.Mutex
	kept map[string]*reel
}

// reel is a film that is kept or being made.
type reel struct {
	ready chan struct{}
	film  *film
	err   error
	used  time.Time
	drop  *time.Timer
}

// of returns the film of a persona.
func (fs *films) of(ctx context.Context, persona string) (*film, error) {
	r := fs.reel(ctx, persona)
	select {
	case <-r.ready:
		return r.film, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (fs *films) reel(ctx context.Context, persona string) *reel {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	now := fs.now()
	if r := fs.kept[persona]; r != nil && !r.outdated(now) {
		r.used = now
		r.drop.Reset(idle)
		return r
	}
	if fs.kept == nil {
		fs.kept = map[string]*reel{}
	}
	fs.remove(persona)
	for len(fs.kept) >= maxFilms {
		fs.remove(fs.oldest())
	}
	r := &reel{ready: make(chan struct{}), used: now}
	r.drop = time.AfterFunc(idle, func() {
		fs.mu.Lock()
		defer fs.mu.Unlock()
		if fs.kept[persona] == r {
			delete(fs.kept, persona)
		}
	})
	fs.kept[persona] = r
	// The others who wait for it must not lose it because the first one went away.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), longest)
	go func() {
		defer cancel()
		defer close(r.ready)
		if r.film, r.err = fs.shoot(ctx, persona); r.err == nil {
			r.film.took = fs.now().Sub(now)
		}
	}()
	return r
}

// outdated reports whether a film is to be made anew. One that is being made is not.
func (r *reel) outdated(now time.Time) bool {
	select {
	case <-r.ready:
	default:
		return false
	}
	return r.err != nil || now.Sub(r.film.made) > max(fresh, maxShare*r.film.took)
}

func (fs *films) oldest() (persona string) {
	for key, r := range fs.kept {
		if persona == "" || r.used.Before(fs.kept[persona].used) {
			persona = key
		}
	}
	return persona
}

func (fs *films) remove(persona string) {
	if r := fs.kept[persona]; r != nil {
		r.drop.Stop()
		delete(fs.kept, persona)
	}
}
