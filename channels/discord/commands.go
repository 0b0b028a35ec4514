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

// Discord's figures and numbers for commands.
const (
	describeAtMost = 100
	commandTyped   = 1
	fieldString    = 3
	inGuild        = 0
	withBot        = 1
	installedGuild = 0
)

// syncedCommands is the shelf's key of the hash of what Discord was last told.
const syncedCommands = "commands"

// commands is what people can ask with.
type commands struct {
	mu  sync.Mutex
	all []channels.Command
	set bool
}

// Commands tells Discord once Run has connected, when they changed since it was last told.
func (c *Channel) Commands(all []channels.Command) {
	c.commands.mu.Lock()
	defer c.commands.mu.Unlock()
	c.commands.all, c.commands.set = all, true
}

// discreet says that the answer of a command is for who asked alone. One that is not known any more is taken for such.
func (cs *commands) discreet(name string) bool {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	for _, k := range cs.all {
		if k.Name == name {
			return k.PrivateReply
		}
	}
	return true
}

// definition is a command as Discord wants it.
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
			Name: k.Name, Description: described(k.Help, k.Name), Type: commandTyped,
			Contexts: []int{inGuild, withBot}, Installed: []int{installedGuild}, Options: []field{},
		}
		if k.Args != "" {
			d.Options = append(d.Options, field{Type: fieldString, Name: "text", Description: described(k.Args, k.Name)})
		}
		all = append(all, d)
	}
	return all, cs.set
}

// described is text as Discord takes it for a description: 1 to 100 characters.
func described(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	if r := []rune(text); len(r) > describeAtMost {
		return string(r[:describeAtMost-1]) + "…"
	}
	return text
}

// syncCommands tells Discord the commands when their definition changed. It is tried again at the next READY.
func (h *hearer) syncCommands(ctx context.Context) {
	all, set := h.commands.definitions()
	app := h.identity.application()
	if !set || app == "" {
		return
	}
	hash, err := hashOf(app, all)
	if err == nil {
		err = h.tellCommands(ctx, app, hash, all)
	}
	if err != nil && ctx.Err() == nil {
		h.log.Warn("tell Discord the commands", "error", err)
	}
}

func (h *hearer) tellCommands(ctx context.Context, app, hash string, all []definition) error {
	told, err := h.host.Store.Get(ctx, syncedCommands)
	if err != nil && !errors.Is(err, channels.ErrNotFound) {
		return err
	}
	if told == hash {
		return nil
	}
	if err := h.rest.do(ctx, call{method: http.MethodPut, path: "/applications/" + app + "/commands", body: all}, nil); err != nil {
		return err
	}
	return h.host.Store.Put(ctx, syncedCommands, hash)
}

func hashOf(app string, all []definition) (string, error) {
	text, err := json.Marshal(all)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(append([]byte(app), text...))
	return hex.EncodeToString(sum[:]), nil
}
