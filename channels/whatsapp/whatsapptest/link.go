package whatsapptest

import (
	"context"
	"slices"
	"sync"

	binary "go.mau.fi/whatsmeow/binary"
	"go.mau.fi/whatsmeow/types"
)

// link is one connection after its handshake. What is said on it is written in order, by one goroutine.
type link struct {
	server *Server
	wire   *wire
	ctx    context.Context
	cancel context.CancelFunc
	device *device // nil for one that is not linked yet
	// unlinked is what such a one waits with.
	unlinked *unlinked

	mu   sync.Mutex
	out  []binary.Node
	wake chan struct{}
}

// goodbye closes the connection once all before it is written.
var goodbye = binary.Node{Tag: "goodbye"}

// say queues node.
func (l *link) say(node binary.Node) {
	l.mu.Lock()
	l.out = append(l.out, node)
	l.mu.Unlock()
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// phone is the number of the account on the other end, empty while it is not known.
func (l *link) phone() string {
	l.server.mu.Lock()
	defer l.server.mu.Unlock()
	if l.device == nil {
		return ""
	}
	return l.device.phone.User
}

func (l *link) close() {
	l.cancel()
	_ = l.wire.ws.CloseNow()
}

func (l *link) read() (*binary.Node, error) {
	frame, err := l.wire.read(l.ctx)
	if err != nil {
		return nil, err
	}
	data, err := binary.Unpack(frame)
	if err != nil {
		return nil, err
	}
	return binary.Unmarshal(data)
}

// write writes what is said until the connection closes.
func (l *link) write() {
	defer l.close()
	for {
		for _, node := range l.queued() {
			if node.Tag == goodbye.Tag || !l.put(node) {
				return
			}
		}
		select {
		case <-l.wake:
		case <-l.ctx.Done():
			return
		}
	}
}

func (l *link) queued() []binary.Node {
	l.mu.Lock()
	defer l.mu.Unlock()
	nodes := l.out
	l.out = nil
	return nodes
}

// put writes one node and says whether the connection still stands.
func (l *link) put(node binary.Node) bool {
	isMessage := node.Tag == "message"
	mangled := false
	if isMessage {
		switch f, ok := l.server.fault(Handing, l.phone()); {
		case ok && f.Do == Drop:
			return false
		case ok && f.Do == Swallow:
			return true
		case ok && f.Do == Garble:
			node = garbled(node)
		case ok && f.Do == Mangle:
			mangled = true
		}
	}
	data, err := binary.Marshal(node)
	if mangled {
		data = data[:len(data)/2]
	}
	if err != nil || l.wire.write(l.ctx, data) != nil {
		return false
	}
	if !isMessage {
		return true
	}
	l.server.note(Entry{What: "handed", Phone: l.phone(), To: text(node.Attrs["from"]), ID: text(node.Attrs["id"])})
	f, ok := l.server.fault(Handed, l.phone())
	return !ok || f.Do != Drop
}

// garbled is node with a byte of its encrypted text changed.
func garbled(node binary.Node) binary.Node {
	children := slices.Clone(node.GetChildren())
	for i, child := range children {
		if data, ok := child.Content.([]byte); ok && child.Tag == "enc" && len(data) > 0 {
			data = slices.Clone(data)
			data[len(data)-1] ^= 1
			children[i].Content = data
		}
	}
	node.Content = children
	return node
}

// text is an attribute as it would be written.
func text(attr any) string {
	switch v := attr.(type) {
	case string:
		return v
	case types.JID:
		return v.String()
	}
	return ""
}
