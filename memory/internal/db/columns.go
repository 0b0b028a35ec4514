package db

import (
	"database/sql"
	"fmt"
	"time"
)

// Times are stored as Unix milliseconds, UTC. The zero time is stored as 0, or as NULL if the column allows it; both
// read back as the zero time. A missing ID is NULL in a row and 0 in Go.

// Millis returns t as it is stored.
func Millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// FromMillis returns the time that is stored as v.
func FromMillis(v int64) time.Time {
	if v == 0 {
		return time.Time{}
	}
	return time.UnixMilli(v).UTC()
}

// NullMillis returns t as an argument for a nullable column.
func NullMillis(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UnixMilli()
}

// NullID returns id as an argument for a nullable column.
func NullID(id int64) any {
	if id == 0 {
		return nil
	}
	return id
}

// IntoTime returns a scanner that reads a nullable time column into t.
func IntoTime(t *time.Time) sql.Scanner { return timeColumn{t} }

// IntoID returns a scanner that reads a nullable ID column into id.
func IntoID(id *int64) sql.Scanner { return idColumn{id} }

type timeColumn struct{ t *time.Time }

// Scan implements sql.Scanner.
func (c timeColumn) Scan(v any) error {
	switch v := v.(type) {
	case nil:
		*c.t = time.Time{}
	case int64:
		*c.t = FromMillis(v)
	default:
		return fmt.Errorf("scan a %T as a time in milliseconds", v)
	}
	return nil
}

type idColumn struct{ id *int64 }

// Scan implements sql.Scanner.
func (c idColumn) Scan(v any) error {
	switch v := v.(type) {
	case nil:
		*c.id = 0
	case int64:
		*c.id = v
	default:
		return fmt.Errorf("scan a %T as an id", v)
	}
	return nil
}
