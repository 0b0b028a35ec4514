package signin

import (
	"math"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// How many wrong tokens may be tried at once, and how long it takes until one more may be: from one address, and from all.
const (
	triesEach, everyEach = 10, 10 * time.Second
	triesAll, everyAll   = 100, time.Second
	// maxAddresses is how many addresses are told apart. The others count as one.
	maxAddresses = 1000
)

// tries counts wrong tokens.
type tries struct {
	now func() time.Time
	all *rate.Limiter

	mu   sync.Mutex
	each map[netip.Prefix]*rate.Limiter
	// swept is when those were last forgotten who may try as often as anybody new.
	swept time.Time
}

func newTries(now func() time.Time) *tries {
	return &tries{now: now, all: rate.NewLimiter(rate.Every(everyAll), triesAll), each: map[netip.Prefix]*rate.Limiter{}}
}

// note counts a wrong token from an address. It returns how long to wait before the next, 0 if the address need not wait.
func (t *tries) note(remote string) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.now()
	return max(take(t.of(network(remote), now), now), take(t.all, now))
}

// take takes one of what l allows. It returns how long to wait if there is none.
func take(l *rate.Limiter, now time.Time) time.Duration {
	r := l.ReserveN(now, 1)
	wait := r.DelayFrom(now)
	if wait > 0 {
		r.CancelAt(now)
	}
	return wait
}

// of returns the limit of a network. The caller holds t.mu.
func (t *tries) of(from netip.Prefix, now time.Time) *rate.Limiter {
	if t.each[from] == nil && len(t.each) >= maxAddresses {
		t.sweep(now)
		if len(t.each) >= maxAddresses {
			from = netip.Prefix{}
		}
	}
	if t.each[from] == nil {
		t.each[from] = rate.NewLimiter(rate.Every(everyEach), triesEach)
	}
	return t.each[from]
}

// sweep forgets addresses, not more often than one of them can come to be forgotten.
func (t *tries) sweep(now time.Time) {
	if now.Sub(t.swept) < everyEach {
		return
	}
	t.swept = now
	for known, l := range t.each {
		if l.TokensAt(now) >= triesEach {
			delete(t.each, known)
		}
	}
}

// network returns what counts as one address: one of IPv4, or 2^64 of IPv6, which is what one household has.
func network(remote string) netip.Prefix {
	host, _, err := net.SplitHostPort(remote)
	if err != nil {
		return netip.Prefix{}
	}
	address, err := netip.ParseAddr(host)
	if err != nil {
		return netip.Prefix{}
	}
	bits := 32
	if address = address.Unmap(); address.Is6() {
		bits = 64
	}
	p, _ := address.Prefix(bits) // bits fit
	return p
}

// setRetryAfter says in whole seconds how long to wait.
func setRetryAfter(w http.ResponseWriter, wait time.Duration) {
	w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
}
