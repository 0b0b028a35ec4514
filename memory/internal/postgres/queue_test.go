package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"familiar/internal/pgtest"
)

// things opens a connection with a table in which a name may be once.
func things(t *testing.T, o Options) *sql.Conn {
	t.Helper()
	c := openWith(t, pgtest.URL(t), o)
	run(t, c, "CREATE TABLE things (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text UNIQUE, at bigint, data bytea)")
	return c
}

func queue1(t *testing.T, c *sql.Conn, query string, args ...any) {
	t.Helper()
	raw(t, c, func(c *Conn) error { return c.Queue(context.Background(), query, args...) })
}

func names(t *testing.T, c *sql.Conn) string {
	t.Helper()
	return fmt.Sprint(value(t, c, "SELECT coalesce(string_agg(name, ',' ORDER BY id), '') FROM things"))
}

const insertThing = "INSERT INTO things (name, at) VALUES (?, ?)"

func TestQueuedStatementsRunInOrderBeforeTheNext(t *testing.T) {
	t.Parallel()
	c := things(t, Options{})
	exec(t, c, "BEGIN")
	for i := range 3*maxQueued + 5 {
		queue1(t, c, insertThing, fmt.Sprint("n", i), i)
		if i%50 == 7 {
			queue1(t, c, "UPDATE things SET name = name || 'x' WHERE name = ?", fmt.Sprint("n", i))
		}
	}
	if n := exec(t, c, "UPDATE things SET at = at + 1"); n != 3*maxQueued+5 {
		t.Errorf("%d rows were there", n)
	}
	raw(t, c, func(c *Conn) error { return c.Commit(context.Background()) })
	if got := value(t, c, "SELECT count(*) FROM things WHERE at = id AND name = 'n' || (id - 1) || CASE WHEN (id - 1) % 50 = 7 THEN 'x' ELSE '' END"); got != int64(3*maxQueued+5) {
		t.Errorf("%v rows are as they were written", got)
	}
}

func TestQueuedArgumentsAreThoseOfTheCall(t *testing.T) {
	t.Parallel()
	c := things(t, Options{})
	data := []byte("before")
	queue1(t, c, "INSERT INTO things (name, at, data) VALUES (?, ?, ?)", "a", sql.NullInt64{}, data)
	copy(data, "after!")
	queue1(t, c, "INSERT INTO things (name, at, data) VALUES (?, ?, ?)", "", sql.NullInt64{Int64: 7, Valid: true}, nil)
	if got := value(t, c, "SELECT string_agg(name || coalesce(CAST(at AS text), '-') || coalesce(encode(data, 'escape'), '-'), ' ' ORDER BY id) FROM things"); got != "a-before 7-" {
		t.Errorf("stored %q", got)
	}
}

func TestAQueuedErrorNamesItsStatement(t *testing.T) {
	t.Parallel()
	for name, next := range map[string]func(c *sql.Conn) error{
		"a query": func(c *sql.Conn) error { return c.QueryRowContext(context.Background(), "SELECT 1").Err() },
		"a change": func(c *sql.Conn) error {
			_, err := c.ExecContext(context.Background(), "DELETE FROM things")
			return err
		},
		"a flush": func(c *sql.Conn) error {
			return c.Raw(func(d any) error { return d.(*Conn).Flush(context.Background()) })
		},
		"the commit": func(c *sql.Conn) error {
			return c.Raw(func(d any) error { return d.(*Conn).Commit(context.Background()) })
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := things(t, Options{})
			exec(t, c, insertThing, "a", 1)
			exec(t, c, "BEGIN")
			queue1(t, c, insertThing, "b", 2)
			queue1(t, c, "INSERT INTO things (name) VALUES (?)", "a")
			queue1(t, c, insertThing, "c", 3)
			err := next(c)
			queued, ok := errors.AsType[*QueuedError](err)
			if !ok || queued.Query != "INSERT INTO things (name) VALUES (?)" || !Unique(err) || !strings.Contains(err.Error(), "INSERT INTO things (name)") {
				t.Fatalf("the error is %v", err)
			}
			raw(t, c, func(c *Conn) error {
				if !c.Failed() || c.Queued() {
					t.Error("the transaction goes on")
				}
				if err := c.Commit(context.Background()); err == nil {
					t.Error("a failed transaction was committed")
				}
				return nil
			})
			if got := names(t, c); got != "a" {
				t.Errorf("the table has %s", got)
			}
		})
	}
}

func TestWhatIsDiscardedDoesNotRun(t *testing.T) {
	t.Parallel()
	c := things(t, Options{})
	queue1(t, c, insertThing, "a", 1)
	raw(t, c, func(c *Conn) error { c.Discard(); return nil })
	queue1(t, c, insertThing, "b", 1)
	if got := names(t, c); got != "b" {
		t.Errorf("the table has %s", got)
	}
}

func TestAStatementIsSentAtOnceAfterASilence(t *testing.T) {
	t.Parallel()
	now := time.Unix(1, 0)
	c := things(t, Options{Now: func() time.Time { return now }})
	queue1(t, c, insertThing, "a", 1)
	raw(t, c, func(c *Conn) error {
		if !c.Queued() {
			t.Error("it was sent at once")
		}
		return nil
	})
	now = now.Add(maxQueueing)
	queue1(t, c, insertThing, "b", 1)
	raw(t, c, func(c *Conn) error {
		if c.Queued() {
			t.Error("it waits")
		}
		return nil
	})
}

// TestAnExpectedNumberOfRows changes as many rows as expected, and another number: what follows is not committed then, even if
// nobody looks at the error or the COMMIT is sent at once.
func TestAnExpectedNumberOfRows(t *testing.T) {
	t.Parallel()
	c := things(t, Options{})
	other := errors.New("another number of rows")
	expect := func(n int64, name string) {
		raw(t, c, func(c *Conn) error {
			return c.Expect(context.Background(), n, other, "UPDATE things SET at = at + 1 WHERE name = ?", name)
		})
	}
	exec(t, c, insertThing, "a", 1)
	for name, next := range map[string]func(c *Conn) error{
		"commit": func(c *Conn) error { return c.Commit(context.Background()) },
		"flush":  func(c *Conn) error { return c.Flush(context.Background()) },
		"silent": func(c *Conn) error { _ = c.Flush(context.Background()); return other },
		"prefetching": func(c *Conn) error {
			return errors.Join(c.Prefetch(context.Background(), "SELECT 1"), c.Flush(context.Background()))
		},
	} {
		exec(t, c, "BEGIN")
		expect(1, "a")
		raw(t, c, func(c *Conn) error { return c.Flush(context.Background()) })
		expect(1, "b")
		queue1(t, c, insertThing, name, 2)
		raw(t, c, func(c *Conn) error {
			if err := next(c); !errors.Is(err, other) {
				t.Errorf("%s: %v", name, err)
			}
			if err := c.Commit(context.Background()); err == nil {
				t.Errorf("%s: it was committed", name)
			}
			c.Discard()
			return c.Control(context.Background(), "ROLLBACK")
		})
	}
	exec(t, c, "BEGIN")
	expect(1, "a")
	raw(t, c, func(c *Conn) error { return c.Commit(context.Background()) })
	if got := value(t, c, "SELECT string_agg(name || at, ',') FROM things"); got != "a2" {
		t.Errorf("there is %v, want only the last change", got)
	}
}

// TestACountedStatement counts the rows that queued statements change, also with the COMMIT.
func TestACountedStatement(t *testing.T) {
	t.Parallel()
	c := things(t, Options{})
	exec(t, c, insertThing, "a", 1)
	exec(t, c, insertThing, "b", 1)
	changed, inserted, twice := int64(-1), int64(-1), int64(-1)
	exec(t, c, "BEGIN")
	raw(t, c, func(c *Conn) error {
		ctx := context.Background()
		err := errors.Join(
			c.Count(ctx, &changed, "UPDATE things SET at = 2"),
			c.Count(ctx, &inserted, insertThing+" ON CONFLICT DO NOTHING", "c", 3),
			c.Count(ctx, &twice, insertThing+" ON CONFLICT DO NOTHING", "a", 3),
		)
		return errors.Join(err, c.Commit(ctx))
	})
	if changed != 2 || inserted != 1 || twice != 0 {
		t.Errorf("changed %d, inserted %d, and %d that were there", changed, inserted, twice)
	}
}

func TestAPrefetchedQueryIsAsItWouldBe(t *testing.T) {
	t.Parallel()
	c := things(t, Options{})
	const query = "SELECT name FROM things WHERE at > ? ORDER BY id"
	exec(t, c, insertThing, "a", 1)
	sent := func() (n int) {
		raw(t, c, func(c *Conn) error { n = len(c.prefetched); return nil })
		return n
	}
	send := func() {
		raw(t, c, func(c *Conn) error { return c.Prefetch(context.Background(), query, 0) })
	}
	send()
	if got := value(t, c, "SELECT 1"); got != int64(1) || sent() != 1 {
		t.Errorf("the next query gives %v, %d are prefetched", got, sent())
	}
	if got := value(t, c, query, 0); got != "a" || sent() != 0 {
		t.Errorf("the query gives %v, %d are prefetched", got, sent())
	}
	send()
	if err := c.QueryRowContext(context.Background(), query, 1).Scan(new(string)); !errors.Is(err, sql.ErrNoRows) || sent() != 1 {
		t.Errorf("with another argument: %v, %d are prefetched", err, sent())
	}
	raw(t, c, func(c *Conn) error {
		if err := c.Prefetch(context.Background(), insertThing+" RETURNING id", "z", 1); err == nil {
			t.Error("a change is prefetched")
		}
		return nil
	})
	exec(t, c, "UPDATE things SET name = 'b'")
	if got := value(t, c, query, 0); got != "b" {
		t.Errorf("after a change the query gives %v", got)
	}
	send()
	if got := value(t, c, query, 0); got != "b" { // which sends it
		t.Errorf("the query gives %v", got)
	}
}

func TestWhatAStatementChanges(t *testing.T) {
	t.Parallel()
	for sql, want := range map[string]string{
		"SELECT a FROM things": nothing, "INSERT INTO things (a) VALUES (1)": "things", "INSERT INTO things(a) VALUES (1)": "things",
		"\n\tupdate things SET a = 1": "things", "DELETE FROM things": anything, `UPDATE "Things" SET a = 1`: anything,
		"WITH x AS (SELECT 1) INSERT INTO things SELECT 1": anything, "COMMIT": anything, "UPDATE a.things SET a = 1": anything,
		expecting(1, "UPDATE things SET a = 1"): "things",
	} {
		if got := changes(sql); got != want {
			t.Errorf("%s changes %q, want %q", sql, got, want)
		}
	}
}

// TestAReadIsNotLeftOpen looks at the transaction from another connection.
func TestAReadIsNotLeftOpen(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	c, other := openWith(t, url, Options{}), openWith(t, url, Options{})
	var pid int64
	begin := func() {
		raw(t, c, func(c *Conn) error {
			pid = int64(c.PID())
			return c.QueueControl(context.Background(), "BEGIN READ ONLY")
		})
	}
	end := func() {
		raw(t, c, func(c *Conn) error { c.CommitLater(); return nil })
	}
	for range 3 {
		begin()
		value(t, c, "SELECT 1")
		end()
		deadline := time.Now().Add(10 * time.Second)
		for value(t, other, "SELECT state FROM pg_stat_activity WHERE pid = ?", pid) != "idle" {
			if time.Now().After(deadline) {
				t.Fatal("the transaction is open")
			}
			time.Sleep(time.Millisecond)
		}
	}
	begin()
	end() // nothing was sent
	raw(t, c, func(c *Conn) error {
		if c.Queued() || c.InTransaction() {
			t.Error("an empty transaction is open")
		}
		return nil
	})
	value(t, c, "SELECT 1")
}

// TestQueuedAndUnqueuedStatementsDoTheSame runs the same statements at once and queued, with few prepared statements.
func TestQueuedAndUnqueuedStatementsDoTheSame(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			plain, queued := things(t, Options{}), things(t, Options{Statements: 3})
			var want, got []string
			dice := rand.New(rand.NewPCG(seed, 1)) //nolint:gosec // for a test
			for range 400 {
				step(t, dice, plain, queued, &want, &got)
			}
			for _, c := range []*sql.Conn{plain, queued} {
				exec(t, c, "SELECT 1")
			}
			want, got = append(want, names(t, plain)), append(got, names(t, queued))
			if !slices.Equal(got, want) {
				t.Errorf("queued statements give\n%q, others\n%q", got, want)
			}
		})
	}
}

// step runs a random statement on both connections.
func step(t *testing.T, dice *rand.Rand, plain, queued *sql.Conn, want, got *[]string) {
	t.Helper()
	n := dice.IntN(30)
	change, args := insertThing+" ON CONFLICT (name) DO UPDATE SET at = things.at + 1", []any{fmt.Sprint(n), n}
	switch dice.IntN(8) {
	case 0:
		change, args = "DELETE FROM things WHERE at % 7 = ?", []any{n % 7}
	case 1, 2:
		change, args = "UPDATE things SET at = at + ? WHERE name = ?", []any{n, fmt.Sprint(n)}
	case 3:
		query := []string{"SELECT coalesce(max(at), 0) FROM things WHERE at < ?", "SELECT count(*) FROM things WHERE at < ?"}[n%2]
		*want, *got = append(*want, fmt.Sprint(value(t, plain, query, n))), append(*got, fmt.Sprint(value(t, queued, query, n)))
		return
	case 4:
		raw(t, queued, func(c *Conn) error {
			return c.Prefetch(context.Background(), "SELECT count(*) FROM things WHERE at < ?", dice.IntN(30))
		})
		return
	}
	exec(t, plain, change, args...)
	queue1(t, queued, change, args...)
}
