package discord

import (
	"net/http"
	"strconv"
	"sync"
	"time"
)

const (
	// globalPerSecond is how many requests Discord takes from one bot in a second.
	globalPerSecond = 50
	// refusedFor is how long a route that was forbidden is not asked again: Discord bans who makes 10,000 refused requests
	// in ten minutes.
	refusedFor = 10 * time.Minute
	// routesKept is how many routes are remembered before those that are open again are forgotten.
	routesKept = 1000
)

// limits is what Discord said about how often it may be asked. One route's pause delays no other's.
type limits struct {
	mu     sync.Mutex
	routes map[string]window
	// forbidden are the routes that were refused, with when they may be tried again.
	forbidden map[string]forbidden
	// global is when anything may be asked again.
	global time.Time
	// second and asked count the requests of this second.
	second int64
	asked  int
	// token says that the token is refused: nothing more is asked.
	token bool
}

// window is what is left of a route until it is reset.
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

// enter counts a request that is about to be made. It says how long to wait instead, or with an error that it is useless.
func (l *limits) enter(k call, now time.Time) (time.Duration, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	key := k.key()
	if l.token && !k.anonymous {
		return 0, errToken
	}
	if f, ok := l.forbidden[key]; ok && now.Before(f.until) {
		return 0, f.err
	}
	w, known := l.routes[key]
	if wait := w.reset.Sub(now); known && w.left <= 0 && wait > 0 {
		return wait, nil
	}
	// The answers of commands are not counted against the bot.
	if !k.anonymous {
		if wait := l.overall(now); wait > 0 {
			return wait, nil
		}
	}
	if known {
		w.left--
		l.routes[key] = w
	}
	return 0, nil
}

// overall counts a request against what holds for all of them together, and says how long to wait instead.
func (l *limits) overall(now time.Time) time.Duration {
	if wait := l.global.Sub(now); wait > 0 {
		return wait
	}
	if second := now.Unix(); second != l.second {
		l.second, l.asked = second, 0
	}
	if l.asked >= globalPerSecond {
		return now.Truncate(time.Second).Add(time.Second).Sub(now)
	}
	l.asked++
	return 0
}

// learn takes in what an answer says: its headers, and its refusal if it is one.
func (l *limits) learn(k call, h http.Header, refused *apiError, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.forget(now)
	key := k.key()
	if left, err := strconv.Atoi(h.Get("X-RateLimit-Remaining")); err == nil {
		l.routes[key] = window{left: left, reset: now.Add(headerSeconds(h, "X-RateLimit-Reset-After"))}
	}
	if refused == nil {
		return
	}
	switch refused.Status {
	case http.StatusUnauthorized:
		l.token = l.token || !k.anonymous
	case http.StatusForbidden:
		unasked := *refused
		unasked.Unasked = true
		l.forbidden[key] = forbidden{until: now.Add(refusedFor), err: &unasked}
	case http.StatusTooManyRequests:
		until := now.Add(refused.RetryAfter)
		if h.Get("X-RateLimit-Global") == "true" || h.Get("X-RateLimit-Scope") == "global" {
			l.global = until
			return
		}
		l.routes[key] = window{reset: until}
	}
}

// forget drops what no longer holds anything back.
func (l *limits) forget(now time.Time) {
	if len(l.routes)+len(l.forbidden) < routesKept {
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

// forgive lets a message be tried in channel again although that was refused.
func (l *limits) forgive(channel string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.forbidden, createCall(channel, payload{}).key())
}

// renew lets the token be tried again.
func (l *limits) renew() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.token = false
}

// seconds turns Discord's seconds into a duration.
func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

func headerSeconds(h http.Header, key string) time.Duration {
	s, err := strconv.ParseFloat(h.Get(key), 64)
	if err != nil {
		return 0
	}
	return seconds(s)
}
