package discord

import (
	"context"
	"net/http"
	"sync"
)

// identity is the bot's account, known once Discord reports it.
type identity struct {
	mu   sync.Mutex
	self user
	app  string
}

func (i *identity) set(r ready) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.self, i.app = r.User, r.Application.ID
}

func (i *identity) user() user {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.self
}

func (i *identity) application() string {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.app
}

// self returns the bot's account. It asks Discord if the gateway has not reported it yet.
func (c *Channel) self(ctx context.Context) (user, error) {
	if known := c.identity.user(); known.ID != "" {
		return known, nil
	}
	var u user
	if err := c.rest.do(ctx, call{method: http.MethodGet, path: "/users/@me"}, &u); err != nil {
		return user{}, err
	}
	c.identity.mu.Lock()
	defer c.identity.mu.Unlock()
	if c.identity.self.ID == "" {
		c.identity.self = u
	}
	return u, nil
}
