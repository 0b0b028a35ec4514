package llm

import (
	"cmp"
	"net"
	"net/url"
	"strings"
	"sync"
	"time"

	"familiar/internal/llm/queue"
)

// Accounts is what the clients of one process share, so that all roles of a persona respect one provider's limits
// together. The zero value is ready for use. It is safe for concurrent use.
type Accounts struct {
	mu    sync.Mutex
	known map[accountID]*account
}

type accountID struct{ provider, url, key string }

// account is one key at one provider.
type account struct {
	queue   *queue.Queue
	breaker *breaker

	mu     sync.Mutex
	models map[string]*manners
}

// of returns the account of the settings. Its first client decides how many requests may be in flight.
func (all *Accounts) of(s Settings) *account {
	all.mu.Lock()
	defer all.mu.Unlock()
	id := accountID{s.Provider, s.BaseURL, s.APIKey}
	a := all.known[id]
	if a == nil {
		a = &account{queue: queue.New(s.inFlight()), breaker: &breaker{now: s.Now}, models: make(map[string]*manners)}
		if all.known == nil {
			all.known = make(map[accountID]*account)
		}
		all.known[id] = a
	}
	return a
}

// manners returns what is known of how one model wants to be asked.
func (a *account) manners(model string) *manners {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.models[model] == nil {
		a.models[model] = &manners{dropped: make(map[string]bool)}
	}
	return a.models[model]
}

// The default numbers of requests in flight: a machine nearby usually computes one or two answers at a time.
const (
	inFlightRemote = 4
	inFlightLocal  = 2
)

// inFlight returns how many requests may be in flight at a time.
func (s Settings) inFlight() int {
	if s.Provider == "ollama" || isLocal(s.BaseURL) {
		return cmp.Or(s.InFlight, inFlightLocal)
	}
	return cmp.Or(s.InFlight, inFlightRemote)
}

// isLocal reports whether an address is on this machine or in its own network.
func isLocal(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" {
		return false
	}
	host := strings.ToLower(u.Hostname())
	if ip := net.ParseIP(host); ip != nil {
		return ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast()
	}
	return !strings.Contains(host, ".") || strings.HasSuffix(host, ".local") || strings.HasSuffix(host, ".internal") ||
		strings.HasSuffix(host, ".lan") || strings.HasSuffix(host, ".localhost")
}

// patience is how long an answer may be put off in all while somebody waits for it.
const patience = 8 * time.Second
