package db

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

// releasedNames returns the names of the released migrations, one per version.
func releasedNames(t *testing.T) []string {
	t.Helper()
	names, err := fs.Glob(releasedMigrations, "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// releasedAnd returns the released migrations and one more, and the version before it.
func releasedAnd(t *testing.T, step string) (all fstest.MapFS, version int) {
	t.Helper()
	all = fstest.MapFS{}
	released := releasedNames(t)
	for _, name := range released {
		text, err := fs.ReadFile(releasedMigrations, name)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = &fstest.MapFile{Data: text}
	}
	all[fmt.Sprintf("%04d_weather.sql", len(released)+1)] = &fstest.MapFile{Data: []byte(step)}
	return all, len(released)
}

func TestR9UpgradeBacksUpFirst(t *testing.T) {
	path := filepath.Join(t.TempDir(), "familiar.db")
	s := openTestAt(t, path, Options{Now: atMonday})
	accept(t, s, 5)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if found, _ := filepath.Glob(path + ".backup-*"); len(found) != 0 {
		t.Errorf("making a new file left a backup: %v", found)
	}

	next, version := releasedAnd(t, `
		CREATE TABLE weather (persona TEXT PRIMARY KEY, mood TEXT NOT NULL);
		INSERT INTO weather VALUES ('mira', 'calm');`)
	s, err := openWith(t.Context(), path, Options{Now: atMonday}, next)
	if err != nil {
		t.Fatal(err)
	}
	var mood string
	if err := s.Read(t.Context(), "read", func(tx *Tx) error {
		return tx.QueryRow("SELECT mood FROM weather").Scan(&mood)
	}); err != nil || mood != "calm" {
		t.Errorf("after the upgrade the mood is %q, %v", mood, err)
	}
	if got := events(t, s); len(got) != 5 {
		t.Errorf("the upgrade kept %v of five events", got)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}

	backup := fmt.Sprintf("%s.backup-v%d-20260105T090000.000Z", path, version)
	info, err := os.Stat(backup)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("the backup has mode %o, want 600", info.Mode().Perm())
	}
	if got := events(t, openTestAt(t, backup, Options{Now: atMonday})); len(got) != 5 {
		t.Errorf("the backup contains %v of five events", got)
	}
	if _, err := Open(t.Context(), path, Options{Now: atMonday}); !errors.Is(err, ErrNewer) {
		t.Errorf("the older release opened the newer file: %v", err)
	}
}

func TestR9AFailedMigrationHasNoEffect(t *testing.T) {
	for name, step := range map[string]string{
		"wrong statement": `CREATE TABLE weather (persona TEXT); INSERT INTO nowhere VALUES (1);`,
		"lost parent": `INSERT INTO handles (channel, handle, person_id, display, first_seen, last_seen)
			VALUES ('console', 'ada', 42, 'Ada', 0, 0);`,
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "familiar.db")
			s := openTestAt(t, path, Options{Now: atMonday})
			accept(t, s, 5)
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			next, version := releasedAnd(t, step)
			_, err := openWith(t.Context(), path, Options{Now: atMonday}, next)
			if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%04d_weather.sql", version+1)) {
				t.Fatalf("got %v, want the step's name", err)
			}
			if got := events(t, openTestAt(t, path, Options{Now: atMonday})); len(got) != 5 {
				t.Errorf("the released version reopens with %v of five events", got)
			}
		})
	}
}

func TestR9UpgradeStopsBetweenSteps(t *testing.T) {
	path := filepath.Join(t.TempDir(), "familiar.db")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Open(ctx, path, Options{Now: atMonday}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the context's error", err)
	}
	openTestAt(t, path, Options{Now: atMonday})
}

func TestMigrationsAreNumberedWithoutGaps(t *testing.T) {
	if _, err := loadMigrations(releasedMigrations); err != nil {
		t.Error(err)
	}
	for _, names := range [][]string{{"0002_b.sql"}, {"0001_a.sql", "0003_c.sql"}, {"first.sql"}, {"0001_a.sql", "0001_b.sql"}} {
		fsys := fstest.MapFS{}
		for _, name := range names {
			fsys[name] = &fstest.MapFile{}
		}
		if _, err := loadMigrations(fsys); err == nil {
			t.Errorf("%v were taken", names)
		}
	}
}
