package entry

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"familiar/memory/internal/db"
)

// Greeted returns the subjects a person was already greeted about, each with the time.
func (s *Store) Greeted(ctx context.Context, persona string, person int64) (map[string]time.Time, error) {
	subjects := map[string]time.Time{}
	err := s.db.Read(ctx, fmt.Sprintf("read what person %d was greeted about", person), func(tx *db.Tx) error {
		_, err := db.Collect[string](tx.Query(`SELECT subject, at FROM greeted WHERE persona = ? AND person_id = ?`, persona, person))(
			func(row db.Scanner) (subject string, err error) {
				var at time.Time
				if err = row.Scan(&subject, db.IntoTime(&at)); err == nil {
					subjects[subject] = at
				}
				return subject, err
			})
		return err
	})
	if err != nil {
		return nil, err
	}
	return subjects, nil
}

// RecordGreeted records that the persona greeted a person about subjects now.
func RecordGreeted(tx *db.Tx, persona string, person int64, subjects []string) error {
	for _, subject := range subjects {
		_, err := tx.Exec(`INSERT INTO greeted (persona, person_id, subject, at) VALUES (?, ?, ?, ?)
			ON CONFLICT (persona, person_id, subject) DO UPDATE SET at = excluded.at`, persona, person, subject, tx.NowMillis())
		if err != nil {
			return err
		}
	}
	return nil
}

// ParseSubjects returns the ids of the memories and loops that greeting subjects name: "memory:12" is memory 12,
// "loop:3" and "loop:3:after" are loop 3. Other subjects name neither.
func ParseSubjects(subjects []string) (memories, loops []int64) {
	for _, subject := range subjects {
		kind, rest, _ := strings.Cut(subject, ":")
		number, _, _ := strings.Cut(rest, ":")
		id, err := strconv.ParseInt(number, 10, 64)
		if err != nil || id <= 0 {
			continue
		}
		switch kind {
		case "memory":
			memories = append(memories, id)
		case "loop":
			loops = append(loops, id)
		}
	}
	return memories, loops
}

// RemoveGreeted removes the records and pending plans of greeting anybody about deleted memories and loops, because
// their ids may be reused for something else. Proactive messages that were sent still count.
func RemoveGreeted(tx *db.Tx, persona string, memories, loops []int64) error {
	subjects, err := subjectsNaming(tx, persona, memories, loops)
	if err != nil {
		return err
	}
	for _, subject := range subjects {
		for _, q := range []string{
			`DELETE FROM greeted WHERE persona = ? AND subject = ?`,
			`DELETE FROM unasked_decisions WHERE persona = ? AND subject = ? AND sent = 0`,
			`UPDATE unasked_decisions SET subject = 'forgotten:' || message_id WHERE persona = ? AND subject = ?`,
		} {
			if _, err := tx.Exec(q, persona, subject); err != nil {
				return err
			}
		}
	}
	return nil
}

// Subjects that somebody was greeted about or was going to be: exact names, and names with a given prefix.
const (
	greetedAs = `SELECT subject FROM greeted WHERE persona = ? AND subject IN %[1]s
		UNION SELECT subject FROM unasked_decisions WHERE persona = ? AND subject IN %[1]s`
	greetedUnder = `SELECT subject FROM greeted WHERE persona = ?1 AND subject BETWEEN ?2 AND ?3
		UNION SELECT subject FROM unasked_decisions WHERE persona = ?1 AND subject BETWEEN ?2 AND ?3`
)

// subjectsNaming returns the greeting subjects of persona that name any of the given memories or loops, as
// ParseSubjects reads them. It reads only those rows, because the list of all subjects keeps growing.
func subjectsNaming(tx *db.Tx, persona string, memories, loops []int64) (subjects []string, err error) {
	var names []string
	for _, id := range memories {
		names = append(names, fmt.Sprintf("memory:%d", id))
	}
	for _, id := range loops {
		names = append(names, fmt.Sprintf("loop:%d", id))
	}
	for chunk := range slices.Chunk(names, db.MaxArgs) {
		in, args := db.Placeholders(chunk)
		args = append([]any{persona}, args...)
		some, err := db.Collect[string](tx.Query(fmt.Sprintf(greetedAs, in), slices.Concat(args, args)...))(db.ScanText)
		if err != nil {
			return nil, err
		}
		subjects = append(subjects, some...)
	}
	for _, id := range loops {
		some, err := db.Collect[string](tx.Query(greetedUnder, persona, fmt.Sprintf("loop:%d:", id), fmt.Sprintf("loop:%d;", id)))(db.ScanText)
		if err != nil {
			return nil, err
		}
		subjects = append(subjects, some...)
	}
	return subjects, nil
}
