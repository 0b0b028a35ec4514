package whatsapptest

import (
	"context"
	"slices"
	"sync"

	binary "go.mau.fi/whatsmeow/binary"
	"go.mau.fi/whatsmeow/types"
)

// link is one connection after its handshake. One goroutine writes its stanzas in order.
type link struct {
	server *Server
	wire   *wire
	ctx    context.Context
	cancel context.CancelFunc
	device *device // nil before it is linked
	// unlinked is the state of a device that waits to be linked.
	unlinked *unlinked

	mu   sync.Mutex
	out  []binary.Node
	wake chan struct{}
}

// closeNode closes the connection after everything queued before it is written.
var closeNode = binary.Node{Tag: "goodbye"}

// send queues node.
func (l *link) send(node binary.Node) {
	l.mu.Lock()
	l.out = append(l.out, node)
	l.mu.Unlock()
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// phone returns the account's number, empty while unknown.
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

// write writes queued stanzas until the connection closes.
func (l *link) write() {
	defer l.close()
	for {
		for _, node := range l.queued() {
			if node.Tag == closeNode.Tag || !l.put(node) {
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

// put writes one node and reports whether the connection is still open.
func (l *link) put(node binary.Node) bool {
	isMessage := node.Tag == "message"
	mangled := false
	if isMessage {
		switch f, ok := l.server.fault(Delivering, l.phone()); {
		case ok && f.Effect == Drop:
			return false
		case ok && f.Effect == Discard:
			return true
		case ok && f.Effect == Garble:
			node = garble(node)
		case ok && f.Effect == Malform:
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
	l.server.note(Entry{What: "delivered", Phone: l.phone(), To: text(node.Attrs["from"]), ID: text(node.Attrs["id"])})
	f, ok := l.server.fault(Delivered, l.phone())
	return !ok || f.Effect != Drop
}

// garble returns node with one byte of its ciphertext changed.
func garble(node binary.Node) binary.Node {
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

// text returns an attribute in its wire form.
func text(attr any) string {
	switch v := attr.(type) {
	case string:
		return v
	case types.JID:
		return v.String()
	}
	return ""
}
