package pgtest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

func connect(t testing.TB, url string) *pgconn.PgConn {
	t.Helper()
	conn, err := pgconn.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

// ask returns the first column of the first row of a query.
func ask(t testing.TB, conn *pgconn.PgConn, query string) string {
	t.Helper()
	results, err := conn.Exec(t.Context(), query).ReadAll()
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	if len(results) == 0 || len(results[0].Rows) == 0 {
		return ""
	}
	return string(results[0].Rows[0][0])
}

func TestEveryTestHasADatabaseOfItsOwn(t *testing.T) {
	for range 4 {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			conn := connect(t, URL(t))
			ask(t, conn, "CREATE TABLE mine (id int)")
			if got := ask(t, conn, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"); got != "1" {
				t.Errorf("%s tables, want the test's own only", got)
			}
		})
	}
}

func TestADatabaseIsUTF8AndSortsByBytes(t *testing.T) {
	conn := connect(t, URL(t))
	if got := ask(t, conn, "SHOW server_encoding"); got != "UTF8" {
		t.Errorf("encoding %s", got)
	}
	if got := ask(t, conn, "SELECT string_agg(x, '' ORDER BY x) FROM (VALUES ('a'), ('B'), ('é'), ('Z')) v(x)"); got != "BZaé" {
		t.Errorf("sorted %q", got)
	}
}

func TestTheSharedServerListensOnItsSocketOnly(t *testing.T) {
	conn := connect(t, URL(t))
	if got := ask(t, conn, "SHOW listen_addresses"); got != "" {
		t.Errorf("listens on %q", got)
	}
}

func TestADatabaseIsRemovedWithItsTestEvenWhileConnected(t *testing.T) {
	var name string
	t.Run("test", func(t *testing.T) {
		conn, err := pgconn.Connect(t.Context(), URL(t))
		if err != nil {
			t.Fatal(err)
		}
		name = ask(t, conn, "SELECT current_database()")
	})
	conn := connect(t, sharedServer(t).url("postgres"))
	if got := ask(t, conn, "SELECT count(*) FROM pg_database WHERE datname = '"+name+"'"); got != "0" {
		t.Errorf("%s is still there", name)
	}
}

func TestATemplateIsMadeOncePerKeyAndCopied(t *testing.T) {
	var made atomic.Int64
	fill := func(url string) error {
		made.Add(1)
		ctx := context.Background()
		conn, err := pgconn.Connect(ctx, url)
		if err != nil {
			return err
		}
		return errors.Join(conn.Exec(ctx, "CREATE TABLE things (id int); INSERT INTO things VALUES (7)").Close(), conn.Close(ctx))
	}
	t.Run("copies", func(t *testing.T) {
		for range 4 {
			t.Run("", func(t *testing.T) {
				t.Parallel()
				conn := connect(t, Template(t, "things", fill))
				if got := ask(t, conn, "SELECT string_agg(id::text, ',') FROM things"); got != "7" {
					t.Errorf("has %q", got)
				}
				ask(t, conn, "INSERT INTO things VALUES (8)")
			})
		}
	})
	if got := made.Load(); got != 1 {
		t.Errorf("made %d times", got)
	}
}

func TestAServerKeepsItsDataWhenStoppedKilledAndRestarted(t *testing.T) {
	t.Parallel()
	s := Start(t)
	ends := map[string]func(){
		"fast": func() { s.Stop(Fast) }, "immediate": func() { s.Stop(Immediate) }, "kill": s.Kill, "restart": func() {},
	}
	ask(t, connect(t, s.URL()), "CREATE TABLE kept (how text)")
	for how, end := range ends {
		conn := connect(t, s.TCPURL())
		ask(t, conn, "INSERT INTO kept VALUES ('"+how+"')")
		end()
		if how != "restart" {
			if _, err := pgconn.Connect(t.Context(), s.URL()); err == nil {
				t.Errorf("%s: still accepts connections", how)
			}
		}
		s.Restart()
		if got := ask(t, connect(t, s.URL()), "SELECT count(*) FROM kept WHERE how = '"+how+"'"); got != "1" {
			t.Errorf("%s: lost its row", how)
		}
	}
	if got := ask(t, connect(t, s.URL()), "SHOW fsync"); got != "on" {
		t.Errorf("fsync is %s", got)
	}
	if !strings.Contains(s.Log(), "ready to accept connections") {
		t.Errorf("log: %s", s.Log())
	}
}

func TestAServerAsksForThePassword(t *testing.T) {
	t.Parallel()
	s := Start(t)
	right := s.RequirePassword("s3cret")
	if _, err := pgconn.Connect(t.Context(), s.TCPURL()); err == nil {
		t.Error("accepts a connection without the password")
	}
	connect(t, right)
}

// childEnv makes the test binary start a server, print its directory and hang.
const childEnv = "PGTEST_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(childEnv) == "" {
		os.Exit(m.Run())
	}
	c, err := newCluster(programs(), nil)
	if err == nil {
		err = c.start()
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(seedHome.dir, c.dir, c.cmd.Process.Pid)
	_, _ = io.Copy(io.Discard, os.Stdin)
}

func TestAServerEndsWhenTheTestProcessIsKilled(t *testing.T) {
	t.Parallel()
	needInstalled(t)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"=1")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var seed, dir string
	var pid int
	if _, err := fmt.Fscan(stdout, &seed, &dir, &pid); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // killed
	deadline := time.Now().Add(20 * time.Second)
	for exists(seed) || exists(dir) || exists(fmt.Sprintf("/proc/%d/root", pid)) {
		if time.Now().After(deadline) {
			t.Fatalf("the server %d or its directories %s and %s are still there", pid, seed, dir)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func TestTheNewestVersionIsUsed(t *testing.T) {
	got := newest([]string{"/usr/lib/postgresql/9.6/bin/initdb", "/usr/lib/postgresql/15/bin/initdb", "/usr/lib/postgresql/x/bin/initdb"})
	if want := filepath.FromSlash("/usr/lib/postgresql/15/bin"); got != want {
		t.Errorf("newest is %s, want %s", got, want)
	}
}

func BenchmarkURL(b *testing.B) {
	for range b.N {
		s := sharedServer(b)
		name := s.newName()
		if err := s.createDatabase(name, "template1"); err != nil {
			b.Fatal(err)
		}
		s.drop(b, name)
	}
}
