package turns

import (
	"slices"
	"strings"
	"testing"

	"familiar/memory/internal/db"
	"familiar/memory/internal/dbtest"
)

// TestW2AMergeLeavesNothingBehind reads the schema: a merge must reassign every reference to a person.
func TestW2AMergeLeavesNothingBehind(t *testing.T) {
	d := dbtest.Open(t)
	err := d.Read(t.Context(), "look at the schema", func(tx *db.Tx) error {
		columns, err := db.Collect[[2]string](tx.Query(`SELECT m.name, f."from" FROM sqlite_master m, pragma_foreign_key_list(m.name) f
			WHERE m.type = 'table' AND f."table" = 'people'`))(func(row db.Scanner) (c [2]string, err error) {
			return c, row.Scan(&c[0], &c[1])
		})
		if err != nil || len(columns) == 0 {
			t.Fatal(columns, err)
		}
		for _, c := range columns {
			if !slices.ContainsFunc(mergeStatements, func(q string) bool {
				return strings.HasPrefix(q, "UPDATE "+c[0]+" SET "+c[1]+" = ?1") || strings.HasPrefix(q, "DELETE FROM "+c[0]+" WHERE "+c[1]+" = ?2")
			}) {
				t.Errorf("%s.%s stays the old person's: add a statement to mergeStatements in merge_people.go", c[0], c[1])
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
