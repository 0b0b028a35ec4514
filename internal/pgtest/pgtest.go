// Package pgtest gives tests a PostgreSQL server. It starts the server that is installed on the machine, on first use and
// once per test binary, and it never outlives the binary. Tests are skipped where PostgreSQL is not installed. It needs
// PostgreSQL 15 or newer.
package pgtest

import (
	"fmt"
	"os"
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

// template is a database that tests copy. It is made once per key.
type template struct {
	once sync.Once
	name string
	err  error
}

var (
	templatesMu sync.Mutex
	templates   = map[string]*template{}
)

// Template returns the URL of a copy of a database that fill makes once per key and test binary. The copy is
// removed when the test ends. fill receives the URL of an empty database and must close its connections. If it fails,
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
	name := s.newName()
	if err := s.createDatabase(name, from.name); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.drop(t, name) })
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
			"-c", "fsync=off", "-c", "full_page_writes=off", "-c", "synchronous_commit=off",
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
