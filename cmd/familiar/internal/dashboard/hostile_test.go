package dashboard_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"familiar/channels"
	"familiar/config"
	"familiar/internal/app"
	"familiar/internal/browsertest"
	"familiar/internal/lab/virtual"
	"familiar/memory/entry"
	"familiar/memory/login"
	"familiar/memory/model"
	"familiar/persona"
)

// payloads are texts that would do something in a page that does not escape them. pwned is the function that they call.
var payloads = []string{
	`<script>pwned()</script>`,
	`</script><script>pwned()</script>`,
	`<img src=x onerror=pwned()>`,
	`"><img src=x onerror=pwned()>`,
	`'><img src=x onerror=pwned()>`,
	`" autofocus onfocus=pwned() x="`,
	`' autofocus onfocus=pwned() x='`,
	"` autofocus onfocus=pwned() x=`",
	`<svg onload=pwned()>`,
	`<svg><script>pwned()</script></svg>`,
	`<svg><animate onbegin=pwned() attributeName=x dur=1s>`,
	`<math><mtext><table><mglyph><style><img src=x onerror=pwned()>`,
	`<svg><style><img src=x onerror=pwned()></style></svg>`,
	`<noscript><p title="</noscript><img src=x onerror=pwned()>">`,
	`</title><script>pwned()</script>`,
	`</textarea><script>pwned()</script>`,
	`</style><script>pwned()</script>`,
	`</option></select><script>pwned()</script>`,
	`</template><script>pwned()</script>`,
	`--><script>pwned()</script>`,
	`]]><script>pwned()</script>`,
	`<!--><img src=x onerror=pwned()>`,
	`<iframe srcdoc="<script>parent.pwned()</script>"></iframe>`,
	`<iframe src="javascript:parent.pwned()"></iframe>`,
	`<object data="data:text/html,<script>parent.pwned()</script>"></object>`,
	`<embed src="javascript:pwned()">`,
	`<a href="javascript:pwned()">here</a>`,
	`javascript:pwned()`,
	`JaVaScRiPt:pwned()//`,
	"java\tscript:pwned()",
	`data:text/html,<script>pwned()</script>`,
	`<base href="https://evil.example/">`,
	`<meta http-equiv=refresh content="0;url=https://evil.example/">`,
	`<link rel=stylesheet href="https://evil.example/x.css">`,
	`<style>@import "https://evil.example/x.css";</style>`,
	`<form action="https://evil.example/"><button autofocus>Send</button></form>`,
	`<details open ontoggle=pwned()>`,
	`<video src=x onerror=pwned()></video>`,
	`<body onload=pwned()>`,
	`<input autofocus onfocus=pwned()>`,
	`{{constructor.constructor('pwned()')()}}`,
	`${pwned()}`,
	`\u003cscript\u003epwned()\u003c/script\u003e`,
	`&lt;script&gt;pwned()&lt;/script&gt;`,
	`&#60;img src=x onerror=pwned()&#62;`,
	"+ADw-script+AD4-pwned()+ADw-/script+AD4-",
	"\n\nevent: page\ndata: <p id=main><img src=x onerror=pwned()></p>\n\n",
	"\u202e<script>pwned()</script>\u2066",
	"\x01<scr\x00ipt>pwned()</scr\x00ipt>",
	`"};pwned();//`,
	`../../../../etc/passwd`,
	`<x-element id=constructor><img name=getElementById src=x onerror=pwned()>`,
}

// hostileHome returns a home in which every payload stands wherever somebody outside can put it: in names of people, titles of
// rooms, messages, file names and captions, and where operators and models write: cards, lore, notes, tags.
func hostileHome(t testing.TB) (dir string, now time.Time) {
	t.Helper()
	dir, now = t.TempDir(), time.Date(2026, time.March, 2, 12, 0, 0, 0, time.UTC)
	clock := virtual.NewClock(now)
	cfg, err := config.Load(config.Home(dir), func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	cfg.Timezone.Location, cfg.Debounce.Quiet = time.UTC, 0
	a, err := app.OpenUnlocked(t.Context(), cfg, slog.New(slog.DiscardHandler), clock.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	}()
	network := virtual.NewNetwork("village")
	engine := a.Engine(a.Settings(), network)
	err = virtual.While(t.Context(), engine, func() error { return sayPayloads(t.Context(), engine, clock) })
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range payloads {
		_, err := a.Store.Entries.Remember(t.Context(), entry.NewMemory{
			Persona: a.Card.Key, Origin: model.OriginOperator, Sector: model.Semantic, Text: "A note about " + p, Tags: []string{p}, Audience: model.Audience{Kind: model.World},
		})
		if err != nil {
			t.Fatalf("note %d: %v", i, err)
		}
	}
	return dir, clock.Now().Add(time.Hour)
}

// sayPayloads has somebody with a hostile name say each payload, in a room with a hostile title.
func sayPayloads(ctx context.Context, engine *persona.Engine, clock *virtual.Clock) error {
	for i, p := range payloads {
		clock.Pass(clock.Now().Add(time.Minute))
		who := channels.Author{Handle: channels.Handle{Channel: "village", ID: fmt.Sprintf("who%d", i)}, Name: p}
		m := channels.Message{
			ID: fmt.Sprintf("m%d", i), Author: who, At: clock.Now(), Addressed: true, Complete: true,
			Room: channels.Room{Channel: "village", ID: fmt.Sprintf("r%d", i)}, RoomTitle: p,
			Text:        "My cat is called " + p + " and I live in " + p,
			Attachments: []channels.Attachment{{Kind: "image", Name: p + ".png", Caption: p}},
		}
		if i%2 == 0 {
			m.Direct, m.RoomTitle = true, ""
		}
		if err := engine.Accept(ctx, m); err != nil {
			return fmt.Errorf("payload %d: %w", i, err)
		}
		if err := engine.Drain(ctx); err != nil {
			return err
		}
	}
	return nil
}

// inert returns what in the page no page of ours has: scripts of others, handlers, frames, addresses that run something.
const inert = `[...document.querySelectorAll("*")].flatMap((e) => {
	const found = [];
	if (e.localName === "script" && !(e.getAttribute("src") || "").startsWith("/assets/")) found.push("script: " + e.outerHTML);
	if (["iframe", "object", "embed", "base", "style", "math", "video", "animate"].includes(e.localName)) found.push("element: " + e.outerHTML);
	if (e.localName === "meta" && e.httpEquiv) found.push("meta: " + e.outerHTML);
	if (e.localName === "form" && !(e.getAttribute("action") || "/").startsWith("/")) found.push("form: " + e.outerHTML);
	for (const a of e.attributes) {
		if (/^on|^srcdoc$|^style$/i.test(a.name)) found.push("attribute: " + e.outerHTML);
		if (/^(href|src|action|formaction|data)$/.test(a.name) && !/^(\/|#|\?|https?:|data:image\/|$)/.test(a.value)) found.push("address: " + e.outerHTML);
	}
	return found.map((f) => f.slice(0, 300));
}).concat(window.pwned_by ? ["it ran " + window.pwned_by] : [])`

// TestS17PayloadsAreInert shows more than forty payloads in the browser, on every kind of page.
func TestS17PayloadsAreInert(t *testing.T) {
	if len(payloads) < 40 {
		t.Fatalf("only %d payloads", len(payloads))
	}
	b := browsertest.Start(t)
	dir, now := hostileHome(t)
	s := newSite(t, dir, now)
	tab := b.Tab(t)
	tab.OnEveryPage(`window.pwned = () => { window.pwned_by = (window.pwned_by || 0) + 1; }`)
	s.signIn(t, tab, login.Link{Role: login.Operator})
	shown := map[string]bool{}
	crawl(tab, s, "/", func(path string) {
		for _, found := range browsertest.Eval[[]string](tab, inert) {
			t.Errorf("%s has %s", path, found)
		}
		text := tab.Text("body")
		for _, p := range payloads {
			if strings.Contains(text, p) {
				shown[p] = true
			}
		}
	})
	if len(shown) < 40 {
		t.Errorf("only %d payloads were shown anywhere", len(shown))
	}
}
