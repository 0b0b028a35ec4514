package memory

import (
	"context"
	"slices"
	"sync"
)

// recentKept bounds for how many rooms the running talk is kept. When they are full all are dropped: to read one again
// is cheap.
const recentKept = 128

// recentCache keeps the latest talk of the rooms spoken in lately, so that a turn reads what was added and not sixty
// messages. Its zero value is empty and ready.
type recentCache struct {
	mu    sync.Mutex
	rooms map[hearingKey]recentTalk
}

// recentTalk is the latest talk of a room, oldest first, as its scope stood at one moment. It is never changed.
type recentTalk struct {
	at       ScopeRevision
	limit    int
	messages []Message
}

// Recent is the latest talk in the room being spoken in, the persona's own words included, oldest first. What was
// forgotten and what had no text is left out; 50 messages when limit is 0. The persona's Name is its key. The slice is
// shared: do not change it.
func (s *Store) Recent(ctx context.Context, h Hearing, limit int) (messages []Message, err error) {
	limit = limitOr(limit, 50)
	if len(h.audiences) == 0 {
		return nil, nil
	}
	err = s.read(ctx, "read the recent talk", func(tx *conn) error {
		at, err := tx.revisions(h.persona, h.audiences) // the room's own comes first
		if err != nil {
			return err
		}
		talk := s.recent.get(h, at[0], limit)
		if talk.at == at[0] {
			messages = talk.messages
			return nil
		}
		last := int64(0)
		if n := len(talk.messages); n > 0 {
			last = talk.messages[n-1].ID
		}
		added, err := collect[Message](tx.rows(messageColumns+`
			WHERE m.persona = ? AND m.room_id = ? AND m.id > ? AND m.text <> '' ORDER BY m.id DESC LIMIT ? + 0`,
			h.persona, h.room.ID, last, limit))(scanMessage)
		if err != nil {
			return err
		}
		slices.Reverse(added)
		messages = slices.Concat(talk.messages, added)
		messages = messages[max(0, len(messages)-limit):]
		s.recent.put(h, recentTalk{at[0], limit, messages})
		return nil
	})
	return messages, err
}

// get is the talk kept of h's room that what was said since only adds to, nothing when some of it may have changed.
func (c *recentCache) get(h Hearing, now ScopeRevision, limit int) recentTalk {
	c.mu.Lock()
	defer c.mu.Unlock()
	talk := c.rooms[hearingKey{h.persona, h.room.ID}]
	if talk.limit != limit || talk.at.Epoch != now.Epoch || talk.at.Names != now.Names || talk.at.Revision > now.Revision {
		return recentTalk{}
	}
	talk.at.Beliefs = now.Beliefs // does not matter here
	return talk
}

func (c *recentCache) put(h Hearing, talk recentTalk) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.rooms == nil || len(c.rooms) >= recentKept {
		c.rooms = map[hearingKey]recentTalk{}
	}
	c.rooms[hearingKey{h.persona, h.room.ID}] = talk
}

// Marked are the texts of messages as they may be put before a voice in h: without the values that were corrected, and
// with a note at those that have changed, as in packed context.
func (s *Store) Marked(ctx context.Context, h Hearing, messages []Message) (texts []string, err error) {
	err = s.read(ctx, "mark what no longer holds", func(tx *conn) error {
		at, err := tx.revisions(h.persona, h.audiences)
		if err != nil {
			return err
		}
		believed, err := s.believed(tx, h, at)
		if err != nil {
			return err
		}
		texts = believed.markAll(messages)
		var withdrawn withdrawals
		withdrawn.addAll(messages)
		for i, m := range messages {
			texts[i] = withdrawn.mark(asLine(m), texts[i])
		}
		return nil
	})
	return texts, err
}
