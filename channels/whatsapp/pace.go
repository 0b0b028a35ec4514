package whatsapp

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
	"unicode/utf8"

	"familiar/channels"
	"familiar/internal/sleep"
)

// Limits that keep an account from being banned.
const (
	// proactivePerMinute limits messages to people who are not in a conversation.
	proactivePerMinute = 5
	// newChatsPerDay limits the chats that get a first message.
	newChatsPerDay = 20
	// conversationWindow is how long after a person's message ours counts as part of the conversation.
	conversationWindow = time.Hour
	// recentContact is how recently a person must have written to get a proactive message.
	recentContact = 30 * 24 * time.Hour
	// typingPerRune and maxTyping determine the simulated typing time.
	typingPerRune = 40 * time.Millisecond
	maxTyping     = 8 * time.Second
)

// pace counts the proactive messages of the last minute.
type pace struct {
	mu   sync.Mutex
	sent []time.Time
}

// take counts a proactive message at now, or returns how long to wait.
func (p *pace) take(now time.Time) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.sent) > 0 && now.Sub(p.sent[0]) >= time.Minute {
		p.sent = p.sent[1:]
	}
	if len(p.sent) >= proactivePerMinute {
		return p.sent[0].Add(time.Minute).Sub(now)
	}
	p.sent = append(p.sent, now)
	return 0
}

// allow reports whether out may be sent now. Replies may, but the number of new chats is limited. Proactive messages go
// only to people who wrote first and recently, and at a limited rate.
func (c *Channel) allow(ctx context.Context, out channels.Outgoing) error {
	now := c.host.Now()
	if until := c.bannedUntil(ctx); !until.IsZero() {
		return limited(until.Sub(now), "the account is temporarily banned")
	}
	note := c.records.chat(ctx, out.Room.ID)
	since := now.Sub(time.Unix(note.LastReceived, 0))
	proactive := out.ReplyData == "" && out.ReplyTo == "" && since >= conversationWindow
	if proactive && (note.LastReceived == 0 || since > recentContact) {
		return &channels.SendError{Kind: channels.Permanent, Err: errors.New("nobody has written there recently: WhatsApp bans accounts that send unsolicited messages")}
	}
	if !c.records.startChat(ctx, out.Room.ID) {
		midnight := now.UTC().Truncate(24*time.Hour).AddDate(0, 0, 1)
		return limited(midnight.Sub(now), fmt.Sprintf("%d new chats were started today", newChatsPerDay))
	}
	if !proactive {
		return nil
	}
	if pause := c.pace.take(now); pause > 0 {
		return limited(pause, fmt.Sprintf("%d proactive messages were sent within a minute", proactivePerMinute))
	}
	return nil
}

func limited(pause time.Duration, why string) error {
	return &channels.SendError{Kind: channels.RateLimited, RetryAfter: pause, Err: errors.New(why)}
}

// simulateTyping waits up to the time it takes to type text, and reports whether ctx is still active.
func (c *Channel) simulateTyping(ctx context.Context, text string) bool {
	return sleep.For(ctx, c.host.Jitter(min(time.Duration(utf8.RuneCountInString(text))*typingPerRune, maxTyping)))
}
