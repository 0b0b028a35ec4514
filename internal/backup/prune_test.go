package backup

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// at returns backups made at times such as "2026-01-05 02:30".
func at(t *testing.T, why Reason, times ...string) (all []Backup) {
	t.Helper()
	for _, text := range times {
		made, err := time.Parse("2006-01-02 15:04", text)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, Backup{Made: made, Reason: why})
	}
	return all
}

func TestRetentionSplit(t *testing.T) {
	auckland, err := time.LoadLocation("Pacific/Auckland")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		r    Retention
		all  []Backup
		keep []string
	}{
		{"none", Retention{Daily: 7, Weekly: 4}, nil, nil},
		{"the newest always", Retention{Daily: 1}, at(t, Asked, "2020-01-01 00:00"), []string{"2020-01-01 00:00"}},
		{
			"one per day",
			Retention{Daily: 2},
			at(t, Asked, "2026-01-05 01:00", "2026-01-05 02:00", "2026-01-04 03:00", "2026-01-04 02:00", "2026-01-03 01:00"),
			[]string{"2026-01-05 02:00", "2026-01-04 03:00"},
		},
		{
			"days that have backups",
			Retention{Daily: 2},
			at(t, Scheduled, "2026-01-05 01:00", "2025-06-01 01:00", "2025-05-01 01:00"),
			[]string{"2026-01-05 01:00", "2025-06-01 01:00"},
		},
		{
			"one per week before the days",
			Retention{Daily: 1, Weekly: 2},
			at(t, Scheduled, "2026-01-05 01:00", "2026-01-04 01:00", "2026-01-03 01:00", "2025-12-28 01:00", "2025-12-27 01:00", "2025-12-20 01:00"),
			[]string{"2026-01-05 01:00", "2026-01-04 01:00", "2025-12-28 01:00"},
		},
		{
			"days of the operator's zone",
			Retention{Daily: 2, Zone: auckland},
			at(t, Asked, "2026-01-05 12:00", "2026-01-05 10:00"),
			[]string{"2026-01-05 12:00", "2026-01-05 10:00"},
		},
		{
			"before an upgrade",
			Retention{Daily: 1, Weekly: 1},
			append(at(t, Upgrade, "2026-01-03 01:00", "2026-01-03 00:30", "2025-12-01 01:00"), at(t, Asked, "2026-01-05 01:00", "2026-01-03 02:00")...),
			[]string{"2026-01-05 01:00", "2026-01-03 02:00", "2026-01-03 01:00", "2026-01-03 00:30"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			keep, drop := c.r.Split(c.all, time.Date(2026, 1, 5, 13, 0, 0, 0, time.UTC))
			var kept []string
			for _, b := range keep {
				kept = append(kept, b.Made.Format("2006-01-02 15:04"))
			}
			if !slices.Equal(kept, c.keep) {
				t.Errorf("kept %v, want %v", kept, c.keep)
			}
			if len(keep)+len(drop) != len(c.all) {
				t.Errorf("%d kept and %d dropped of %d", len(keep), len(drop), len(c.all))
			}
		})
	}
}

// TestRetentionOverAYear makes a backup each night, at times more, and prunes after each: seven days and four weeks are
// always there, and never more than that.
func TestRetentionOverAYear(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	r := Retention{Daily: 7, Weekly: 4}
	var all []Backup
	now := time.Date(2026, 1, 1, 2, 30, 0, 0, time.UTC)
	for day := range 365 {
		for range 1 + rng.IntN(3) {
			all = append(all, Backup{Made: now.Add(time.Duration(rng.IntN(20)) * time.Hour)})
		}
		all, _ = r.Split(all, now.AddDate(0, 0, 1))
		oldest := all[len(all)-1].Made
		if day >= 60 && (len(all) != 11 || now.Sub(oldest) < 3*7*24*time.Hour) {
			t.Fatalf("day %d: %d backups, the oldest %v old", day, len(all), now.Sub(oldest))
		}
		now = now.AddDate(0, 0, 1)
	}
}

func TestPruneDeletesFiles(t *testing.T) {
	s, clock := newSet(t)
	fillHome(t, s, 1)
	for range 12 {
		create(t, s)
		clock.Advance(24 * time.Hour)
	}
	copied := s.Home.Database() + ".backup-v9-20240101T000000.000Z" // of an earlier version
	writeFile(t, copied, "a copy")
	left := filepath.Join(s.Home.Backups(), ".work-123", "familiar.db") // of a killed process
	writeFile(t, left, "half")
	foreign := filepath.Join(s.Home.Backups(), "notes.txt")
	writeFile(t, foreign, "mine")
	dropped, err := s.Prune(t.Context(), Retention{Daily: 7, Weekly: 1})
	if err != nil {
		t.Fatal(err)
	}
	all, err := s.List()
	if err != nil || len(all) != 8 || len(dropped) != 5 { // seven days, and a week before
		t.Errorf("%d left, %d dropped, %v", len(all), len(dropped), err)
	}
	for path, want := range map[string]bool{copied: false, left: false, foreign: true} {
		if _, err := os.Stat(path); (err == nil) != want {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// TestHomesShareADirectory lets two homes keep their backups in one directory: each lists, prunes and rewrites only its own, and
// restores one of the other by its path.
func TestHomesShareADirectory(t *testing.T) {
	shared := t.TempDir()
	one, clock := newSet(t)
	one.Dir = shared
	fillHome(t, one, 2)
	for range 3 {
		create(t, one)
		clock.Advance(24 * time.Hour)
	}
	two, _ := newSet(t)
	two.Now, two.Dir = clock.Now, shared
	if _, err := two.Find(""); !errors.Is(err, ErrNone) {
		t.Errorf("a new home finds the backup of another: %v", err)
	}
	fillHome(t, two, 5)
	create(t, two)
	clock.Advance(24 * time.Hour)
	create(t, two)
	if dropped, err := two.Prune(t.Context(), Retention{Daily: 1}); err != nil || len(dropped) != 1 {
		t.Errorf("%d dropped, %v", len(dropped), err)
	}
	if n, err := two.Rewrite(t.Context()); err != nil || n != 0 {
		t.Errorf("%d rewritten, %v", n, err)
	}
	ones, err := one.List()
	twos, err2 := two.List()
	if err := errors.Join(err, err2); err != nil || len(ones) != 3 || len(twos) != 1 {
		t.Fatalf("the homes have %d and %d backups, %v", len(ones), len(twos), err)
	}
	b, err := two.Find(ones[0].Path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := two.Restore(t.Context(), b, RestoreOptions{}); err != nil {
		t.Fatal(err)
	}
	if got := stored(t, two); len(got) != 2 {
		t.Errorf("restored %q", got)
	}
}
