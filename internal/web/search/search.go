// Package search asks a search engine. Each engine is a file; what they return is bounded and cleaned in one place.
package search

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/net/html"

	"familiar/internal/web/fetch"
	"familiar/internal/web/readable"
)

// The limits of one search.
const (
	// MaxQuery is the maximum length of a query in runes: the least that the engines accept.
	MaxQuery = 400
	// MaxResults is the maximum number of results.
	MaxResults = 20

	maxTime    = 10 * time.Second
	maxAnswer  = 2 << 20 // bytes
	maxTitle   = 200     // runes
	maxExcerpt = 500
	maxAddress = 2048 // bytes
)

// Result is a page that an engine found. Everything in it was written by strangers.
type Result struct {
	Title   string
	Address string
	Excerpt string
	// Published is a date as the engine says it, "" if it does not.
	Published string
}

// Engine is a search engine. It is safe for concurrent use.
type Engine interface {
	// Name is the engine's name for people.
	Name() string
	// Search returns at most limit results for query, best first. No result is no error. Errors contain neither the query nor
	// a key.
	Search(ctx context.Context, query string, limit int) ([]Result, error)
}

// Errors that operators and callers tell apart.
var (
	// ErrKey reports that the engine rejected the key.
	ErrKey = errors.New("the key was rejected")
	// ErrBusy reports that the engine wants fewer searches, or took the program for a robot.
	ErrBusy = errors.New("too many searches")
	// ErrQuery reports a query that no engine accepts.
	ErrQuery = errors.New("the query is empty or too long")
)

// caller sends one kind of request and cleans what comes back.
type caller struct {
	name string
	http *http.Client
	// request makes the request for a query.
	request func(ctx context.Context, query string, limit int) (*http.Request, error)
	// parse reads the results.
	parse func(body []byte) ([]Result, error)
	// explain says what a status other than 200 means, nil if there is nothing special about it.
	explain func(status int) error
}

// newCaller returns a caller that follows no redirect, so that a key reaches its engine only.
func newCaller(name string) *caller {
	return &caller{name: name, http: &http.Client{
		Timeout:       maxTime,
		Transport:     &http.Transport{ForceAttemptHTTP2: true, MaxResponseHeaderBytes: 64 << 10, IdleConnTimeout: 30 * time.Second, DisableCompression: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// Name implements Engine.
func (c *caller) Name() string { return c.name }

// Search implements Engine.
func (c *caller) Search(ctx context.Context, query string, limit int) ([]Result, error) {
	query = strings.Join(strings.Fields(query), " ")
	if n := utf8.RuneCountInString(query); n == 0 || n > MaxQuery {
		return nil, fmt.Errorf("search with %s: %w: use 1 to %d characters", c.name, ErrQuery, MaxQuery)
	}
	limit = min(max(limit, 1), MaxResults)
	found, err := c.ask(ctx, query, limit)
	if err != nil {
		return nil, fmt.Errorf("search with %s: %w", c.name, err)
	}
	return cleaned(found, limit), nil
}

func (c *caller) ask(ctx context.Context, query string, limit int) ([]Result, error) {
	req, err := c.request(ctx, query, limit)
	if err != nil {
		return nil, errors.New("its address is not valid")
	}
	req.Header.Set("Accept-Encoding", "gzip")
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, unaddressed(err)
	}
	defer func() { _ = resp.Body.Close() }()
	if err := c.judge(resp.StatusCode); err != nil {
		return nil, err
	}
	body, err := fetch.ReadBody(resp, maxAnswer)
	if err != nil {
		return nil, unaddressed(err)
	}
	return c.parse(body)
}

func (c *caller) judge(status int) error {
	if c.explain != nil {
		if err := c.explain(status); err != nil {
			return err
		}
	}
	switch {
	case status == http.StatusOK:
		return nil
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return fmt.Errorf("%w: check web.search.key", ErrKey)
	case status == http.StatusTooManyRequests || status == http.StatusPaymentRequired:
		return fmt.Errorf("%w: try again later, or raise the limit of your account", ErrBusy)
	case status >= 300 && status < 400:
		return errors.New("it answers from another address: correct web.search.address")
	}
	return fmt.Errorf("it answered with %d %s", status, http.StatusText(status))
}

// unaddressed returns an error of the network without the address, which contains the query.
func unaddressed(err error) error {
	var addressed *url.Error
	if errors.As(err, &addressed) {
		err = addressed.Err
	}
	var netErr net.Error
	if errors.As(err, &netErr) && netErr.Timeout() {
		return fmt.Errorf("it took longer than %v", maxTime)
	}
	return err
}

// cleaned returns at most limit results that can be shown: pages of the web, each once.
func cleaned(found []Result, limit int) (kept []Result) {
	for _, r := range found {
		u, err := url.Parse(strings.TrimSpace(r.Address))
		if err != nil || len(r.Address) > maxAddress || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil {
			continue
		}
		u.Fragment = ""
		r = Result{
			Address: u.String(), Title: readable.Line(plain(r.Title), maxTitle),
			Excerpt: readable.Line(plain(r.Excerpt), maxExcerpt), Published: readable.Line(r.Published, 40),
		}
		if r.Title == "" {
			r.Title = u.Hostname()
		}
		if slices.ContainsFunc(kept, func(k Result) bool { return k.Address == r.Address }) {
			continue
		}
		if kept = append(kept, r); len(kept) == limit {
			break
		}
	}
	return kept
}

// plain returns the text of a snippet of HTML: engines mark the words of the query in it.
func plain(snippet string) string {
	if !strings.ContainsAny(snippet, "<&") {
		return snippet
	}
	var text strings.Builder
	for z := html.NewTokenizer(strings.NewReader(snippet)); ; {
		switch z.Next() {
		case html.ErrorToken:
			return text.String()
		case html.TextToken:
			text.Write(z.Text())
		}
	}
}

// getJSON returns a request with a query string, whose answer is JSON.
func getJSON(ctx context.Context, address string, query url.Values) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address+"?"+query.Encode(), http.NoBody)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json")
	return req, nil
}

// postJSON returns a request with a JSON body, whose answer is JSON.
func postJSON(ctx context.Context, address string, body any) (*http.Request, error) {
	encoded, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(encoded))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	return req, nil
}

// parseJSON reads one JSON value. The error does not repeat it.
func parseJSON(body []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(body))
	if err := d.Decode(into); err != nil {
		return errors.New("its answer is not the JSON that was expected")
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("its answer has something after the JSON")
	}
	return nil
}
