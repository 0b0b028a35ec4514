package fetch

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/temoto/robotstxt"
)

// errRobots is the answer of a site that does not want to be read unasked.
var errRobots = errors.New("the site's robots.txt does not allow programs to read this page")

const (
	maxRobots   = 512 << 10      // bytes of robots.txt
	robotsFresh = 24 * time.Hour // how long a robots.txt is believed
	maxSites    = 200            // how many are remembered
)

// robots remembers the rules of sites.
type robots struct {
	mu    sync.Mutex
	rules map[string]ruling
}

// ruling is what a site said, and until when it is believed. Nil rules allow nothing.
type ruling struct {
	rules *robotstxt.RobotsData
	until time.Time
}

// allowed reports whether the site allows u to be read by a program.
func (c *Client) allowed(ctx context.Context, u *url.URL) error {
	site := u.Scheme + "://" + u.Host
	c.robots.mu.Lock()
	r, known := c.robots.rules[site]
	c.robots.mu.Unlock()
	if !known || c.now().After(r.until) {
		rules, err := c.fetchRobots(ctx, site)
		if err != nil {
			return err
		}
		r = ruling{rules, c.now().Add(robotsFresh)}
		c.robots.mu.Lock()
		if len(c.robots.rules) >= maxSites {
			clear(c.robots.rules)
		}
		c.robots.rules[site] = r
		c.robots.mu.Unlock()
	}
	if !r.rules.TestAgent(u.RequestURI(), Agent) {
		return errRobots
	}
	return nil
}

// fetchRobots reads a site's robots.txt. As RFC 9309 wants it, a site without one allows everything, and one whose server
// fails allows nothing.
func (c *Client) fetchRobots(ctx context.Context, site string) (*robotstxt.RobotsData, error) {
	u, err := c.guard.Parse(site + "/robots.txt")
	if err != nil {
		return nil, err
	}
	resp, err := c.get(ctx, u, "text/plain")
	if err != nil {
		return nil, fmt.Errorf("read robots.txt: %w", err)
	}
	defer func() { _ = resp.Body.Close() }()
	var body []byte
	if resp.StatusCode == http.StatusOK {
		if body, err = ReadBody(resp, maxRobots); err != nil {
			return nil, fmt.Errorf("read robots.txt: %w", err)
		}
	}
	rules, err := robotstxt.FromStatusAndBytes(resp.StatusCode, body)
	if err != nil {
		return nil, fmt.Errorf("%w: it cannot be parsed", errRobots) // the parser's reason repeats its text
	}
	return rules, nil
}
