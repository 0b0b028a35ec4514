// Package webtest is a small web for tests: names that resolve to loopback addresses, a server that counts as public, and
// listeners that count as the operator's own network and must never be reached.
package webtest

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"golang.org/x/net/dns/dnsmessage"

	"familiar/internal/web/guard"
)

// PublicAddress is the loopback address that stands for the public web.
const PublicAddress = "127.0.0.77"

// Public starts a server that a guard made with Options allows. It is closed with the test.
func Public(t testing.TB, h http.Handler) *httptest.Server {
	t.Helper()
	s := httptest.NewUnstartedServer(h)
	_ = s.Listener.Close()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp4", PublicAddress+":0")
	if err != nil {
		t.Skipf("this system has one loopback address only: %v", err)
	}
	s.Listener = l
	s.Start()
	t.Cleanup(s.Close)
	return s
}

// Port returns the port of a server or listener.
func Port(a net.Addr) uint16 { return netip.MustParseAddrPort(a.String()).Port() }

// Options allows the public servers of a test, on the ports of these addresses.
func Options(listening ...net.Addr) guard.Options {
	o := guard.Options{Networks: []netip.Prefix{netip.MustParsePrefix(PublicAddress + "/32")}}
	for _, a := range listening {
		o.Ports = append(o.Ports, Port(a))
	}
	return o
}

// Victim listens on every address of this machine, on one port, and counts who connects.
type Victim struct {
	Addr    net.Addr
	reached atomic.Int64
}

// NewVictim starts listening until the test ends.
func NewVictim(t testing.TB) *Victim {
	t.Helper()
	v := &Victim{}
	first, err := new(net.ListenConfig).Listen(t.Context(), "tcp4", "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	v.Addr = first.Addr()
	go v.accept(first)
	t.Cleanup(func() { _ = first.Close() })
	_, port, _ := net.SplitHostPort(first.Addr().String())
	if second, err := new(net.ListenConfig).Listen(t.Context(), "tcp6", "[::]:"+port); err == nil { // not every machine has IPv6
		go v.accept(second)
		t.Cleanup(func() { _ = second.Close() })
	}
	return v
}

func (v *Victim) accept(l net.Listener) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		v.reached.Add(1)
		_ = conn.Close()
	}
}

// Reached returns how many connections there were.
func (v *Victim) Reached() int64 { return v.reached.Load() }

// Names is a DNS server. Each name has a list of answers, given one after another; the last is repeated.
type Names struct {
	mu      sync.Mutex
	answers map[string][]string
	asked   map[string]int
}

// NewNames returns a server that knows names, each with its answers: one or more IP addresses, separated by spaces.
func NewNames(answers map[string][]string) *Names {
	return &Names{answers: answers, asked: map[string]int{}}
}

// Resolver starts the server until the test ends and returns a resolver that asks it.
func (n *Names) Resolver(t testing.TB) *net.Resolver {
	t.Helper()
	conn, err := new(net.ListenConfig).ListenPacket(t.Context(), "udp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	go n.serve(conn)
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp4", conn.LocalAddr().String())
	}}
}

func (n *Names) serve(conn net.PacketConn) {
	buffer := make([]byte, 4096)
	for {
		size, from, err := conn.ReadFrom(buffer)
		if err != nil {
			return
		}
		var query dnsmessage.Message
		if query.Unpack(buffer[:size]) != nil || len(query.Questions) != 1 {
			continue
		}
		if reply, err := n.reply(query); err == nil {
			_, _ = conn.WriteTo(reply, from)
		}
	}
}

func (n *Names) reply(query dnsmessage.Message) ([]byte, error) {
	q := query.Questions[0]
	reply := dnsmessage.Message{
		Header:    dnsmessage.Header{ID: query.ID, Response: true, Authoritative: true, RecursionAvailable: true},
		Questions: query.Questions,
	}
	header := dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class}
	addresses, known := n.next(strings.TrimSuffix(strings.ToLower(q.Name.String()), "."), q.Type)
	if !known {
		reply.RCode = dnsmessage.RCodeNameError
	}
	for _, a := range addresses {
		switch ip := netip.MustParseAddr(a); {
		case ip.Is4() && q.Type == dnsmessage.TypeA:
			reply.Answers = append(reply.Answers, dnsmessage.Resource{Header: header, Body: &dnsmessage.AResource{A: ip.As4()}})
		case ip.Is6() && q.Type == dnsmessage.TypeAAAA:
			reply.Answers = append(reply.Answers, dnsmessage.Resource{Header: header, Body: &dnsmessage.AAAAResource{AAAA: ip.As16()}})
		}
	}
	return reply.Pack()
}

func (n *Names) next(name string, kind dnsmessage.Type) ([]string, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	answers, known := n.answers[name]
	if !known {
		return nil, false
	}
	at := min(n.asked[name], len(answers)-1)
	if kind == dnsmessage.TypeA { // the two types are asked for together
		n.asked[name]++
	}
	return strings.Fields(answers[at]), true
}
