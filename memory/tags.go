package memory

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// foldTag is a tag as stored: lower case, its words joined by hyphens.
func foldTag(tag string) string {
	return strings.ToLower(strings.Join(strings.Fields(CleanName(tag)), "-"))
}

// Tag files a memory under tags, and returns all it has; it says nothing of those it had. ErrNotFound for no such memory.
func (s *Store) Tag(ctx context.Context, id int64, tags ...string) ([]string, error) {
	return s.retag(ctx, id, func(tx *conn) error { return tx.addTags(id, tags) })
}

// Untag takes tags from a memory and returns those that are left. ErrNotFound for no such memory.
func (s *Store) Untag(ctx context.Context, id int64, tags ...string) ([]string, error) {
	return s.retag(ctx, id, func(tx *conn) error {
		for _, tag := range tags {
			if _, err := tx.exec(`DELETE FROM memory_tags WHERE memory_id = ? AND tag = ?`, id, foldTag(tag)); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *Store) retag(ctx context.Context, id int64, change func(tx *conn) error) (left []string, err error) {
	err = s.write(ctx, fmt.Sprintf("tag memory %d", id), func(tx *conn) error {
		if _, err := tx.placedMemory(id); err != nil {
			return err
		}
		if err := change(tx); err != nil {
			return err
		}
		left, err = tx.tagsOf(id)
		return err
	})
	return left, err
}

// placedMemory is whose a memory is and who hears of it, ErrNotFound when there is none.
func (c *conn) placedMemory(id int64) (placed, error) {
	return one(c.row(placedColumns+`m.id = ?`, id), scanPlaced)
}

func (c *conn) addTags(id int64, tags []string) error {
	for _, tag := range tags {
		if tag = foldTag(tag); tag == "" {
			return errors.New("a tag needs a letter or more")
		}
		if _, err := c.exec(`INSERT INTO memory_tags (memory_id, tag) VALUES (?, ?) ON CONFLICT DO NOTHING`, id, tag); err != nil {
			return err
		}
	}
	return nil
}

func (c *conn) tagsOf(id int64) ([]string, error) {
	return collect[string](c.rows(`SELECT tag FROM memory_tags WHERE memory_id = ? ORDER BY tag`, id))(scanText)
}

// tagged are those of persona's memories that have a tag.
func (c *conn) tagged(persona, tag string) (map[int64]bool, error) {
	ids, err := collect[int64](c.rows(`SELECT t.memory_id FROM memory_tags t JOIN memories m ON m.id = t.memory_id
		WHERE t.tag = ? AND m.persona = ?`, foldTag(tag), persona))(scanID)
	set := make(map[int64]bool, len(ids))
	for _, id := range ids {
		set[id] = true
	}
	return set, err
}
