package webserver

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"familiar/internal/torture"
)

// pipes is a listener whose connections are pipes in memory, so that virtual time runs.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	c, ok := <-p
	if !ok {
		return nil, net.ErrClosed
	}
	return c, nil
}

func (p pipes) Close() error { close(p); return nil }

func (p pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)} }

// dial returns the client's end of a connection.
func (p pipes) dial() net.Conn {
	client, server := net.Pipe()
	p <- server
	return client
}

// inMemory runs a server with at most limit connections in a bubble of synctest.
func inMemory(t *testing.T, limit int, h http.HandlerFunc) pipes {
	t.Helper()
	p := make(pipes)
	s := &Server{opts: Options{Log: slog.New(slog.DiscardHandler)}, listener: p, connections: newConnections(limit), mux: http.NewServeMux()}
	s.Mount("/", 1<<20, h)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return p
}

// status sends a request on a connection and returns the status of the answer, with its body.
func status(c net.Conn, request string) (int, string, error) {
	if _, err := io.WriteString(c, request); err != nil {
		return 0, "", err
	}
	r, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return 0, "", err
	}
	defer r.Body.Close() //nolint:errcheck // it is read
	body, err := io.ReadAll(r.Body)
	return r.StatusCode, string(body), err
}

const get = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"

// Thousands of clients that send their headers a byte at a time, or nothing, keep nobody out.
func TestS16SlowClientsKeepNobodyOut(t *testing.T) {
	s, _ := serve(t, Options{}, hello)
	slow := torture.Rounds(2*maxConnections, 20*maxConnections)
	open := make(chan net.Conn, maxConnections) // as many descriptors as the server keeps
	for i := range slow {
		c, err := net.Dial("tcp", s.Address())
		if err != nil {
			t.Fatal(err)
		}
		if i%2 == 0 {
			io.WriteString(c, "POST / HTTP/1.1\r\nHost: localhost\r\nX-A: ") //nolint:errcheck // it may be closed already
		}
		select {
		case open <- c:
		default:
			(<-open).Close() //nolint:errcheck // only its server end mattered
			open <- c
		}
		if i%100 == 0 {
			if got := request(t, s, http.MethodGet, "", "", ""); got.StatusCode != http.StatusOK {
				t.Fatalf("with %d slow clients: %s", i, got.Status)
			}
		}
	}
	s.connections.mu.Lock()
	if n := len(s.connections.open); n > maxConnections {
		t.Errorf("%d connections are open, the limit is %d", n, maxConnections)
	}
	s.connections.mu.Unlock()
	for range len(open) {
		(<-open).Close() //nolint:errcheck // it ends
	}
}

// Of too many connections the one that has waited longest is closed, never one whose request is being answered.
func TestTheLongestWaitingConnectionIsClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		goOn := make(chan bool)
		p := inMemory(t, 3, func(w http.ResponseWriter, _ *http.Request) { <-goOn; fmt.Fprint(w, "done") })
		working, waiting, later := p.dial(), p.dial(), p.dial()
		answer := make(chan string, 1)
		go func() {
			_, body, err := status(working, get)
			answer <- fmt.Sprint(body, err)
		}()
		synctest.Wait()
		newest := p.dial()
		if _, err := waiting.Read(make([]byte, 1)); err == nil {
			t.Error("the connection that has waited longest is still open")
		}
		close(goOn)
		if got := <-answer; got != "done<nil>" {
			t.Errorf("the one that worked got %q", got)
		}
		for name, c := range map[string]net.Conn{"a later one": later, "the newest": newest} {
			if code, _, err := status(c, get); code != http.StatusOK {
				t.Errorf("%s: status %d, %v", name, code, err)
			}
		}
	})
}

// A program has its share of the requests that run at once, and the others have theirs.
func TestS16AProgramHasItsShare(t *testing.T) {
	goOn := make(chan bool)
	var running sync.WaitGroup
	h := newQuotas().limit(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/stream" {
			running.Done()
			<-goOn
		}
	}))
	ask := func(token, path string) int {
		r, w := httptest.NewRequest(http.MethodGet, path, nil), httptest.NewRecorder()
		r.Header.Set("Authorization", "Bearer "+token)
		h.ServeHTTP(w, r)
		return w.Code
	}
	var all sync.WaitGroup
	running.Add(maxPerToken)
	for range maxPerToken {
		all.Go(func() { ask("greedy", "/stream") })
	}
	running.Wait()
	if code := ask("greedy", "/"); code != http.StatusTooManyRequests {
		t.Errorf("one more request: status %d", code)
	}
	if code := ask("other", "/"); code != http.StatusOK {
		t.Errorf("another program: status %d", code)
	}
	close(goOn)
	all.Wait()
	if code := ask("greedy", "/"); code != http.StatusOK {
		t.Errorf("afterwards: status %d", code)
	}
}

// Fifty people who look at the dashboard in several windows each get all they ask for, and one browser does not take everything.
func TestS17ABrowserHasItsShare(t *testing.T) {
	goOn := make(chan bool)
	var running, all sync.WaitGroup
	h := newQuotas().limit(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/live" {
			running.Done()
			<-goOn
		}
	}))
	ask := func(cookies, path string) int {
		r, w := httptest.NewRequest(http.MethodGet, path, nil), httptest.NewRecorder()
		r.Header.Set("Cookie", cookies)
		h.ServeHTTP(w, r)
		return w.Code
	}
	stream := func(cookies string, n int) {
		running.Add(n)
		for range n {
			all.Go(func() {
				if code := ask(cookies, "/live"); code != http.StatusOK {
					t.Errorf("a stream of %s: status %d", cookies, code)
				}
			})
		}
	}
	for i := range 50 {
		stream(fmt.Sprint("familiar=", i), 6)
	}
	stream("familiar=greedy", maxPerBrowser)
	running.Wait()
	if code := ask("familiar=greedy", "/"); code != http.StatusTooManyRequests {
		t.Errorf("one more request of a browser: status %d", code)
	}
	for _, cookies := range []string{"familiar=7", "familiar=new", ""} {
		if code := ask(cookies, "/"); code != http.StatusOK {
			t.Errorf("a page for %q: status %d", cookies, code)
		}
	}
	close(goOn)
	all.Wait()
}

// A stream goes on for as long as its client reads, far beyond the time in which a request has to be read.
func TestStreamsOutliveTheTimeToRead(t *testing.T) {
	for _, head := range []string{"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\nhi"} {
		synctest.Test(t, func(t *testing.T) {
			var ended error
			p := inMemory(t, 3, func(w http.ResponseWriter, r *http.Request) {
				if _, err := io.ReadAll(r.Body); err != nil {
					ended = err
					return
				}
				for range 20 {
					time.Sleep(writeTimeout / 2)
					fmt.Fprint(w, "more ")
					http.NewResponseController(w).Flush() //nolint:errcheck // the context tells
					if ended = r.Context().Err(); ended != nil {
						return
					}
				}
			})
			c := p.dial()
			_, body, err := status(c, head)
			if err != nil || strings.Count(body, "more") != 20 || ended != nil {
				t.Errorf("%q: read %q, %v; the handler saw %v", head, body, err, ended)
			}
			c.Close() //nolint:errcheck // it ends
		})
	}
}

// A program that sends a long request before it reads sees why it was refused.
func TestARefusalIsSeenByWhoSendsFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := inMemory(t, 3, hello)
		const long = 2 << 20
		code, _, err := status(p.dial(), fmt.Sprintf("POST / HTTP/1.1\r\nHost: elsewhere.example\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s", long, strings.Repeat("x", long)))
		if code != http.StatusForbidden {
			t.Errorf("answered with %d, %v", code, err)
		}
	})
}

// A client that does not read its answer, or does not send its request, is left after a minute.
func TestS16WhoDoesNotReadIsLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		left := make(chan time.Duration, 1)
		p := inMemory(t, 3, func(w http.ResponseWriter, r *http.Request) {
			began := time.Now()
			_, err := io.ReadAll(r.Body)
			for err == nil {
				_, err = fmt.Fprint(w, strings.Repeat("x", 1<<16))
			}
			left <- time.Since(began)
		})
		c := p.dial()
		io.WriteString(c, get) //nolint:errcheck // it is there
		if d := <-left; d > writeTimeout {
			t.Errorf("a client that does not read was left after %v", d)
		}
		c = p.dial()
		io.WriteString(c, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nhi") //nolint:errcheck // it is there
		if d := <-left; d > readTimeout {
			t.Errorf("a client that does not send was left after %v", d)
		}
	})
}
