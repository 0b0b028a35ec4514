package db_test

import (
	"testing"
	"time"

	"familiar/memory/internal/db"
	"familiar/memory/internal/dbtest"
)

func TestWatchSeesCommitsOfEverybody(t *testing.T) {
	t.Parallel()
	mine := dbtest.Open(t)
	other, err := db.Open(t.Context(), mine.Path(), db.Options{Now: time.Now, NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	changes, err := mine.Watch(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer changes.Close()
	version := func() int64 {
		v, err := changes.Version(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	before := version()
	if again := version(); again != before {
		t.Errorf("nothing changed, but the version went from %d to %d", before, again)
	}
	for name, d := range map[string]*db.DB{"this process": mine, "another": other} {
		err := d.Write(t.Context(), "change something", func(tx *db.Tx) error {
			_, err := tx.Exec(`INSERT INTO people (name, created_at) VALUES ('Ann', 1)`)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		after := version()
		if after == before {
			t.Errorf("%s committed, and the version stayed %d", name, before)
		}
		before = after
	}
}
