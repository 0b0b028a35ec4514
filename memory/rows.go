package memory

import (
	"database/sql"
	"errors"
	"strings"
)

// scanner is a row being read: *sql.Row and *sql.Rows.
type scanner interface{ Scan(dest ...any) error }

// collect reads all rows of a query. It takes the query's two results as they come.
func collect[T any](rows *sql.Rows, err error) func(scan func(scanner) (T, error)) ([]T, error) {
	return func(scan func(scanner) (T, error)) ([]T, error) {
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
func one[T any](row scanner, scan func(scanner) (T, error)) (T, error) {
	v, err := scan(row)
	if errors.Is(err, sql.ErrNoRows) {
		err = ErrNotFound
	}
	return v, err
}

func scanID(row scanner) (id int64, err error) {
	err = row.Scan(&id)
	return id, err
}

func scanText(row scanner) (text string, err error) {
	err = row.Scan(&text)
	return text, err
}

// list is the right side of an IN for values. The last value is repeated up to a power of two, so that a statement is
// prepared for a handful of lengths and not for each.
func list[T any](values []T) (placeholders string, args []any) {
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
type conditions struct {
	texts []string
	args  []any
}

// and adds a condition with its arguments.
func (c *conditions) and(text string, args ...any) {
	c.texts, c.args = append(c.texts, text), append(c.args, args...)
}

// String is the condition as a whole, true of every row when nothing is asked.
func (c *conditions) String() string {
	if len(c.texts) == 0 {
		return "1 = 1"
	}
	return strings.Join(c.texts, " AND ")
}

// maxList bounds the values given to one statement: SQLite takes 32,766 variables.
const maxList = 1024

// containing is a LIKE pattern for texts that contain text; use it with ESCAPE '\'.
func containing(text string) string {
	return "%" + strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(text) + "%"
}

// limitOr is limit, or fallback when none was given.
func limitOr(limit, fallback int) int {
	if limit <= 0 {
		return fallback
	}
	return limit
}
