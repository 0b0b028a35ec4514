package search_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"familiar/internal/web/search"
	"familiar/internal/web/search/searchtest"
)

func engines(address, key string) map[string]search.Engine {
	return map[string]search.Engine{
		"SearXNG": search.SearXNG(address + "/"), "Brave": search.Brave(address, key),
		"Tavily": search.Tavily(address, key), "DuckDuckGo": search.DuckDuckGo(address),
	}
}

func TestEveryEngineFindsTheSamePages(t *testing.T) {
	pages := []searchtest.Page{
		{Title: "Bread & <b>butter</b>", Address: "https://bread.test/a?b=1&c=2#part", Excerpt: "How to bake\n\nbread <script>x</script>."},
		{Title: "Again", Address: "https://bread.test/a?b=1&c=2", Excerpt: "the same page"},
		{Title: "A script", Address: "javascript:alert(1)", Excerpt: ""},
		{Title: "With a password", Address: "https://user:word@bread.test/", Excerpt: ""},
		{Title: "\u202eTurned\u200b", Address: "http://other.test/", Excerpt: strings.Repeat("long ", 500)},
		{Title: "", Address: "https://untitled.test/x", Excerpt: "no title"},
	}
	s := searchtest.New(t, pages...)
	for name, e := range engines(s.URL, searchtest.Key) {
		t.Run(name, func(t *testing.T) {
			found, err := e.Search(t.Context(), "  how to \n bake ", 10)
			if err != nil {
				t.Fatal(err)
			}
			if len(found) != 3 || found[0].Address != "https://bread.test/a?b=1&c=2" || !strings.Contains(found[0].Title, "Bread & ") || !strings.HasPrefix(found[0].Excerpt, "How to bake bread") {
				t.Fatalf("%+v", found)
			}
			if strings.ContainsAny(found[1].Title, "\u202e\u200b") || len([]rune(found[1].Excerpt)) > 500 || found[2].Title != "untitled.test" {
				t.Errorf("%+v", found[1:])
			}
			if q := s.Queries(); q[len(q)-1] != "how to bake" {
				t.Errorf("it was asked %q", q)
			}
			if found, err = e.Search(t.Context(), "x", 1); err != nil || len(found) != 1 {
				t.Errorf("%d results, %v", len(found), err)
			}
		})
	}
}

func TestS14NoErrorTellsTheKeyOrTheQuery(t *testing.T) {
	const canary = "canaryquery"
	wrong := "wrong" + searchtest.Key
	down := httptest.NewServer(http.NotFoundHandler())
	address := down.URL
	down.Close()
	for _, status := range []int{0, 200, 202, 301, 401, 402, 403, 404, 422, 429, 432, 500, 503} {
		s := searchtest.New(t)
		s.Status, s.Body = status, canary+wrong+"<<<{"
		at := s.URL
		if status == 0 {
			at = address
		}
		for name, e := range engines(at, wrong) {
			_, err := e.Search(t.Context(), canary, 5)
			if err == nil {
				t.Errorf("%s: status %d is no error", name, status)
				continue
			}
			if text := err.Error(); strings.Contains(text, canary) || strings.Contains(text, wrong) {
				t.Errorf("%s: status %d: %s", name, status, text)
			}
		}
	}
}

func TestErrorsSayWhatToDo(t *testing.T) {
	for name, test := range map[string]struct {
		engine string
		status int
		body   string
		want   error
		says   string
	}{
		"a wrong key":            {"Tavily", 401, "", search.ErrKey, "web.search.key"},
		"Brave's wrong key":      {"Brave", 422, "", search.ErrKey, ""},
		"too often":              {"Brave", 429, "", search.ErrBusy, ""},
		"a plan that is used up": {"Tavily", 432, "", search.ErrBusy, ""},
		"no JSON format":         {"SearXNG", 403, "", nil, "search.formats"},
		"nobody answers":         {"SearXNG", 0, `{"results":[],"unresponsive_engines":[["bing","timeout"]]}`, nil, "none of the engines"},
		"a challenge":            {"DuckDuckGo", 0, `<div class="anomaly-modal__title">Bots?</div><form id="challenge-form"></form>`, search.ErrBusy, "person"},
		"a challenge by status":  {"DuckDuckGo", 202, "", search.ErrBusy, "person"},
		"a new form":             {"DuckDuckGo", 0, `<p>Welcome</p>`, nil, "no form that is known"},
		"a redirect":             {"SearXNG", 302, "", nil, "web.search.address"},
	} {
		t.Run(name, func(t *testing.T) {
			s := searchtest.New(t)
			s.Status, s.Body = test.status, test.body
			_, err := engines(s.URL, searchtest.Key)[test.engine].Search(t.Context(), "x", 5)
			if err == nil || test.want != nil && !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.says) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestNothingFoundIsNoError(t *testing.T) {
	s := searchtest.New(t)
	for name, e := range engines(s.URL, searchtest.Key) {
		if found, err := e.Search(t.Context(), "x", 5); err != nil || len(found) != 0 {
			t.Errorf("%s: %v, %v", name, found, err)
		}
		for _, query := range []string{"", " \n", strings.Repeat("q", search.MaxQuery+1)} {
			if _, err := e.Search(t.Context(), query, 5); !errors.Is(err, search.ErrQuery) {
				t.Errorf("%s: a query of %d bytes: %v", name, len(query), err)
			}
		}
	}
}

func TestALinkThatDuckDuckGoDoesNotMarkIsStillFound(t *testing.T) {
	s := searchtest.New(t)
	s.Body = `<a href="/about">About</a><a href="https://duckduckgo.com/l/?uddg=https%3A%2F%2Fa.test%2F">A</a><div class="result-snippet">text</div>`
	found, err := search.DuckDuckGo(s.URL).Search(t.Context(), "x", 5)
	if err != nil || len(found) != 1 || found[0] != (search.Result{Title: "A", Address: "https://a.test/", Excerpt: "text"}) {
		t.Errorf("%+v, %v", found, err)
	}
}

func TestAnAnswerWithoutEndIsLeft(t *testing.T) {
	block := []byte(`{"results":[` + strings.Repeat(`{"url":"https://a.test"},`, 1000))
	flood := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			if _, err := w.Write(block); err != nil {
				return
			}
		}
	}))
	defer flood.Close()
	for name, e := range engines(flood.URL, searchtest.Key) {
		if _, err := e.Search(t.Context(), "x", 5); err == nil || !strings.Contains(err.Error(), "too large") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzLite(f *testing.F) {
	f.Add(`<a class="result-link" href="//duckduckgo.com/l/?uddg=https%3A%2F%2Fa.test">A</a><td class="result-snippet">b`)
	f.Fuzz(func(t *testing.T, page string) {
		s := searchtest.New(t)
		s.Body = page
		found, err := search.DuckDuckGo(s.URL).Search(t.Context(), "x", 5)
		if err == nil && len(found) > 5 {
			t.Errorf("%d results", len(found))
		}
	})
}
