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

// attempt is the latest message sent to a channel: enough to find out after a crash whether it was shown.
type attempt struct {
	Nonce string `json:"nonce"`
	// Began is the time of the first try.
	Began time.Time `json:"began"`
	// After is the id of a message older than this one.
	After string `json:"after,omitempty"`
	// Message is the id of the resulting message, empty while unknown.
	Message string `json:"message,omitempty"`
	// resolved reports that the outcome is known. It is not stored: after a restart no outcome is known.
	resolved bool
}

// attemptPrefix starts the state store keys of attempts, followed by the channel's id.
const attemptPrefix = "attempt/"

// attempts stores one attempt per channel, and per command being answered. Their chunks are sent one at a time, so one
// is enough.
type attempts struct {
	store channels.StateStore
	now   func() time.Time
	mu    sync.Mutex
	known map[string]attempt
}

func newAttempts(store channels.StateStore, now func() time.Time) *attempts {
	return &attempts{store: store, now: now, known: make(map[string]attempt)}
}

// begin records that nonce is about to be sent to channel, and returns the attempt. older is a message id known to be
// older, if it is an id. earlier reports that the nonce was tried before with an unknown outcome.
func (as *attempts) begin(ctx context.Context, channel, nonce, older string) (a attempt, earlier bool, err error) {
	last, err := as.last(ctx, channel)
	if err == nil && last.Nonce != nonce {
		last, err = as.stored(ctx, channel, last) // another process may have tried this one since
	}
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
		a.After = snowflake(a.Began.Add(-time.Minute)) // the clocks may differ slightly
	}
	return a, false, as.put(ctx, channel, a)
}

// last returns the latest attempt in channel, or the zero attempt.
func (as *attempts) last(ctx context.Context, channel string) (attempt, error) {
	as.mu.Lock()
	a, ok := as.known[channel]
	as.mu.Unlock()
	if ok {
		return a, nil
	}
	return as.stored(ctx, channel, attempt{})
}

// stored returns the attempt on disk. known is what this process knows of it: if it is the same one, its outcome too.
func (as *attempts) stored(ctx context.Context, channel string, known attempt) (a attempt, err error) {
	value, err := as.store.Get(ctx, attemptPrefix+channel)
	if errors.Is(err, channels.ErrNotFound) {
		return known, nil
	}
	if err == nil {
		err = json.Unmarshal([]byte(value), &a)
	}
	if err != nil {
		return attempt{}, fmt.Errorf("look up the last message sent to Discord channel %s: %w", channel, err)
	}
	if a.Nonce == known.Nonce {
		return known, nil
	}
	return a, nil
}

// put stores a on disk.
func (as *attempts) put(ctx context.Context, channel string, a attempt) error {
	value, err := json.Marshal(a)
	if err == nil {
		err = as.store.Put(ctx, attemptPrefix+channel, string(value))
	}
	if err != nil {
		return fmt.Errorf("record a message to Discord channel %s: %w", channel, err)
	}
	as.set(channel, a)
	return nil
}

// succeeded notes that a was shown as message. It is not stored: a later search finds the message.
func (as *attempts) succeeded(channel string, a attempt, message string) {
	a.Message, a.resolved = message, true
	as.set(channel, a)
}

// withdraw notes that the first try of a had no effect, so that the next one counts as the first.
func (as *attempts) withdraw(ctx context.Context, channel string, a attempt) error {
	a.Nonce, a.Message, a.resolved = "", a.After, true
	as.set(channel, a) // for this process, even if the write fails
	return as.put(ctx, channel, a)
}

// prune deletes the attempts made before a time, except in the channels listed in kept.
func (as *attempts) prune(ctx context.Context, kept map[string]bool, before time.Time) error {
	keys, err := as.store.Keys(ctx, attemptPrefix)
	if err != nil {
		return fmt.Errorf("list the messages sent to Discord: %w", err)
	}
	for _, key := range keys {
		channel := key[len(attemptPrefix):]
		if kept[channel] || !isID(channel) { // attempts of commands expire separately
			continue
		}
		a, err := as.last(ctx, channel)
		if err != nil {
			return err
		}
		if !a.Began.Before(before) {
			continue
		}
		if err := as.store.Delete(ctx, key); err != nil {
			return fmt.Errorf("delete the record of the last message sent to Discord channel %s: %w", channel, err)
		}
		as.forget(channel)
	}
	return nil
}

// forget removes channel from memory.
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

// nonceOf shortens the idempotency key to Discord's limit of 25 characters.
func nonceOf(key string) string {
	sum := sha256.Sum256([]byte(key))
	return base32.StdEncoding.EncodeToString(sum[:])[:25]
}
