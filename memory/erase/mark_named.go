package erase

import (
	"fmt"

	"familiar/memory/internal/db"
	"familiar/memory/naming"
)

// markNamed marks the messages that name the person. Afterwards nobody knows the name any more, and training data must still leave
// these messages out. A message that was marked once stays marked.
func (f *personEraser) markNamed() error {
	if f.counting {
		return nil
	}
	names, err := naming.OfPerson(f.Tx, f.person.ID)
	if err != nil {
		return fmt.Errorf("find what person %d is called: %w", f.person.ID, err)
	}
	where, args := names.Filter("text")
	named, err := db.Collect[int64](f.Query(`SELECT id, text FROM messages WHERE names_erased = 0 AND text <> '' AND `+where, args...))(
		func(row db.Scanner) (id int64, err error) {
			var said string
			if err := row.Scan(&id, &said); err != nil || !names.Any(said) {
				return 0, err
			}
			return id, nil
		})
	if err != nil {
		return fmt.Errorf("find the messages that name person %d: %w", f.person.ID, err)
	}
	for _, id := range named {
		if id == 0 { // it names somebody else
			continue
		}
		if _, err := f.Exec(`UPDATE messages SET names_erased = 1 WHERE id = ?`, id); err != nil {
			return err
		}
	}
	return nil
}
