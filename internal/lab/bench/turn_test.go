package bench

import (
	"testing"

	"familiar/internal/lab/place"
	"familiar/internal/pgtest"
)

// TestATurnSeldomWaitsForTheServer counts how often a turn on PostgreSQL waits for it. A query that is not prefetched any more, or that
// is prefetched in vain, shows here.
func TestATurnSeldomWaitsForTheServer(t *testing.T) {
	ctx := place.OnServer(t.Context(), pgtest.URL(t))
	r, err := Turn(ctx, testParts(), 150, 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", r)
	if r.Waits < 3 || r.Waits > 30 {
		t.Errorf("a turn waited %.1f times for the server", r.Waits)
	}
	if r.Unasked > 0.5 {
		t.Errorf("a turn prefetched %.2f queries in vain", r.Unasked)
	}
}
