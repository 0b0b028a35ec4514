package whatsapp

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
	"unicode/utf8"

	"familiar/channels"
)

// The habits of an account that is not banned.
const (
	// unaskedPerMinute is how much is said to people who are not in a conversation just now.
	unaskedPerMinute = 5
	// newPerDay is in how many chats something is said for the first time.
	newPerDay = 20
	// conversation is how long what is said still belongs to what was heard.
	conversation = time.Hour
	// lately is within what time somebody must have written to be written to unasked.
	lately = 30 * 24 * time.Hour
	// perRune and longest are how long it takes to type.
	perRune = 40 * time.Millisecond
	longest = 8 * time.Second
)

// pace remembers what was said unasked within the last minute.
type pace struct {
	mu   sync.Mutex
	said []time.Time
}

// take counts one thing said unasked at now, or says how long to wait with it.
func (p *pace) take(now time.Time) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.said) > 0 && now.Sub(p.said[0]) >= time.Minute {
		p.said = p.said[1:]
	}
	if len(p.said) >= unaskedPerMinute {
		return p.said[0].Add(time.Minute).Sub(now)
	}
	p.said = append(p.said, now)
	return 0
}

// allow says whether out may be sent now. Answers may, except to ever more new people; what nobody asked for goes only to
// those who wrote first and lately, and slowly.
func (c *Channel) allow(ctx context.Context, out channels.Outgoing) error {
	now := c.host.Now()
	if until := c.banned(ctx); !until.IsZero() {
		return limited(until.Sub(now), "the account is banned for a time")
	}
	note := c.notes.chat(ctx, out.Room.ID)
	since := now.Sub(time.Unix(note.Heard, 0))
	unasked := out.ReplyData == "" && out.ReplyTo == "" && since >= conversation
	if unasked && (note.Heard == 0 || since > lately) {
		return &channels.SendError{Kind: channels.Permanent, Err: errors.New("nobody has written there lately: WhatsApp bans accounts that write unasked")}
	}
	if !c.notes.begin(ctx, out.Room.ID) {
		midnight := now.UTC().Truncate(24*time.Hour).AddDate(0, 0, 1)
		return limited(midnight.Sub(now), fmt.Sprintf("%d new chats were begun today", newPerDay))
	}
	if !unasked {
		return nil
	}
	if pause := c.pace.take(now); pause > 0 {
		return limited(pause, fmt.Sprintf("%d messages were sent unasked within a minute", unaskedPerMinute))
	}
	return nil
}

func limited(pause time.Duration, why string) error {
	return &channels.SendError{Kind: channels.RateLimited, RetryAfter: pause, Err: errors.New(why)}
}

// hesitate waits for something up to the time that text takes to type, and says whether ctx still lives.
func (c *Channel) hesitate(ctx context.Context, text string) bool {
	return wait(ctx, c.host.Jitter(min(time.Duration(utf8.RuneCountInString(text))*perRune, longest)))
}
