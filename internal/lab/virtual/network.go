package virtual

import (
	"context"
	"sync"

	"familiar/channels"
)

// Network is a channel that delivers no messages of its own and keeps what the persona says until it is collected. It
// shows each key once. It is safe for concurrent use.
type Network struct {
	name string
	mu   sync.Mutex
	seen map[string]bool
	said []channels.Outgoing
}

// NewNetwork returns an empty network with that name.
func NewNetwork(name string) *Network { return &Network{name: name, seen: map[string]bool{}} }

// Name returns the network's name.
func (n *Network) Name() string { return n.name }

// Limits returns limits that declare the network idempotent: it shows each key once.
func (*Network) Limits() channels.Limits { return channels.Limits{Idempotent: true} }

// Run receives no messages: the caller hands messages to the engine.
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

// Collect returns and removes the messages sent since the last call.
func (n *Network) Collect() []channels.Outgoing {
	n.mu.Lock()
	defer n.mu.Unlock()
	said := n.said
	n.said = nil
	clear(n.seen)
	return said
}
