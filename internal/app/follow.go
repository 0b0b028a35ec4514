package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gofrs/flock"

	"familiar/persona"
	"familiar/persona/card"
	"familiar/persona/follow"
)

// sessionLockPoll is how often a process looks whether another one has read its session file.
const sessionLockPoll = 20 * time.Millisecond

// SessionReader returns what reads session files for the personas of the home. Several processes take turns.
func (a *App) SessionReader() *follow.Reader {
	engines := map[string]*persona.Engine{}
	return &follow.Reader{
		Store: a.Store, Now: a.Now,
		To: func(key string) (follow.Recorder, error) {
			if engines[key] == nil {
				e, err := a.engineFor(key)
				if err != nil {
					return nil, err
				}
				engines[key] = e
			}
			return engines[key], nil
		},
		Lock: func(ctx context.Context) (func() error, error) {
			file := flock.New(a.Config.Home.SessionLock(), flock.SetPermissions(0o600))
			if _, err := file.TryLockContext(ctx, sessionLockPoll); err != nil {
				return nil, fmt.Errorf("wait for another process that reads session files: %w", err)
			}
			return func() error { return errors.Join(file.Unlock(), file.Close()) }, nil
		},
	}
}

// engineFor returns an engine of a persona that records and answers nobody.
func (a *App) engineFor(key string) (*persona.Engine, error) {
	if key == a.Card.Key {
		return a.Engine(a.Settings()), nil
	}
	c, err := card.LoadCard(a.Config.Home.Personas(), key)
	if err != nil {
		return nil, err
	}
	own := a.ViewOf(c)
	return own.Engine(own.Settings()), nil
}
