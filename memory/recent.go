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

// recentReach is how far back the running talk is looked for, in messages.
const recentReach = 1000

// recentTalk is the latest talk of a room, oldest first, as its scope stood at one moment, folded up to a message. It is
// never changed.
type recentTalk struct {
	at       ScopeRevision
	limit    int
	folded   int64
	messages []Message
}

// Recent is the latest talk in the room being spoken in, the persona's own words included, oldest first. What was
// forgotten, what had no text and what an episode tells is left out; 50 messages when limit is 0. The persona's Name is its key. The slice is
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
		folded, err := tx.foldedTo(h)
		if err != nil {
			return err
		}
		talk := s.recent.get(h, at[0], limit, folded)
		if talk.at == at[0] {
			messages = talk.messages
			return nil
		}
		last := int64(0)
		if n := len(talk.messages); n > 0 {
			last = talk.messages[n-1].ID
		}
		added, err := collect[Message](tx.rows(messageColumns+`
			WHERE m.id IN (SELECT id FROM messages WHERE persona = ? AND room_id = ? AND id > ? AND text <> '' ORDER BY id DESC LIMIT ? + 0)
			AND NOT `+toldByEpisode+` ORDER BY m.id DESC LIMIT ? + 0`,
			h.persona, h.room.ID, last, max(recentReach, limit), limit))(scanMessage)
		if err != nil {
			return err
		}
		slices.Reverse(added)
		messages = slices.Concat(talk.messages, added)
		messages = messages[max(0, len(messages)-limit):]
		s.recent.put(h, recentTalk{at[0], limit, folded, messages})
		return nil
	})
	return messages, err
}

// foldedTo is the last message of the latest session in the room that an episode told when it was folded, 0 for none.
func (c *conn) foldedTo(h Hearing) (message int64, err error) {
	err = c.row(`SELECT coalesce((SELECT coalesce(compacted_to, 0) FROM sessions WHERE persona = ? AND room_id = ? ORDER BY id DESC LIMIT 1), 0)`,
		h.persona, h.room.ID).Scan(&message)
	return message, err
}

// get is the talk kept of h's room that what was said since only adds to, nothing when some of it may have changed.
func (c *recentCache) get(h Hearing, now ScopeRevision, limit int, folded int64) recentTalk {
	c.mu.Lock()
	defer c.mu.Unlock()
	talk := c.rooms[hearingKey{h.persona, h.room.ID}]
	if talk.limit != limit || talk.folded != folded || talk.at.Epoch != now.Epoch || talk.at.Names != now.Names || talk.at.Revision > now.Revision {
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
