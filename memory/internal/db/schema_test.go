package db

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"familiar/internal/pgtest"
)

// The columns of both engines, one per line: table, name, type, whether it may be NULL.
const (
	sqliteColumns = `SELECT t.name || ' ' || c.name || ' ' || CASE c.type WHEN 'INTEGER' THEN 'bigint' WHEN 'REAL' THEN 'double precision'
			WHEN 'BLOB' THEN 'bytea' ELSE 'text' END || CASE WHEN c."notnull" = 1 OR c.pk > 0 THEN ' NOT NULL' ELSE '' END
		FROM sqlite_schema t JOIN pragma_table_info(t.name) c WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite\_%' ESCAPE '\'`
	postgresColumns = `SELECT table_name || ' ' || column_name || ' ' || data_type || CASE is_nullable WHEN 'NO' THEN ' NOT NULL' ELSE '' END
		FROM information_schema.columns WHERE table_schema = current_schema() AND substr(table_name, 1, 9) <> 'familiar_'`
	// The columns that refer to another table.
	sqliteReferences = `SELECT t.name || ' ' || f."from" || ' ' || f."table" || ' ' || f.on_delete
		FROM sqlite_schema t JOIN pragma_foreign_key_list(t.name) f WHERE t.type = 'table'`
	postgresReferences = `SELECT c.relname || ' ' || a.attname || ' ' || o.relname || ' ' || CASE k.confdeltype WHEN 'c' THEN 'CASCADE' WHEN 'n' THEN 'SET NULL'
			ELSE 'NO ACTION' END
		FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_class o ON o.oid = k.confrelid
		JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY (k.conkey)
		WHERE k.contype = 'f' AND k.connamespace = to_regnamespace(current_schema()) AND substr(c.relname, 1, 9) <> 'familiar_'`
	// The indexes that were made as such, with their columns in order; an expression is none.
	sqliteIndexes = `SELECT t.name || ' ' || i.name || ' ' || i."unique" || ' ' || i.partial || ' ' ||
			coalesce((SELECT group_concat(c.name, ',') FROM (SELECT * FROM pragma_index_info(i.name) ORDER BY seqno) c), '')
		FROM sqlite_schema t JOIN pragma_index_list(t.name) i WHERE t.type = 'table' AND i.origin = 'c'`
	postgresIndexes = `SELECT t.relname || ' ' || c.relname || ' ' || CASE WHEN i.indisunique THEN 1 ELSE 0 END || ' ' || CASE WHEN i.indpred IS NULL THEN 0 ELSE 1 END || ' ' ||
			coalesce((SELECT string_agg(a.attname, ',' ORDER BY k.n) FROM unnest(i.indkey) WITH ORDINALITY k (att, n)
				JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.att), '')
		FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid
		WHERE c.relnamespace = to_regnamespace(current_schema()) AND substr(t.relname, 1, 9) <> 'familiar_' AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = c.oid AND k.contype IN ('p', 'u'))`
)

// TestBothEnginesHaveTheSameTables compares what the migrations of each make.
func TestBothEnginesHaveTheSameTables(t *testing.T) {
	t.Parallel()
	file := openTestAt(t, filepath.Join(t.TempDir(), "familiar.db"), Options{Now: atMonday})
	server := openTestAt(t, pgtest.URL(t), Options{Now: atMonday})
	for _, c := range []struct{ what, sqlite, postgres string }{
		{"columns", sqliteColumns, postgresColumns},
		{"references", sqliteReferences, postgresReferences},
		{"indexes", sqliteIndexes, postgresIndexes},
	} {
		want, got := listed(t, file, c.sqlite), listed(t, server, c.postgres)
		if len(want) == 0 {
			t.Errorf("%s: none", c.what)
		}
		for _, line := range want {
			if !slices.Contains(got, line) {
				t.Errorf("%s: PostgreSQL lacks %s", c.what, line)
			}
		}
		for _, line := range got {
			if !slices.Contains(want, line) {
				t.Errorf("%s: SQLite lacks %s", c.what, line)
			}
		}
	}
}

// listed returns the rows of a query without parameters.
func listed(t *testing.T, s *DB, query string) (lines []string) {
	t.Helper()
	if err := s.Read(t.Context(), "list", func(tx *Tx) (err error) {
		lines, err = Collect[string](tx.c.QueryContext(t.Context(), query))(ScanText)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return lines
}

// TestPostgresHasEveryMigration looks for the step of each version on PostgreSQL. See CONTRIBUTING.md.
func TestPostgresHasEveryMigration(t *testing.T) {
	t.Parallel()
	steps, err := loadFrom(releasedMigrations, "postgres/*.sql", firstPostgres)
	if err != nil {
		t.Fatal(err)
	}
	var missing []string
	for version := firstPostgres + len(steps); version <= NewestSchema(); version++ {
		missing = append(missing, fmt.Sprintf("migrations/postgres/%04d_*.sql", version))
	}
	if len(missing) > 0 {
		t.Error("missing: " + strings.Join(missing, ", "))
	}
}
