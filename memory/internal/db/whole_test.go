package db

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"familiar/internal/golden"
)

// TestTheWholeSchemaIsWhatTheMigrationsMake keeps migrations/whole/schema.sql. With -update it is written anew, from all
// migrations; until then a new file gets it and the migrations after it.
func TestTheWholeSchemaIsWhatTheMigrationsMake(t *testing.T) {
	whole, err := loadWhole(releasedMigrations)
	if err != nil {
		t.Fatal(err)
	}
	if golden.Updating() {
		whole.version = NewestSchema()
	}
	all, _ := releasedAnd(t, "")
	first := fstest.MapFS{}
	for _, name := range releasedNames(t)[:whole.version] {
		first[name] = all[name]
	}
	stepwise, rows := tablesOf(t, first)
	if rows != 0 {
		t.Errorf("the migrations write %d rows into an empty file, which the whole schema lacks", rows)
	}
	golden.Check(t, "migrations/"+wholeName, fmt.Sprintf("-- %d\n%s", whole.version, stepwise))
	first[wholeName] = &fstest.MapFile{Data: []byte(fmt.Sprintf("-- %d\n%s", whole.version, stepwise))}
	if atOnce, _ := tablesOf(t, first); atOnce != stepwise {
		t.Errorf("all at once:\n%s\nstep by step:\n%s", atOnce, stepwise)
	}
}

// tablesOf returns the statements that make what a new file holds, and the number of its rows.
func tablesOf(t *testing.T, migrations fstest.MapFS) (statements string, rows int64) {
	t.Helper()
	s, err := openWith(t.Context(), filepath.Join(t.TempDir(), "familiar.db"), Options{Now: atMonday, NoSync: true}, migrations)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close() //nolint:errcheck // nothing was written
	if err := s.Read(t.Context(), "read the schema", func(tx *Tx) error {
		all, err := Collect[string](tx.Query(`SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name <> 'sqlite_sequence' ORDER BY rowid`))(ScanText)
		if err != nil {
			return err
		}
		statements = strings.Join(all, ";\n") + ";\n"
		counts, err := countRows(tx)
		for _, n := range counts {
			rows += n
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return statements, rows
}
