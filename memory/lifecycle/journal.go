package lifecycle

import "familiar/memory/internal/db"

// What the journal records of memories: which column changed.
const (
	tierChanged    = `'tier', tier`
	pinnedChanged  = `'pinned', pinned`
	expiresChanged = `'expires', coalesce(CAST(expires_at AS TEXT), '')`
)

// journal records what a column of memories holds before it is changed; in and ids select the memories. The store as of an
// earlier time needs it. Only jobs and the operator change such columns, so no message costs a statement.
func journal(tx *db.Tx, change, in string, ids []any) error {
	_, err := tx.Exec(`INSERT INTO memory_events (memory_id, at, kind, was) SELECT id, ?, `+change+` FROM memories WHERE id IN `+in,
		append([]any{tx.NowMillis()}, ids...)...)
	return err
}
