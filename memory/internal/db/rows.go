package db

import (
	"database/sql"
	"errors"
	"maps"
	"slices"
	"strings"
)

// maxInsertRows is how many rows one statement inserts: a turn has about a dozen items with two or three lines each. Each
// number of rows is a statement of its own to be kept prepared.
const maxInsertRows = 32

// insertRows adds rows to a table, several with each statement. table names its columns: "turn_heard (turn_id, message_id)".
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

// scanner is a row being read: *sql.Row and *sql.Rows.
type Scanner interface{ Scan(dest ...any) error }

// collect reads all rows of a query. It takes the query's two results as they come.
func Collect[T any](rows *sql.Rows, err error) func(scan func(Scanner) (T, error)) ([]T, error) {
	return func(scan func(Scanner) (T, error)) ([]T, error) {
		if err != nil {
			return nil, err
		}
		defer rows.Close() //nolint:errcheck // Err below reports what went wrong while reading
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

// one reads the single row of a query; none is ErrNotFound.
func One[T any](row Scanner, scan func(Scanner) (T, error)) (T, error) {
	v, err := scan(row)
	if errors.Is(err, sql.ErrNoRows) {
		err = ErrNotFound
	}
	return v, err
}

func ScanID(row Scanner) (id int64, err error) {
	err = row.Scan(&id)
	return id, err
}

func ScanText(row Scanner) (text string, err error) {
	err = row.Scan(&text)
	return text, err
}

// list is the right side of an IN for values. The last value is repeated up to a power of two, so that a statement is
// prepared for a handful of lengths and not for each.
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

// conditions are what a query asks of its rows, all of them at once.
type Conditions struct {
	texts []string
	Args  []any
}

// and adds a condition with its arguments.
func (c *Conditions) And(text string, args ...any) {
	c.texts, c.Args = append(c.texts, text), append(c.Args, args...)
}

// String is the condition as a whole, true of every row when nothing is asked.
func (c *Conditions) String() string {
	if len(c.texts) == 0 {
		return "1 = 1"
	}
	return strings.Join(c.texts, " AND ")
}

// maxList bounds the values given to one statement: SQLite takes 32,766 variables.
const MaxArgs = 1024

// containing is a LIKE pattern for texts that contain text; use it with ESCAPE '\'.
func LikePattern(text string) string {
	return "%" + strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(text) + "%"
}

// limitOr is limit, or fallback when none was given.
func LimitOr(limit, fallback int) int {
	if limit <= 0 {
		return fallback
	}
	return limit
}

// distinct are ids, each once, without 0, in ascending order.
func Distinct(ids []int64) []int64 {
	set := map[int64]bool{}
	for _, id := range ids {
		if id != 0 {
			set[id] = true
		}
	}
	return slices.Sorted(maps.Keys(set))
}
