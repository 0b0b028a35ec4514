// Package browsertest drives a real browser in tests: Chromium without a window. A tab fails its test for everything that a
// browser complains about: errors on the console, scripts that throw, violations of the content security policy.
package browsertest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"familiar/internal/npmtest"
)

// names are the commands that Chromium goes by.
var names = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"}

// Browser is one running browser.
type Browser struct {
	ctx   context.Context
	close func()
}

// Close ends the browser before its test does.
func (b *Browser) Close() { b.close() }

// Start starts a browser for a test and its subtests. It skips the test if there is none on this machine.
func Start(t testing.TB) *Browser {
	t.Helper()
	path := ""
	for _, name := range names {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		t.Skipf("no browser is installed: none of %s (Debian: apt install chromium)", strings.Join(names, ", "))
	}
	for tries := 1; ; tries++ {
		b, err := launch(path, t.TempDir())
		if err == nil {
			t.Cleanup(b.Close)
			return b
		}
		if tries == maxTries {
			t.Fatalf("start %s: %v", path, err)
		}
		t.Logf("start %s again: %v", path, err)
	}
}

// maxTries is how often a browser is started that dies as it starts, which Chromium does now and then.
const maxTries = 3

// launch starts a browser with a new profile in a directory.
func launch(path, profile string) (*Browser, error) {
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, // it only opens our own pages
		chromedp.UserDataDir(profile), chromedp.WSURLReadTimeout(time.Minute))
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, closeBrowser := chromedp.NewContext(allocator)
	b := &Browser{ctx, sync.OnceFunc(func() { closeBrowser(); stop() })}
	if err := chromedp.Do(ctx); err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}

// Tab is one page of a browser.
type Tab struct {
	t   testing.TB
	ctx context.Context

	mu sync.Mutex
	// complaints are what the browser found wrong, requests the addresses it asked for since the last Open.
	complaints, requests []string
	received             int64
	expected             []string
}

// tabTimeout ends a test whose page never becomes what it waits for.
const tabTimeout = 8 * time.Minute

// Tab opens an empty page that belongs to t. It is closed after the test, which fails if the browser complained.
func (b *Browser) Tab(t testing.TB) *Tab {
	t.Helper()
	ctx, closeTab := chromedp.NewContext(b.ctx, chromedp.WithNewBrowserContext())
	ctx, cancel := context.WithTimeout(ctx, tabTimeout)
	tab := &Tab{t: t, ctx: ctx}
	t.Cleanup(func() {
		cancel()
		closeTab()
		for _, c := range tab.taken(&tab.complaints) {
			t.Errorf("the browser says: %s", c)
		}
	})
	if err := chromedp.Listen(ctx, tab.listen); err != nil {
		t.Fatalf("open a tab: %v", err)
	}
	if _, err := chromedp.Call(ctx, network.Enable, network.EnableParams{}); err != nil {
		t.Fatalf("listen to the requests of a tab: %v", err)
	}
	return tab
}

func (tab *Tab) listen(event any) {
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		tab.add(&tab.requests, e.Request.URL)
	case *network.EventLoadingFinished:
		tab.mu.Lock()
		defer tab.mu.Unlock()
		tab.received += int64(e.EncodedDataLength)
	case *cdplog.EventEntryAdded:
		if e.Entry.Level == cdplog.EntryLevelError || e.Entry.Source == cdplog.EntrySourceSecurity {
			tab.complain(fmt.Sprintf("%s: %s (%s)", e.Entry.Source, e.Entry.Text, e.Entry.URL))
		}
	case *runtime.EventExceptionThrown:
		tab.complain(fmt.Sprintf("exception: %s %+v", e.ExceptionDetails.Text, e.ExceptionDetails.Exception))
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError {
			tab.complain(fmt.Sprintf("console: %v", e.Args))
		}
	case *page.EventJavascriptDialogOpening:
		tab.complain("a script opened a dialog: " + e.Message)
		go func() {
			_, _ = chromedp.Call(tab.ctx, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{}) // the test has failed already
		}()
	}
}

func (tab *Tab) add(list *[]string, s string) {
	tab.mu.Lock()
	defer tab.mu.Unlock()
	*list = append(*list, s)
}

func (tab *Tab) complain(text string) {
	tab.mu.Lock()
	defer tab.mu.Unlock()
	for _, e := range tab.expected {
		if strings.Contains(text, e) {
			return
		}
	}
	tab.complaints = append(tab.complaints, text)
}

func (tab *Tab) taken(list *[]string) []string {
	tab.mu.Lock()
	defer tab.mu.Unlock()
	all := *list
	*list = nil
	return all
}

// Expect makes a complaint that contains text one that the test wants, such as a page that is refused.
func (tab *Tab) Expect(text string) {
	tab.mu.Lock()
	defer tab.mu.Unlock()
	tab.expected = append(tab.expected, text)
}

// Complaints returns what the browser found wrong since the last call. It does not fail the test any more.
func (tab *Tab) Complaints() []string { return tab.taken(&tab.complaints) }

// Do runs actions and fails the test if one fails.
func (tab *Tab) Do(actions ...chromedp.Action[chromedp.Void]) {
	tab.t.Helper()
	if err := chromedp.Do(tab.ctx, actions...); err != nil {
		tab.t.Fatalf("in the browser: %v%s", err, tab.where())
	}
}

// where says what the page shows, for the message of a failed test.
func (tab *Tab) where() string {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(tab.ctx), 5*time.Second)
	defer cancel()
	address, err := chromedp.Run(ctx, chromedp.Location())
	text, err2 := chromedp.Run(ctx, chromedp.Text(chromedp.CSS("body")))
	if errors.Join(err, err2) != nil {
		return ""
	}
	return fmt.Sprintf("\nat %s: %.600s", address, strings.Join(strings.Fields(text), " "))
}

// Open opens an address and waits until it is loaded. What it takes is counted anew; see Taken.
func (tab *Tab) Open(address string) {
	tab.t.Helper()
	tab.taken(&tab.requests)
	tab.mu.Lock()
	tab.received = 0
	tab.mu.Unlock()
	tab.Do(chromedp.Navigate(address))
}

// Taken returns the requests since the last Open, and how many bytes were received.
func (tab *Tab) Taken() (requests []string, bytes int64) {
	tab.mu.Lock()
	defer tab.mu.Unlock()
	return append([]string{}, tab.requests...), tab.received
}

// Phone makes the window as small as that of a phone, Desktop as that of a desktop.
func (tab *Tab) Phone() { tab.Do(chromedp.EmulateViewport(360, 740, chromedp.EmulateMobile)) }

// Desktop is the counterpart of Phone.
func (tab *Tab) Desktop() { tab.Do(chromedp.EmulateViewport(1280, 900)) }

// slowNetwork is Network.emulateNetworkConditions, which Debian's Chromium has and the package no longer does.
var slowNetwork = cdp.Command[conditions, struct{}]{Method: "Network.emulateNetworkConditions"}

type conditions struct {
	Offline            bool    `json:"offline"`
	Latency            float64 `json:"latency"`
	DownloadThroughput float64 `json:"downloadThroughput"`
	UploadThroughput   float64 `json:"uploadThroughput"`
}

// Slow lets a number of bytes a second arrive.
func (tab *Tab) Slow(bytes float64) {
	tab.t.Helper()
	if _, err := chromedp.Call(tab.ctx, slowNetwork, conditions{DownloadThroughput: bytes, UploadThroughput: -1}); err != nil {
		tab.t.Fatalf("slow the network down: %v", err)
	}
}

// Emulate shows pages as a medium does, such as print, "" for the screen, and with a media feature set to a value, such as forced-colors to
// active. Empty ones end the emulation.
func (tab *Tab) Emulate(medium, feature, value string) {
	tab.t.Helper()
	p := emulation.SetEmulatedMediaParams{Media: medium}
	if feature != "" {
		p.Features = []*emulation.MediaFeature{{Name: feature, Value: value}}
	}
	if _, err := chromedp.Call(tab.ctx, emulation.SetEmulatedMedia, p); err != nil {
		tab.t.Fatalf("emulate %s %s: %v", medium, feature, err)
	}
}

// Eval returns the value of an expression in the page. A promise is waited for.
func Eval[T any](tab *Tab, expression string) T {
	tab.t.Helper()
	value, err := chromedp.Run(tab.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		tab.t.Fatalf("evaluate %.200s: %v%s", expression, err, tab.where())
	}
	return value
}

// Text returns what the elements of a selector say.
func (tab *Tab) Text(selector string) string {
	tab.t.Helper()
	return Eval[string](tab, fmt.Sprintf(`[...document.querySelectorAll(%q)].map((e) => e.innerText).join("\n")`, selector))
}

// patience is how long a page may take until it is what a test waits for.
const patience = 30 * time.Second

// Wait waits until a condition in the page is true, also while the page changes to another.
func (tab *Tab) Wait(condition string) {
	tab.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		met, err := chromedp.Run(tab.ctx, chromedp.Evaluate[bool]("!!("+condition+")"))
		if err == nil && met || tab.ctx.Err() != nil {
			break
		}
	}
	if met, err := chromedp.Run(tab.ctx, chromedp.Evaluate[bool]("!!("+condition+")")); err != nil || !met {
		tab.t.Fatalf("this did not become true: %s %v%s", condition, err, tab.where())
	}
}

// Says waits until the page says a text.
func (tab *Tab) Says(text string) {
	tab.t.Helper()
	tab.Wait(fmt.Sprintf(`document.body && document.body.innerText.replace(/\s+/g, " ").includes(%q)`, text))
}

// Click clicks the first element of a selector, and Follow clicks and waits for the page that it leads to.
func (tab *Tab) Click(selector string) {
	tab.t.Helper()
	tab.Do(chromedp.Click(chromedp.CSS(selector), chromedp.NodeVisible))
}

// Follow clicks something that leads to another page, and waits for that.
func (tab *Tab) Follow(selector string) {
	tab.t.Helper()
	ctx, cancel := context.WithTimeout(tab.ctx, patience)
	defer cancel()
	if _, err := chromedp.RunResponse(ctx, chromedp.Click(chromedp.CSS(selector), chromedp.NodeVisible)); err != nil {
		tab.t.Fatalf("follow %s: %v%s", selector, err, tab.where())
	}
}

// Type replaces what a field has by text, as somebody types.
func (tab *Tab) Type(selector, text string) {
	tab.t.Helper()
	tab.Do(chromedp.Focus(chromedp.CSS(selector)), chromedp.Evaluate[chromedp.Void](`document.activeElement.value = ""`), chromedp.SendKeys(chromedp.CSS(selector), text))
}

// Screenshot writes a picture of what the window shows to a PNG file.
func (tab *Tab) Screenshot(path string) {
	tab.t.Helper()
	picture, err := chromedp.Run(tab.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		tab.t.Fatalf("take a screenshot: %v", err)
	}
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, picture, 0o644)); err != nil {
		tab.t.Fatal(err)
	}
}

// axeVersion is the version of axe-core, which tests pages for accessibility.
const axeVersion = "4.14.1"

var axe struct {
	sync.Once
	script string
	err    error
}

// Axe returns what axe-core finds wrong with the accessibility of the page, one line each, by the given rules or by all. It skips
// the test where it cannot be fetched from npm.
func (tab *Tab) Axe(rules ...string) []string {
	tab.t.Helper()
	run := npmtest.Need(tab.t, "axe-core")
	axe.Do(func() {
		dir, err := os.MkdirTemp("", "familiar-axe-")
		if err != nil {
			axe.err = err
			return
		}
		defer os.RemoveAll(dir) //nolint:errcheck // the system's own place for what is left behind
		if out, err := run("npm", "install", "--no-audit", "--no-fund", "--prefix", dir, "axe-core@"+axeVersion); err != nil {
			axe.err = fmt.Errorf("fetch axe-core: %w: %s", err, out)
			return
		}
		script, err := os.ReadFile(filepath.Join(dir, "node_modules", "axe-core", "axe.min.js"))
		axe.script, axe.err = string(script), err
	})
	if axe.err != nil {
		tab.t.Fatal(axe.err)
	}
	if !Eval[bool](tab, `!!window.axe`) {
		tab.Do(chromedp.Evaluate[chromedp.Void](axe.script))
	}
	only := "{}"
	if len(rules) > 0 {
		only = fmt.Sprintf(`{runOnly: %q.split(" ")}`, strings.Join(rules, " "))
	}
	return Eval[[]string](tab, `axe.run(document, Object.assign({resultTypes: ["violations"]}, `+only+`)).then((r) => r.violations.flatMap((v) =>
		v.nodes.slice(0, 3).map((n) => v.id + " (" + v.impact + "): " + n.target + " " + n.failureSummary.replace(/\s+/g, " ") + " in " + n.html.slice(0, 200))))`)
}

// Cookie sets a cookie for an address.
func Cookie(address, name, value string) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Call(ctx, network.SetCookie, network.SetCookieParams{URL: address, Name: name, Value: value})
		return err
	})
}

// OnEveryPage runs a script before those of each page that the tab opens from now on.
func (tab *Tab) OnEveryPage(script string) {
	tab.t.Helper()
	if _, err := chromedp.Call(tab.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: script}); err != nil {
		tab.t.Fatalf("add a script to every page: %v", err)
	}
}

// Rest waits until the page has nothing more to draw or to fetch for a moment.
func (tab *Tab) Rest() {
	tab.t.Helper()
	Eval[bool](tab, `new Promise((done) => setTimeout(() => requestIdleCallback(() => done(true), {timeout: 2000}), 300))`)
}
