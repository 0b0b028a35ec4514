package turns

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"familiar/memory/internal/db"
	"familiar/memory/log"
	"familiar/memory/model"
	"familiar/memory/understand/rel"
)

// Acquaintance is a person whom a persona met, with all their accounts.
type Acquaintance struct {
	model.Person
	Relationship model.Relationship
}

// AcquaintanceFilter narrows Acquaintances.
type AcquaintanceFilter struct {
	Persona string
	// Name selects people who have it in a name of theirs or of an account, or told that they are called so, in any case.
	Name string
	// SeenBefore and IDBefore select the people after one in the list, for the next page: when they were seen, and their id.
	SeenBefore time.Time
	IDBefore   int64
	// Limit is how many to return, 50 when 0.
	Limit int
}

// Acquaintances lists the people whom a persona met, who was seen last first: for operators.
func (s *Store) Acquaintances(ctx context.Context, f AcquaintanceFilter) (all []Acquaintance, err error) {
	var where db.Conditions
	where.And("persona = ?", f.Persona)
	if f.IDBefore != 0 {
		where.And("(last_seen, person_id) < (?, ?)", db.Millis(f.SeenBefore), f.IDBefore)
	}
	if f.Name != "" {
		var named []string
		var args []any
		for _, spelled := range spellings(f.Name) {
			pattern := db.LikePattern(spelled)
			named, args = append(named, nameLike), append(args, pattern, pattern, pattern, pattern)
		}
		where.And("("+strings.Join(named, " OR ")+")", args...)
	}
	err = s.db.Read(ctx, "list the people whom "+f.Persona+" met", func(tx *db.Tx) error {
		all = nil
		met, err := db.Collect[model.Relationship](tx.Query(selectRelationships+` WHERE `+where.String()+` ORDER BY last_seen DESC, person_id DESC LIMIT ? + 0`,
			append(where.Args, db.LimitOr(f.Limit, 50))...))(scanRelationship)
		for _, r := range met {
			p, err := log.Person(tx, r.PersonID)
			if err != nil {
				return err
			}
			all = append(all, Acquaintance{p, r})
		}
		return err
	})
	return all, err
}

// nameLike is a condition on relationships: a text occurs in a name of the person, in one of an account, or in what they told the
// persona alone to call them.
const nameLike = `(EXISTS (SELECT 1 FROM people p WHERE p.id = person_id AND p.name LIKE ? ESCAPE '\')
	OR EXISTS (SELECT 1 FROM handles h WHERE h.person_id = relationships.person_id AND (h.display LIKE ? ESCAPE '\' OR h.handle LIKE ? ESCAPE '\'))
	OR EXISTS (SELECT 1 FROM beliefs b WHERE b.persona = relationships.persona AND b.audience = 'private' AND b.audience_person = relationships.person_id
		AND b.relation IN ('` + rel.CallMe + `', 'name') AND b.subject_person = relationships.person_id AND b.status = 'active' AND b.value LIKE ? ESCAPE '\'))`

// spellings returns a text as written, in lower case and with a capital, each once: SQLite ignores the case of ASCII letters only.
func spellings(text string) []string {
	lower := strings.ToLower(text)
	first, size := utf8.DecodeRuneInString(lower)
	all := []string{text, lower, string(unicode.ToUpper(first)) + lower[size:]}
	slices.Sort(all)
	return slices.Compact(all)
}

// RelationshipHistory returns the relationship of persona and a person as it was at the end of each day on which they wrote, and
// as it is now, oldest first: for operators. It fails with ErrNotFound before they have met.
func (s *Store) RelationshipHistory(ctx context.Context, persona string, person int64) (days []model.Relationship, err error) {
	err = s.db.Read(ctx, fmt.Sprintf("read the history of %s and person %d", persona, person), func(tx *db.Tx) error {
		now, err := relationship(tx, persona, person)
		if err != nil {
			return err
		}
		days, err = db.Collect[model.Relationship](tx.Query(strings.Replace(selectRelationships, "relationships", "relationship_days", 1)+
			` WHERE persona = ? AND person_id = ? AND last_day < ? ORDER BY last_day`, persona, person, now.LastDay))(scanRelationship)
		days = append(days, now)
		return err
	})
	return days, err
}
