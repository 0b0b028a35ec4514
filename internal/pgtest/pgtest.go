// Package pgtest gives tests a PostgreSQL server. It starts the server that is installed on the machine, on first use and
// once per test binary, and it never outlives the binary. Tests are skipped where PostgreSQL is not installed. It needs
// PostgreSQL 15 or newer.
package pgtest

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// URL returns the URL of a fresh empty database on the server that the test binary shares. The database is removed when
// the test ends. Its encoding is UTF-8 and it sorts text by bytes. Nothing is synced to disk.
func URL(t testing.TB) string {
	t.Helper()
	s := sharedServer(t)
	name := s.newName()
	if err := s.createDatabase(name, "template1"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.drop(t, name) })
	return s.url(name)
}

var (
	templatesMu sync.Mutex
	templates   = map[string]*template{}
)

// Template returns the URL of a copy of a database that fill makes once per key and test binary. The copy is
// removed after the test. fill receives the URL of an empty database and must close its connections. If it fails,
// every test with the key fails.
func Template(t testing.TB, key string, fill func(url string) error) string {
	t.Helper()
	s := sharedServer(t)
	templatesMu.Lock()
	from := templates[key]
	if from == nil {
		from = &template{}
		templates[key] = from
	}
	templatesMu.Unlock()
	from.once.Do(func() { from.make(s, fill) })
	if from.err != nil {
		t.Fatalf("make the template database %s: %v", key, from.err)
	}
	name, err := from.copy(s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.dropLater(t, name) })
	return s.url(name)
}

func (f *template) make(s *cluster, fill func(url string) error) {
	f.err = fmt.Errorf("its first use did not finish") // for a fill that ends its goroutine, as t.Fatal does
	f.name = s.newName()
	if err := s.createDatabase(f.name, "template1"); err != nil {
		f.err = err
		return
	}
	f.err = fill(s.url(f.name))
}

// shared is the server of URL and Template. It is kept here until the process ends, because the guard of its directory
// stops it as soon as nothing refers to it.
var shared struct {
	once   sync.Once
	server *cluster
	err    error
}

func sharedServer(t testing.TB) *cluster {
	t.Helper()
	bin := needInstalled(t)
	shared.once.Do(func() {
		shared.server, shared.err = newCluster(bin, []string{
			"-c", "fsync=off", "-c", "full_page_writes=off", "-c", "synchronous_commit=off", "-c", "wal_level=minimal",
			"-c", "max_wal_senders=0", "-c", "autovacuum=off",
		})
		if shared.err == nil {
			shared.err = shared.server.start()
		}
	})
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	return shared.server
}

// needInstalled returns the directory of PostgreSQL's programs, and skips the test if there is none.
func needInstalled(t testing.TB) string {
	t.Helper()
	bin := programs()
	if bin == "" {
		t.Skip("PostgreSQL is not installed: install Debian's package postgresql (15 or newer), or put initdb and postgres on the PATH")
	}
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("PostgreSQL is not started for tests on a machine without /bin/sh")
	}
	return bin
}

// Copy returns the URL of a copy of a database, which others may use meanwhile. The copy is removed when the test ends.
func Copy(t testing.TB, from string) string {
	t.Helper()
	url := URL(t)
	dump := exec.Command(filepath.Join(programs(), "pg_dump"), from)
	restore := exec.Command(filepath.Join(programs(), "psql"), "--quiet", "--no-psqlrc", "--set=ON_ERROR_STOP=1", "--output="+os.DevNull, url)
	var failed bytes.Buffer
	dump.Stderr, restore.Stderr = &failed, &failed
	var err error
	if restore.Stdin, err = dump.StdoutPipe(); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(dump.Start(), restore.Run(), dump.Wait()); err != nil {
		t.Fatalf("copy a database: %v: %s", err, &failed)
	}
	return url
}
