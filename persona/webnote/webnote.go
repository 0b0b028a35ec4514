// Package webnote is the text of a memory that was read on the web: one sentence of a page, with where it stands and when it was
// read. Pure.
package webnote

import (
	"fmt"
	"net/url"
	"strings"
	"time"
)

// Note is a sentence of a page.
type Note struct {
	// Title is the page's, Site the site's name for itself, without commas, or its host. Address is where the sentence stands.
	Title, Site, Address string
	// Published is the day the page names, zero for none. Read is the day it was read.
	Published, Read time.Time
	// Text is the sentence, as it stands there.
	Text string
}

const (
	opening, closing   = "A web page (", ") says: “"
	published, readDay = "published on ", "read on "
	end                = "”"
)

// String returns the text of the memory. Parse reads it.
func (n Note) String() string {
	of := n.Site
	if n.Title != "" {
		of = n.Title + ", " + n.Site
	}
	return opening + of + "; " + n.Address + "; " + n.When() + closing + n.Text + end
}

// Host returns the host of the address: a site can call itself anything.
func (n Note) Host() string {
	address, err := url.Parse(n.Address)
	if err != nil {
		return ""
	}
	return address.Hostname()
}

// When says when the page was published and read: "published on 2024-03-05, read on 2026-01-05".
func (n Note) When() string {
	when := readDay + n.Read.UTC().Format(time.DateOnly)
	if !n.Published.IsZero() {
		when = published + n.Published.Format(time.DateOnly) + ", " + when
	}
	return when
}

// Parse reads what String wrote. It returns false for any other text.
func Parse(text string) (n Note, ok bool) {
	rest, ok := strings.CutPrefix(text, opening)
	if !ok {
		return Note{}, false
	}
	i := strings.LastIndex(rest, closing)
	if i < 0 {
		return Note{}, false
	}
	said, whole := strings.CutSuffix(rest[i+len(closing):], end)
	parts := strings.Split(rest[:i], "; ")
	if !whole || said == "" || len(parts) < 3 {
		return Note{}, false
	}
	n.Text, n.Address = said, parts[len(parts)-2]
	address, err := url.Parse(n.Address)
	if err != nil || address.Hostname() == "" {
		return Note{}, false
	}
	n.Site = strings.Join(parts[:len(parts)-2], "; ")
	if i := strings.LastIndex(n.Site, ", "); i >= 0 {
		n.Title, n.Site = n.Site[:i], n.Site[i+len(", "):]
	}
	if err := n.parseWhen(parts[len(parts)-1]); err != nil {
		return Note{}, false
	}
	return n, true
}

func (n *Note) parseWhen(when string) (err error) {
	if day, more, ok := strings.Cut(when, ", "); ok {
		if n.Published, err = parseDay(day, published); err != nil {
			return err
		}
		when = more
	}
	n.Read, err = parseDay(when, readDay)
	return err
}

func parseDay(text, prefix string) (time.Time, error) {
	day, ok := strings.CutPrefix(text, prefix)
	if !ok {
		return time.Time{}, fmt.Errorf("%q does not begin with %q", text, prefix)
	}
	return time.Parse(time.DateOnly, day)
}
