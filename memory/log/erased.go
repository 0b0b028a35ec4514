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

// accountsOf returns the two accounts that an author may be known by.
func accountsOf(a channels.Author) []channels.Handle {
	return []channels.Handle{a.Handle, {Channel: a.Handle.Channel, ID: a.Alias}}
}

// wasErased reports whether one of the accounts was erased at or after at, zero for now.
func wasErased(tx *db.Tx, at time.Time, accounts ...channels.Handle) (erased bool, err error) {
	if at.IsZero() {
		at = tx.Now
	}
	hashes := make([]string, len(accounts))
	for i, h := range accounts {
		hashes[i] = HashHandle(h)
	}
	in, args := db.Placeholders(hashes)
	err = tx.QueryRow(`SELECT EXISTS (SELECT 1 FROM erased_handles WHERE at >= ? AND hash IN `+in+`)`, append([]any{db.Millis(at)}, args...)...).Scan(&erased)
	return erased, err
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
	erased, err := wasErased(tx, m.At, m.Author.Handle)
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
