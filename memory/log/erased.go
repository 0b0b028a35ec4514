package log

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"familiar/channels"
	"familiar/memory/internal/db"
)

// ErrErased reports that somebody was erased meanwhile, so that what was read before must not be stored.
var ErrErased = errors.New("a person was erased meanwhile")

// KindPersonErased is the kind of erasure of a person.
const KindPersonErased = "person"

// HashHandle returns the hash by which the account of an erased person is recognized. The account cannot be read from it without
// trying every account of the network.
func HashHandle(h channels.Handle) string {
	return fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "familiar erased account %q %q", h.Channel, h.ID)))
}

// ErasedAccounts returns whether an account was ever erased, nil if none was.
func (s *Store) ErasedAccounts(ctx context.Context) (func(channels.Handle) bool, error) {
	hashes := map[string]bool{}
	err := s.db.Read(ctx, "read which accounts were erased", func(tx *db.Tx) error {
		_, err := db.Collect[string](tx.Query(`SELECT hash FROM erased_handles`))(func(row db.Scanner) (hash string, err error) {
			err = row.Scan(&hash)
			hashes[hash] = true
			return hash, err
		})
		return err
	})
	if err != nil || len(hashes) == 0 {
		return nil, err
	}
	return func(h channels.Handle) bool { return hashes[HashHandle(h)] }, nil
}

// CheckErased fails with ErrErased if the author of a message was erased since it was sent.
func CheckErased(tx *db.Tx, m channels.Message) error {
	at := m.At
	if at.IsZero() {
		at = tx.Now
	}
	var erased bool
	err := tx.QueryRow(`SELECT EXISTS (SELECT 1 FROM erased_handles WHERE at >= ? AND hash = ?)`, db.Millis(at), HashHandle(m.Author.Handle)).Scan(&erased)
	if err == nil && erased {
		err = ErrErased
	}
	return err
}

// CheckErasedSince fails with ErrErased if anybody was erased after since.
func CheckErasedSince(tx *db.Tx, since time.Time) error {
	var erased bool
	err := tx.QueryRow(`SELECT EXISTS (SELECT 1 FROM erasures WHERE at > ? AND kind = ?)`, db.Millis(since), KindPersonErased).Scan(&erased)
	if err == nil && erased {
		err = ErrErased
	}
	return err
}
