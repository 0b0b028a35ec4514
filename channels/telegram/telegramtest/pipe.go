package telegramtest

import (
	"context"
	"net"
	"sync"
)

// pipes is an in-memory listener.
type pipes struct {
	arrive chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func newPipes() *pipes { return &pipes{arrive: make(chan net.Conn), closed: make(chan struct{})} }

func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	here, there := net.Pipe()
	select {
	case p.arrive <- there:
		return here, nil
	case <-p.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Accept waits for a connection.
func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.arrive:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// Close refuses further connections.
func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

// Addr returns a placeholder address.
func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "telegram", Net: "pipe"} }
