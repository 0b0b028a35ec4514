package drain_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"familiar/internal/drain"
)

const most = 8 << 20

// refusing is a server that refuses every request, unread or after some bytes.
func refusing(t *testing.T) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/unread", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "busy", http.StatusServiceUnavailable) })
	mux.Handle("/limited", http.MaxBytesHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.ReadAll(r.Body); err != nil {
			http.Error(w, "too long", http.StatusRequestEntityTooLarge)
		}
	}), most/4))
	s := httptest.NewServer(drain.Handler(mux, most))
	t.Cleanup(s.Close)
	return s
}

// A client that sends the whole request before it reads sees every refusal.
func TestAClientThatSendsFirstSeesTheAnswer(t *testing.T) {
	t.Parallel()
	s := refusing(t)
	for _, c := range []struct {
		path, length string
		status       int
	}{
		{"/unread", fmt.Sprintf("Content-Length: %d", most), http.StatusServiceUnavailable},
		{"/unread", "Transfer-Encoding: chunked", http.StatusServiceUnavailable},
		{"/limited", fmt.Sprintf("Content-Length: %d", most), http.StatusRequestEntityTooLarge},
		{"/limited", "Transfer-Encoding: chunked", http.StatusRequestEntityTooLarge},
	} {
		conn, err := net.Dial("tcp", s.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		body := strings.Repeat("x", most)
		if strings.HasPrefix(c.length, "Transfer") {
			body = fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", most/2, body[:most/2])
		}
		if _, err := fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n%s\r\n\r\n%s", c.path, c.length, body); err != nil {
			t.Errorf("%s, %s: sent: %v", c.path, c.length, err)
		}
		answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil || answer.StatusCode != c.status {
			t.Errorf("%s, %s: got %+v, %v", c.path, c.length, answer, err)
		}
		_ = conn.Close()
	}
}

// A client that asks first, or announces more than is read, is answered at once.
func TestWhatIsNotWorthReadingIsNotReadFor(t *testing.T) {
	t.Parallel()
	s := refusing(t)
	for _, head := range []string{"Content-Length: 100\r\nExpect: 100-continue", fmt.Sprintf("Content-Length: %d", most+1)} {
		conn, err := net.Dial("tcp", s.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := fmt.Fprintf(conn, "POST /unread HTTP/1.1\r\nHost: x\r\n%s\r\n\r\n", head); err != nil {
			t.Fatal(err)
		}
		answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil || answer.StatusCode != http.StatusServiceUnavailable {
			t.Errorf("%s: got %+v, %v", head, answer, err)
		}
		_ = conn.Close()
	}
}
