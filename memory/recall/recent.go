package recall

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"sync"

	"familiar/memory/belief"
	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/log"
	"familiar/memory/model"
)

// CoveredByEpisode is the SQL condition that an episode covers message m.
const CoveredByEpisode = `EXISTS (SELECT 1 FROM memory_sources s JOIN memories e ON e.id = s.memory_id AND e.kind = 'episode'
	AND e.superseded_by IS NULL WHERE s.message_id = m.id)`

// maxRecentRooms is for how many rooms recent talk is cached. A full cache drops everything: reading one room again is
// cheap.
const maxRecentRooms = 128

// recentCache caches the latest talk of rooms, so that a turn reads only new messages instead of sixty. The zero value
// is empty and ready.
type recentCache struct {
	mu    sync.Mutex
	rooms map[belief.RoomKey]recentTalk
}

// recentWindow is how many messages back recent talk is looked for. Cached talk that has become older stays until the
// talk is read again.
const recentWindow = 1000

// recentRoom is how many messages may follow recent talk before it is copied.
const recentRoom = 64

// recentTalk is the latest talk of a room, oldest first, at one revision of its scope, without what is compacted up to
// a message. Its messages are never changed; later ones may follow them in their array. whole reports that the room's
// last recentWindow messages have no others.
type recentTalk struct {
	at        model.ScopeRevision
	limit     int
	compacted compaction
	messages  []model.Message
	whole     bool
}

// compaction is how far the latest session of a room is compacted. The session belongs to it, because the one before may
// have been compacted further just before it ended.
type compaction struct {
	session int64 // 0 if there is none
	message int64 // the last message that an episode covered when it was made, 0 for none
}

// compactedSince returns the talk after more of it was compacted, and the message after which the rest must be read
// again. Compacting only takes messages away, so nothing before the first one can be among the rest of the whole talk.
func (t recentTalk) compactedSince() (rest recentTalk, after int64) {
	if !t.whole || len(t.messages) == 0 {
		return recentTalk{}, 0
	}
	return recentTalk{whole: true}, t.messages[0].ID - 1
}

// last is the last message of the talk, 0 if it has none.
func (t recentTalk) last() int64 {
	if len(t.messages) == 0 {
		return 0
	}
	return t.messages[len(t.messages)-1].ID
}

// Recent returns the latest talk in h's room, the persona's own messages included, oldest first; 50 messages when limit
// is 0. It leaves out forgotten messages, those without text and those an episode covers. The Name of the persona's
// messages is its key. The slice is shared: do not change it.
func (s *Store) Recent(ctx context.Context, h scope.Visibility, limit int) (messages []model.Message, err error) {
	limit = db.LimitOr(limit, 50)
	if len(h.Audiences()) == 0 {
		return nil, nil
	}
	err = s.db.Read(ctx, "read the recent talk", func(tx *db.Tx) error {
		at, err := scope.Revisions(tx, h.Persona(), h.Audiences()) // the room's own audience comes first
		if err != nil {
			return err
		}
		talk := s.recent.get(h, at[0], limit)
		if talk.at != at[0] {
			if err := prefetchRecent(tx, h, talk, limit); err != nil {
				return err
			}
		}
		compacted, err := latestCompaction(tx, h)
		if err != nil {
			return err
		}
		last := talk.last()
		switch {
		case talk.compacted != compacted:
			talk, last = talk.compactedSince()
		case talk.at == at[0]:
			messages = slices.Clip(talk.messages)
			return nil
		}
		added, err := messagesSince(tx, h, last, limit)
		if err != nil {
			return err
		}
		slices.Reverse(added)
		talk.at, talk.limit, talk.compacted, talk.whole = at[0], limit, compacted, talk.whole || last == 0
		messages = s.recent.put(h, talk, added)
		return nil
	})
	return messages, err
}

// prefetchRecent prefetches what Recent reads if the session was not compacted since the talk was cached, as it seldom is.
func prefetchRecent(tx *db.Tx, h scope.Visibility, cached recentTalk, limit int) error {
	return tx.Prefetch(
		func() error { _, err := latestCompaction(tx, h); return err },
		func() error { _, err := messagesSince(tx, h, cached.last(), limit); return err },
	)
}

// messagesSince returns the latest messages of h's room after one, the latest first, without those that an episode covers.
func messagesSince(tx *db.Tx, h scope.Visibility, after int64, limit int) ([]model.Message, error) {
	return db.Collect[model.Message](tx.Query(log.SelectMessages+`
		WHERE m.id IN (SELECT id FROM messages WHERE persona = ? AND room_id = ? AND id > ? AND text <> '' ORDER BY id DESC LIMIT ? + 0)
		AND NOT `+CoveredByEpisode+` ORDER BY m.id DESC LIMIT ? + 0`,
		h.Persona(), h.Room().ID, after, max(recentWindow, limit), limit))(log.ScanMessage)
}

// latestCompaction returns how far the latest session of h's room is compacted.
func latestCompaction(tx *db.Tx, h scope.Visibility) (c compaction, err error) {
	err = tx.QueryRow(`SELECT id, coalesce(compacted_to, 0) FROM sessions WHERE persona = ? AND room_id = ? ORDER BY id DESC LIMIT 1`,
		h.Persona(), h.Room().ID).Scan(&c.session, &c.message)
	if errors.Is(err, sql.ErrNoRows) {
		return compaction{}, nil
	}
	return c, err
}

// get returns the cached talk of h's room when only new messages and episodes came since, and an empty recentTalk when
// cached messages may have changed.
func (c *recentCache) get(h scope.Visibility, now model.ScopeRevision, limit int) recentTalk {
	c.mu.Lock()
	defer c.mu.Unlock()
	talk := c.rooms[belief.RoomKey{Persona: h.Persona(), Room: h.Room().ID}]
	if talk.limit != limit || talk.at.Epoch != now.Epoch || talk.at.Names != now.Names || talk.at.Revision > now.Revision {
		return recentTalk{}
	}
	talk.at.Beliefs = now.Beliefs // beliefs do not matter here
	return talk
}

// put caches talk with the messages that were added to it, and returns the latest messages of both.
func (c *recentCache) put(h scope.Visibility, talk recentTalk, added []model.Message) []model.Message {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := belief.RoomKey{Persona: h.Persona(), Room: h.Room().ID}
	if !sameMessages(talk.messages, c.rooms[key].messages) {
		talk.messages = slices.Clip(talk.messages) // another reader may have added to it
	}
	if cap(talk.messages)-len(talk.messages) < len(added) {
		talk.messages = append(make([]model.Message, 0, len(talk.messages)+len(added)+recentRoom), talk.messages...)
	}
	talk.whole = talk.whole && len(added) < talk.limit && len(talk.messages)+len(added) <= talk.limit
	talk.messages = append(talk.messages, added...) // beyond the end of every slice that a reader has
	talk.messages = talk.messages[max(0, len(talk.messages)-talk.limit):]
	if c.rooms == nil || len(c.rooms) >= maxRecentRooms {
		c.rooms = map[belief.RoomKey]recentTalk{}
	}
	c.rooms[key] = talk
	return slices.Clip(talk.messages)
}

// sameMessages reports whether both are the same slice of the same array.
func sameMessages(a, b []model.Message) bool {
	return len(a) > 0 && len(a) == len(b) && &a[0] == &b[0]
}

// MarkedTexts returns the texts of messages as a prompt in h may show them: without corrected values, and with a note
// at changed ones, as in packed context.
func (s *Store) MarkedTexts(ctx context.Context, h scope.Visibility, messages []model.Message) (texts []string, err error) {
	err = s.db.Read(ctx, "mark outdated values", func(tx *db.Tx) error {
		believed, err := s.visibleBeliefs(tx, h)
		if err != nil {
			return err
		}
		texts = believed.MarkAll(messages)
		var withdrawn retractions
		withdrawn.addAll(messages)
		for i := range messages {
			l := asLine(&messages[i])
			texts[i] = withdrawn.mark(&l, texts[i])
		}
		return nil
	})
	return texts, err
}
