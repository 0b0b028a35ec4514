package turns

import (
	"slices"
	"sync"

	"familiar/memory/model"
)

// maxCachedEpisodes bounds for how many sessions episodes are cached. When the cache is full, all of them are dropped.
const maxCachedEpisodes = 128

// episodeCache keeps the episodes of the sessions that were read last: a long session has dozens, and each turn asks for all
// of them. Its zero value is empty and ready.
type episodeCache struct {
	mu       sync.Mutex
	sessions map[episodesKey]sessionEpisodes
}

// episodesKey is a session as it is read from a room.
type episodesKey struct {
	persona       string
	room, session int64
}

// sessionEpisodes are the episodes of a session, as the scopes that may be heard stood, compacted up to a message. They are
// never changed.
type sessionEpisodes struct {
	at        []model.ScopeRevision
	compacted int64
	told      []EpisodeView
}

// get returns the episodes kept under key, if none was added, changed or removed between then and now.
func (c *episodeCache) get(key episodesKey, now sessionEpisodes) (told []EpisodeView, same bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	kept, known := c.sessions[key]
	same = known && kept.compacted == now.compacted && slices.EqualFunc(kept.at, now.at, func(a, b model.ScopeRevision) bool {
		return a.Audience == b.Audience && a.Epoch == b.Epoch
	})
	return kept.told, same
}

func (c *episodeCache) put(key episodesKey, e sessionEpisodes) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sessions == nil || len(c.sessions) >= maxCachedEpisodes {
		c.sessions = map[episodesKey]sessionEpisodes{}
	}
	c.sessions[key] = e
}
