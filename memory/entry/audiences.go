package entry

import (
	"context"

	"familiar/memory/internal/db"
	"familiar/memory/model"
)

// NamedAudience is who may see a part of the memory, with the name of the person or the title of the group.
type NamedAudience struct {
	model.Audience
	Name string
}

// Audiences returns the audiences for which persona has anything: everybody, then people and groups by name. Of more than limit,
// those known the longest are left out. It is for operators.
func (s *Store) Audiences(ctx context.Context, persona string, limit int) (all []NamedAudience, err error) {
	err = s.db.Read(ctx, "list who may see memories of "+persona, func(tx *db.Tx) error {
		all, err = db.Collect[NamedAudience](tx.Query(`SELECT n.audience, n.ref, n.name FROM (
				SELECT s.audience, s.ref, coalesce(p.name, nullif(r.title, ''), r.channel || '/' || r.room, '') AS name FROM (
					SELECT audience, ref FROM scopes WHERE persona = ? ORDER BY ref = 0 DESC, ref DESC LIMIT ? + 0) s
				LEFT JOIN people p ON s.audience = 'private' AND p.id = s.ref
				LEFT JOIN rooms r ON s.audience = 'room' AND r.id = s.ref) n
			ORDER BY n.audience <> 'world', n.audience, lower(n.name), n.ref`, persona, limit))(
			func(row db.Scanner) (a NamedAudience, err error) { return a, row.Scan(&a.Kind, &a.Ref, &a.Name) })
		return err
	})
	return all, err
}
