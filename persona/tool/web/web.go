// Package web has the tools that search the web and read pages of it. What they bring is text of strangers: it is quoted with
// its source, tells the model nothing to do, and says nothing about people here.
package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"familiar/internal/web/readable"
	"familiar/internal/web/search"
	"familiar/memory/log"
	"familiar/persona/tool"
)

// The names of the tools.
const (
	SearchName = "web_search"
	FetchName  = "web_fetch"
)

// Engine finds pages.
type Engine interface {
	Name() string
	Search(ctx context.Context, query string, limit int) ([]search.Result, error)
}

// Fetcher reads a page that somebody asked for.
type Fetcher interface {
	Fetch(ctx context.Context, address string) (readable.Page, error)
}

// Tools returns the tools. They share which addresses were found in a room.
func Tools(engine Engine, fetcher Fetcher) []tool.Tool {
	found := newFound()
	return []tool.Tool{searcher{engine, found}, reader{fetcher, found}}
}

// timeout is for one call: a little more than what a search and a page may take.
const timeout = 12 * time.Second

// shownResults is how many results a model sees unless it asks for another number.
const shownResults = 5

type searcher struct {
	engine Engine
	found  *found
}

// Spec implements tool.Tool.
func (s searcher) Spec() tool.Spec {
	return tool.Spec{
		Name: SearchName,
		Description: "Search the web for something that is not in the conversation or may have changed. Write a short query of general words: " +
			"no names of people here, nothing private. Say where the answer is from.",
		Parameters: json.RawMessage(`{"type":"object","properties":{"query":{"type":"string","description":"a few words, as for a search engine"},` +
			`"results":{"type":"integer","minimum":1,"maximum":10,"description":"how many results, 5 if left out"}},"required":["query"]}`),
		Aliases: []string{"websearch", "search_web", "google", "internet_search", "duckduckgo", "brave_search"},
		Touches: []tool.Reach{tool.ReachNetwork}, Default: tool.Deny, Timeout: timeout, ReadOnly: true,
	}
}

// errSecret is for a model that would tell a search engine what it must not.
var errSecret = errors.New("the query contains a key, a number of a card or the like: search without it")

// Call implements tool.Tool.
func (s searcher) Call(ctx context.Context, u tool.Use) (tool.Result, error) {
	given := struct {
		Query   string
		Results int
	}{Results: shownResults}
	if err := u.Decode(&given); err != nil {
		return tool.Result{}, err
	}
	if log.Redact(given.Query) != given.Query {
		return tool.Result{}, errSecret
	}
	results, err := s.engine.Search(ctx, given.Query, given.Results)
	if err != nil {
		return tool.Result{}, err
	}
	if len(results) == 0 {
		return tool.Result{Text: "Nothing was found. Try other words.", ProgramText: true}, nil
	}
	var b strings.Builder
	for i, r := range results {
		s.found.add(u.Room.ID, r.Address)
		fmt.Fprintf(&b, "%d. %s", i+1, r.Title)
		if r.Published != "" {
			fmt.Fprintf(&b, " (%s)", r.Published)
		}
		fmt.Fprintf(&b, "\n%s\n%s\n", r.Address, r.Excerpt)
	}
	return tool.Result{Text: b.String(), Source: s.engine.Name()}, nil
}

type reader struct {
	fetcher Fetcher
	found   *found
}

// Spec implements tool.Tool.
func (r reader) Spec() tool.Spec {
	return tool.Spec{
		Name: FetchName,
		Description: "Read a page of the web: one whose address somebody wrote here, or one that " + SearchName + " or another page showed. " +
			"Say about, to see the parts of a long page that matter. Name the site when you use what it says.",
		Parameters: json.RawMessage(`{"type":"object","properties":{"address":{"type":"string","description":"the whole address, as it was shown"},` +
			`"about":{"type":"string","description":"what you look for on the page"}},"required":["address"]}`),
		Aliases: []string{"webfetch", "fetch", "fetch_url", "open_url", "read_url", "browse", "read_page", "curl"},
		Touches: []tool.Reach{tool.ReachNetwork}, Default: tool.Deny, Timeout: timeout, ReadOnly: true,
	}
}

// errUnknown is for an address that the model made up. It might carry away what the model knows.
var errUnknown = errors.New("only addresses that somebody wrote here, or that a search or a page showed, are read: search for the page first")

// Call implements tool.Tool.
func (r reader) Call(ctx context.Context, u tool.Use) (tool.Result, error) {
	var given struct{ Address, About string }
	if err := u.Decode(&given); err != nil {
		return tool.Result{}, err
	}
	address := strings.TrimSpace(given.Address)
	if !strings.Contains(address, "://") {
		address = "https://" + address
	}
	if !r.found.has(u.Room.ID, address) && !written(u.Said, address) {
		return tool.Result{}, errUnknown
	}
	page, err := r.fetcher.Fetch(ctx, address)
	if err != nil {
		return tool.Result{}, err
	}
	for _, link := range links(page.Markdown) {
		r.found.add(u.Room.ID, link)
	}
	return tool.Result{Text: head(page) + passages(page.Markdown, given.About, u.Tokens), Source: page.Address}, nil
}

// head returns what is known of a page, before its content.
func head(p readable.Page) string {
	var b strings.Builder
	for _, line := range []struct{ name, value string }{{"Title", p.Title}, {"Site", p.Site}, {"Author", p.Author}} {
		if line.value != "" {
			fmt.Fprintf(&b, "%s: %s\n", line.name, line.value)
		}
	}
	if !p.Published.IsZero() {
		fmt.Fprintf(&b, "Published: %s\n", p.Published.Format(time.DateOnly))
	}
	return b.String() + "\n"
}
