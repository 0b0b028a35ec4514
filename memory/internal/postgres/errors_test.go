package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"familiar/internal/pgtest"
)

func connectTo(t testing.TB, url string) error {
	t.Helper()
	connector, err := NewConnector(url, Options{})
	if err != nil {
		return err
	}
	c, err := connector.Connect(t.Context())
	if err == nil {
		_ = c.Close()
	}
	return err
}

func TestErrorsOfTheServerAreTold(t *testing.T) {
	c := open(t)
	exec(t, c, "CREATE TABLE parents (id bigint PRIMARY KEY)")
	exec(t, c, "CREATE TABLE children (parent bigint REFERENCES parents)")
	exec(t, c, "INSERT INTO parents VALUES (1)")
	fails := func(query string, is func(error) bool) {
		t.Helper()
		if _, err := c.ExecContext(t.Context(), query); !is(err) || Conflict(err) || Unreachable(err) || Full(err) {
			t.Errorf("%s: %v", query, err)
		}
	}
	fails("INSERT INTO parents VALUES (1)", Unique)
	fails("INSERT INTO children VALUES (2)", ForeignKey)
	exec(t, c, "SET default_transaction_read_only = on")
	fails("INSERT INTO parents VALUES (2)", ReadOnly)
}

func TestAdviceFitsTheError(t *testing.T) {
	server := func(code string) error { return fmt.Errorf("write: %w", &pgconn.PgError{Code: code}) }
	connecting := &ConnectError{Host: "db.example", Port: 5433, Database: "mind", User: "u", err: io.EOF}
	for _, tt := range []struct {
		err                         error
		conflict, unreachable, full bool
		advice                      string
	}{
		{server("40001"), true, false, false, ""},
		{server("40P01"), true, false, false, ""},
		{server("55P03"), false, false, false, "wait until it is done"},
		{server("53100"), false, false, true, "disk"},
		{server("53300"), false, true, false, "max_connections"},
		{server("57P01"), false, true, false, "stopped"},
		{server("57014"), false, false, false, "statement_timeout"},
		{errors.Join(context.Canceled, server("57014")), false, false, false, ""},
		{server("57P02"), false, true, false, "crash"},
		{server("57P03"), false, true, false, "starting"},
		{server("08006"), false, true, false, "broke"},
		{server("28P01"), false, false, false, "password"},
		{server("28000"), false, false, false, "pg_hba.conf"},
		{server("42501"), false, false, false, "owner"},
		{server("25006"), false, false, false, "primary"},
		{server("3D000"), false, false, false, "createdb"},
		{&ConnectError{Database: "mind", err: server("3D000")}, false, false, false, "createdb mind"},
		{connecting, false, true, false, "db.example:5433"},
		{&ConnectError{Host: "/run", Port: 5432, err: io.EOF}, false, true, false, "socket"},
		{io.ErrUnexpectedEOF, false, true, false, "broke"},
		{pgconn.ErrConnClosed, false, true, false, "broke"},
		{context.DeadlineExceeded, false, false, false, ""},
		{context.Canceled, false, false, false, ""},
		{errors.New("other"), false, false, false, ""},
		{nil, false, false, false, ""},
	} {
		if Conflict(tt.err) != tt.conflict || Unreachable(tt.err) != tt.unreachable || Full(tt.err) != tt.full {
			t.Errorf("%v: conflict %v, unreachable %v, full %v", tt.err, Conflict(tt.err), Unreachable(tt.err), Full(tt.err))
		}
		if got := Advice(tt.err); (got == "") != (tt.advice == "") || !strings.Contains(got, tt.advice) {
			t.Errorf("%v: advice %q, want %q in it", tt.err, got, tt.advice)
		}
	}
}

func TestAnUnreachableServerAndAMissingDatabaseAreTold(t *testing.T) {
	t.Parallel()
	s := pgtest.Start(t)
	url := s.TCPURL()
	err := connectTo(t, strings.Replace(url, "/test?", "/missing?", 1))
	if Unreachable(err) || !strings.Contains(Advice(err), "createdb missing") {
		t.Errorf("a missing database: %v; advice %q", err, Advice(err))
	}
	c := openWith(t, url, Options{})
	s.Kill()
	if _, err := c.ExecContext(t.Context(), "SELECT 1"); !Unreachable(err) {
		t.Errorf("a killed server: %v", err)
	}
	for _, url := range []string{url, s.URL()} {
		if err := connectTo(t, url); !Unreachable(err) || !strings.Contains(Advice(err), "Check that PostgreSQL runs") {
			t.Errorf("a server that does not run: %v; advice %q", err, Advice(err))
		}
	}
	s.Restart()
	if err := connectTo(t, url); err != nil {
		t.Error(err)
	}
}

func TestErrorsNeverShowThePassword(t *testing.T) {
	t.Parallel()
	s := pgtest.Start(t)
	right := s.RequirePassword("right")
	if err := connectTo(t, right); err != nil {
		t.Error(err)
	}
	wrong := strings.Replace(right, ":right@", ":hunter2@", 1)
	err := connectTo(t, wrong)
	if state(err) != statePassword || !strings.Contains(Advice(err), "password") {
		t.Errorf("a wrong password: %v; advice %q", err, Advice(err))
	}
	for _, url := range []string{
		wrong,
		strings.Replace(wrong, "/test?", "/missing?", 1),
		wrong + "&no_such_setting=1",
		wrong + "&sslmode=bogus",
		wrong + "&connect_timeout=x",
		wrong + "&sslrootcert=/missing",
		"postgres://u:hunter2@127.0.0.1:1/db",
		"postgres://u:hunter2@127.0.0.1:port/db",
		"postgres://u:a/hunter2@127.0.0.1/db",
		"postgres://u:12/hunter2@127.0.0.1/db",
		"postgres://u:12?hunter2@127.0.0.1/db",
		"postgres://u:12#hunter2@127.0.0.1/db",
		"postgres://u:a@hunter2@127.0.0.1/db",
		"postgres://u:hunter2",
		"postgres://u:hunter2%zz@127.0.0.1/db",
		"host=127.0.0.1 port=1 user=u password=hunter2",
		"host=127.0.0.1 port=x user=u password='hunter2'",
		"host=127.0.0.1 password='hunter2",
		"hunter2",
	} {
		err := connectTo(t, url)
		if err == nil {
			t.Errorf("%s connected", url)
			continue
		}
		shown := fmt.Sprintf("%v %+v %#v %s", err, err, errors.Unwrap(err), Advice(err))
		if strings.Contains(shown, "hunter2") {
			t.Errorf("%s: the error shows the password: %s", url, shown)
		}
	}
}
