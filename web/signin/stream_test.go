package signin_test

import (
	"crypto/rand"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"familiar/memory"
	"familiar/memory/login"
	"familiar/web/signin"
)

// A stream ends soon after its session, also when another process ended that.
func TestS17AStreamEndsWithItsSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, err := memory.Open(t.Context(), filepath.Join(t.TempDir(), "familiar.db"), memory.Options{Now: time.Now, NoSync: true})
		if err != nil {
			t.Fatal(err)
		}
		defer store.Close() //nolint:errcheck // nothing was written that counts
		stream := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
		guard, err := signin.New(signin.Options{Logins: store.Logins, Random: rand.Reader, Now: time.Now, Log: slog.New(slog.DiscardHandler)}, stream)
		if err != nil {
			t.Fatal(err)
		}
		link, err := store.Logins.CreateLink(t.Context(), rand.Reader, login.Link{Role: login.Operator, Expires: time.Now().Add(time.Minute)})
		if err != nil {
			t.Fatal(err)
		}
		token, session, err := store.Logins.Redeem(t.Context(), rand.Reader, link, "")
		if err != nil {
			t.Fatal(err)
		}
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/live", strings.NewReader(""))
		r.AddCookie(&http.Cookie{Name: "familiar", Value: token}) //nolint:gosec // a request has only the name and the value
		var lasted time.Duration
		begun, done := time.Now(), make(chan struct{})
		go func() {
			defer close(done)
			guard.ServeHTTP(httptest.NewRecorder(), r)
			lasted = time.Since(begun)
		}()
		time.Sleep(time.Hour)
		if _, err := store.Logins.End(t.Context(), session.ID); err != nil {
			t.Fatal(err)
		}
		<-done
		if lasted < time.Hour || lasted > time.Hour+15*time.Second {
			t.Errorf("the stream lasted %s", lasted)
		}
	})
}
