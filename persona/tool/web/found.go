package web

import (
	"net/url"
	"regexp"
	"strings"
	"sync"
)

// maxFound is how many addresses are remembered for a room, and maxRooms for how many rooms.
const (
	maxFound = 300
	maxRooms = 1000
)

// found remembers the addresses that searches and pages showed in each room. A page may tell the model to fetch an address
// into which it writes what it knows; such an address was shown nowhere.
type found struct {
	mu    sync.Mutex
	rooms map[int64]map[string]bool
}

func newFound() *found { return &found{rooms: map[int64]map[string]bool{}} }

func (f *found) add(room int64, address string) {
	key := plain(address)
	if key == "" {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	known := f.rooms[room]
	if known == nil {
		if len(f.rooms) >= maxRooms {
			clear(f.rooms)
		}
		known = map[string]bool{}
		f.rooms[room] = known
	}
	if len(known) >= maxFound {
		clear(known) // they are found again when they are needed
	}
	known[key] = true
}

func (f *found) has(room int64, address string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.rooms[room][plain(address)]
}

// plain returns an address as it is compared: without its scheme, fragment and final slash. "" if it is none.
func plain(address string) string {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Host == "" || u.User != nil {
		return ""
	}
	text := strings.ToLower(u.Host) + u.EscapedPath()
	if u.RawQuery != "" {
		return text + "?" + u.RawQuery
	}
	return strings.TrimSuffix(text, "/")
}

// writtenAddress matches what people write as an address, with or without its scheme.
var writtenAddress = regexp.MustCompile(`(?i)(?:https?://)?[a-z0-9][a-z0-9.-]*\.[a-z]{2,}(?::\d+)?(?:[/?#][^\s<>"'` + "`" + `]*)?`)

// written reports whether people wrote the address. said returns what they said, lately; nil is nothing.
func written(said func() []string, address string) bool {
	want := plain(address)
	if said == nil || want == "" {
		return false
	}
	for _, text := range said() {
		for _, one := range writtenAddress.FindAllString(text, -1) {
			for _, form := range []string{one, strings.TrimRight(one, ".,;:!?)]}*_")} {
				if !strings.Contains(form, "://") {
					form = "https://" + form
				}
				if plain(form) == want {
					return true
				}
			}
		}
	}
	return false
}

// shownLink matches the addresses of links in Markdown, as package readable writes them.
var shownLink = regexp.MustCompile(`\]\((https?://[^\s()]+)\)`)

func links(markdown string) (all []string) {
	for _, m := range shownLink.FindAllStringSubmatch(markdown, maxFound) {
		all = append(all, m[1])
	}
	return all
}
