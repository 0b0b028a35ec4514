package config

import (
	"net/netip"

	"familiar/internal/settings"
)

// Web configures how the web is searched and read, by tools and by jobs that are allowed to.
type Web struct {
	Search Search `yaml:"search"`
	// Ports are ports of web servers in addition to 80 and 443, 1–65535.
	Ports []int `yaml:"ports"`
	// Networks are addresses in the operator's own network that may be read, as prefixes such as 10.1.2.0/24. All others that
	// are not public are refused.
	Networks []string `yaml:"networks"`
}

// Search configures the search engine.
type Search struct {
	Engine SearchEngine `yaml:"engine"`
	// Address replaces the engine's, "" for its own. SearXNG has none.
	Address string `yaml:"address"`
	// Key refers to the key for Brave or Tavily.
	Key Secret `yaml:"key"`
}

// SearchEngine names a search engine.
type SearchEngine string

// The search engines.
const (
	DuckDuckGo SearchEngine = "duckduckgo"
	SearXNG    SearchEngine = "searxng"
	Brave      SearchEngine = "brave"
	Tavily     SearchEngine = "tavily"
)

// UnmarshalText parses the name of an engine.
func (e *SearchEngine) UnmarshalText(text []byte) error {
	return settings.Choose(e, text, DuckDuckGo, SearXNG, Brave, Tavily)
}

// NeedsKey reports whether the engine answers only with a key.
func (e SearchEngine) NeedsKey() bool { return e == Brave || e == Tavily }

// Prefixes returns Networks, which were validated.
func (w Web) Prefixes() (all []netip.Prefix) {
	for _, text := range w.Networks {
		if p, err := netip.ParsePrefix(text); err == nil {
			all = append(all, p)
		}
	}
	return all
}

func (c *Config) validateWeb() {
	s := c.Web.Search
	if s.Engine == SearXNG && s.Address == "" {
		c.doc.Problemf("web.search.address", "is required with searxng: write the address of an instance that answers in JSON, such as http://127.0.0.1:8888")
	}
	if s.Engine.NeedsKey() && !s.Key.Set() {
		c.doc.Problemf("web.search.key", "is required with %s: write env:NAME or file:/path", s.Engine)
	}
	if s.Address != "" {
		if err := CheckAddress(s.Address, "web.search.key"); err != nil {
			c.doc.Problemf("web.search.address", "%s", err)
		}
	}
	for _, port := range c.Web.Ports {
		c.checkInt("web.ports", port, 1, 65_535)
	}
	for _, text := range c.Web.Networks {
		if p, err := netip.ParsePrefix(text); err != nil || p.Masked() != p || p.Bits() == 0 {
			c.doc.Problemf("web.networks", "takes prefixes such as 10.1.2.0/24 or fd12::/64, not %q", text)
		}
	}
}
