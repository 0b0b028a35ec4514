package signin_test

import (
	"crypto/rand"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"familiar/channels"
	"familiar/internal/webserver"
	"familiar/internal/webserver/webservertest"
	"familiar/memory"
	"familiar/memory/login"
	"familiar/memory/memorytest"
	"familiar/web/assets"
	"familiar/web/layout"
	"familiar/web/signin"
	"familiar/web/visitor"
)

// site is a dashboard with a few pages, served over TCP as `familiar run` does.
type site struct {
	t     *testing.T
	store *memory.Store
	clock *memorytest.Clock
	// host is its address with the port.
	host string
	// changes counts what was changed.
	changes atomic.Int64
}

// newSite serves a dashboard. address is its public address, "" for none.
func newSite(t *testing.T, address string) *site {
	t.Helper()
	s := &site{t: t, clock: new(memorytest.Clock)}
	s.store = memorytest.OpenAt(t, s.clock)
	log := slog.New(slog.DiscardHandler)
	guard, err := signin.New(signin.Options{Logins: s.store.Logins, Address: address, Random: rand.Reader, Now: s.clock.Now, Log: log}, s.pages())
	if err != nil {
		t.Fatal(err)
	}
	o := webserver.Options{Listen: "127.0.0.1:0", Log: log, Origins: []string{"https://chat.example.org"}}
	if address != "" {
		o.Hosts = []string{"familiar.example.org"}
	}
	server, err := webserver.Listen(o)
	if err != nil {
		t.Fatal(err)
	}
	server.Mount("/", 1<<20, guard)
	s.host = server.Address()
	webservertest.Serve(t, server)
	return s
}

// pages are a page and a change of operators, and of a person.
func (s *site) pages() http.Handler {
	shell := &layout.Shell{Personas: func() []layout.Persona { return nil }, Now: s.clock.Now, Log: slog.New(slog.DiscardHandler)}
	shell.MountTheme()
	show := func(text string) layout.Handler {
		return func(w http.ResponseWriter, r *http.Request) error {
			who := visitor.From(r.Context())
			text := fmt.Sprintf("%s of %s at %q for person %d", text, who.Role, who.Persona, who.PersonID)
			return shell.Write(w, r, layout.Page{Title: text, Body: layout.Title(text, "")})
		}
	}
	change := func(http.ResponseWriter, *http.Request) error { s.changes.Add(1); return nil }
	shell.Get("/{$}", show("Home"))
	shell.Post("/change", change)
	shell.GetOwn("/me", show("The page"))
	shell.PostOwn("/me/change", change)
	mux := http.NewServeMux()
	mux.Handle(assets.Prefix, assets.Handler())
	mux.Handle("/", shell)
	return mux
}

// link returns the path of a new link of a role.
func (s *site) link(role login.Role) string {
	s.t.Helper()
	l := login.Link{Role: role, Expires: s.clock.Now().Add(login.LinkLifetime)}
	if role == login.Person {
		ann, _, err := s.store.Turns.UpsertParticipant(s.t.Context(), channels.Message{
			ID: "1", Room: channels.Room{Channel: "console", ID: "ann"}, Direct: true, Text: "Hello.", At: s.clock.Now(),
			Author: channels.Author{Handle: channels.Handle{Channel: "console", ID: "ann"}, Name: "ann"},
		})
		if err != nil {
			s.t.Fatal(err)
		}
		l.Persona, l.PersonID = "nell", ann.ID
	}
	token, err := s.store.Logins.CreateLink(s.t.Context(), rand.Reader, l)
	if err != nil {
		s.t.Fatal(err)
	}
	return signin.Path(token)
}

// answer is what the site answered.
type answer struct {
	*http.Response
	body string
}

// browser is one that keeps its cookie.
type browser struct {
	*site
	cookie string
}

// with changes a request.
type with func(r *http.Request)

func header(name, value string) with { return func(r *http.Request) { r.Header.Set(name, value) } }

func asHost(host string) with { return func(r *http.Request) { r.Host = host } }

// ask sends a request with the cookie of the browser. form is sent with POST.
func (b *browser) ask(method, path string, form url.Values, also ...with) answer {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), method, "http://"+b.host+path, strings.NewReader(form.Encode()))
	if err != nil {
		b.t.Fatal(err)
	}
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if b.cookie != "" {
		r.Header.Set("Cookie", b.cookie)
	}
	for _, change := range also {
		change(r)
	}
	got, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer got.Body.Close() //nolint:errcheck // it was read
	body, err := io.ReadAll(got.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return answer{got, string(body)}
}

func (b *browser) get(path string, also ...with) answer {
	b.t.Helper()
	return b.ask(http.MethodGet, path, nil, also...)
}

func (b *browser) post(path string, form url.Values, also ...with) answer {
	b.t.Helper()
	return b.ask(http.MethodPost, path, form, also...)
}

// field finds the value of a hidden field of a page.
func field(name, page string) string {
	found := regexp.MustCompile(`name="` + name + `" value="([^"]*)"`).FindStringSubmatch(page)
	if found == nil {
		return ""
	}
	return found[1]
}

// enter logs a browser in with a link, as a person does.
func (s *site) enter(link string) *browser {
	s.t.Helper()
	b := &browser{site: s}
	offered := b.get(link)
	done := b.post("/login", url.Values{"token": {field("token", offered.body)}}, header("Sec-Fetch-Site", "same-origin"))
	if offered.StatusCode != http.StatusOK || done.StatusCode != http.StatusSeeOther || len(done.Cookies()) != 1 {
		s.t.Fatalf("offered %s, logged in %s: %s", offered.Status, done.Status, done.body)
	}
	b.cookie = done.Cookies()[0].Name + "=" + done.Cookies()[0].Value
	return b
}

// token returns the token for forms.
func (b *browser) token() string {
	b.t.Helper()
	for _, page := range []string{"/", "/me"} {
		if token := field("csrf", b.get(page).body); token != "" {
			return token
		}
	}
	b.t.Fatal("no page has a form")
	return ""
}

func TestALinkLogsABrowserIn(t *testing.T) {
	s := newSite(t, "")
	link := s.link(login.Operator)
	stranger := &browser{site: s}
	if got := stranger.get("/"); got.StatusCode != http.StatusUnauthorized || !strings.Contains(got.body, "familiar dashboard") {
		t.Errorf("a stranger gets %s: %s", got.Status, got.body)
	}
	for _, method := range []string{http.MethodGet, http.MethodHead} { // a chat network looks what is behind the link
		if got := stranger.ask(method, link, nil); got.StatusCode != http.StatusOK || len(got.Cookies()) > 0 {
			t.Errorf("a preview by %s: %s with cookies %v", method, got.Status, got.Cookies())
		}
	}
	token := strings.TrimPrefix(link, "/login/")
	got := stranger.post("/login", url.Values{"token": {token}})
	cookies := got.Cookies()
	if got.StatusCode != http.StatusSeeOther || got.Header.Get("Location") != "/" || len(cookies) != 1 {
		t.Fatalf("logged in: %s to %q with cookies %v", got.Status, got.Header.Get("Location"), cookies)
	}
	_, port, _ := strings.Cut(s.host, ":")
	c := cookies[0]
	if c.Name != "familiar-"+port || !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Path != "/" || c.Secure || c.Domain != "" || c.MaxAge != 30*24*3600 {
		t.Errorf("the cookie is %+v", c)
	}
	b := &browser{s, c.Name + "=" + c.Value}
	if got := b.get("/"); got.StatusCode != http.StatusOK || !strings.Contains(got.body, "Home of operator") || strings.Contains(got.body, c.Value) {
		t.Errorf("the first page: %s %s", got.Status, got.body)
	}
	if got := stranger.post("/login", url.Values{"token": {token}}); got.StatusCode != http.StatusUnauthorized || len(got.Cookies()) > 0 {
		t.Errorf("the link once more: %s with cookies %v", got.Status, got.Cookies())
	}
}

// Behind a proxy with encryption the cookie is bound to it.
func TestTheCookieIsSecureBehindHTTPS(t *testing.T) {
	s := newSite(t, "https://familiar.example.org")
	done := (&browser{site: s}).post("/login", url.Values{"token": {strings.TrimPrefix(s.link(login.Operator), "/login/")}}, asHost("familiar.example.org"), header("Origin", "https://familiar.example.org"))
	if len(done.Cookies()) != 1 || done.Cookies()[0].Name != "__Host-familiar" || !done.Cookies()[0].Secure {
		t.Fatalf("%s with cookies %v: %s", done.Status, done.Cookies(), done.body)
	}
	value := done.Cookies()[0].Value
	for _, c := range []struct {
		cookie string
		status int
	}{
		{"__Host-familiar=" + value, 200},
		{"familiar=" + value, 401},
		{"familiar-443=" + value, 401},
		{"__Host-familiar=" + value + "; __Host-familiar=x", 401},
	} {
		if got := (&browser{s, c.cookie}).get("/", asHost("familiar.example.org")); got.StatusCode != c.status {
			t.Errorf("%s: %s, want %d", strings.ReplaceAll(c.cookie, value, "TOKEN"), got.Status, c.status)
		}
	}
}

// However many browsers use a link at the same time, one is logged in.
func TestALinkUsedConcurrentlyLogsOneIn(t *testing.T) {
	s := newSite(t, "")
	form := url.Values{"token": {strings.TrimPrefix(s.link(login.Operator), "/login/")}}
	var entered atomic.Int64
	var wait sync.WaitGroup
	for range 16 {
		wait.Go(func() {
			if got := (&browser{site: s}).post("/login", form); len(got.Cookies()) > 0 {
				entered.Add(1)
			}
		})
	}
	wait.Wait()
	if all, err := s.store.Logins.List(t.Context()); err != nil || len(all) != 1 || entered.Load() != 1 {
		t.Errorf("%d cookies and %d sessions, %v", entered.Load(), len(all), err)
	}
}

// Requirement S17: no cookie lets in but that of a session, as long as it lasts.
func TestS17CookiesThatDoNotCount(t *testing.T) {
	s := newSite(t, "")
	b := s.enter(s.link(login.Operator))
	name, value, _ := strings.Cut(b.cookie, "=")
	for what, cookie := range map[string]string{
		"none": "", "empty": name + "=", "forged": name + "=fam_" + strings.Repeat("A", 43), "cut": b.cookie[:len(b.cookie)-1], "longer": b.cookie + "A",
		"tampered": name + "=" + strings.ToUpper(value), "huge": name + "=" + strings.Repeat("x", 12<<10), "two": b.cookie + "; " + name + "=x",
		"of another name": "familiar=" + value, "quoted SQL": name + "=' OR 1=1 --", "a link's token": name + "=" + strings.TrimPrefix(s.link(login.Operator), "/login/"),
		"the token of forms": name + "=" + b.token(),
	} {
		for _, path := range []string{"/", "/me", "/live", "/nowhere", "/theme"} {
			if got := (&browser{s, cookie}).get(path); got.StatusCode != http.StatusUnauthorized {
				t.Errorf("%s, %s: %s", what, path, got.Status)
			}
		}
		if got := (&browser{s, cookie}).post("/change", url.Values{"csrf": {b.token()}}); got.StatusCode != http.StatusUnauthorized {
			t.Errorf("%s, a change: %s", what, got.Status)
		}
	}
	stolen := *b
	if got := b.post("/logout", url.Values{"csrf": {b.token()}}); got.StatusCode != http.StatusSeeOther || got.Cookies()[0].MaxAge >= 0 {
		t.Errorf("logged out: %s, %v", got.Status, got.Cookies())
	}
	if got := stolen.get("/"); got.StatusCode != http.StatusUnauthorized {
		t.Errorf("a stolen cookie after the logout: %s", got.Status)
	}
	late := s.enter(s.link(login.Viewer))
	s.clock.Advance(7 * 24 * time.Hour)
	if got := late.get("/"); got.StatusCode != http.StatusUnauthorized {
		t.Errorf("an expired cookie: %s", got.Status)
	}
	if s.changes.Load() != 0 {
		t.Errorf("%d changes", s.changes.Load())
	}
}

// Requirement S17: only the forms of a session change something, from pages of this site.
func TestS17ForeignFormsChangeNothing(t *testing.T) {
	s := newSite(t, "")
	b, other, me := s.enter(s.link(login.Operator)), s.enter(s.link(login.Operator)), s.enter(s.link(login.Person))
	own := url.Values{"csrf": {b.token()}}
	for what, try := range map[string]func() answer{
		"without a token":                  func() answer { return b.post("/change", nil) },
		"with an empty token":              func() answer { return b.post("/change", url.Values{"csrf": {""}}) },
		"with another session's":           func() answer { return b.post("/change", url.Values{"csrf": {other.token()}}) },
		"with a person's":                  func() answer { return b.post("/change", url.Values{"csrf": {me.token()}}) },
		"with the cookie":                  func() answer { return b.post("/change", url.Values{"csrf": {strings.SplitN(b.cookie, "=", 2)[1]}}) },
		"in the query":                     func() answer { return b.post("/change?csrf="+b.token(), nil) },
		"as text":                          func() answer { return b.post("/change", own, header("Content-Type", "text/plain")) },
		"as JSON":                          func() answer { return b.post("/change", own, header("Content-Type", "application/json")) },
		"from another site":                func() answer { return b.post("/change", own, header("Sec-Fetch-Site", "cross-site")) },
		"from a sibling":                   func() answer { return b.post("/change", own, header("Sec-Fetch-Site", "same-site")) },
		"from another origin":              func() answer { return b.post("/change", own, header("Origin", "https://evil.example")) },
		"from no origin":                   func() answer { return b.post("/change", own, header("Origin", "null")) },
		"from another port":                func() answer { return b.post("/change", own, header("Origin", "http://127.0.0.1:1")) },
		"from a page that may use the API": func() answer { return b.post("/change", own, header("Origin", "https://chat.example.org")) },
		"a logout":                         func() answer { return b.post("/logout", nil) },
	} {
		if got := try(); got.StatusCode != http.StatusForbidden || got.Header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: %s, %v", what, got.Status, got.Header)
		}
	}
	if got := (&browser{site: s}).post("/login", url.Values{"token": {strings.TrimPrefix(s.link(login.Operator), "/login/")}}, header("Sec-Fetch-Site", "cross-site")); len(got.Cookies()) > 0 {
		t.Errorf("a foreign page logged a browser in: %s", got.Status)
	}
	for _, path := range []string{"/change?csrf=" + b.token(), "/logout?csrf=" + b.token(), "/theme?theme=dark", "/me/change"} {
		if got := b.get(path); got.StatusCode < 400 {
			t.Errorf("GET %s: %s", path, got.Status)
		}
	}
	for _, method := range []string{http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions, "PROPFIND"} {
		if got := b.ask(method, "/change", nil, header("X-CSRF-Token", b.token())); got.StatusCode != http.StatusMethodNotAllowed {
			t.Errorf("%s: %s", method, got.Status)
		}
	}
	if s.changes.Load() != 0 {
		t.Fatalf("%d changes", s.changes.Load())
	}
	for _, ok := range []answer{
		b.post("/change", own, header("Sec-Fetch-Site", "same-origin"), header("Origin", "http://"+s.host)),
		b.post("/change", nil, header("X-CSRF-Token", b.token())),
		b.post("/change", nil, multipart(b.token())),
		me.post("/me/change", url.Values{"csrf": {me.token()}}),
	} {
		if ok.StatusCode != http.StatusOK {
			t.Errorf("an own form: %s %s", ok.Status, ok.body)
		}
	}
	if s.changes.Load() != 4 {
		t.Errorf("%d changes, want 4", s.changes.Load())
	}
	if got := b.post("/change", url.Values{"csrf": {b.token()}, "text": {strings.Repeat("x", 2<<20)}}); got.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("a long form: %s", got.Status)
	}
}

// multipart sends a token as a form with files does.
func multipart(token string) with {
	return func(r *http.Request) {
		body := "--b\r\nContent-Disposition: form-data; name=\"csrf\"\r\n\r\n" + token + "\r\n--b--\r\n"
		r.Header.Set("Content-Type", "multipart/form-data; boundary=b")
		r.Body, r.ContentLength = io.NopCloser(strings.NewReader(body)), int64(len(body))
	}
}

// Requirement S17: each role sees its own pages and changes what it may.
func TestS17RolesKeepToTheirPages(t *testing.T) {
	s := newSite(t, "")
	for _, c := range []struct {
		role                         login.Role
		home, me, change, own, theme int
	}{
		{login.Operator, 200, 403, 200, 403, 303},
		{login.Viewer, 200, 403, 403, 403, 303},
		{login.Person, 403, 200, 403, 200, 403},
	} {
		b := s.enter(s.link(c.role))
		form := url.Values{"csrf": {b.token()}}
		got := []int{b.get("/").StatusCode, b.get("/me").StatusCode, b.post("/change", form).StatusCode, b.post("/me/change", form).StatusCode, b.post("/theme", form).StatusCode}
		if want := []int{c.home, c.me, c.change, c.own, c.theme}; fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s gets %v, want %v", c.role, got, want)
		}
		if got := b.post("/me/theme", form).StatusCode; (got == http.StatusSeeOther) != (c.role == login.Person) {
			t.Errorf("%s chooses the theme of the own pages: %d", c.role, got)
		}
		if c.role == login.Person && !strings.Contains(b.get("/me").body, "The page of person at &#34;nell&#34; for person 1") {
			t.Errorf("their page: %s", b.get("/me").body)
		}
	}
	if s.changes.Load() != 2 {
		t.Errorf("%d changes, want the operator's and the person's", s.changes.Load())
	}
}

// Requirement S17: a name that was pointed to this machine shows nothing (DNS rebinding), for any route.
func TestS17ForeignNamesShowNothing(t *testing.T) {
	s := newSite(t, "https://familiar.example.org")
	for _, host := range []string{"evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost.evil.example", "familiar.example.org.evil.example", "0.0.0.0", "[::]"} {
		for _, path := range []string{"/", "/login", s.link(login.Operator), "/me", assets.Path("style.css")} {
			if got := (&browser{site: s}).get(path, asHost(host)); got.StatusCode != http.StatusForbidden {
				t.Errorf("%s at %s: %s", path, host, got.Status)
			}
		}
	}
	for _, host := range []string{"familiar.example.org", "FAMILIAR.example.org:443", "localhost:8484", "[::1]:8484"} {
		if got := (&browser{site: s}).get("/login", asHost(host)); got.StatusCode != http.StatusOK {
			t.Errorf("%s: %s", host, got.Status)
		}
	}
}

// Requirement S17: odd paths reach no page and lead nowhere else.
func TestS17OddPaths(t *testing.T) {
	s := newSite(t, "")
	stranger := &browser{site: s}
	for _, path := range []string{
		"//login", "//evil.example/login", "/login/..%2f", "/login/../", "/login/..%2fchange", "/assets/../", "/assets/..%2f..%2fme", "/assets/%2e%2e/me", "/.//me",
		"/login/" + strings.Repeat("x", 8<<10), "/login/a/b", "/login/%00", "/login//evil.example", "/LOGIN", "/me/../", "/;/me", "/%5cevil.example", "/\\evil.example",
	} {
		got := stranger.get(path)
		to := got.Header.Get("Location")
		if to != "" && (!strings.HasPrefix(to, "/") || strings.HasPrefix(to, "//") || strings.HasPrefix(to, "/\\")) || strings.Contains(got.body, "Home of") || len(got.Cookies()) > 0 {
			t.Errorf("%.40s: %s to %q", path, got.Status, to)
		}
		if got.StatusCode == http.StatusOK && field("token", got.body) == "" {
			t.Errorf("%.40s shows %s", path, got.body)
		}
	}
	if got := stranger.get(`/login/"><script>alert(1)<`); strings.Contains(got.body, "<script>alert") {
		t.Errorf("a token is part of the page: %s", got.body)
	}
	if got := stranger.get("/nowhere?x=//evil.example"); !strings.Contains(got.body, `href="/nowhere?x=//evil.example"`) {
		t.Errorf("the page offers: %s", got.body)
	}
}

// Requirement S17: whoever tries wrong links waits, and keeps nobody out.
func TestS17WrongLinksAreLimited(t *testing.T) {
	s := newSite(t, "")
	b := &browser{site: s}
	for i := range 12 {
		got := b.post("/login", url.Values{"token": {fmt.Sprint("fam_", i)}})
		want := http.StatusUnauthorized
		if i >= 10 {
			want = http.StatusTooManyRequests
		}
		if got.StatusCode != want || (want == http.StatusTooManyRequests) != (got.Header.Get("Retry-After") == "10") {
			t.Fatalf("try %d: %s, Retry-After %q", i, got.Status, got.Header.Get("Retry-After"))
		}
	}
	s.enter(s.link(login.Operator))
	s.clock.Advance(10 * time.Second)
	if got := b.post("/login", url.Values{"token": {strings.Repeat("x", 3<<10)}}); got.StatusCode != http.StatusUnauthorized {
		t.Errorf("after the wait: %s", got.Status)
	}
	if got := b.post("/login", url.Values{"token": {strings.Repeat("x", 1<<20)}}); got.StatusCode != http.StatusTooManyRequests {
		t.Errorf("a huge token: %s", got.Status)
	}
}

// Every answer has the headers that confine a page.
func TestEveryAnswerIsConfined(t *testing.T) {
	s := newSite(t, "")
	b := s.enter(s.link(login.Operator))
	for _, got := range []answer{
		b.get("/"), b.get("/nowhere"), b.get("/login"), b.get(s.link(login.Viewer)), b.post("/change", nil), (&browser{site: s}).get("/"), b.ask(http.MethodDelete, "/", nil),
		b.get("/", header("Origin", "https://chat.example.org")),
	} {
		h := got.Header
		if !strings.HasPrefix(h.Get("Content-Security-Policy"), "default-src 'none'; ") || strings.Contains(h.Get("Content-Security-Policy"), "unsafe") || h.Get("Referrer-Policy") != "no-referrer" ||
			h.Get("X-Frame-Options") != "DENY" || h.Get("Cross-Origin-Opener-Policy") != "same-origin" || h.Get("Cross-Origin-Resource-Policy") != "same-origin" ||
			h.Get("Permissions-Policy") == "" || h.Get("Cache-Control") != "no-store" || h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s %s: %v", got.Request.Method, got.Request.URL.Path, h)
		}
	}
	if got := b.get(assets.Path("style.css")); got.StatusCode != http.StatusOK || !strings.Contains(got.Header.Get("Cache-Control"), "immutable") {
		t.Errorf("the stylesheet: %s, %v", got.Status, got.Header)
	}
}
