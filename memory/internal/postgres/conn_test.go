package postgres

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"familiar/internal/pgtest"
)

func TestRowsStayReadableWhileOtherStatementsRun(t *testing.T) {
	c := open(t)
	exec(t, c, "CREATE TABLE seen (id bigint)")
	outer, err := c.QueryContext(t.Context(), "SELECT i, 'row ' || i FROM generate_series(1, ?) i", 1000)
	if err != nil {
		t.Fatal(err)
	}
	defer outer.Close()
	n := int64(0)
	for outer.Next() {
		var id int64
		var name string
		if err := outer.Scan(&id, &name); err != nil {
			t.Fatal(err)
		}
		if n++; id != n || name != fmt.Sprint("row ", n) {
			t.Fatalf("row %d is %d %q", n, id, name)
		}
		if n%100 == 0 {
			exec(t, c, "INSERT INTO seen VALUES (?)", id)
			inner, err := c.QueryContext(t.Context(), "SELECT id FROM seen")
			if err != nil {
				t.Fatal(err)
			}
			defer inner.Close()
			if !inner.Next() || inner.Err() != nil {
				t.Errorf("the inner query has no row: %v", inner.Err())
			}
		}
	}
	if err := outer.Err(); err != nil || n != 1000 {
		t.Errorf("%d rows, %v", n, err)
	}
}

func TestRowsMayBeLeftUnread(t *testing.T) {
	c := open(t)
	rows, err := c.QueryContext(t.Context(), "SELECT i FROM generate_series(1, 100000) i")
	if err != nil {
		t.Fatal(err)
	}
	if !rows.Next() || rows.Err() != nil {
		t.Errorf("no row: %v", rows.Err())
	}
	if err := rows.Close(); err != nil {
		t.Fatal(err)
	}
	if got := value(t, c, "SELECT 7"); got != int64(7) {
		t.Errorf("then 7 is %v", got)
	}
}

func TestAnErrorAmongTheRowsIsReported(t *testing.T) {
	c := open(t)
	for _, interleaved := range []bool{false, true} {
		rows, err := c.QueryContext(t.Context(), "SELECT 10 / (3 - i) FROM generate_series(1, 5) i")
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for rows.Next() {
			if n++; interleaved {
				value(t, c, "SELECT 1")
			}
		}
		if state(rows.Err()) != "22012" || n != 2 {
			t.Errorf("interleaved %v: %d rows, then %v, want 2 rows and a division by zero", interleaved, n, rows.Err())
		}
		rows.Close()
	}
	if got := value(t, c, "SELECT 1"); got != int64(1) {
		t.Errorf("then 1 is %v", got)
	}
}

func TestALargeResultIsRead(t *testing.T) {
	c := open(t)
	rows, err := c.QueryContext(t.Context(), "SELECT i, repeat('x', 100) FROM generate_series(1, 100000) i")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	sum := int64(0)
	for rows.Next() {
		var i int64
		var s string
		if err := rows.Scan(&i, &s); err != nil {
			t.Fatal(err)
		}
		sum += i + int64(len(s)) - 100
	}
	if err := rows.Err(); err != nil || sum != 5000050000 {
		t.Errorf("sum %d, %v", sum, err)
	}
}

func TestChangesAreCountedAndReturned(t *testing.T) {
	c := open(t)
	exec(t, c, "CREATE TABLE things (id bigint GENERATED ALWAYS AS IDENTITY, name text)")
	if id := value(t, c, "INSERT INTO things (name) VALUES (?) RETURNING id", "a"); id != int64(1) {
		t.Errorf("the first ID is %v", id)
	}
	if n := exec(t, c, "INSERT INTO things (name) VALUES (?), (?)", "b", nil); n != 2 {
		t.Errorf("inserted %d", n)
	}
	if n := exec(t, c, "UPDATE things SET name = ? WHERE id > ?", "c", 1); n != 2 {
		t.Errorf("updated %d", n)
	}
	res, err := c.ExecContext(t.Context(), "INSERT INTO things (name) VALUES ('d')")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := res.LastInsertId(); err == nil || !strings.Contains(err.Error(), "RETURNING") {
		t.Errorf("LastInsertId: %v", err)
	}
}

func TestTransactionsArePlainStatements(t *testing.T) {
	c := open(t)
	check := func(in, failed bool) {
		t.Helper()
		raw(t, c, func(c *Conn) error {
			if c.InTransaction() != in || c.Failed() != failed || c.Lost() {
				t.Errorf("in a transaction %v, failed %v, lost %v", c.InTransaction(), c.Failed(), c.Lost())
			}
			return nil
		})
	}
	check(false, false)
	exec(t, c, "BEGIN")
	exec(t, c, "CREATE TABLE things (id bigint PRIMARY KEY)")
	exec(t, c, "SAVEPOINT job")
	check(true, false)
	if _, err := c.ExecContext(t.Context(), "SELECT 1 / 0"); err == nil {
		t.Error("1 / 0 succeeded")
	}
	check(true, true)
	exec(t, c, "ROLLBACK TO job")
	check(true, false)
	exec(t, c, "RELEASE job")
	exec(t, c, "COMMIT")
	check(false, false)
	if _, err := c.BeginTx(t.Context(), nil); err == nil {
		t.Error("BeginTx succeeded")
	}
}

func TestAScriptRunsAsAWholeAndNamesTheLineOfAnError(t *testing.T) {
	c := open(t)
	run(t, c, "CREATE TABLE a (id int); -- ?\nCREATE TABLE b (id int); INSERT INTO b VALUES (1), (2)")
	if got := value(t, c, "SELECT count(*) FROM b"); got != int64(2) {
		t.Errorf("b has %v rows", got)
	}
	err := c.Raw(func(d any) error { return d.(*Conn).Run(t.Context(), "DROP TABLE a;\n\nSELECT * FROM missing") })
	if err == nil || !strings.Contains(err.Error(), "line 3") {
		t.Errorf("the error of a script: %v", err)
	}
	value(t, c, "SELECT count(*) FROM a")
}

func TestStatementsAreKeptByTextAndKindsUpToALimit(t *testing.T) {
	c := openWith(t, pgtest.URL(t), Options{Statements: 3})
	kept := func() int64 { return value(t, c, "SELECT count(*) FROM pg_prepared_statements").(int64) }
	kept()
	for range 3 {
		value(t, c, "SELECT coalesce(?, 'x')", nil)
		value(t, c, "SELECT coalesce(?, 'x')", "y")
	}
	if got := kept(); got != 3 {
		t.Errorf("%d statements are prepared, want 3", got)
	}
	for i := range 20 {
		value(t, c, fmt.Sprint("SELECT ", i))
	}
	if got := kept(); got != 3 {
		t.Errorf("%d statements are prepared after 20 others, want 3", got)
	}
	exec(t, c, "BEGIN")
	if _, err := c.ExecContext(t.Context(), "SELECT 1 / 0"); err == nil {
		t.Error("1 / 0 succeeded")
	}
	exec(t, c, "ROLLBACK")
}

func TestAStatementWorksAfterItsTableChanged(t *testing.T) {
	url := pgtest.URL(t)
	c, other := openWith(t, url, Options{}), openWith(t, url, Options{})
	exec(t, c, "CREATE TABLE things (a bigint)")
	exec(t, c, "INSERT INTO things VALUES (1)")
	value(t, c, "SELECT * FROM things")
	run(t, c, "ALTER TABLE things ALTER a TYPE text")
	if got := value(t, c, "SELECT * FROM things"); got != "1" {
		t.Errorf("after an own change: %v", got)
	}
	exec(t, other, "ALTER TABLE things ALTER a TYPE float8 USING a::float8")
	var v any
	if err := c.QueryRowContext(t.Context(), "SELECT * FROM things").Scan(&v); err == nil {
		t.Errorf("after another's change at first: %v", v)
	}
	if got := value(t, c, "SELECT * FROM things"); got != 1.0 {
		t.Errorf("after another's change: %v", got)
	}
}

func TestConcurrentChangesConflict(t *testing.T) {
	url := pgtest.URL(t)
	a, b := openWith(t, url, Options{}), openWith(t, url, Options{})
	exec(t, a, "CREATE TABLE things (n bigint)")
	exec(t, a, "INSERT INTO things VALUES (1)")
	for _, c := range []*sql.Conn{a, b} {
		exec(t, c, "BEGIN ISOLATION LEVEL SERIALIZABLE")
		value(t, c, "SELECT sum(n) FROM things")
		exec(t, c, "INSERT INTO things VALUES (2)")
	}
	exec(t, a, "COMMIT")
	if _, err := b.ExecContext(t.Context(), "COMMIT"); !Conflict(err) {
		t.Errorf("the second commit: %v, want a conflict", err)
	}
	raw(t, b, func(c *Conn) error {
		if c.InTransaction() {
			t.Error("the transaction is still open")
		}
		return nil
	})
}

func TestALostConnectionIsReplaced(t *testing.T) {
	url := pgtest.URL(t)
	connector, err := NewConnector(url, Options{})
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	db.SetMaxOpenConns(1)
	admin := openWith(t, url, Options{})
	c, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	exec(t, c, "BEGIN")
	raw(t, c, func(c *Conn) error {
		value(t, admin, "SELECT pg_terminate_backend(?::int)", int64(c.PID()))
		return nil
	})
	for i := range 2 {
		_, err := c.ExecContext(t.Context(), "SELECT 1")
		if !Unreachable(err) || Conflict(err) || Advice(err) == "" {
			t.Errorf("statement %d on the lost connection: %v; advice %q", i, err, Advice(err))
		}
	}
	raw(t, c, func(c *Conn) error {
		if !c.Lost() || c.InTransaction() || c.Failed() {
			t.Errorf("lost %v, in a transaction %v, failed %v", c.Lost(), c.InTransaction(), c.Failed())
		}
		return nil
	})
	_ = c.Close()
	if err := db.PingContext(t.Context()); err != nil {
		t.Errorf("the next connection: %v", err)
	}
}

func TestACanceledStatementLeavesTheConnectionUsable(t *testing.T) {
	c := open(t)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := c.ExecContext(ctx, "SELECT pg_sleep(30)"); !errors.Is(err, context.DeadlineExceeded) || Unreachable(err) {
		t.Errorf("canceled: %v", err)
	}
	if got := value(t, c, "SELECT 1"); got != int64(1) {
		t.Errorf("then 1 is %v", got)
	}
	raw(t, c, func(conn *Conn) error {
		time.AfterFunc(50*time.Millisecond, func() { _ = conn.Cancel(context.Background()) })
		_, err := conn.ExecContext(context.Background(), "SELECT pg_sleep(30)", nil)
		if state(err) != "57014" {
			t.Errorf("canceled by another goroutine: %v", err)
		}
		return nil
	})
}

func TestNotificationsArrive(t *testing.T) {
	url := pgtest.URL(t)
	got := make(chan string, 10)
	c := openWith(t, url, Options{OnNotification: func(channel, payload string) { got <- channel + " " + payload }})
	exec(t, c, "LISTEN news")
	raw(t, c, func(c *Conn) error {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		if err := c.WaitForNotification(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("without a notification: %v", err)
		}
		return nil
	})
	exec(t, openWith(t, url, Options{}), "NOTIFY news, 'hello'")
	raw(t, c, func(c *Conn) error { return c.WaitForNotification(t.Context()) })
	if news := <-got; news != "news hello" {
		t.Errorf("got %q", news)
	}
	if v := value(t, c, "SELECT 1"); v != int64(1) {
		t.Errorf("then 1 is %v", v)
	}
}

func TestNoticesAndSettingsArePassedOn(t *testing.T) {
	var notices []string
	c := openWith(t, pgtest.URL(t), Options{
		RuntimeParams: map[string]string{"application_name": "familiar test", "statement_timeout": "50"},
		OnNotice:      func(severity, message string) { notices = append(notices, severity+" "+message) },
	})
	if got := value(t, c, "SHOW application_name"); got != "familiar test" {
		t.Errorf("application_name is %v", got)
	}
	if _, err := c.ExecContext(t.Context(), "SELECT pg_sleep(30)"); state(err) != "57014" {
		t.Errorf("a slow statement: %v", err)
	}
	run(t, c, "DO $$BEGIN RAISE WARNING 'careful'; END$$")
	if len(notices) != 1 || notices[0] != "WARNING careful" {
		t.Errorf("notices %q", notices)
	}
}

func TestAConnectionLeftInATransactionIsNotUsedAgain(t *testing.T) {
	connector, err := NewConnector(pgtest.URL(t), Options{})
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), "BEGIN"); err != nil {
		t.Fatal(err)
	}
	c, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	raw(t, c, func(c *Conn) error {
		if c.InTransaction() {
			t.Error("the transaction is still open")
		}
		return nil
	})
}

func TestStatementsInTheBackgroundStartNoGoroutines(t *testing.T) {
	c := open(t)
	st, err := c.PrepareContext(context.Background(), "SELECT ?")
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	before := runtime.NumGoroutine()
	rows, err := st.QueryContext(context.Background(), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	if after := runtime.NumGoroutine(); after > before {
		t.Errorf("%d goroutines during a statement, %d before", after, before)
	}
	for rows.Next() {
		var v int64
		if err := rows.Scan(&v); err != nil || v != 1 {
			t.Errorf("read %d, %v", v, err)
		}
	}
	if err := rows.Err(); err != nil {
		t.Error(err)
	}
}

func TestTheDriverOpensAURL(t *testing.T) {
	c, err := Driver{}.Open(pgtest.URL(t))
	if err != nil {
		t.Fatal(err)
	}
	st, err := c.Prepare("SELECT ?")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := st.(*stmt).Exec([]driver.Value{"x"}); err != nil {
		t.Error(err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}
