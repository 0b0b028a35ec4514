package db

import (
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"
)

func TestManyErasuresRewriteTheFileOnlyNowAndThen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "familiar.db")
	// Each reading of this clock advances it, and so does a rewrite of the file.
	slow := Options{Now: func() time.Time {
		time.Sleep(time.Millisecond)
		return time.Now()
	}}
	synctest.Test(t, func(t *testing.T) {
		s := openTestAt(t, path, slow)
		due := func() (n int) {
			t.Helper()
			err := s.ReadOne(t.Context(), "look", func(tx *Tx) error { return tx.QueryRow(`SELECT count(*) FROM rewrites_due`).Scan(&n) })
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		erase := func() {
			t.Helper()
			if err := s.Write(t.Context(), "erase", (*Tx).MarkErased); err != nil {
				t.Fatal(err)
			}
		}
		erase()
		if due() != 0 {
			t.Error("the first erasure waits")
		}
		erase()
		if due() == 0 {
			t.Error("an erasure right after another has the file rewritten at once")
		}
		time.Sleep(time.Minute)
		if due() != 0 {
			t.Error("a minute later nobody has rewritten the file, though nobody else was writing")
		}
		erase()
		erase()
		if due() == 0 {
			t.Error("an erasure right after another has the file rewritten at once")
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if s = openTestAt(t, path, slow); due() != 0 {
			t.Error("closing leaves to others what was erased")
		}
	})
}
