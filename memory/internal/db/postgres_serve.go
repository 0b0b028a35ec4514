package db

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"familiar/memory/internal/postgres"
)

// ErrServed reports that another process answers people from this memory.
var ErrServed = errors.New("another process serves this memory: stop it first")

// Serve makes this process the one that answers people from the memory, until Close. It fails with ErrServed if there is one
// already. A process that serves a file holds the lock of its home instead, so for a file it does nothing.
func (s *DB) Serve(ctx context.Context) error {
	if err := s.engine.serve(ctx); err != nil {
		return fmt.Errorf("serve the memory at %s: %w", s.Path(), s.engine.explain(err))
	}
	return nil
}

// serveCheck is how often the process that serves looks whether it still holds its lock.
const serveCheck = time.Second

// serving is the lock of the process that serves, which the server keeps for as long as the connection c lasts.
type serving struct {
	c     *Tx
	wants atomic.Bool // this process is to serve
	holds atomic.Bool // it holds the lock, as far as it knows
}

func (p *postgresEngine) serve(ctx context.Context) (err error) {
	if p.serving.c, err = p.connect(ctx, reading, nil); err != nil {
		return err
	}
	if err := p.takeServing(); err != nil {
		return err
	}
	p.serving.wants.Store(true) // from now on the connection belongs to keep
	return nil
}

// takeServing takes the lock, on a new connection if the old one is lost.
func (p *postgresEngine) takeServing() error {
	c := p.serving.c
	if err := p.ready(c); err != nil {
		return err
	}
	var taken bool
	if err := c.QueryRow(`SELECT pg_try_advisory_lock(?)`, lockKey("serving "+p.within)).Scan(&taken); err != nil {
		return err
	}
	if !taken {
		return ErrServed
	}
	p.serving.holds.Store(true)
	return nil
}

// keep watches over the lock of the process that serves. While it is lost, nothing is written: another process may have it.
func (p *postgresEngine) keep(closing <-chan struct{}) {
	tick := time.NewTicker(serveCheck)
	defer tick.Stop()
	for {
		select {
		case <-closing:
			if p.serving.c != nil {
				_ = p.serving.c.close() // which gives the lock back
			}
			return
		case <-tick.C:
		}
		if !p.serving.wants.Load() {
			continue
		}
		if p.serving.holds.Load() {
			_, err := p.serving.c.Exec(`SELECT 1`)
			p.serving.holds.Store(err == nil || !postgres.Unreachable(err))
		}
		if !p.serving.holds.Load() {
			_ = p.takeServing() // writes say what is wrong, and the next tick tries again
		}
	}
}

// mayWrite fails with ErrServed while this process is to serve and has lost its lock.
func (p *postgresEngine) mayWrite() error {
	if p.serving.wants.Load() && !p.serving.holds.Load() {
		return ErrServed
	}
	return nil
}
