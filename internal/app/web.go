package app

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"familiar/config"
	"familiar/internal/web/fetch"
	"familiar/internal/web/guard"
	"familiar/internal/web/search"
	"familiar/persona/jobs"
)

// NewSearch returns the configured search engine. It uses no network.
func NewSearch(cfg *config.Config) (search.Engine, error) {
	s := cfg.Web.Search
	key, err := s.Key.Reveal()
	if err != nil && s.Engine.NeedsKey() {
		return nil, cfg.Problem("web.search.key", err)
	}
	switch s.Engine {
	case config.SearXNG:
		return search.SearXNG(s.Address), nil
	case config.Brave:
		return search.Brave(cmp.Or(s.Address, search.BraveAddress), key), nil
	case config.Tavily:
		return search.Tavily(cmp.Or(s.Address, search.TavilyAddress), key), nil
	}
	return search.DuckDuckGo(cmp.Or(s.Address, search.DuckDuckGoAddress)), nil
}

// searchOrReason returns the configured search engine, or one that says at each search why it cannot be used: the gate of the
// tool may be closed, and then nobody misses it.
func searchOrReason(cfg *config.Config) search.Engine {
	engine, err := NewSearch(cfg)
	if err != nil {
		return unusable{string(cfg.Web.Search.Engine)}
	}
	return engine
}

// unusable is an engine whose key cannot be read. The doctor says why.
type unusable struct{ name string }

// Name implements search.Engine.
func (u unusable) Name() string { return u.name }

// Search implements search.Engine.
func (u unusable) Search(context.Context, string, int) ([]search.Result, error) {
	return nil, fmt.Errorf("search with %s: its key cannot be read: the operator finds out more with `familiar doctor`", u.name)
}

// NewFetcher returns what reads pages within the configured networks and ports.
func NewFetcher(cfg *config.Config, now func() time.Time) *fetch.Client {
	o := guard.Options{Networks: cfg.Web.Prefixes()}
	for _, port := range cfg.Web.Ports {
		o.Ports = append(o.Ports, uint16(port))
	}
	return fetch.New(guard.New(o), now)
}

// learning returns what the persona may look up unasked, nothing unless it is enabled.
func (a *App) learning() jobs.Learning {
	l := a.Config.Learning
	if !l.Enabled {
		return jobs.Learning{}
	}
	return jobs.Learning{
		Topics: l.Topics, Pages: l.PagesPerTopic, PerRun: l.TopicsPerDay, People: l.People,
		Search: searchOrReason(a.Config).Search, Fetch: NewFetcher(a.Config, a.Now).FetchUnasked,
	}
}
