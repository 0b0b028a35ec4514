package db

import (
	"database/sql"
	"errors"
	"maps"
	"slices"
	"strings"
)

// maxInsertRows is the maximum number of rows per INSERT. A turn has about a dozen items with two or three lines each.
// Each row count is a separate prepared statement.
const maxInsertRows = 32

// InsertRows adds rows to a table, several per statement. table names the columns too: "turn_heard (turn_id,
// message_id)".
func (c *Tx) InsertRows(table string, rows [][]any) error {
	for chunk := range slices.Chunk(rows, maxInsertRows) {
		row := "(?" + strings.Repeat(", ?", len(chunk[0])-1) + ")"
		query := "INSERT INTO " + table + " VALUES " + row + strings.Repeat(", "+row, len(chunk)-1)
		if _, err := c.Exec(query, slices.Concat(chunk...)...); err != nil {
			return err
		}
	}
	return nil
}

// Scanner is a row being read: *sql.Row or *sql.Rows.
type Scanner interface{ Scan(dest ...any) error }

// Collect reads all rows of a query. It takes the query's two results directly.
func Collect[T any](rows *sql.Rows, err error) func(scan func(Scanner) (T, error)) ([]T, error) {
	return func(scan func(Scanner) (T, error)) ([]T, error) {
		if err != nil {
			return nil, err
		}
		defer rows.Close() //nolint:errcheck // Err below reports read errors
		var out []T
		for rows.Next() {
			v, err := scan(rows)
			if err != nil {
				return nil, err
			}
			out = append(out, v)
		}
		return out, rows.Err()
	}
}

// One reads the single row of a query. It returns ErrNotFound if there is none.
func One[T any](row Scanner, scan func(Scanner) (T, error)) (T, error) {
	v, err := scan(row)
	if errors.Is(err, sql.ErrNoRows) {
		err = ErrNotFound
	}
	return v, err
}

// ScanID scans a row that is a single ID.
func ScanID(row Scanner) (id int64, err error) {
	err = row.Scan(&id)
	return id, err
}

// ScanText scans a row that is a single text.
func ScanText(row Scanner) (text string, err error) {
	err = row.Scan(&text)
	return text, err
}

// Placeholders returns the right side of an IN for values. It repeats the last value up to a power of two, so that only
// a few lengths of a statement are prepared.
func Placeholders[T any](values []T) (placeholders string, args []any) {
	if len(values) == 0 {
		return "(NULL)", nil
	}
	n := 1
	for n < len(values) {
		n *= 2
	}
	args = make([]any, n)
	for i := range args {
		args[i] = values[min(i, len(values)-1)]
	}
	return "(?" + strings.Repeat(",?", n-1) + ")", args
}

// Conditions collects conditions on the rows of a query, all of which must hold.
type Conditions struct {
	texts []string
	Args  []any
}

// And adds a condition with its arguments.
func (c *Conditions) And(text string, args ...any) {
	c.texts, c.Args = append(c.texts, text), append(c.Args, args...)
}

// String returns the combined condition, which is always true if none was added.
func (c *Conditions) String() string {
	if len(c.texts) == 0 {
		return "1 = 1"
	}
	return strings.Join(c.texts, " AND ")
}

// MaxArgs bounds the arguments of one statement. SQLite accepts 32,766.
const MaxArgs = 1024

// LikePattern returns a LIKE pattern for texts that contain text. Use it with ESCAPE '\'.
func LikePattern(text string) string {
	return "%" + strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(text) + "%"
}

// LimitOr returns limit, or fallback if limit is not positive.
func LimitOr(limit, fallback int) int {
	if limit <= 0 {
		return fallback
	}
	return limit
}

// Distinct returns ids in ascending order, without duplicates and without 0.
func Distinct(ids []int64) []int64 {
	set := map[int64]bool{}
	for _, id := range ids {
		if id != 0 {
			set[id] = true
		}
	}
	return slices.Sorted(maps.Keys(set))
}
