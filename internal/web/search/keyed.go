package search

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// The addresses of the engines, unless the operator sets another.
const (
	BraveAddress  = "https://api.search.brave.com"
	TavilyAddress = "https://api.tavily.com"
)

// SearXNG returns the engine at address, an instance with the JSON format enabled. It needs no key.
func SearXNG(address string) Engine {
	c := newCaller("SearXNG")
	c.request = func(ctx context.Context, query string, _ int) (*http.Request, error) {
		return getJSON(ctx, base(address)+"/search", url.Values{"q": {query}, "format": {"json"}, "safesearch": {"1"}})
	}
	c.explain = func(status int) error {
		if status == http.StatusForbidden {
			return errors.New("it does not answer programs: add json to search.formats in its settings.yml")
		}
		return nil
	}
	c.parse = func(body []byte) ([]Result, error) {
		var answer struct {
			Results []struct {
				URL       string `json:"url"`
				Title     string `json:"title"`
				Content   string `json:"content"`
				Published string `json:"publishedDate"`
			} `json:"results"`
			Unresponsive [][]any `json:"unresponsive_engines"`
		}
		if err := parseJSON(body, &answer); err != nil {
			return nil, err
		}
		if len(answer.Results) == 0 && len(answer.Unresponsive) > 0 {
			return nil, errors.New("none of the engines that it asks answered")
		}
		found := make([]Result, 0, len(answer.Results))
		for _, r := range answer.Results {
			found = append(found, Result{r.Title, r.URL, r.Content, r.Published})
		}
		return found, nil
	}
	return c
}

// Brave returns Brave's engine at address, which needs a key.
func Brave(address, key string) Engine {
	c := newCaller("Brave")
	c.request = func(ctx context.Context, query string, limit int) (*http.Request, error) {
		words := strings.Fields(query)
		const maxWords = 50
		query = strings.Join(words[:min(len(words), maxWords)], " ")
		req, err := getJSON(ctx, base(address)+"/res/v1/web/search", url.Values{"q": {query}, "count": {strconv.Itoa(limit)}})
		if err == nil {
			req.Header.Set("X-Subscription-Token", key)
		}
		return req, err
	}
	c.explain = func(status int) error {
		if status == http.StatusUnprocessableEntity { // how Brave answers a key that is none
			return ErrKey
		}
		return nil
	}
	c.parse = func(body []byte) ([]Result, error) {
		var answer struct {
			Web struct {
				Results []struct {
					Title       string `json:"title"`
					URL         string `json:"url"`
					Description string `json:"description"`
					PageAge     string `json:"page_age"`
				} `json:"results"`
			} `json:"web"`
		}
		if err := parseJSON(body, &answer); err != nil {
			return nil, err
		}
		found := make([]Result, 0, len(answer.Web.Results))
		for _, r := range answer.Web.Results {
			found = append(found, Result{r.Title, r.URL, r.Description, r.PageAge})
		}
		return found, nil
	}
	return c
}

// Tavily returns Tavily's engine at address, which needs a key.
func Tavily(address, key string) Engine {
	c := newCaller("Tavily")
	c.request = func(ctx context.Context, query string, limit int) (*http.Request, error) {
		req, err := postJSON(ctx, base(address)+"/search", map[string]any{"query": query, "max_results": limit, "search_depth": "basic"})
		if err == nil {
			req.Header.Set("Authorization", "Bearer "+key)
		}
		return req, err
	}
	c.explain = func(status int) error {
		const planLimit, paidLimit = 432, 433
		if status == planLimit || status == paidLimit {
			return ErrBusy
		}
		return nil
	}
	c.parse = func(body []byte) ([]Result, error) {
		var answer struct {
			Results []struct {
				Title     string `json:"title"`
				URL       string `json:"url"`
				Content   string `json:"content"`
				Published string `json:"published_date"`
			} `json:"results"`
		}
		if err := parseJSON(body, &answer); err != nil {
			return nil, err
		}
		found := make([]Result, 0, len(answer.Results))
		for _, r := range answer.Results {
			found = append(found, Result{r.Title, r.URL, r.Content, r.Published})
		}
		return found, nil
	}
	return c
}

// base returns address without the slash at its end.
func base(address string) string { return strings.TrimRight(address, "/") }
