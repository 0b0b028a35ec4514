package memory

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"familiar/channels"
)

// Shelf is where the named channel keeps its cursors and the like.
func (s *Store) Shelf(channel string) channels.StateStore { return shelf{s, channel} }

// shelf is channels.Shelf for one channel.
type shelf struct {
	store   *Store
	channel string
}

// Get implements channels.Shelf.
func (s shelf) Get(ctx context.Context, key string) (value string, err error) {
	err = s.store.readOne(ctx, s.act("read", key), func(tx *conn) error {
		value, err = one(tx.row(`SELECT value FROM channel_shelf WHERE channel = ? AND key = ?`, s.channel, key), scanText)
		if errors.Is(err, ErrNotFound) {
			err = channels.ErrNotFound
		}
		return err
	})
	return value, err
}

// Put implements channels.Shelf.
func (s shelf) Put(ctx context.Context, key, value string) error {
	return s.store.writeFirst(ctx, s.act("keep", key), func(tx *conn) error {
		_, err := tx.exec(`INSERT INTO channel_shelf (channel, key, value) VALUES (?, ?, ?)
			ON CONFLICT (channel, key) DO UPDATE SET value = excluded.value`, s.channel, key, value)
		return err
	})
}

// Delete implements channels.Shelf.
func (s shelf) Delete(ctx context.Context, key string) error {
	return s.store.write(ctx, s.act("drop", key), func(tx *conn) error {
		_, err := tx.exec(`DELETE FROM channel_shelf WHERE channel = ? AND key = ?`, s.channel, key)
		return err
	})
}

// Keys implements channels.Shelf.
func (s shelf) Keys(ctx context.Context, prefix string) (keys []string, err error) {
	err = s.store.readOne(ctx, s.act("list", prefix), func(tx *conn) error {
		keys, err = collect[string](tx.rows(`SELECT key FROM channel_shelf WHERE channel = ? AND substr(key, 1, length(?)) = ? ORDER BY key`,
			s.channel, prefix, prefix))(scanText)
		return err
	})
	return keys, err
}

// act names an access for its errors, by the first part of its key. The rest may name somebody, by a telephone number for
// one, and the value may be a secret of the channel's.
func (s shelf) act(verb, key string) string {
	kind, _, _ := strings.Cut(key, "/")
	return fmt.Sprintf("%s %q of %s's shelf", verb, kind, s.channel)
}
