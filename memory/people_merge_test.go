package memory_test

import (
	"slices"
	"strings"
	"testing"

	"familiar/memory"
)

// TestW2NothingOfAPersonIsLeftBehindByAMerge looks at the schema: whatever belongs to a person is made another's.
func TestW2NothingOfAPersonIsLeftBehindByAMerge(t *testing.T) {
	k := newTalk(t, 1, 1)
	rows, err := k.db().Query(`SELECT m.name, f."from" FROM sqlite_master m, pragma_foreign_key_list(m.name) f
		WHERE m.type = 'table' AND f."table" = 'people'`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close() //nolint:errcheck // it was only read
	found := 0
	for rows.Next() {
		var table, column string
		if err := rows.Scan(&table, &column); err != nil {
			t.Fatal(err)
		}
		found++
		if !slices.ContainsFunc(memory.MergePeople, func(q string) bool {
			return strings.HasPrefix(q, "UPDATE "+table+" SET "+column+" = ?1") || strings.HasPrefix(q, "DELETE FROM "+table+" WHERE "+column+" = ?2")
		}) {
			t.Errorf("%s.%s stays the old person's", table, column)
		}
	}
	if err := rows.Err(); err != nil || found == 0 {
		t.Fatal(found, err)
	}
}
