package discord

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"sync"

	"familiar/channels"
)

// Discord's limits and constants for commands.
const (
	maxDescription = 100
	commandTyped   = 1
	fieldString    = 3
	inGuild        = 0
	withBot        = 1
	installedGuild = 0
)

// commandsHashKey is the state store key of the hash of the commands last published.
const commandsHashKey = "commands"

// commands holds the commands people can use.
type commands struct {
	mu  sync.Mutex
	all []channels.Command
	set bool
}

// Commands sets the commands that Run publishes once connected, if they changed since the last publication.
func (c *Channel) Commands(all []channels.Command) {
	c.commands.mu.Lock()
	defer c.commands.mu.Unlock()
	c.commands.all, c.commands.set = all, true
}

// privateReply reports whether only the person who used the command sees the reply. Unknown commands count as private.
func (cs *commands) privateReply(name string) bool {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	for _, k := range cs.all {
		if k.Name == name {
			return k.PrivateReply
		}
	}
	return true
}

// definition is a command in Discord's format.
type definition struct {
	Name        string  `json:"name"`
	Description string  `json:"description"`
	Type        int     `json:"type"`
	Contexts    []int   `json:"contexts"`
	Installed   []int   `json:"integration_types"`
	Options     []field `json:"options"`
}

type field struct {
	Type        int    `json:"type"`
	Name        string `json:"name"`
	Description string `json:"description"`
}

func (cs *commands) definitions() (all []definition, set bool) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	all = make([]definition, 0, len(cs.all))
	for _, k := range cs.all {
		d := definition{
			Name: k.Name, Description: description(k.Help, k.Name), Type: commandTyped,
			Contexts: []int{inGuild, withBot}, Installed: []int{installedGuild}, Options: []field{},
		}
		if k.Args != "" {
			d.Options = append(d.Options, field{Type: fieldString, Name: "text", Description: description(k.Args, k.Name)})
		}
		all = append(all, d)
	}
	return all, cs.set
}

// description returns text as a command description: 1 to 100 characters.
func description(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	if r := []rune(text); len(r) > maxDescription {
		return string(r[:maxDescription-1]) + "…"
	}
	return text
}

// syncCommands publishes the commands if their definitions changed. On failure it is retried at the next READY event.
func (h *receiver) syncCommands(ctx context.Context) {
	all, set := h.commands.definitions()
	app := h.identity.application()
	if !set || app == "" {
		return
	}
	hash, err := hashOf(app, all)
	if err == nil {
		err = h.putCommands(ctx, app, hash, all)
	}
	if err != nil && ctx.Err() == nil {
		h.log.Warn("publish the Discord commands", "error", err)
	}
}

func (h *receiver) putCommands(ctx context.Context, app, hash string, all []definition) error {
	told, err := h.host.Store.Get(ctx, commandsHashKey)
	if err != nil && !errors.Is(err, channels.ErrNotFound) {
		return err
	}
	if told == hash {
		return nil
	}
	if err := h.rest.do(ctx, call{method: http.MethodPut, path: "/applications/" + app + "/commands", body: all}, nil); err != nil {
		return err
	}
	return h.host.Store.Put(ctx, commandsHashKey, hash)
}

func hashOf(app string, all []definition) (string, error) {
	text, err := json.Marshal(all)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(append([]byte(app), text...))
	return hex.EncodeToString(sum[:]), nil
}
