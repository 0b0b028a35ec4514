package layout_test

import (
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/a-h/templ"

	"familiar/memory"
	"familiar/web/layout"
	"familiar/web/visitor"
	"familiar/web/webtest"
)

// newShell returns a shell with a page for each way to fail.
func newShell() *layout.Shell {
	s := &layout.Shell{
		Personas: func() []layout.Persona { return []layout.Persona{{"vela", "Vela"}, {"kit", "Kit"}} },
		Now:      func() time.Time { return time.Date(2026, time.March, 2, 12, 0, 0, 0, time.UTC) }, Zone: time.UTC, Log: slog.New(slog.DiscardHandler),
	}
	s.MountTheme()
	s.Get("/p/{persona}/people", func(w http.ResponseWriter, r *http.Request) error {
		return s.Write(w, r, layout.Page{Title: "People <b>", Section: layout.People, Persona: r.PathValue("persona"), Body: layout.Title("People <b>", "")})
	})
	for path, err := range map[string]error{"/gone": memory.ErrNotFound, "/wrong": layout.Invalid(errors.New("write a day")), "/broken": errors.New("secret detail")} {
		s.Get(path, func(http.ResponseWriter, *http.Request) error { return err })
	}
	s.Get("/half", func(w http.ResponseWriter, r *http.Request) error {
		return s.Write(w, r, layout.Page{Title: "Half", Body: templ.Join(layout.Title("half a page", ""), failing{})})
	})
	s.Post("/change", func(w http.ResponseWriter, r *http.Request) error {
		return layout.Done(w, r, r.FormValue("to"), layout.Notice{Text: "Changed <i>it</i>.", Undo: "/undo", Fields: url.Values{"id": {`"7`}}})
	})
	s.GetOwn("/me", func(w http.ResponseWriter, r *http.Request) error {
		return s.Write(w, r, layout.Page{Title: "You", Section: layout.Own, Body: layout.Title("You", "")})
	})
	return s
}

func TestEveryAnswerIsAPage(t *testing.T) {
	t.Parallel()
	s := newShell()
	for _, c := range []struct {
		who    visitor.Visitor
		path   string
		status int
		says   string
	}{
		{webtest.Operator, "/p/vela/people", 200, "People <b>"},
		{webtest.Viewer, "/p/vela/people", 200, "People <b>"},
		{webtest.Operator, "/p/nobody/people", 404, "Nothing is here"},
		{webtest.Operator, "/nowhere", 404, "Nothing is here"},
		{webtest.Operator, "/gone", 404, "Nothing is here"},
		{webtest.Operator, "/wrong", 422, "write a day"},
		{webtest.Operator, "/broken", 500, "Something went wrong"},
		{webtest.Operator, "/half", 500, "Something went wrong"},
		{webtest.Nobody, "/p/vela/people", 401, "Please sign in"},
		{webtest.Person("vela", 1), "/p/vela/people", 403, "not for you"},
		{webtest.Person("vela", 1), "/me", 200, "You"},
		{webtest.Operator, "/me", 403, "not for you"},
	} {
		a := webtest.Get(t, s, c.who, c.path)
		if a.Status != c.status || !strings.Contains(a.Text, c.says) || !strings.HasPrefix(a.Body, "<!doctype html>") {
			t.Errorf("%s %s: %d, %s", c.who.Role, c.path, a.Status, a.Text)
		}
		if strings.Contains(a.Body, "secret detail") || strings.Contains(a.Body, "half a page") || strings.Contains(a.Body, "<b>") {
			t.Errorf("%s shows %s", c.path, a.Body)
		}
		if nav := strings.Contains(a.Body, `aria-label="Pages"`); nav != (c.who.MayChange() || c.who.Role == visitor.Viewer) {
			t.Errorf("%s of %q has navigation: %t", c.path, c.who.Role, nav)
		}
	}
}

func TestNotices(t *testing.T) {
	t.Parallel()
	s := newShell()
	a := webtest.Follow(t, s, webtest.Operator, "/change", url.Values{"to": {"/p/vela/people"}})
	if !strings.Contains(a.Text, "Changed <i>it</i>.") || !strings.Contains(a.Body, `action="/undo"`) || !strings.Contains(a.Body, `value="&#34;7"`) {
		t.Errorf("the next page says %s", a.Body)
	}
	if strings.Contains(webtest.Get(t, s, webtest.Operator, "/p/vela/people").Text, "Changed") {
		t.Error("the notice is shown without its cookie")
	}
	// Nobody else's notice is shown.
	done := webtest.Post(t, s, webtest.Operator, "/change", url.Values{"to": {"/p/vela/people"}})
	r := httptest.NewRequestWithContext(visitor.With(t.Context(), webtest.Viewer), http.MethodGet, "/p/vela/people", nil)
	for _, c := range (&http.Response{Header: done.Header}).Cookies() {
		r.AddCookie(c)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	if strings.Contains(w.Body.String(), "Changed") {
		t.Error("a notice with another signature is shown")
	}
	if a := webtest.Post(t, s, webtest.Viewer, "/change", nil); a.Status != http.StatusForbidden {
		t.Errorf("a viewer's change is answered with %d", a.Status)
	}
}

func TestNoFormLeadsElsewhere(t *testing.T) {
	t.Parallel()
	s := newShell()
	for _, back := range []string{"https://evil.example/", "//evil.example", `/\evil.example`, "javascript:alert(1)", "", "evil"} {
		for _, path := range []string{"/change", "/theme"} {
			a := webtest.Post(t, s, webtest.Operator, path, url.Values{"to": {back}, "back": {back}})
			if a.Status != http.StatusSeeOther || a.Header.Get("Location") != "/" {
				t.Errorf("%s with %q leads to %q", path, back, a.Header.Get("Location"))
			}
		}
	}
}
