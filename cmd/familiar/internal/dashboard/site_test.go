package dashboard_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"familiar/cmd/familiar/internal/dashboard"
	"familiar/internal/app"
	"familiar/internal/browsertest"
	"familiar/internal/cli"
	"familiar/memory/login"
	"familiar/web/signin"
)

// site is the dashboard of a home, with everything around it that a browser meets.
type site struct {
	*httptest.Server
	app *app.App
	log *bytes.Buffer
	inv *cli.Invocation
}

// newSite serves the dashboard of the home in dir. Its clock stands at now.
func newSite(t testing.TB, dir string, now time.Time) *site {
	t.Helper()
	return newSiteAt(t, dir, func() time.Time { return now })
}

// newSiteAt is newSite with a clock.
func newSiteAt(t testing.TB, dir string, now func() time.Time) *site {
	t.Helper()
	var log bytes.Buffer
	inv := &cli.Invocation{Env: func(string) (string, bool) { return "", false }, Now: now, HomeFlag: dir}
	cfg, err := inv.Config()
	if err != nil {
		t.Fatal(err)
	}
	cfg.Timezone.Location = time.UTC
	a, err := app.OpenUnlocked(context.Background(), cfg, slog.New(slog.NewTextHandler(&log, nil)), inv.Now)
	if err != nil {
		t.Fatal(err)
	}
	pages, end := dashboard.Pages(inv, a)
	guard, err := signin.New(signin.Options{Logins: a.Store.Logins, Random: rand.Reader, Now: inv.Now, Log: a.Log}, pages)
	if err != nil {
		t.Fatal(err)
	}
	s := &site{Server: httptest.NewServer(guard), app: a, log: &log, inv: inv}
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
		end()
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// link returns the address of a fresh login link.
func (s *site) link(t testing.TB, l login.Link) string {
	t.Helper()
	l.Expires = s.app.Now().Add(10 * time.Minute)
	token, err := s.app.Store.Logins.CreateLink(t.Context(), rand.Reader, l)
	if err != nil {
		t.Fatal(err)
	}
	return s.URL + signin.Path(token)
}

// signIn logs the browser of a tab in.
func (s *site) signIn(t testing.TB, tab *browsertest.Tab, l login.Link) {
	t.Helper()
	tab.Open(s.link(t, l))
	tab.Follow("main button[type=submit]")
}

// year is a home in which people lived for some weeks, by the lab's simulation: what it made, and the day on which it ended.
var year = struct {
	sync.Once
	dir string
	end time.Time
	err error
}{}

// yearSize is how long how many people lived: a year where pictures are taken.
func yearSize() (days, people int) {
	if os.Getenv("FAMILIAR_SCREENSHOTS") != "" {
		return 365, 20
	}
	return 40, 5
}

// yearHome returns a copy of a simulated home, and the time at which it ends.
func yearHome(t testing.TB) (dir string, end time.Time) {
	t.Helper()
	year.Do(func() {
		if year.dir, year.err = os.MkdirTemp("", "familiar-year-"); year.err != nil {
			return
		}
		days, people := yearSize()
		lab := exec.CommandContext(context.Background(), "go", "run", "familiar/cmd/familiar-lab", "simulate", "--days", strconv.Itoa(days), "--people", strconv.Itoa(people), "--keep", year.dir)
		if out, err := lab.CombinedOutput(); err != nil {
			year.err = fmt.Errorf("simulate: %w: %s", err, out)
		}
		year.end = time.Date(2026, time.January, 5, 12, 0, 0, 0, time.UTC).AddDate(0, 0, days)
	})
	if year.err != nil {
		t.Fatal(year.err)
	}
	dir = t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(year.dir)); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(dir, "familiar.db"), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir, year.end
}

func TestMain(m *testing.M) {
	code := m.Run()
	if year.dir != "" {
		_ = os.RemoveAll(year.dir) // the system's own place for what is left behind
	}
	os.Exit(code)
}
