//go:build !sqlite_fts5

package bench

import "context"

const hasFTS5 = false

func newFTS5(context.Context, *book) (asker, error) { return nil, ErrNoFTS5 }
