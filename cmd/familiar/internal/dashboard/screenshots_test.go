package dashboard_test

import (
	"os"
	"path/filepath"
	"testing"

	"familiar/internal/browsertest"
	"familiar/memory/login"
)

// pictures are the pages of which the documentation shows a picture, by the name of the file. The first link of follow, if there is
// one, is followed from the page.
var pictures = []struct{ name, path, follow string }{
	{"home", "/", ""},
	{"people", "/p/nell/people", ""},
	{"person", "/p/nell/people", `main a[href*="/people/"]`},
	{"memory", "/p/nell/memory?q=cat", ""},
	{"memory-page", "/p/nell/memory?q=cat", `main a[href*="/memory/"]`},
	{"time", "/p/nell/time", ""},
	{"map", "/p/nell/map", ""},
	{"conversations", "/p/nell/conversations", ""},
	{"conversation", "/p/nell/conversations", `main a[href*="/conversations/"]`},
	{"mind", "/p/nell/mind", ""},
	{"persona", "/p/nell/character", ""},
	{"simulate", "/simulate", ""},
}

// TestScreenshots writes the pictures of the documentation into the directory that FAMILIAR_SCREENSHOTS names, of a simulated year.
func TestScreenshots(t *testing.T) {
	dir := os.Getenv("FAMILIAR_SCREENSHOTS")
	if dir == "" {
		t.Skip("make screenshots takes them")
	}
	b := browsertest.Start(t)
	home, end := yearHome(t)
	s := newSite(t, home, end)
	tab := b.Tab(t)
	tab.Desktop()
	s.signIn(t, tab, login.Link{Role: login.Operator})
	for _, theme := range []string{"light", "dark"} {
		tab.Do(browsertest.Cookie(s.URL, "familiar_theme", theme))
		for _, p := range pictures {
			tab.Open(s.URL + p.path)
			if p.follow != "" {
				tab.Follow(p.follow)
			}
			tab.Rest()
			tab.Screenshot(filepath.Join(dir, p.name+"-"+theme+".png"))
		}
	}
}
