package signin_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"familiar/memory/login"
)

// A browser keeps the session of the dashboard and that of a person's own pages side by side.
func TestABrowserKeepsBothSessions(t *testing.T) {
	s := newSite(t, "")
	operator, me := s.enter(s.link(login.Operator)), s.enter(s.link(login.Person))
	both := &browser{s, operator.cookie + "; " + me.cookie}
	if name := func(b *browser) string { n, _, _ := strings.Cut(b.cookie, "="); return n }; name(operator) == name(me) {
		t.Fatalf("both cookies are called %s", name(me))
	}
	for path, says := range map[string]string{"/": "Home of operator", "/me": "The page of person"} {
		if got := both.get(path); got.StatusCode != http.StatusOK || !strings.Contains(got.body, says) {
			t.Errorf("%s: %s %s", path, got.Status, got.body)
		}
	}
	// One more link for the person replaces their session only.
	form := url.Values{"token": {strings.TrimPrefix(s.link(login.Person), "/login/")}}
	again := both.post("/login", form)
	if again.StatusCode != http.StatusSeeOther || len(again.Cookies()) != 1 {
		t.Fatalf("one more link: %s with %v", again.Status, again.Cookies())
	}
	if a, b := operator.get("/"), me.get("/me"); a.StatusCode != http.StatusOK || b.StatusCode != http.StatusUnauthorized {
		t.Errorf("after one more link: the operator %s, the earlier session %s", a.Status, b.Status)
	}
	me.cookie = again.Cookies()[0].Name + "=" + again.Cookies()[0].Value
	both.cookie = operator.cookie + "; " + me.cookie
	// Each signs out by itself, with its own token.
	if got := both.post("/me/logout", url.Values{"csrf": {operator.token()}}); got.StatusCode != http.StatusForbidden {
		t.Errorf("the operator's token signed the person out: %s", got.Status)
	}
	if got := both.post("/me/logout", url.Values{"csrf": {me.token()}}); got.StatusCode != http.StatusSeeOther || !strings.HasPrefix(me.cookie, got.Cookies()[0].Name+"=") {
		t.Errorf("signed out of the own pages: %s %v", got.Status, got.Cookies())
	}
	if a, b := both.get("/"), both.get("/me"); a.StatusCode != http.StatusOK || b.StatusCode != http.StatusUnauthorized {
		t.Errorf("after that: the dashboard %s, the own pages %s", a.Status, b.Status)
	}
}

// Requirement S17: the cookie of a person opens their own pages only, also under the name of the other, and that of an operator none of
// theirs.
func TestS17CookiesKeepToTheirPages(t *testing.T) {
	s := newSite(t, "")
	operator, me := s.enter(s.link(login.Operator)), s.enter(s.link(login.Person))
	name := func(b *browser) string { n, _, _ := strings.Cut(b.cookie, "="); return n }
	value := func(b *browser) string { _, v, _ := strings.Cut(b.cookie, "="); return v }
	swapped := &browser{s, name(operator) + "=" + value(me) + "; " + name(me) + "=" + value(operator)}
	for _, path := range []string{"/", "/me", "/me/", "/live?path=/", "/nowhere"} {
		if got := swapped.get(path); got.StatusCode != http.StatusUnauthorized {
			t.Errorf("%s with swapped cookies: %s", path, got.Status)
		}
	}
	for _, path := range []string{"/", "/change", "/theme"} {
		if got := me.get(path); got.StatusCode == http.StatusOK {
			t.Errorf("a person sees %s", path)
		}
		if got := me.post(path, url.Values{"csrf": {me.token()}}); got.StatusCode < http.StatusBadRequest {
			t.Errorf("a person posts %s: %s", path, got.Status)
		}
	}
	if got := operator.get("/me"); got.StatusCode != http.StatusForbidden {
		t.Errorf("an operator at the page of a person: %s", got.Status)
	}
	if got := operator.post("/me/change", url.Values{"csrf": {operator.token()}}); got.StatusCode != http.StatusForbidden || s.changes.Load() != 0 {
		t.Errorf("an operator changes a page of a person: %s", got.Status)
	}
}
