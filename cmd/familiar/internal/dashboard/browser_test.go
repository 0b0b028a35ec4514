package dashboard_test

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"familiar/internal/browsertest"
	"familiar/internal/npmtest"
	"familiar/internal/torture"
	"familiar/memory/login"
)

// numbers are what differs between pages of one kind: the numbers of things, and in the short form the whole query.
var numbers = regexp.MustCompile(map[bool]string{true: `/\d+|=[^&]*`, false: `/\d+|\?.*`}[torture.On()])

// crawl visits one page of each kind that links lead to from a first page, and calls visit on each.
func crawl(tab *browsertest.Tab, s *site, first string, visit func(path string)) {
	queue, seen := []string{first}, map[string]bool{first: true}
	for len(queue) > 0 {
		path := queue[0]
		queue = queue[1:]
		tab.Open(s.URL + path)
		visit(path)
		for _, to := range browsertest.Eval[[]string](tab, `[...document.querySelectorAll("a[href]:not([download])")].map((a) => a.href)`) {
			u, err := url.Parse(to)
			if err != nil || !strings.HasPrefix(to, s.URL+"/") {
				continue
			}
			u.Fragment = ""
			kind := numbers.ReplaceAllString(u.RequestURI(), "/N")
			if !seen[kind] {
				seen[kind] = true
				queue = append(queue, u.RequestURI())
			}
		}
	}
}

// shifts lists what moved in the page while it was loaded, and how far, as the Layout Instability API counts it.
const shifts = `new Promise((done) => {
	const moved = [], box = (r) => [r.x, r.y, r.width, r.height].join(" ");
	new PerformanceObserver((list) => { for (const e of list.getEntries()) for (const s of e.sources)
		moved.push(e.value + ": " + (s.node?.outerHTML ?? s.node?.data ?? "").slice(0, 120) + " from " + box(s.previousRect) + " to " + box(s.currentRect));
	}).observe({type: "layout-shift", buffered: true});
	setTimeout(() => done(moved), 50);
})`

// TestD1EveryPage visits every kind of page on a desktop and on a phone, in both themes, and checks what is wanted of all of them:
// nothing on the console, nothing for axe-core to find, no sideways scrolling, few and small requests, nothing that jumps.
func TestD1EveryPage(t *testing.T) {
	b := browsertest.Start(t)
	dir, end := yearHome(t)
	s := newSite(t, dir, end)
	if !npmtest.Allowed() {
		t.Log("axe-core does not run: it is fetched from npm only if FAMILIAR_NPM is set")
	}
	if pages := checkPages(t, b, s, login.Link{Role: login.Operator}, "/"); pages < 50 {
		t.Errorf("only %d pages were found", pages)
	}
	if pages := checkPages(t, b, s, s.person(t), "/me"); pages < 2*8 {
		t.Errorf("only %d own pages of a person were found", pages)
	}
}

// checkPages signs in with a link and checks every kind of page from the first on, in both themes. It returns how many it visited.
func checkPages(t *testing.T, b *browsertest.Browser, s *site, link login.Link, first string) (pages int) {
	tab := b.Tab(t)
	tab.Desktop()
	s.signIn(t, tab, link)
	accessible := npmtest.Allowed()
	// The dark theme differs by its colours only.
	for theme, rules := range map[string][]string{"light": nil, "dark": {"color-contrast"}} {
		tab.Do(browsertest.Cookie(s.URL, "familiar_theme", theme))
		crawl(tab, s, first, func(path string) {
			pages++
			requests, bytes := tab.Taken()
			requests = slices.DeleteFunc(requests, func(r string) bool { return strings.Contains(r, "/live?") })
			if len(requests) > 12 || bytes > 150<<10 {
				t.Errorf("%s took %d requests and %d bytes: %v", path, len(requests), bytes, requests)
			}
			for _, moved := range browsertest.Eval[[]string](tab, shifts) {
				t.Errorf("%s moves while it loads: %s", path, moved)
			}
			if accessible {
				for _, fault := range tab.Axe(rules...) {
					t.Errorf("%s in %s: %s", path, theme, fault)
				}
			}
			for _, found := range browsertest.Eval[[]string](tab, inert) {
				t.Errorf("%s has %s", path, found)
			}
			if h1 := browsertest.Eval[int](tab, `document.querySelectorAll("h1").length`); h1 != 1 {
				t.Errorf("%s has %d first headings", path, h1)
			}
			if theme == "dark" {
				return
			}
			tab.Phone()
			if over := browsertest.Eval[int](tab, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
				t.Errorf("%s is %d pixels too wide for a phone", path, over)
			}
			if accessible && link.Role == login.Person {
				for _, fault := range tab.Axe(rules...) {
					t.Errorf("%s on a phone: %s", path, fault)
				}
			}
			tab.Desktop()
		})
	}
	t.Logf("%d pages from %s on", pages, first)
	return pages
}

// person returns the link of somebody who talks with the persona in private.
func (s *site) person(t testing.TB) login.Link {
	t.Helper()
	for id := int64(1); id < 100; id++ {
		if rooms, err := s.app.Store.Turns.DirectRooms(t.Context(), id); err == nil && len(rooms) > 0 {
			return login.Link{Role: login.Person, Persona: s.app.Card.Key, PersonID: id}
		}
	}
	t.Fatal("nobody talks in private")
	return login.Link{}
}

// TestD1NothingMovesOnASlowNetwork loads the pages with the longest tables so slowly that a browser could show a page before it has
// its end.
func TestD1NothingMovesOnASlowNetwork(t *testing.T) {
	b := browsertest.Start(t)
	dir, end := yearHome(t)
	s := newSite(t, dir, end)
	tab := b.Tab(t)
	tab.Desktop()
	s.signIn(t, tab, login.Link{Role: login.Operator})
	tab.Slow(8 << 10)
	for _, path := range []string{"/p/nell/mind/runs", "/p/nell/mind/growth", "/p/nell/memory"} {
		tab.Open(s.URL + path)
		for _, moved := range browsertest.Eval[[]string](tab, shifts) {
			t.Errorf("%s moves while it loads: %s", path, moved)
		}
	}
}
