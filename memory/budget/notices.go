package budget

import (
	"context"

	"familiar/memory/internal/db"
)

// Noticed reports whether a person was told about a cap: kind says what, period (a day or a month) about when.
func (s *Store) Noticed(ctx context.Context, person int64, kind, period string) (told bool, err error) {
	err = s.db.Read(ctx, "read what somebody was told about their caps", func(tx *db.Tx) error {
		return tx.QueryRow(`SELECT EXISTS (SELECT 1 FROM usage_notices WHERE person_id = ? AND kind = ? AND period = ?)`, person, kind, period).Scan(&told)
	})
	return told, err
}

// Notice records that a person is told about a cap. It reports whether they had not been told before.
func (s *Store) Notice(ctx context.Context, person int64, kind, period string) (first bool, err error) {
	err = s.db.Write(ctx, "record what somebody is told about their caps", func(tx *db.Tx) error {
		n, err := tx.Affect(`INSERT INTO usage_notices (person_id, kind, period) VALUES (?, ?, ?)
			ON CONFLICT (person_id, kind) DO UPDATE SET period = excluded.period WHERE usage_notices.period <> excluded.period`, person, kind, period)
		first = n > 0
		return err
	})
	return first, err
}
