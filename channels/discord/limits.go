package discord

import (
	"net/http"
	"strconv"
	"sync"
	"time"
)

const (
	// globalPerSecond is how many requests per second Discord accepts from one bot.
	globalPerSecond = 50
	// forbiddenFor is how long a forbidden route is not requested again: Discord bans clients that make 10,000 refused
	// requests in ten minutes.
	forbiddenFor = 10 * time.Minute
	// maxRoutes is how many routes are stored before expired entries are removed.
	maxRoutes = 1000
)

// limits tracks Discord's rate limits. A wait on one route does not delay others.
type limits struct {
	mu     sync.Mutex
	routes map[string]window
	// forbidden holds refused routes and when they may be tried again.
	forbidden map[string]forbidden
	// global is when any request may be made again.
	global time.Time
	// second and requests count the requests of the current second.
	second   int64
	requests int
	// tokenRefused reports that the token was rejected: no more requests are made.
	tokenRefused bool
}

// window is the remaining quota of a route until its reset.
type window struct {
	left  int
	reset time.Time
}

type forbidden struct {
	until time.Time
	err   *apiError
}

func newLimits() *limits {
	return &limits{routes: make(map[string]window), forbidden: make(map[string]forbidden)}
}

// reserve counts a request about to be made. It returns how long to wait instead, or an error if the request is
// useless.
func (l *limits) reserve(k call, now time.Time) (time.Duration, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	key := k.key()
	if l.tokenRefused && !k.anonymous {
		return 0, errToken
	}
	if f, ok := l.forbidden[key]; ok && now.Before(f.until) {
		return 0, f.err
	}
	w, known := l.routes[key]
	if wait := w.reset.Sub(now); known && w.left <= 0 && wait > 0 {
		return wait, nil
	}
	// Command replies do not count against the bot.
	if !k.anonymous {
		if wait := l.reserveGlobal(now); wait > 0 {
			return wait, nil
		}
	}
	if known {
		w.left--
		l.routes[key] = w
	}
	return 0, nil
}

// reserveGlobal counts a request against the global limit, and returns how long to wait instead.
func (l *limits) reserveGlobal(now time.Time) time.Duration {
	if wait := l.global.Sub(now); wait > 0 {
		return wait
	}
	if second := now.Unix(); second != l.second {
		l.second, l.requests = second, 0
	}
	if l.requests >= globalPerSecond {
		return now.Truncate(time.Second).Add(time.Second).Sub(now)
	}
	l.requests++
	return 0
}

// update applies a response: its headers, and its refusal if it is one.
func (l *limits) update(k call, h http.Header, refused *apiError, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.prune(now)
	key := k.key()
	if left, err := strconv.Atoi(h.Get("X-RateLimit-Remaining")); err == nil {
		l.routes[key] = window{left: left, reset: now.Add(headerSeconds(h, "X-RateLimit-Reset-After"))}
	}
	if refused == nil {
		return
	}
	switch refused.Status {
	case http.StatusUnauthorized:
		l.tokenRefused = l.tokenRefused || !k.anonymous
	case http.StatusForbidden:
		notSent := *refused
		notSent.NotSent = true
		l.forbidden[key] = forbidden{until: now.Add(forbiddenFor), err: &notSent}
	case http.StatusTooManyRequests:
		until := now.Add(refused.RetryAfter)
		if h.Get("X-RateLimit-Global") == "true" || h.Get("X-RateLimit-Scope") == "global" {
			l.global = until
			return
		}
		l.routes[key] = window{reset: until}
	}
}

// prune removes expired entries.
func (l *limits) prune(now time.Time) {
	if len(l.routes)+len(l.forbidden) < maxRoutes {
		return
	}
	for key, w := range l.routes {
		if !now.Before(w.reset) {
			delete(l.routes, key)
		}
	}
	for key, f := range l.forbidden {
		if !now.Before(f.until) {
			delete(l.forbidden, key)
		}
	}
}

// reopen allows another try in channel after a refusal.
func (l *limits) reopen(channel string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.forbidden, createCall(channel, payload{}).key())
}

// resetToken allows the token to be tried again.
func (l *limits) resetToken() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tokenRefused = false
}

// seconds converts Discord's seconds to a duration.
func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

func headerSeconds(h http.Header, key string) time.Duration {
	s, err := strconv.ParseFloat(h.Get(key), 64)
	if err != nil {
		return 0
	}
	return seconds(s)
}
