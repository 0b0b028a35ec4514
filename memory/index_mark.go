package memory

import (
	"context"
	"slices"
)

// markersKept bounds for how many rooms a marker is kept. When they are full all are dropped: to make one is cheap.
const markersKept = 256

// markerKey is one persona in one room.
type markerKey struct {
	persona string
	room    int64
}

// markedAt is a marker with how far its scopes had come.
type markedAt struct {
	marker
	at []ScopeRevision
}

// marker is what marks replaced values in h, read again only when one of its scopes, as last indexed, has moved.
func (s *Store) marker(ctx context.Context, h Hearing, scopes []*scopeIndex) (marker, error) {
	at := make([]ScopeRevision, len(scopes))
	for i, x := range scopes {
		x.mu.RLock()
		at[i] = x.at
		x.mu.RUnlock()
	}
	key := markerKey{h.persona, h.room.ID}
	s.words.mu.Lock()
	kept, found := s.words.markers[key]
	s.words.mu.Unlock()
	if found && slices.Equal(kept.at, at) {
		return kept.marker, nil
	}
	replaced, err := s.ReplacedValues(ctx, h)
	if err != nil {
		return marker{}, err
	}
	m := newMarker(replaced)
	s.words.mu.Lock()
	defer s.words.mu.Unlock()
	if s.words.markers == nil || len(s.words.markers) >= markersKept {
		s.words.markers = map[markerKey]markedAt{}
	}
	s.words.markers[key] = markedAt{m, at}
	return m, nil
}
