package simulate

import (
	"context"
	"strconv"
	"sync"

	"familiar/channels"
)

const (
	// networkName is the channel everybody writes on.
	networkName = "simulated"
	// clubRoom is the one group, clubTitle what it is called.
	clubRoom  = "club"
	clubTitle = "Thursday club"
)

// network is the channel everybody writes on. It hands over nothing by itself and keeps what the persona says until it is
// collected.
type network struct {
	mu   sync.Mutex
	seen map[string]bool
	said []channels.Outgoing
}

func newNetwork() *network { return &network{seen: map[string]bool{}} }

// Name is the network's.
func (*network) Name() string { return networkName }

// Limits says that a key is shown once.
func (*network) Limits() channels.Limits { return channels.Limits{Idempotent: true} }

// Run hears nothing: the world hands its messages to the engine itself.
func (*network) Run(ctx context.Context, _ channels.Accept) error {
	<-ctx.Done()
	return nil
}

// Send keeps a chunk.
func (n *network) Send(_ context.Context, out channels.Outgoing) (channels.Receipt, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !n.seen[out.Key] {
		n.seen[out.Key] = true
		n.said = append(n.said, out)
	}
	return channels.Receipt{ID: out.Key}, nil
}

// collect takes what was said since it was last called.
func (n *network) collect() []channels.Outgoing {
	n.mu.Lock()
	defer n.mu.Unlock()
	said := n.said
	n.said = nil
	clear(n.seen)
	return said
}

// roomOf is where a person talks with the persona alone.
func roomOf(who int) channels.Room {
	return channels.Room{Channel: networkName, ID: strconv.Itoa(who)}
}

// message is line number n of the script as the network hands it over.
func message(n int, line Line, author *Person) channels.Message {
	m := channels.Message{
		ID: strconv.Itoa(n), Room: roomOf(line.Who), Direct: true, Addressed: true, Text: line.Text, At: line.At,
		Author: channels.Author{Handle: channels.Handle{Channel: networkName, ID: strconv.Itoa(line.Who)}, Name: author.Name},
	}
	if line.Club {
		m.Room.ID, m.RoomTitle, m.Direct, m.Addressed = clubRoom, clubTitle, false, line.Addressed
	}
	return m
}
