package naming

import (
	"fmt"
	"maps"
	"regexp"
	"slices"

	"familiar/internal/text"
	"familiar/memory/internal/db"
	"familiar/memory/lexical"
	"familiar/memory/model"
	"familiar/memory/turns"
)

// Read returns what the people of a store are called: their names on networks, their accounts, the names they gave themselves, and
// what a persona knows their relatives to be called, who have negative ids. kept are as for New.
func Read(tx *db.Tx, persona string, kept ...string) (*Names, error) {
	n := New(kept...)
	if err := n.readPeople(tx, 0); err != nil {
		return nil, err
	}
	err := n.read(tx, n.AddRelative, `SELECT -id, value FROM beliefs WHERE persona = ? AND relation LIKE 'person\_name:%' ESCAPE '\' ORDER BY id`, persona)
	return n, err
}

// OfPerson returns what one person is called.
func OfPerson(tx *db.Tx, person int64) (*Names, error) {
	n := New()
	return n, n.readPeople(tx, person)
}

// readPeople reads what a person is called, 0 for everybody. Programs have no name that people use.
func (n *Names) readPeople(tx *db.Tx, person int64) error {
	of := among(person)
	const programs = `'` + turns.OperatorChannel + `', '` + model.ClientChannel + `'`
	for _, from := range []struct {
		add   func(person int64, name string)
		query string
	}{
		{n.Add, `SELECT p.id, p.name FROM people p WHERE ` + of(`p.id`) + `
			AND NOT EXISTS (SELECT 1 FROM handles h WHERE h.person_id = p.id AND h.channel IN (` + programs + `)) ORDER BY p.id`},
		{n.Add, `SELECT person_id, display FROM handles WHERE ` + of(`person_id`) + ` AND channel NOT IN (` + programs + `) ORDER BY channel, handle`},
		{n.AddAccount, `SELECT person_id, handle FROM handles WHERE ` + of(`person_id`) + ` AND channel NOT IN (` + programs + `) ORDER BY channel, handle`},
		{n.Add, `SELECT subject_person, value FROM beliefs WHERE relation IN ('name', 'call_me') AND subject_person IS NOT NULL
			AND ` + of(`subject_person`) + ` ORDER BY id`},
	} {
		if err := n.read(tx, from.add, from.query, person); err != nil {
			return err
		}
	}
	return n.readSelfGiven(tx, person)
}

// among returns the condition that a column is ?1, or for 0 anybody. The plus sign keeps SQLite from reading everybody by the index.
func among(person int64) func(column string) string {
	if person == 0 {
		return func(column string) string { return `+` + column + ` >= ?1` }
	}
	return func(column string) string { return column + ` = ?1` }
}

// readSelfGiven adds what people say that they are called, also where nothing was learned of it.
func (n *Names) readSelfGiven(tx *db.Tx, person int64) error {
	return n.read(tx, func(person int64, said string) {
		for _, found := range selfGiven.FindAllStringSubmatch(said, -1) {
			n.addSelfGiven(person, found[1])
		}
	}, `SELECT person_id, text FROM messages WHERE person_id IS NOT NULL AND `+among(person)(`person_id`)+`
		AND (text LIKE '%name%' OR text LIKE '%call%' OR text LIKE '%nom%' OR text LIKE '%apodo%' OR text LIKE '%llam%' OR text LIKE '%appel%'
			OR text LIKE '%hei_e%' OR text LIKE '%heisse%' OR text LIKE '%nenn%') ORDER BY id`, person)
}

// selfGiven matches how people tell what they are called, in English, German, Spanish and French, and the word that follows.
var selfGiven = regexp.MustCompile(`(?i)\b(?:(?:my|mein|meine|mi|mon) (?:\p{L}+ )?(?:\p{L}*names?|nombre|apodo|nom|pr[ée]nom|surnom) (?:is|was|ist|war|lautet|es|est|:)` +
	`|(?:people |friends |they |everybody |just )?call(?:s|ed)? me|i am called|i['’]m called|ich heiße|ich heisse|nenn(?:t|en)? mich|me llamo|me llaman|ll[áa]mame|m['’]appelle|appelle-moi|m['’]appellent)` +
	`:?\s+["“„«']?([\p{L}\p{M}-]{2,})`)

// addSelfGiven adds a word that somebody is called by, unless it is an everyday one in small letters: "call me later".
func (n *Names) addSelfGiven(person int64, name string) {
	if plain := text.Plain(name); startsSmall(name) && (lexical.IsFunctionWord(plain) || lexical.IsCommon(plain)) {
		return
	}
	n.addWhole(person, name, anyCase)
}

// read adds the names that a query returns, each with whose it is.
func (n *Names) read(tx *db.Tx, add func(person int64, name string), query string, arg any) error {
	_, err := db.Collect[int64](tx.Query(query, arg))(func(row db.Scanner) (person int64, err error) {
		var name string
		if err = row.Scan(&person, &name); err == nil {
			add(person, name)
		}
		return person, err
	})
	if err != nil {
		return fmt.Errorf("read names: %w", err)
	}
	return nil
}

// Filter returns a condition in SQL, with its arguments, that every text in a column fulfils that names somebody, and few others: Find
// reads what may be written with accents.
func (n *Names) Filter(column string) (condition string, args []any) {
	condition = `(octet_length(` + column + `) <> length(` + column + `)`
	for _, first := range slices.Sorted(maps.Keys(n.phrases)) {
		condition += ` OR ` + column + ` LIKE ?`
		args = append(args, "%"+first+"%")
	}
	return condition + `)`, args
}
