package checkpoint

import (
	"slices"

	"familiar/memory/internal/db"
)

// copyOf is an item with the id that its memory had when it was copied.
type copyOf struct{ item, copied int64 }

// ForgetWith removes the copies of memories, and those that rest on messages. It returns the ids of the memories that were copied.
func ForgetWith(tx *db.Tx, messages, memories []int64) (copied []int64, err error) {
	var gone []copyOf
	for _, by := range []struct {
		query string
		ids   []int64
	}{
		{`SELECT s.item_id, coalesce(i.copied_id, 0) FROM checkpoint_sources s LEFT JOIN checkpoint_items i ON i.id = s.item_id WHERE s.message_id IN `, messages},
		{`SELECT id, copied_id FROM checkpoint_items WHERE memory_id IS NOT NULL AND memory_id IN `, memories},
		{`SELECT id, copied_id FROM checkpoint_items WHERE copied_id IS NOT NULL AND copied_id IN `, memories},
	} {
		for some := range slices.Chunk(by.ids, db.MaxArgs) {
			in, args := db.Placeholders(some)
			found, err := db.Collect[copyOf](tx.Query(by.query+in, args...))(func(row db.Scanner) (c copyOf, err error) {
				err = row.Scan(&c.item, &c.copied)
				return c, err
			})
			if err != nil {
				return nil, err
			}
			gone = append(gone, found...)
		}
	}
	for some := range slices.Chunk(gone, db.MaxArgs) {
		items := make([]int64, len(some))
		for i, c := range some {
			items[i], copied = c.item, append(copied, c.copied)
		}
		in, args := db.Placeholders(items)
		for _, q := range []string{`DELETE FROM checkpoint_sources WHERE item_id IN `, `DELETE FROM checkpoint_items WHERE id IN `} {
			if _, err := tx.Exec(q+in, args...); err != nil {
				return nil, err
			}
		}
	}
	if len(gone) == 0 {
		return nil, nil
	}
	return db.Distinct(copied), tx.MarkErased()
}
