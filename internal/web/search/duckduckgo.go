package search

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// DuckDuckGoAddress is the address of the page for small browsers, unless the operator sets another.
const DuckDuckGoAddress = "https://lite.duckduckgo.com"

// DuckDuckGo returns an engine that reads DuckDuckGo's page for small browsers at address. It needs no key, is meant for
// people, and answers only a few searches in a while.
func DuckDuckGo(address string) Engine {
	c := newCaller("DuckDuckGo")
	c.request = func(ctx context.Context, query string, _ int) (*http.Request, error) {
		form := url.Values{"q": {query}}
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, base(address)+"/lite/", strings.NewReader(form.Encode()))
		if err != nil {
			return nil, err
		}
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		req.Header.Set("Accept", "text/html")
		req.Header.Set("User-Agent", "Mozilla/5.0 (compatible; Familiar/1.0)")
		return req, nil
	}
	c.explain = func(status int) error {
		if status == http.StatusAccepted || status == http.StatusForbidden {
			return errBlocked
		}
		return nil
	}
	c.parse = parseLite
	return c
}

// errBlocked reports that DuckDuckGo asks whether a person is searching.
var errBlocked = fmt.Errorf("%w: it asks for a proof that a person is searching; wait an hour, or set web.search to SearXNG, Brave or Tavily", ErrBusy)

// parseLite reads the results of the page: links of the class result-link, or any that lead away through the engine, each
// followed by its excerpt.
func parseLite(body []byte) ([]Result, error) {
	doc, err := html.Parse(bytes.NewReader(body))
	if err != nil {
		return nil, errors.New("its page cannot be parsed")
	}
	var found []Result
	blocked, form := false, false
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		switch class := attribute(n, "class"); {
		case strings.Contains(class, "anomaly") || attribute(n, "id") == "challenge-form":
			blocked = true
		case n.DataAtom == atom.Input && attribute(n, "name") == "q":
			form = true
		case n.DataAtom == atom.A:
			if target := destination(attribute(n, "href"), strings.Contains(class, "result-link")); target != "" {
				found = append(found, Result{Title: textOf(n), Address: target})
			}
		case strings.Contains(class, "result-snippet") && len(found) > 0 && found[len(found)-1].Excerpt == "":
			found[len(found)-1].Excerpt = textOf(n)
		}
	}
	switch {
	case len(found) > 0:
		return found, nil
	case blocked:
		return nil, errBlocked
	case form:
		return nil, nil // the page of results, with none
	}
	return nil, errors.New("its page has no form that is known: familiar may need an update, or use another engine")
}

// destination returns where a result's link leads, "" if it is no result or an advertisement. isResult reports that the
// link is marked as a result; others are results if they lead through the engine's counter.
func destination(href string, isResult bool) string {
	u, err := url.Parse(href)
	if err != nil {
		return ""
	}
	host := strings.TrimPrefix(u.Hostname(), "www.")
	own := host == "" || host == "duckduckgo.com" || strings.HasSuffix(host, ".duckduckgo.com")
	if own {
		target := u.Query().Get("uddg")
		if u.Path != "/l/" || strings.Contains(target, "duckduckgo.com/y.js") {
			return ""
		}
		return target
	}
	if isResult {
		return href
	}
	return ""
}

func textOf(n *html.Node) string {
	var text strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			text.WriteString(d.Data)
		}
	}
	return text.String()
}

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}
