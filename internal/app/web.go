package app

import (
	"cmp"
	"time"

	"familiar/config"
	"familiar/internal/web/fetch"
	"familiar/internal/web/guard"
	"familiar/internal/web/search"
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

// NewFetcher returns what reads pages within the configured networks and ports.
func NewFetcher(cfg *config.Config, now func() time.Time) *fetch.Client {
	o := guard.Options{Networks: cfg.Web.Prefixes()}
	for _, port := range cfg.Web.Ports {
		o.Ports = append(o.Ports, uint16(port))
	}
	return fetch.New(guard.New(o), now)
}
