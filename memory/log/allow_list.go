package log

import (
	"context"
	"errors"
	"fmt"
	"time"

	"familiar/channels"
	"familiar/memory/internal/db"
)

// AllowedAccount is an account that the operator approved by its code.
type AllowedAccount struct {
	Handle channels.Handle
	// Name is the account's display name at the time of approval.
	Name  string
	Since time.Time
}

// IsAllowed reports whether the operator approved the account, or another account of the same person on the same
// channel: some networks know a person under two IDs.
func (s *Store) IsAllowed(ctx context.Context, h channels.Handle) (yes bool, err error) {
	err = s.db.ReadOne(ctx, "check an account's approval on "+h.Channel, func(tx *db.Tx) error {
		return tx.QueryRow(`SELECT EXISTS (SELECT 1 FROM allowed WHERE channel = ? AND handle = ?)
			OR EXISTS (SELECT 1 FROM handles mine JOIN handles other ON other.person_id = mine.person_id AND other.channel = mine.channel
				JOIN allowed a ON a.channel = other.channel AND a.handle = other.handle
				WHERE mine.channel = ? AND mine.handle = ?)`, h.Channel, h.ID, h.Channel, h.ID).Scan(&yes)
	})
	return yes, err
}

// AllowedAccounts returns all approved accounts, ordered by channel and time of approval.
func (s *Store) AllowedAccounts(ctx context.Context) (all []AllowedAccount, err error) {
	err = s.db.Read(ctx, "list approved accounts", func(tx *db.Tx) error {
		all, err = db.Collect[AllowedAccount](tx.Query(`SELECT channel, handle, display, created_at FROM allowed ORDER BY channel, created_at, handle`))(
			func(row db.Scanner) (a AllowedAccount, err error) {
				err = row.Scan(&a.Handle.Channel, &a.Handle.ID, &a.Name, db.IntoTime(&a.Since))
				return a, err
			})
		return err
	})
	return all, err
}

// allow approves an account and deletes its code.
func allow(tx *db.Tx, a AllowedAccount) error {
	if _, err := tx.Exec(`DELETE FROM pairings WHERE channel = ? AND handle = ?`, a.Handle.Channel, a.Handle.ID); err != nil {
		return err
	}
	_, err := tx.Exec(`INSERT INTO allowed (channel, handle, display, created_at) VALUES (?, ?, ?, ?)
		ON CONFLICT (channel, handle) DO UPDATE SET display = excluded.display`, a.Handle.Channel, a.Handle.ID, a.Name, tx.NowMillis())
	return err
}

// Revoke withdraws an account's approval, or deletes its pending code, from the next message on. Existing memories
// stay. It fails with ErrNotFound if the account has neither.
func (s *Store) Revoke(ctx context.Context, h channels.Handle) error {
	return s.db.Write(ctx, fmt.Sprintf("revoke %s on %s", h.ID, h.Channel), func(tx *db.Tx) error {
		let, err := tx.Affect(`DELETE FROM allowed WHERE channel = ? AND handle = ?`, h.Channel, h.ID)
		waits, err2 := tx.Affect(`DELETE FROM pairings WHERE channel = ? AND handle = ?`, h.Channel, h.ID)
		if err := errors.Join(err, err2); err != nil {
			return err
		}
		if let+waits == 0 {
			return db.ErrNotFound
		}
		return nil
	})
}
