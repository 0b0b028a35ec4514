package dbtest

import (
	"bytes"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"familiar/memory/internal/postgres"
)

// Column is a column of a table.
type Column struct {
	Name string
	// Kind is INTEGER, REAL, TEXT or BLOB.
	Kind string
	// Required is set if it may not be NULL. Numbered is set if it is an id that the table gives out.
	Required, Numbered bool
}

// Reference is a foreign key.
type Reference struct{ Table, Column, Target string }

// onServer reports whether a database is one on PostgreSQL.
func onServer(d *sql.DB) bool {
	_, is := d.Driver().(postgres.Driver)
	return is
}

// either returns the statement for the engine of a database.
func either(d *sql.DB, sqlite, server string) string {
	if onServer(d) {
		return server
	}
	return sqlite
}

// list returns the rows of a query.
func list[T any](t testing.TB, d *sql.DB, read func(scan func(...any) error) (T, error), query string, args ...any) (all []T) {
	t.Helper()
	rows, err := d.QueryContext(t.Context(), query, args...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close() //nolint:errcheck // its error is checked below
	for rows.Next() {
		one, err := read(rows.Scan)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, one)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// Tables returns the names of the store's tables, sorted.
func Tables(t testing.TB, d *sql.DB) []string {
	t.Helper()
	return list(t, d, func(scan func(...any) error) (name string, err error) { return name, scan(&name) }, either(d,
		`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`,
		`SELECT CAST(tablename AS text) FROM pg_tables WHERE schemaname = current_schema() AND substr(tablename, 1, 9) <> 'familiar_' ORDER BY tablename`))
}

// Columns returns the columns of a table in their order.
func Columns(t testing.TB, d *sql.DB, table string) []Column {
	t.Helper()
	return list(t, d, func(scan func(...any) error) (c Column, err error) {
		return c, scan(&c.Name, &c.Kind, &c.Required, &c.Numbered)
	}, either(d, `SELECT name, type, "notnull" OR pk, pk AND type = 'INTEGER' AND (SELECT count(*) FROM pragma_table_info(?1) WHERE pk) = 1
		FROM pragma_table_info(?1)`,
		`SELECT CAST(attname AS text), CASE CAST(atttypid AS regtype) WHEN 'bigint'::regtype THEN 'INTEGER' WHEN 'double precision'::regtype THEN 'REAL'
			WHEN 'bytea'::regtype THEN 'BLOB' WHEN 'text'::regtype THEN 'TEXT' ELSE format_type(atttypid, atttypmod) END, attnotnull,
			EXISTS (SELECT 1 FROM pg_index WHERE indrelid = attrelid AND indisprimary AND indnkeyatts = 1 AND indkey[0] = attnum) AND atttypid = 'bigint'::regtype
		FROM pg_attribute WHERE attrelid = to_regclass(?1) AND attnum > 0 AND NOT attisdropped ORDER BY attnum`), table)
}

const (
	sqliteReferences = `SELECT m.name, f."from", f."table" FROM sqlite_schema m JOIN pragma_foreign_key_list(m.name) f
		WHERE m.type = 'table' AND f.seq = 0`
	serverReferences = `SELECT CAST(CAST(conrelid AS regclass) AS text), CAST(attname AS text), CAST(CAST(confrelid AS regclass) AS text)
		FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
		WHERE contype = 'f' AND connamespace = CAST(current_schema() AS regnamespace)`
)

func references(t testing.TB, d *sql.DB, query string) []Reference {
	t.Helper()
	return list(t, d, func(scan func(...any) error) (r Reference, err error) { return r, scan(&r.Table, &r.Column, &r.Target) }, query)
}

// References returns the foreign keys of all tables, each by its first column.
func References(t testing.TB, d *sql.DB) []Reference {
	t.Helper()
	return references(t, d, either(d, sqliteReferences, serverReferences))
}

// Unindexed returns the foreign keys that no index helps to follow backwards.
func Unindexed(t testing.TB, d *sql.DB) []Reference {
	t.Helper()
	return references(t, d, either(d, sqliteReferences+` AND NOT EXISTS (SELECT 1 FROM pragma_table_info(m.name) p WHERE p.pk = 1 AND p.name = f."from")
		AND NOT EXISTS (SELECT 1 FROM pragma_index_list(m.name) i JOIN pragma_index_info(i.name) c ON c.seqno = 0 AND c.name = f."from"
			JOIN sqlite_schema d ON d.name = i.name WHERE i.partial = 0 OR d.sql LIKE '% WHERE ' || f."from" || ' IS NOT NULL')`,
		serverReferences+` AND NOT EXISTS (SELECT 1 FROM pg_index WHERE indrelid = conrelid AND indkey[0] = conkey[1]
			AND (indpred IS NULL OR pg_get_expr(indpred, indrelid) = '(' || attname || ' IS NOT NULL)'))`))
}

// Contents renders every row of every table, one line each: the table and its values. The database builds the lines, because
// tests that forget one message after the other read everything each time.
func Contents(t testing.TB, d *sql.DB) (lines string) {
	t.Helper()
	var each []string
	for _, table := range Tables(t, d) {
		var values []string
		for _, c := range Columns(t, d, table) {
			values = append(values, `coalesce(CAST("`+c.Name+`" AS TEXT), '<nil>')`)
		}
		each = append(each, fmt.Sprintf("SELECT '%s [' || %s || ']' AS line FROM %s", table, strings.Join(values, " || ' ' || "), table))
	}
	query := "SELECT coalesce(" + either(d, "group_concat(line, char(10))", "string_agg(line, chr(10))") + ", '') FROM (" + strings.Join(each, " UNION ALL ") + ") l"
	if err := d.QueryRowContext(t.Context(), query).Scan(&lines); err != nil {
		t.Fatal(err)
	}
	return lines
}

// Holds reports whether a row of a database on PostgreSQL contains any of what, as text or as bytes.
func Holds(t testing.TB, d *sql.DB, what ...[]byte) bool {
	t.Helper()
	all := Contents(t, d)
	for _, part := range what {
		if strings.Contains(all, string(part)) || strings.Contains(all, hex.EncodeToString(part)) {
			return true
		}
	}
	return false
}

// InFiles reports whether a file of the SQLite database at a path contains any of what.
func InFiles(t testing.TB, path string, what ...[]byte) bool {
	t.Helper()
	for _, suffix := range []string{"", "-wal", "-shm"} {
		file, err := os.ReadFile(path + suffix)
		if err != nil && (suffix == "" || !errors.Is(err, os.ErrNotExist)) {
			t.Fatal(err)
		}
		if slices.ContainsFunc(what, func(part []byte) bool { return bytes.Contains(file, part) }) {
			return true
		}
	}
	return false
}

// Lax returns a connection to the database at an address that takes any row: neither foreign keys nor conditions are checked. On
// PostgreSQL the conditions of all tables are removed.
func Lax(t testing.TB, address string) *sql.DB {
	t.Helper()
	d := SQL(t, address)
	d.SetMaxOpenConns(1)
	if !onServer(d) {
		Run(t, d, `PRAGMA foreign_keys = off`, `PRAGMA ignore_check_constraints = on`)
		return d
	}
	Run(t, d, `SET session_replication_role = replica`)
	Run(t, d, list(t, d, func(scan func(...any) error) (drop string, err error) { return drop, scan(&drop) },
		`SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', CAST(conrelid AS regclass), conname) FROM pg_constraint
			WHERE contype = 'c' AND connamespace = CAST(current_schema() AS regnamespace)`)...)
	return d
}

// Run runs statements without arguments, one after the other.
func Run(t testing.TB, d *sql.DB, statements ...string) {
	t.Helper()
	for _, statement := range statements {
		if _, err := d.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

// Script runs a script of several statements without arguments.
func Script(t testing.TB, d *sql.DB, script string) {
	t.Helper()
	if !onServer(d) {
		Run(t, d, script)
		return
	}
	c, err := d.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close() //nolint:errcheck // the script's result counts
	if err := c.Raw(func(driver any) error { return driver.(*postgres.Conn).Run(t.Context(), script) }); err != nil {
		t.Fatal(err)
	}
}
