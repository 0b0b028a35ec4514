package dashboard_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"familiar/channels"
	"familiar/internal/browsertest"
	"familiar/internal/lab/virtual"
	"familiar/memory/login"
)

// refusing is a network that takes nothing any more.
type refusing struct{ *virtual.Network }

// Send implements channels.Channel.
func (refusing) Send(context.Context, channels.Outgoing) (channels.Receipt, error) {
	return channels.Receipt{}, &channels.SendError{Kind: channels.Permanent, Err: errors.New("the room is gone")}
}

// strand leaves a dead letter in the home: the answer to a text of Zoe, which her network refused.
func (s *site) strand(t testing.TB, text string) {
	t.Helper()
	network := refusing{virtual.NewNetwork("village")}
	settings := s.app.Settings()
	settings.Quiet = 0
	engine := s.app.Engine(settings, network)
	err := virtual.While(t.Context(), engine, func() error {
		err := engine.Accept(t.Context(), channels.Message{
			ID: text, Author: channels.Author{Handle: channels.Handle{Channel: "village", ID: "zoe"}, Name: "Zoe"}, At: s.app.Now(), Direct: true, Addressed: true,
			Complete: true, Room: channels.Room{Channel: "village", ID: "zoe"}, Text: text,
		})
		return errors.Join(err, engine.Drain(t.Context()))
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestD2AnOperatorsDay does what operators do, one after another, in the browser.
func TestD2AnOperatorsDay(t *testing.T) {
	b := browsertest.Start(t)
	dir, end := yearHome(t)
	s := newSite(t, dir, end)
	s.strand(t, "I moved to Lisbon.")
	tab := b.Tab(t)
	tab.Desktop()
	s.signIn(t, tab, login.Link{Role: login.Operator})

	// Search: results come while one types.
	tab.Open(s.URL + "/p/nell/memory")
	tab.Type("#q", "Lisbon")
	tab.Wait(`document.querySelector("#results")?.innerText.includes("Lisbon") && location.search.includes("Lisbon")`)

	// Forget it, after a question.
	tab.Follow(`#results a[href*="/memory/"]`)
	tab.Follow(`main a[href$="/forget"]`)
	tab.Says("Forget this memory?")
	tab.Follow("main button.danger")
	tab.Open(s.URL + "/p/nell/memory?q=Lisbon")
	if got := tab.Text("#results"); got == "" || strings.Contains(got, "I moved to Lisbon") {
		t.Errorf("after it was forgotten the search shows %q", got)
	}

	// Correct what is believed of somebody.
	tab.Open(s.URL + "/p/nell/people?q=Greta")
	tab.Follow(`main ul a[href*="/people/"]`)
	tab.Follow(`main a[href*="/facts/"]`)
	tab.Type("#text", "I live in Reykjavik.")
	tab.Follow(`main form button.primary`)
	tab.Says("Reykjavik")
	tab.Says("Undo")

	// Move through time with the keyboard alone.
	tab.Open(s.URL + "/p/nell/time")
	tab.Wait(`document.querySelector("#player[data-ready]")`)
	day := tab.Text("#player-day")
	tab.Do(chromedp.Focus(chromedp.CSS("#scrub")), chromedp.KeyEvent(kb.ArrowLeft))
	tab.Wait(fmt.Sprintf(`document.getElementById("player-day").innerText !== %q`, day))

	// Import a card.
	card := filepath.Join(t.TempDir(), "card.json")
	const text = `{"spec":"chara_card_v2","spec_version":"2.0","data":{"name":"Pip","description":"A small owl.","first_mes":"Hoo."}}`
	if err := os.WriteFile(card, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	tab.Open(s.URL + "/p/nell/character/cards")
	tab.Do(chromedp.SetUploadFiles(chromedp.CSS("#file"), []string{card}))
	tab.Follow(`form[enctype] button`)
	tab.Says("What is in the file")
	tab.Follow("main form button.primary")
	if _, err := os.Stat(filepath.Join(dir, "personas", "pip.yaml")); err != nil {
		t.Errorf("the card was not imported: %v", err)
	}

	// Send a dead letter again. The first one answered what was forgotten, so its text is gone and it cannot be sent.
	s.strand(t, "My sister is called Inez.")
	tab.Open(s.URL + "/p/nell/letters")
	tab.Says("The network refused it for good")
	if n := browsertest.Eval[int](tab, `document.querySelectorAll('form[action$="/resend"]').length`); n != 1 {
		t.Errorf("%d letters can be sent again", n)
	}
	tab.Follow(`form[action$="/resend"] button`)
	if letters, err := s.app.Store.Log.DeadLetters(t.Context(), "nell"); err != nil || len(letters) != 1 {
		t.Errorf("%d letters are dead after one of two was sent again: %v", len(letters), err)
	}
}

// TestD3KeyboardAndLiveUpdates uses no mouse: shortcuts lead to pages, the first stop of the tab key skips the navigation, and what
// happens meanwhile appears without a reload.
func TestD3KeyboardAndLiveUpdates(t *testing.T) {
	b := browsertest.Start(t)
	dir, end := yearHome(t)
	s := newSite(t, dir, end)
	tab := b.Tab(t)
	s.signIn(t, tab, login.Link{Role: login.Operator})
	tab.Open(s.URL + "/")
	tab.Do(chromedp.KeyEvent("\t"))
	if focused := browsertest.Eval[string](tab, `document.activeElement.className`); focused != "skip" {
		t.Errorf("the first stop is %q", focused)
	}
	tab.Do(chromedp.KeyEvent("\r"))
	if focused := browsertest.Eval[string](tab, `location.hash`); focused != "#main" {
		t.Errorf("skipping leads to %q", focused)
	}
	tab.Do(chromedp.KeyEvent("g"), chromedp.KeyEvent("m"))
	tab.Wait(`location.pathname === "/p/nell/memory" && document.readyState === "complete"`)
	tab.Do(chromedp.KeyEvent("/"))
	if focused := browsertest.Eval[string](tab, `document.activeElement.id`); focused != "q" {
		t.Errorf("/ leads to %q", focused)
	}
	tab.Open(s.URL + "/")
	before := tab.Text("#numbers")
	s.strand(t, "I moved to Lisbon.")
	tab.Wait(`document.getElementById("numbers").innerText.includes("1\nwere given up")`)
	if before == tab.Text("#numbers") {
		t.Error("the numbers did not change")
	}
}
