package entry

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/model"
)

// NormalizeTag returns a tag as stored: lower case, words joined by hyphens.
func NormalizeTag(tag string) string {
	return strings.ToLower(strings.Join(strings.Fields(model.CleanName(tag)), "-"))
}

// Tag adds tags to a memory and returns all its tags. Tags it already has are ignored. It fails with ErrNotFound when
// there is no such memory.
func (s *Store) Tag(ctx context.Context, id int64, tags ...string) ([]string, error) {
	return s.retag(ctx, id, func(tx *db.Tx) error { return AddTags(tx, id, tags) })
}

// Untag removes tags from a memory and returns the rest. Tags it does not have are ignored. It fails with ErrNotFound
// when there is no such memory.
func (s *Store) Untag(ctx context.Context, id int64, tags ...string) ([]string, error) {
	return s.retag(ctx, id, func(tx *db.Tx) error {
		for _, tag := range tags {
			if _, err := tx.Exec(`DELETE FROM memory_tags WHERE memory_id = ? AND tag = ?`, id, NormalizeTag(tag)); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *Store) retag(ctx context.Context, id int64, change func(tx *db.Tx) error) (left []string, err error) {
	err = s.db.Write(ctx, fmt.Sprintf("tag memory %d", id), func(tx *db.Tx) error {
		if _, err := Locate(tx, id); err != nil {
			return err
		}
		if err := change(tx); err != nil {
			return err
		}
		left, err = tagsOf(tx, id)
		return err
	})
	return left, err
}

// Locate returns the persona and audience of a memory, ErrNotFound when there is none.
func Locate(tx *db.Tx, id int64) (scope.MemoryRef, error) {
	return db.One(tx.QueryRow(scope.SelectMemoryRefs+`m.id = ?`, id), scope.ScanMemoryRef)
}

// AddTags adds tags to a memory. It fails for a tag without a letter or digit.
func AddTags(tx *db.Tx, id int64, tags []string) error {
	for _, tag := range tags {
		if tag = NormalizeTag(tag); tag == "" {
			return errors.New("a tag needs at least one letter or digit")
		}
		if _, err := tx.Exec(`INSERT INTO memory_tags (memory_id, tag) VALUES (?, ?) ON CONFLICT DO NOTHING`, id, tag); err != nil {
			return err
		}
	}
	return nil
}

func tagsOf(tx *db.Tx, id int64) ([]string, error) {
	return db.Collect[string](tx.Query(`SELECT tag FROM memory_tags WHERE memory_id = ? ORDER BY tag`, id))(db.ScanText)
}
