package belief

import (
	"context"
	"fmt"
	"strings"

	"familiar/memory/internal/db"
)

// explains is that somebody has told what a term is: believed of it, or as the name of something of theirs; or that it is
// the name of somebody they meet in a group. That they like it or have plans with it says nothing.
const explains = `SELECT EXISTS (SELECT 1 FROM beliefs WHERE persona = ?1 AND author_id = ?2 AND status = 'active' AND (lower(subject) = ?3
		OR lower(value) = ?3 AND relation NOT IN ('likes', 'dislikes', 'plan', 'promise')))
	OR EXISTS (SELECT 1 FROM room_people a JOIN rooms r ON r.id = a.room_id AND r.direct = 0 JOIN room_people b ON b.room_id = a.room_id
		JOIN people p ON p.id = b.person_id WHERE a.person_id = ?2 AND lower(p.name) = ?3)`

// IsExplained says that a person has told what a term of theirs is, wherever they did: for jobs, which then do not wonder.
func (s *Store) IsExplained(ctx context.Context, persona string, person int64, term string) (told bool, err error) {
	err = s.db.ReadOne(ctx, fmt.Sprintf("see whether person %d explained a term", person), func(tx *db.Tx) error {
		return tx.QueryRow(explains, persona, person, strings.ToLower(term)).Scan(&told)
	})
	return told, err
}
