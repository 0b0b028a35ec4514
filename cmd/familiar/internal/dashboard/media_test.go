package dashboard_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"familiar/internal/browsertest"
	"familiar/memory/login"
)

// media are the pages that TestD4PrintAndForcedColours shows. The first link of follow, if there is one, is followed from the page.
var media = []struct{ name, path, follow string }{
	{"home", "/", ""},
	{"people", "/p/nell/people", ""},
	{"person", "/p/nell/people", `main a[href*="/people/"]`},
	{"memory", "/p/nell/memory?q=cat", ""},
	{"memory-page", "/p/nell/memory", `main a[href*="/memory/"]`},
	{"time", "/p/nell/time", ""},
	{"conversations", "/p/nell/conversations", ""},
	{"conversation", "/p/nell/conversations", `main a[href*="/conversations/"]`},
	{"mind", "/p/nell/mind", ""},
	{"persona", "/p/nell/character", ""},
}

// shown begins a script about elements that are shown.
const shown = `const shown = (e) => e.checkVisibility({visibilityProperty: true}) && !e.closest(".visually-hidden, .skip"), name = (e) => e.outerHTML.slice(0, 160);`

// printed returns what a printed page has that paper does not: navigation and controls, text that is cut off, light text.
const printed = `(() => { ` + shown + `
	const found = [], light = (c) => { const [r, g, b] = c.match(/[\d.]+/g).map(Number); return 0.2126*r + 0.7152*g + 0.0722*b > 150; };
	for (const e of document.querySelectorAll("nav, button, .button, .tools")) if (shown(e)) found.push("a control: " + name(e));
	for (const e of document.querySelectorAll("main *")) {
		if (!shown(e) || e.closest("svg, canvas, select, meter") || e.matches("input")) continue;
		const s = getComputedStyle(e), cut = s.overflowX !== "visible" || s.overflowY !== "visible";
		if (cut && (e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1)) found.push("cut off: " + name(e));
		if ([...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) && light(s.color)) found.push("light text " + s.color + ": " + name(e));
	}
	for (const e of document.querySelectorAll("main details")) if (shown(e) && !e.closest(".chart") && !e.querySelector(":scope > form") && [...e.children].slice(1).some((c) => !c.getClientRects().length && !c.matches("form, nav"))) found.push("folded: " + name(e));
	if (!document.querySelector("main").innerText.trim()) found.push("an empty page");
	return found;
})()`

// forced returns what cannot be told apart when the colours are those of the system.
const forced = `(() => { ` + shown + `
	const found = [], bordered = (e) => { const s = getComputedStyle(e); return parseFloat(s.borderTopWidth) > 0 && s.borderTopStyle !== "none"; };
	for (const e of document.querySelectorAll(".badge, .card, .bubble, button:not(.quiet), .button:not(.quiet), input:not([type=hidden], [type=range], [type=checkbox], [type=radio], [type=file])"))
		if (shown(e) && !bordered(e)) found.push("no border: " + name(e));
	for (const e of document.querySelectorAll("[aria-current=page]")) if (shown(e) && getComputedStyle(e).outlineStyle === "none") found.push("not told from others: " + name(e));
	return found;
})()`

// TestD4PrintAndForcedColours shows pages on paper, also of the dark theme, and in the colours of a high-contrast system. If
// FAMILIAR_MEDIA names a directory, it writes pictures there.
func TestD4PrintAndForcedColours(t *testing.T) {
	b := browsertest.Start(t)
	dir, end := yearHome(t)
	s := newSite(t, dir, end)
	operator, own := b.Tab(t), b.Tab(t)
	s.signIn(t, operator, login.Link{Role: login.Operator})
	s.signIn(t, own, s.person(t))
	for _, p := range media {
		showMedia(t, s, operator, p.name, p.path, p.follow)
	}
	for _, path := range []string{"/me", "/me/facts", "/me/memories", "/me/conversations", "/me/erase"} {
		showMedia(t, s, own, strings.ReplaceAll(path[1:], "/", "-"), path, "")
	}
}

func showMedia(t *testing.T, s *site, tab *browsertest.Tab, name, path, follow string) {
	t.Helper()
	for _, m := range []struct{ medium, feature, value, check string }{
		{"print", "", "", printed}, {"", "forced-colors", "active", forced},
	} {
		tab.Do(browsertest.Cookie(s.URL, "familiar_theme", "dark"))
		tab.Desktop()
		tab.Emulate("", "", "")
		tab.Open(s.URL + path)
		if follow != "" {
			tab.Follow(follow)
		}
		tab.Emulate(m.medium, m.feature, m.value)
		tab.Rest()
		for _, fault := range browsertest.Eval[[]string](tab, m.check) {
			t.Errorf("%s with %q: %s", name, m.medium+m.value, fault)
		}
		if pictures := os.Getenv("FAMILIAR_MEDIA"); pictures != "" {
			tab.Screenshot(filepath.Join(pictures, name+"-"+m.medium+m.value+".png"))
		}
	}
}
