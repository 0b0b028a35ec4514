package postgres

import (
	"context"
	"database/sql"
	"testing"

	"familiar/internal/pgtest"
)

// openWith opens one connection to a fresh database.
func openWith(t testing.TB, url string, o Options) *sql.Conn {
	t.Helper()
	connector, err := NewConnector(url, o)
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	t.Cleanup(func() { _ = db.Close() })
	c, err := db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func open(t testing.TB) *sql.Conn {
	t.Helper()
	return openWith(t, pgtest.URL(t), Options{})
}

func exec(t testing.TB, c *sql.Conn, query string, args ...any) int64 {
	t.Helper()
	res, err := c.ExecContext(context.Background(), query, args...)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	n, err := res.RowsAffected()
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// value returns the single value of a query as the driver makes it.
func value(t testing.TB, c *sql.Conn, query string, args ...any) any {
	t.Helper()
	var v any
	if err := c.QueryRowContext(context.Background(), query, args...).Scan(&v); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return v
}

// raw runs fn on the driver's connection.
func raw(t testing.TB, c *sql.Conn, fn func(c *Conn) error) {
	t.Helper()
	if err := c.Raw(func(driver any) error { return fn(driver.(*Conn)) }); err != nil {
		t.Fatal(err)
	}
}

func run(t testing.TB, c *sql.Conn, script string) {
	t.Helper()
	raw(t, c, func(c *Conn) error { return c.Run(context.Background(), script) })
}
