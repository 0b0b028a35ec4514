package db

import (
	"bytes"
	"io"
	"net"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"familiar/internal/pgtest"
)

// cutter is a proxy in front of a server. Once, it cuts the connection at a COMMIT, before or after the server gets it.
type cutter struct {
	server  string
	forward bool // hands the COMMIT over before it cuts
	armed   atomic.Bool
}

func (c *cutter) serve(t *testing.T) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			go c.relay(client)
		}
	}()
	return l.Addr().String()
}

func (c *cutter) relay(client net.Conn) {
	defer client.Close() //nolint:errcheck // it may be cut
	server, err := net.Dial("tcp", c.server)
	if err != nil {
		return
	}
	defer server.Close() //nolint:errcheck // it may be cut
	go func() {
		_, _ = io.Copy(client, server)
		_ = client.Close()
	}()
	buf := make([]byte, 64<<10)
	for {
		n, err := client.Read(buf)
		if err != nil {
			return
		}
		cut := bytes.Contains(buf[:n], []byte("COMMIT\x00")) && c.armed.CompareAndSwap(true, false)
		for cut && !bytes.HasSuffix(buf[:n], []byte("S\x00\x00\x00\x04")) { // the end of the batch: all of it or nothing
			more, err := client.Read(buf[n:])
			if err != nil {
				return
			}
			n += more
		}
		if cut {
			_ = client.Close() // the answer must not arrive
		}
		if !cut || c.forward {
			if _, err := server.Write(buf[:n]); err != nil {
				return
			}
		}
		if cut {
			// The server commits, and ends with its connection.
			_ = server.(*net.TCPConn).CloseWrite()
			_, _ = io.Copy(io.Discard, server)
			return
		}
	}
}

// TestR1ACommitWithoutAnAnswerIsNeitherLostNorRepeated cuts the connection during the commit.
func TestR1ACommitWithoutAnAnswerIsNeitherLostNorRepeated(t *testing.T) {
	t.Parallel()
	for name, forward := range map[string]bool{"the server got it": true, "the server did not": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := pgtest.Start(t)
			u, err := url.Parse(server.TCPURL())
			if err != nil {
				t.Fatal(err)
			}
			proxy := &cutter{server: u.Host, forward: forward}
			u.Host = proxy.serve(t)
			query := u.Query()
			query.Set("sslmode", "disable") // the proxy reads along
			u.RawQuery = query.Encode()
			s := openServer(t, u.String(), Options{})
			proxy.armed.Store(true)
			runs := 0
			if err := s.Write(t.Context(), "write", func(tx *Tx) error { runs++; return insertEvent("a")(tx) }); err != nil {
				t.Fatal(err)
			}
			want := 1
			if !forward {
				want = 2
			}
			if got := events(t, s); !slices.Equal(got, []string{"a"}) || runs != want || proxy.armed.Load() {
				t.Errorf("%d runs, the inbox contains %v", runs, strings.Join(got, ","))
			}
		})
	}
}
