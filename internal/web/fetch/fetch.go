// Package fetch reads one page of the web as Markdown. Addresses may come from anybody: everything that an address or a server
// can cost is bounded, and only public addresses are reached.
package fetch

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"

	"familiar/internal/web/guard"
	"familiar/internal/web/readable"
)

// The limits of one fetch.
const (
	// MaxBytes is the maximum size of a page, compressed and decompressed.
	MaxBytes = 2 << 20
	// MaxTime is the maximum time until a page is read, redirects included.
	MaxTime = 10 * time.Second
	// MaxRedirects is the maximum number of redirects that are followed.
	MaxRedirects = 5
)

// Agent is how requests introduce themselves, and the name that robots.txt may address.
const Agent = "Familiar"

// userAgent says what asks.
const userAgent = "Mozilla/5.0 (compatible; " + Agent + "/1.0; chat assistant reading a page on request)"

// Client fetches pages. It is safe for concurrent use.
type Client struct {
	http   *http.Client
	guard  *guard.Guard
	now    func() time.Time
	robots robots
}

// New returns a client that reaches what g allows. now is the clock.
func New(g *guard.Guard, now func() time.Time) *Client {
	c := &Client{guard: g, now: now}
	transport := g.Transport()
	transport.DisableCompression = true // decompressed in body.go, within a limit
	c.http = &http.Client{Transport: transport, CheckRedirect: c.checkRedirect}
	c.robots = robots{rules: map[string]ruling{}}
	return c
}

// checkRedirect applies to the target of a redirect what applies to an address. The target is not told where the redirect
// was found.
func (c *Client) checkRedirect(next *http.Request, before []*http.Request) error {
	if len(before) > MaxRedirects {
		return fmt.Errorf("it redirects more than %d times", MaxRedirects)
	}
	next.Header.Del("Referer")
	if err := c.guard.Check(next.URL); err != nil {
		return fmt.Errorf("it redirects elsewhere: %w", err)
	}
	return nil
}

// Fetch returns the page at address, which somebody asked for. Its error names the host at most, never the rest of the
// address.
func (c *Client) Fetch(ctx context.Context, address string) (readable.Page, error) {
	return c.fetch(ctx, address, false)
}

// FetchUnasked is Fetch for a page that nobody asked for: the site's robots.txt is respected.
func (c *Client) FetchUnasked(ctx context.Context, address string) (readable.Page, error) {
	return c.fetch(ctx, address, true)
}

func (c *Client) fetch(ctx context.Context, address string, unasked bool) (readable.Page, error) {
	u, err := c.guard.Parse(address)
	if err != nil {
		return readable.Page{}, fmt.Errorf("fetch a page: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, MaxTime)
	defer cancel()
	page, err := c.read(ctx, u, unasked)
	if err != nil {
		return readable.Page{}, fmt.Errorf("fetch a page of %s: %w", u.Hostname(), described(ctx, err))
	}
	return page, nil
}

func (c *Client) read(ctx context.Context, u *url.URL, unasked bool) (readable.Page, error) {
	if unasked {
		if err := c.allowed(ctx, u); err != nil {
			return readable.Page{}, err
		}
	}
	resp, err := c.get(ctx, u, "text/html, application/xhtml+xml, text/markdown, text/plain;q=0.9, application/json;q=0.8")
	if err != nil {
		return readable.Page{}, err
	}
	defer func() { _ = resp.Body.Close() }()
	if unasked { // a redirect may lead to another site
		if err := c.allowed(ctx, resp.Request.URL); err != nil {
			return readable.Page{}, err
		}
	}
	if resp.StatusCode != http.StatusOK {
		return readable.Page{}, fmt.Errorf("the server answered with %d %s", resp.StatusCode, http.StatusText(resp.StatusCode))
	}
	mediaType := resp.Header.Get("Content-Type")
	if err := readable.Readable(mediaType); err != nil {
		return readable.Page{}, err
	}
	body, err := ReadBody(resp, MaxBytes)
	if err != nil {
		return readable.Page{}, err
	}
	page, err := readable.Convert(body, mediaType, resp.Request.URL, c.now())
	if err != nil {
		return readable.Page{}, err
	}
	return page, ctx.Err()
}

// get sends a request without cookies or a referrer.
func (c *Client) get(ctx context.Context, u *url.URL, accept string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), http.NoBody)
	if err != nil {
		return nil, guard.ErrRefused
	}
	req.Header.Set("User-Agent", userAgent)
	req.Header.Set("Accept", accept)
	req.Header.Set("Accept-Encoding", "gzip")
	return c.http.Do(req)
}

// described returns err without the address that errors of net/http repeat.
func described(ctx context.Context, err error) error {
	var dns *net.DNSError
	var addressed *url.Error
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fmt.Errorf("it took longer than %v: %w", MaxTime, context.DeadlineExceeded)
	case errors.As(err, &dns):
		return errors.New("no such host is known")
	case errors.As(err, &addressed):
		return addressed.Err
	}
	return err
}
