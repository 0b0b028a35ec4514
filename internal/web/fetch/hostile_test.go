package fetch_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"familiar/internal/web/fetch"
	"familiar/internal/web/guard"
	"familiar/internal/web/webtest"
)

// hostileHosts are hosts that lead to this machine or to a network that is not public, however they are written.
var hostileHosts = []string{
	// IPv4
	"127.0.0.1", "127.1.2.3", "127.255.255.254", "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "172.16.0.1",
	"172.31.255.254", "192.168.0.1", "192.168.255.254", "100.64.0.1", "100.127.255.254", "169.254.169.254", "169.254.170.2",
	"192.0.0.192", "192.0.2.1", "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.9", "192.88.99.1", "224.0.0.1",
	"239.255.255.250", "240.0.0.1", "255.255.255.255",
	// IPv6
	"[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::ffff:10.0.0.1]", "[::ffff:169.254.169.254]", "[::127.0.0.1]",
	"[::ffff:0:127.0.0.1]", "[fc00::1]", "[fd00:ec2::254]", "[fe80::1]", "[fe80::1%25lo]", "[fec0::1]", "[ff02::1]", "[100::1]",
	"[2001:db8::1]", "[3fff::1]", "[2002:7f00:1::]", "[2002:a9fe:a9fe::]", "[2001:0:7f00:1::]", "[64:ff9b::7f00:1]",
	"[64:ff9b::a9fe:a9fe]", "[64:ff9b:1::7f00:1]",
	// other ways to write them
	"2130706433", "0x7f000001", "017700000001", "0x7f.0.0.1", "0177.0.0.1", "127.1", "127.0.1", "127.0.0.1.", "localhost",
	"localhost.", "LOCALHOST", "127。0。0。1", "１２７.０.０.１", "①②⑦.⓪.⓪.①", "127%2e0%2e0%2e1", "user@127.0.0.1",
	"public.test@127.0.0.1", "user:word@[::1]", "public.test%00@127.0.0.1",
	// names
	"loopback.test", "metadata.test", "six.test", "mapped.test", "nat64.test", "private.test", "many.test", "loopback.test.",
}

// hostileAddresses are whole addresses: schemes and forms that are not of the web.
var hostileAddresses = []string{
	"file:///etc/passwd", "file://localhost/etc/passwd", "gopher://127.0.0.1:PORT/_GET%20/", "ftp://127.0.0.1:PORT/", "dict://127.0.0.1:PORT/info",
	"ldap://127.0.0.1:PORT/", "ws://127.0.0.1:PORT/", "http+unix://%2Fvar%2Frun%2Fdocker.sock/info", "unix:/var/run/docker.sock",
	"data:text/html,hello", "javascript:alert(1)", "//127.0.0.1:PORT/", "127.0.0.1:PORT", "http:127.0.0.1:PORT", "http:///127.0.0.1:PORT/",
	"http://", "", "http://127.0.0.1:22/", "http://public.test:25/", "http://public.test:0/", "http://public.test:99999/",
	"http://public.test\\@127.0.0.1:PORT/", "http://127.0.0.1:PORT\r\nHost: a/", "https://public.test:PORT@127.0.0.1/",
}

type web struct {
	client  *fetch.Client
	victim  *webtest.Victim
	port    string // of the victim
	public  string // the base address of the public server
	visited *atomic.Int64
}

// newWeb returns a public server that redirects to whatever its query says, and a victim on a port that is allowed, so that
// only the guard's rule for addresses protects it.
func newWeb(t *testing.T) web {
	t.Helper()
	w := web{victim: webtest.NewVictim(t), visited: new(atomic.Int64)}
	server := webtest.Public(t, http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		w.visited.Add(1)
		if to := r.URL.Query().Get("to"); to != "" {
			rw.Header().Set("Location", to)
			code := http.StatusFound
			_, _ = fmt.Sscan(r.URL.Query().Get("code"), &code)
			rw.WriteHeader(code)
			return
		}
		rw.Header().Set("Content-Type", "text/plain")
		_, _ = rw.Write([]byte("public"))
	}))
	o := webtest.Options(server.Listener.Addr(), w.victim.Addr)
	o.Resolver = webtest.NewNames(map[string][]string{
		"public.test": {webtest.PublicAddress}, "loopback.test": {"127.0.0.1"}, "metadata.test": {"169.254.169.254"},
		"six.test": {"::1"}, "mapped.test": {"::ffff:127.0.0.1"}, "nat64.test": {"64:ff9b::7f00:1"}, "private.test": {"10.0.0.1 192.168.1.1"},
		"many.test": {"127.0.0.1 127.0.0.2 ::1"}, "rebind.test": {webtest.PublicAddress, "127.0.0.1"},
	}).Resolver(t)
	w.client = fetch.New(guard.New(o), time.Now)
	w.port = fmt.Sprint(webtest.Port(w.victim.Addr))
	w.public = server.URL
	return w
}

func TestS9NoHostileAddressIsReached(t *testing.T) {
	w := newWeb(t)
	tried := 0
	refuse := func(address string) {
		t.Helper()
		tried++
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		if page, err := w.client.Fetch(ctx, address); err == nil {
			t.Errorf("%q was fetched: %q", address, page.Markdown)
		}
		if n := w.victim.Reached(); n != 0 {
			t.Fatalf("%q reached the victim %d times", address, n)
		}
	}
	for _, host := range hostileHosts {
		refuse("http://" + host + ":" + w.port + "/")
		refuse(w.public + "/?to=" + url.QueryEscape("http://"+host+":"+w.port+"/"))
	}
	for _, address := range hostileAddresses {
		address = strings.ReplaceAll(address, "PORT", w.port)
		refuse(address)
		if address != "" {
			refuse(w.public + "/?to=" + url.QueryEscape("http://127.0.0.1:"+w.port+"/"+address))
		}
	}
	for _, code := range []int{301, 302, 303, 307, 308} {
		to := url.QueryEscape("//127.0.0.1:" + w.port + "/")
		refuse(fmt.Sprintf("%s/?code=%d&to=%s", w.public, code, to))
		refuse(w.public + "/?to=" + url.QueryEscape(fmt.Sprintf("/?code=%d&to=%s", code, to))) // two hops
	}
	t.Logf("%d hostile addresses and redirects, %d connections at the victim", tried, w.victim.Reached())
	if tried < 60 {
		t.Errorf("only %d addresses were tried", tried)
	}
}

func TestS9ANameThatResolvesDifferentlyTheSecondTimeIsNotFollowed(t *testing.T) {
	w := newWeb(t)
	_, port, _ := strings.Cut(strings.TrimPrefix(w.public, "http://"), ":")
	if _, err := w.client.Fetch(t.Context(), "http://rebind.test:"+port+"/"); err != nil {
		t.Fatalf("the first time, the name leads to the public server: %v", err)
	}
	_, err := w.client.Fetch(t.Context(), "http://rebind.test:"+w.port+"/")
	if !errors.Is(err, guard.ErrRefused) {
		t.Errorf("want a refusal, got %v", err)
	}
	if n := w.victim.Reached(); n != 0 {
		t.Errorf("the victim was reached %d times", n)
	}
}

func TestS9NoProxyOfTheEnvironmentIsUsed(t *testing.T) {
	w := newWeb(t)
	for _, name := range []string{"HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY"} {
		t.Setenv(name, "http://127.0.0.1:"+w.port)
	}
	if _, err := w.client.Fetch(t.Context(), w.public); err != nil {
		t.Fatal(err)
	}
	if w.victim.Reached() != 0 || w.visited.Load() != 1 {
		t.Errorf("the proxy was asked %d times, the server %d times", w.victim.Reached(), w.visited.Load())
	}
}

func TestRedirectsWithoutEndAreLeft(t *testing.T) {
	w := newWeb(t)
	to := "/"
	for range fetch.MaxRedirects {
		to = "/?to=" + url.QueryEscape(to)
	}
	if _, err := w.client.Fetch(t.Context(), w.public+to); err != nil {
		t.Errorf("%d redirects: %v", fetch.MaxRedirects, err)
	}
	w.visited.Store(0)
	loop := webtest.Public(t, http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		w.visited.Add(1)
		http.Redirect(rw, r, r.URL.Path+"x", http.StatusFound)
	}))
	client := fetch.New(guard.New(webtest.Options(loop.Listener.Addr())), time.Now)
	if _, err := client.Fetch(t.Context(), loop.URL); err == nil || w.visited.Load() != fetch.MaxRedirects+1 {
		t.Errorf("%d requests, error %v", w.visited.Load(), err)
	}
}
