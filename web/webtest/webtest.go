// Package webtest asks the dashboard for pages in tests: without a network, and as whoever a test says.
package webtest

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"familiar/web/visitor"
)

// The visitors of tests.
var (
	Operator = visitor.Visitor{Role: visitor.Operator, CSRF: "the token of the operator"}
	Viewer   = visitor.Visitor{Role: visitor.Viewer, CSRF: "the token of the viewer"}
	Nobody   = visitor.Visitor{}
)

// Person returns the visitor of a private link.
func Person(persona string, id int64) visitor.Visitor {
	return visitor.Visitor{Role: visitor.Person, Persona: persona, PersonID: id, CSRF: fmt.Sprintf("the token of person %d", id)}
}

// Answer is what the dashboard answered.
type Answer struct {
	Status int
	Header http.Header
	Body   string
	// Text is what a reader sees: the body without tags.
	Text string
}

// Get asks h for a page.
func Get(t testing.TB, h http.Handler, who visitor.Visitor, path string) Answer {
	t.Helper()
	return do(t, h, who, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
}

// Post sends a form to h, with the token of the visitor.
func Post(t testing.TB, h http.Handler, who visitor.Visitor, path string, form url.Values) Answer {
	t.Helper()
	sent := url.Values{"csrf": {who.CSRF}}
	for name, values := range form {
		sent[name] = values
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(sent.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return do(t, h, who, r)
}

// Follow is Post, and then the page to which the answer leads with its notice. It fails the test unless the answer leads somewhere.
func Follow(t testing.TB, h http.Handler, who visitor.Visitor, path string, form url.Values) Answer {
	t.Helper()
	done := Post(t, h, who, path, form)
	if done.Status != http.StatusSeeOther {
		t.Fatalf("POST %s answered %d: %s", path, done.Status, done.Text)
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, done.Header.Get("Location"), nil)
	for _, c := range (&http.Response{Header: done.Header}).Cookies() {
		r.AddCookie(c)
	}
	return do(t, h, who, r)
}

func do(t testing.TB, h http.Handler, who visitor.Visitor, r *http.Request) Answer {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r.WithContext(visitor.With(r.Context(), who)))
	body := w.Body.String()
	return Answer{Status: w.Code, Header: w.Result().Header, Body: body, Text: text(t, body)}
}

// text returns the words of a page, separated by single spaces.
func text(t testing.TB, page string) string {
	t.Helper()
	var words []string
	for z := html.NewTokenizer(strings.NewReader(page)); ; {
		switch z.Next() {
		case html.ErrorToken:
			if err := z.Err(); !errors.Is(err, io.EOF) {
				t.Fatalf("the page is no HTML: %v", err)
			}
			return strings.Join(words, " ")
		case html.TextToken:
			words = append(words, strings.Fields(string(z.Text()))...)
		}
	}
}
