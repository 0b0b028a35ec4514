package webserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"familiar/memory/access"
)

// serve runs a server with one handler until the test ends.
func serve(t *testing.T, o Options, h http.Handler) (s *Server, stop func() error) {
	t.Helper()
	o.Listen, o.Log = "127.0.0.1:0", slog.New(slog.DiscardHandler)
	s, err := Listen(o)
	if err != nil {
		t.Fatal(err)
	}
	s.Mount("/", 16, h)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	stop = func() error { cancel(); return <-ended }
	t.Cleanup(cancel)
	return s, stop
}

var hello = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	if _, err := io.ReadAll(r.Body); err != nil {
		http.Error(w, "too long", http.StatusRequestEntityTooLarge)
		return
	}
	fmt.Fprint(w, "hello")
})

// request asks the server, with a Host header and an Origin if they are not empty.
func request(t *testing.T, s *Server, method, host, origin, body string) *http.Response {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, "http://"+s.Address()+"/", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if host != "" {
		r.Host = host
	}
	if origin != "" {
		r.Header.Set("Origin", origin)
	}
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	got.Body.Close() //nolint:errcheck // only the head counts
	return got
}

// A web page must not read through a name that was pointed to this machine (S17), nor from its own origin.
func TestS17ForeignNamesAndPagesAreRefused(t *testing.T) {
	s, _ := serve(t, Options{Hosts: []string{"familiar.example.org"}, Origins: []string{"https://chat.example.org"}}, hello)
	for _, c := range []struct {
		host, origin string
		want         int
	}{
		{"", "", http.StatusOK},
		{"localhost", "", http.StatusOK},
		{"LOCALHOST.evil.example", "", http.StatusForbidden},
		{"[::1]:80", "", http.StatusOK},
		{"127.0.0.1.evil.example", "", http.StatusForbidden},
		{"evil.example:80", "", http.StatusForbidden},
		{"10.0.0.1", "", http.StatusForbidden},
		{"Familiar.example.org", "", http.StatusOK},
		{"familiar.example.org:8484", "https://familiar.example.org:8484", http.StatusOK},
		{"", "https://evil.example", http.StatusForbidden},
		{"", "null", http.StatusForbidden},
		{"", "https://chat.example.org", http.StatusOK},
		{"", "https://chat.example.org.evil.example", http.StatusForbidden},
	} {
		if got := request(t, s, http.MethodPost, c.host, c.origin, ""); got.StatusCode != c.want {
			t.Errorf("host %q, origin %q: %s, want %d", c.host, c.origin, got.Status, c.want)
		}
	}
	got := request(t, s, http.MethodOptions, "", "https://chat.example.org", "")
	if got.StatusCode != http.StatusNoContent || got.Header.Get("Access-Control-Allow-Origin") != "https://chat.example.org" {
		t.Errorf("a known page may not ask: %s, %v", got.Status, got.Header)
	}
	if anyHost, _ := serve(t, Options{Hosts: []string{AnyHost}}, hello); request(t, anyHost, http.MethodGet, "any.example", "", "").StatusCode != http.StatusOK {
		t.Error("a server for any name refuses one")
	}
}

func TestBodiesAreBounded(t *testing.T) {
	s, _ := serve(t, Options{}, hello)
	if got := request(t, s, http.MethodPost, "", "", strings.Repeat("x", 16)); got.StatusCode != http.StatusOK {
		t.Errorf("a body that fits: %s", got.Status)
	}
	if got := request(t, s, http.MethodPost, "", "", strings.Repeat("x", 17)); got.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("a body that does not fit: %s", got.Status)
	}
}

// A request that never ends is cut off when the server stops, and its handler notices.
func TestStoppingEndsRequests(t *testing.T) {
	began, noticed := make(chan bool), make(chan bool, 1)
	s, stop := serve(t, Options{}, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(began)
		<-r.Context().Done()
		noticed <- true
	}))
	go http.Get("http://" + s.Address()) //nolint:errcheck,bodyclose,noctx // it is cut off
	<-began
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-noticed:
	case <-time.After(10 * time.Second):
		t.Error("the handler was not told")
	}
	if c, err := net.Dial("tcp", s.Address()); err == nil {
		t.Error("the server still listens", c.Close())
	}
}

func TestBearer(t *testing.T) {
	b := Bearer{Log: slog.New(slog.DiscardHandler), Authenticate: func(_ context.Context, token string) (access.Grant, error) {
		switch token {
		case "good":
			return access.Grant{Client: "editor"}, nil
		case "busy":
			return access.Grant{}, errors.New("the disk is full")
		}
		return access.Grant{}, access.ErrRefused
	}}
	s, _ := serve(t, Options{}, b.Require(func(w http.ResponseWriter, _ *http.Request, g access.Grant) { fmt.Fprint(w, g.Client) }))
	for header, want := range map[string]int{
		"": http.StatusUnauthorized, "Bearer": http.StatusUnauthorized, "Bearer bad": http.StatusUnauthorized, "Basic good": http.StatusUnauthorized,
		"Bearer good": http.StatusOK, "bearer good": http.StatusOK, "Bearer busy": http.StatusServiceUnavailable,
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+s.Address(), nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", header)
		got, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(got.Body)
		if err != nil || got.StatusCode != want || (want == http.StatusOK) != (string(body) == "editor") {
			t.Errorf("%q: %s %q, %v, want %d", header, got.Status, body, err, want)
		}
		if want == http.StatusUnauthorized && got.Header.Get("WWW-Authenticate") == "" {
			t.Errorf("%q: not told how to authenticate", header)
		}
		got.Body.Close() //nolint:errcheck // it was read
	}
}
