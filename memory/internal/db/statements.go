package db

import (
	"context"
	"maps"
	"slices"
)

// EachStatement calls look with the text of every statement prepared so far, on the connection that prepared it. Tests
// use it to check that every statement uses its indexes.
func (s *DB) EachStatement(ctx context.Context, look func(tx *Tx, query string)) error {
	for _, c := range s.pool.takeAll() {
		c.eachStatement(look)
		s.pool.put(c)
	}
	return s.Write(ctx, "list prepared statements", func(tx *Tx) error {
		tx.eachStatement(look)
		return nil
	})
}

// eachStatement passes only statements that were prepared before, because look may prepare more.
func (c *Tx) eachStatement(look func(tx *Tx, query string)) {
	for _, query := range slices.Sorted(maps.Keys(c.stmts)) {
		look(c, query)
	}
	c.closeRows()
}
