package discord

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"familiar/channels"
)

// attempt is what is known of the latest thing said in a channel: enough to find out after a crash whether it was shown.
type attempt struct {
	Nonce string `json:"nonce"`
	// Began is when it was first tried.
	Began time.Time `json:"began"`
	// After is a message that is older than what was tried.
	After string `json:"after,omitempty"`
	// Message is what was made of it, empty while that is not known.
	Message string `json:"message,omitempty"`
	// settled says that its fate is known. It is not kept: after a restart nothing is.
	settled bool
}

// attempted begins the shelf's keys of attempts; what follows is the channel's id.
const attempted = "attempt/"

// attempts keeps one attempt for each channel, and for each command that is answered. The chunks of either are sent one
// after the other, so one is enough.
type attempts struct {
	shelf channels.StateStore
	now   func() time.Time
	mu    sync.Mutex
	known map[string]attempt
}

func newAttempts(shelf channels.StateStore, now func() time.Time) *attempts {
	return &attempts{shelf: shelf, now: now, known: make(map[string]attempt)}
}

// begin writes down that nonce is about to be tried in channel, after what has the id older if that is one, and returns the
// attempt. Earlier says that it was tried
// before and nobody knows how that ended.
func (as *attempts) begin(ctx context.Context, channel, nonce, older string) (a attempt, earlier bool, err error) {
	last, err := as.last(ctx, channel)
	if err != nil {
		return attempt{}, false, err
	}
	if last.Nonce == nonce {
		return last, true, nil
	}
	a = attempt{Nonce: nonce, Began: as.now(), After: last.Message}
	switch {
	case a.After != "":
	case isID(older):
		a.After = older
	default:
		a.After = snowflake(a.Began.Add(-time.Minute)) // the clocks may differ a little
	}
	return a, false, as.put(ctx, channel, a)
}

// last is the latest attempt in channel, none if there was none.
func (as *attempts) last(ctx context.Context, channel string) (attempt, error) {
	as.mu.Lock()
	a, ok := as.known[channel]
	as.mu.Unlock()
	if ok {
		return a, nil
	}
	value, err := as.shelf.Get(ctx, attempted+channel)
	if errors.Is(err, channels.ErrNotFound) {
		return attempt{}, nil
	}
	if err == nil {
		err = json.Unmarshal([]byte(value), &a)
	}
	if err != nil {
		return attempt{}, fmt.Errorf("look up what was last sent to Discord channel %s: %w", channel, err)
	}
	return a, nil
}

// put keeps a on disk.
func (as *attempts) put(ctx context.Context, channel string, a attempt) error {
	value, err := json.Marshal(a)
	if err == nil {
		err = as.shelf.Put(ctx, attempted+channel, string(value))
	}
	if err != nil {
		return fmt.Errorf("note what is sent to Discord channel %s: %w", channel, err)
	}
	as.set(channel, a)
	return nil
}

// settle says that a was shown as message. That needs no note: who asks again finds the message.
func (as *attempts) settle(channel string, a attempt, message string) {
	a.Message, a.settled = message, true
	as.set(channel, a)
}

// withdraw says that the first attempt at a came to nothing: the next one is the first again.
func (as *attempts) withdraw(ctx context.Context, channel string, a attempt) error {
	a.Nonce, a.Message, a.settled = "", a.After, true
	as.set(channel, a) // for who asks in this process, even where it cannot be kept
	return as.put(ctx, channel, a)
}

// prune forgets what was tried before a moment in channels, but for those that are kept.
func (as *attempts) prune(ctx context.Context, kept map[string]bool, before time.Time) error {
	keys, err := as.shelf.Keys(ctx, attempted)
	if err != nil {
		return fmt.Errorf("look through what was sent to Discord: %w", err)
	}
	for _, key := range keys {
		channel := key[len(attempted):]
		if kept[channel] || !isID(channel) { // those of commands have a term of their own
			continue
		}
		a, err := as.last(ctx, channel)
		if err != nil {
			return err
		}
		if !a.Began.Before(before) {
			continue
		}
		if err := as.shelf.Delete(ctx, key); err != nil {
			return fmt.Errorf("forget what was sent to Discord channel %s: %w", channel, err)
		}
		as.forget(channel)
	}
	return nil
}

// forget drops what this process remembers of channel.
func (as *attempts) forget(channel string) {
	as.mu.Lock()
	defer as.mu.Unlock()
	delete(as.known, channel)
}

func (as *attempts) set(channel string, a attempt) {
	as.mu.Lock()
	defer as.mu.Unlock()
	as.known[channel] = a
}

// nonceOf is the idempotency key as Discord takes it: 25 characters.
func nonceOf(key string) string {
	sum := sha256.Sum256([]byte(key))
	return base32.StdEncoding.EncodeToString(sum[:])[:25]
}
