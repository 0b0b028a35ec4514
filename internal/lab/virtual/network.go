package virtual

import (
	"context"
	"sync"

	"familiar/channels"
)

// Network is a channel that hands over nothing by itself and keeps what the persona says until it is collected. It shows
// a key once. It is safe for concurrent use.
type Network struct {
	name string
	mu   sync.Mutex
	seen map[string]bool
	said []channels.Outgoing
}

// NewNetwork is a network of that name on which nothing was said yet.
func NewNetwork(name string) *Network { return &Network{name: name, seen: map[string]bool{}} }

// Name is the network's.
func (n *Network) Name() string { return n.name }

// Limits says that a key is shown once.
func (*Network) Limits() channels.Limits { return channels.Limits{Idempotent: true} }

// Run hears nothing: whoever plays hands messages to the engine.
func (*Network) Run(ctx context.Context, _ channels.Accept) error {
	<-ctx.Done()
	return nil
}

// Send keeps a chunk.
func (n *Network) Send(_ context.Context, out channels.Outgoing) (channels.Receipt, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !n.seen[out.Key] {
		n.seen[out.Key] = true
		n.said = append(n.said, out)
	}
	return channels.Receipt{ID: out.Key}, nil
}

// Collect takes what was said since it was last called.
func (n *Network) Collect() []channels.Outgoing {
	n.mu.Lock()
	defer n.mu.Unlock()
	said := n.said
	n.said = nil
	clear(n.seen)
	return said
}
