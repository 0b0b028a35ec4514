package log

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"familiar/channels"
	"familiar/memory/internal/db"
)

// ProposalState names the key-value state of what waits for a person's yes: keys are "ROOM/PERSON" in numbers.
const ProposalState = "forgetting"

// KeyValue returns the key-value state of the named channel, such as its cursors.
func (s *Store) KeyValue(channel string) channels.StateStore { return keyValue{s, channel} }

// keyValue implements channels.StateStore for one channel.
type keyValue struct {
	store   *Store
	channel string
}

// Get implements channels.StateStore.
func (s keyValue) Get(ctx context.Context, key string) (value string, err error) {
	err = s.store.db.ReadOne(ctx, s.act("read", key), func(tx *db.Tx) error {
		value, err = db.One(tx.QueryRow(`SELECT value FROM channel_shelf WHERE channel = ? AND key = ?`, s.channel, key), db.ScanText)
		if errors.Is(err, db.ErrNotFound) {
			err = channels.ErrNotFound
		}
		return err
	})
	return value, err
}

// Put implements channels.StateStore.
func (s keyValue) Put(ctx context.Context, key, value string) error {
	return s.store.db.WriteUrgent(ctx, s.act("store", key), func(tx *db.Tx) error {
		_, err := tx.Exec(`INSERT INTO channel_shelf (channel, key, value) VALUES (?, ?, ?)
			ON CONFLICT (channel, key) DO UPDATE SET value = excluded.value`, s.channel, key, value)
		return err
	})
}

// Delete implements channels.StateStore.
func (s keyValue) Delete(ctx context.Context, key string) error {
	return s.store.db.Write(ctx, s.act("delete", key), func(tx *db.Tx) error {
		_, err := tx.Exec(`DELETE FROM channel_shelf WHERE channel = ? AND key = ?`, s.channel, key)
		return err
	})
}

// Keys implements channels.StateStore.
func (s keyValue) Keys(ctx context.Context, prefix string) (keys []string, err error) {
	err = s.store.db.ReadOne(ctx, s.act("list by", prefix), func(tx *db.Tx) error {
		keys, err = db.Collect[string](tx.Query(`SELECT key FROM channel_shelf WHERE channel = ? AND substr(key, 1, length(?)) = ? ORDER BY key`,
			s.channel, prefix, prefix))(db.ScanText)
		return err
	})
	return keys, err
}

// act names an access in errors by the first part of its key. The rest may identify a person, for example by a
// telephone number, and the value may be a secret of the channel.
func (s keyValue) act(verb, key string) string {
	kind, _, _ := strings.Cut(key, "/")
	return fmt.Sprintf("%s key %q of %s", verb, kind, s.channel)
}
