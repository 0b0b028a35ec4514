package main

import (
	"crypto/rand"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/net/html"

	"familiar/memory/login"
)

// signIn uses the link that `familiar dashboard` printed, as a browser does.
func signIn(t *testing.T, link string) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	browser := &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	base, token, ok := strings.Cut(link, "/login/")
	if !ok {
		t.Fatalf("no link: %q", link)
	}
	got, err := browser.PostForm(base+"/login", url.Values{"token": {token}})
	if err != nil {
		t.Fatal(err)
	}
	got.Body.Close() //nolint:errcheck // only the head counts
	if got.StatusCode != http.StatusSeeOther {
		t.Fatalf("signed in: %s", got.Status)
	}
	return browser
}

// statusOf asks for a page.
func statusOf(t *testing.T, browser *http.Client, page string) int {
	t.Helper()
	got, err := browser.Get(page)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close() //nolint:errcheck // it was read
	if _, err := io.ReadAll(got.Body); err != nil {
		t.Fatal(err)
	}
	return got.StatusCode
}

// linkTo runs `familiar dashboard --json` where something serves it.
func linkTo(t *testing.T, home string, args ...string) (link struct {
	URL, Role string
	ServedBy  string `json:"served_by"`
},
) {
	t.Helper()
	out, err := command(home, nil, append([]string{"dashboard", "--json"}, args...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &link); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return link
}

// Where `familiar run` serves the dashboard, the verb prints a link to it. Sessions outlive the process and are ended by number.
func TestTheDashboardOfARunningHome(t *testing.T) {
	t.Parallel()
	home, address := t.TempDir(), freeAddress(t)
	run := start(t, home, nil, "run", "--http", address)
	run.reports("serving")
	link := linkTo(t, home)
	if link.ServedBy != "familiar run" || !strings.HasPrefix(link.URL, "http://"+address+"/login/fam_") || link.Role != "operator" {
		t.Fatalf("the link is %+v", link)
	}
	operator, viewer := signIn(t, link.URL), signIn(t, linkTo(t, home, "--role", "viewer").URL)
	page := "http://" + address + "/nowhere"
	if a, b, c := statusOf(t, operator, page), statusOf(t, viewer, page), statusOf(t, http.DefaultClient, page); a != 404 || b != 404 || c != 401 {
		t.Errorf("a page that is not there: %d for the operator, %d for the viewer, %d for a stranger", a, b, c)
	}
	token := link.URL[strings.LastIndex(link.URL, "/")+1:]
	if log := run.errs.String(); strings.Contains(log, token[4:]) || !strings.Contains(log, "a browser was logged in") {
		t.Errorf("the log: %s", log)
	}
	out, err := command(home, nil, "dashboard", "sessions").Output()
	if lines := strings.Split(strings.TrimSpace(string(out)), "\n"); err != nil || len(lines) != 2 || !strings.Contains(lines[1], "viewer") || strings.Contains(string(out), "fam_") {
		t.Errorf("sessions: %v %s", err, out)
	}
	if out, err := command(home, nil, "dashboard", "end", "1").CombinedOutput(); err != nil || !strings.Contains(string(out), "Browser 1 was signed out") {
		t.Errorf("ended: %v %s", err, out)
	}
	if a, b := statusOf(t, operator, page), statusOf(t, viewer, page); a != 401 || b != 404 {
		t.Errorf("after the end of the first: %d and %d", a, b)
	}
	if out, err := command(home, nil, "dashboard", "end", "--all").CombinedOutput(); err != nil || !strings.Contains(string(out), "1 browser was signed out") {
		t.Errorf("ended all: %v %s", err, out)
	}
	for args, says := range map[string]string{"end 1": "`familiar dashboard list`", "end": "one number, or --all", "end 1 --all": "one number, or --all", "end x": "not a number", "--role owner": "use one of operator, viewer", "--listen 0.0.0.0:1": "--listen would be reached"} {
		if out, err := command(home, nil, append([]string{"dashboard"}, strings.Fields(args)...)...).CombinedOutput(); err == nil || !strings.Contains(string(out), says) {
			t.Errorf("dashboard %s: %v %s", args, err, out)
		}
	}
	run.signal(syscall.SIGTERM)
	if code, _ := run.exit(); code != 0 {
		t.Errorf("run ended with %d: %s", code, run.errs)
	}
}

// A talk with an edited persona leaves nothing when what serves the dashboard ends.
func TestTheEndThrowsTalksAway(t *testing.T) {
	t.Parallel()
	for _, verb := range []string{"run --http", "dashboard --listen"} {
		t.Run(verb, func(t *testing.T) {
			t.Parallel()
			home, address := t.TempDir(), freeAddress(t)
			serves := start(t, home, nil, append(strings.Fields(verb), address)...)
			link := ""
			if strings.HasPrefix(verb, "run") {
				serves.reports("serving")
				link = linkTo(t, home).URL
			} else {
				link = serves.hear("http://")
			}
			browser, page := signIn(t, link), "http://"+address+"/p/nell/character"
			form := formOn(t, browser, page)
			form.Set("try_text", "Hello")
			form.Set("try", "say")
			got, err := browser.PostForm(page+"/try", form)
			if err != nil {
				t.Fatal(err)
			}
			got.Body.Close() //nolint:errcheck // only the head counts
			talks := filepath.Join(home, "trials", "talk-*")
			if files, err := filepath.Glob(talks); err != nil || len(files) == 0 || got.StatusCode != http.StatusOK {
				t.Fatalf("the talk: %s with the files %v, %v", got.Status, files, err)
			}
			serves.signal(syscall.SIGTERM)
			if code, _ := serves.exit(); code != 0 {
				t.Errorf("it ended with %d: %s", code, serves.errs)
			}
			if files, err := filepath.Glob(talks); err != nil || len(files) != 0 {
				t.Errorf("%v is left, %v", files, err)
			}
		})
	}
}

// formOn returns what the form of a persona on a page has.
func formOn(t *testing.T, browser *http.Client, page string) url.Values {
	t.Helper()
	got, err := browser.Get(page)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close() //nolint:errcheck // it was read
	root, err := html.Parse(got.Body)
	if err != nil {
		t.Fatal(err)
	}
	form := url.Values{}
	for n := range root.Descendants() {
		attr := map[string]string{}
		for _, a := range n.Attr {
			attr[a.Key] = a.Val
		}
		switch {
		case attr["name"] == "":
		case n.Data == "textarea" && n.FirstChild != nil:
			form.Set(attr["name"], n.FirstChild.Data)
		case n.Data == "input" && attr["type"] != "checkbox" && attr["type"] != "radio":
			form.Add(attr["name"], attr["value"])
		}
	}
	return form
}

// Where nothing serves the dashboard, the verb does, also beside a process that serves the home.
func TestTheDashboardServesItself(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	run := start(t, home, nil, "run")
	run.reports("serving")
	served := start(t, home, nil, "dashboard", "--listen", freeAddress(t))
	link := served.hear("http://127.0.0.1:")
	browser := signIn(t, link)
	base, _, _ := strings.Cut(link, "/login/")
	if got := statusOf(t, browser, base+"/nowhere"); got != http.StatusNotFound {
		t.Errorf("a page that is not there: %d", got)
	}
	for _, path := range []string{"/mcp", "/api/v1/people"} { // they are for http.listen
		if got := statusOf(t, browser, base+path); got != http.StatusNotFound {
			t.Errorf("%s: %d", path, got)
		}
	}
	served.signal(syscall.SIGINT)
	if code, _ := served.exit(); code != 0 {
		t.Errorf("the dashboard ended with %d: %s", code, served.errs)
	}
	run.signal(syscall.SIGTERM)
	run.exit()
}

// Each role gets its own pages and no others, whatever the page (S17).
func TestS17PagesKeepToTheirRoles(t *testing.T) {
	t.Parallel()
	home, address := t.TempDir(), freeAddress(t)
	familiar(t, home, nil, "My cat is called Tom.\n", "chat", "--as", "Ann").must(t)
	run := start(t, home, nil, "run", "--http", address)
	run.reports("serving")
	base, store := "http://"+address, openStore(t, home)
	enter := func(l login.Link) *http.Client {
		l.Expires = time.Now().Add(login.LinkLifetime)
		token, err := store.Logins.CreateLink(t.Context(), rand.Reader, l)
		if err != nil {
			t.Fatal(err)
		}
		return signIn(t, base+"/login/"+token)
	}
	browsers := map[string]*http.Client{
		"operator": enter(login.Link{Role: login.Operator}), "viewer": enter(login.Link{Role: login.Viewer}),
		"person": enter(login.Link{Role: login.Person, Persona: "nell", PersonID: 1}), "stranger": http.DefaultClient,
	}
	for _, page := range []string{"/", "/p/nell/people", "/p/nell/people/1", "/p/nell/memory", "/p/nell/memory/1", "/p/nell/conversations", "/p/nell/character", "/simulate", "/me"} {
		known := statusOf(t, browsers["operator"], base+page)
		if known == http.StatusNotFound { // it has no page yet
			continue
		}
		want := map[string]int{"operator": 200, "viewer": 200, "person": 403, "stranger": 401}
		if page == "/me" {
			want = map[string]int{"operator": 403, "viewer": 403, "person": 200, "stranger": 401}
		}
		for who, status := range want {
			if got := statusOf(t, browsers[who], base+page); got != status {
				t.Errorf("%s is answered with %d for a %s, want %d", page, got, who, status)
			}
		}
	}
	run.signal(syscall.SIGTERM)
	run.exit()
}

// Behind a proxy the links have its address, and requests under its name are answered.
func TestTheDashboardBehindAProxy(t *testing.T) {
	t.Parallel()
	home, address := t.TempDir(), freeAddress(t)
	write(t, filepath.Join(home, "familiar.yaml"), []byte("http: {listen: '"+address+"', address: 'https://familiar.example.org'}\n"))
	run := start(t, home, nil, "run")
	run.reports("serving")
	link := linkTo(t, home).URL
	token, ok := strings.CutPrefix(link, "https://familiar.example.org/login/")
	if !ok {
		t.Fatalf("the link is %s", link)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+address+"/login", strings.NewReader(url.Values{"token": {token}}.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	r.Host = "familiar.example.org"
	for name, value := range map[string]string{"Content-Type": "application/x-www-form-urlencoded", "Origin": "https://familiar.example.org", "Sec-Fetch-Site": "same-origin", "X-Forwarded-For": "203.0.113.7"} {
		r.Header.Set(name, value)
	}
	got, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	got.Body.Close() //nolint:errcheck // only the head counts
	if cookies := got.Cookies(); len(cookies) != 1 || cookies[0].Name != "__Host-familiar" || !cookies[0].Secure {
		t.Errorf("signed in: %s with cookies %v", got.Status, cookies)
	}
	run.signal(syscall.SIGTERM)
	run.exit()
}
