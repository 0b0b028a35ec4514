package app

import (
	"fmt"
	"testing"
	"time"

	"familiar/channels/all"
	"familiar/config"
	"familiar/internal/pgtest"
	"familiar/persona/card"
)

// TestTheServerHasItsLimits opens a memory on a server with the limits of the configuration.
func TestTheServerHasItsLimits(t *testing.T) {
	text := fmt.Sprintf("database: {url: %q, connections: 3, statement_timeout: 5s}\n", pgtest.URL(t))
	cfg, err := config.Parse(config.Home(t.TempDir()), []byte(text), nil, all.Sections()...)
	if err != nil {
		t.Fatal(err)
	}
	c, err := card.LoadCard("", "nell")
	if err != nil {
		t.Fatal(err)
	}
	store, err := OpenMemory(t.Context(), cfg, c, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	if n := store.Hosting.Stats().Readers; n != 3 {
		t.Errorf("%d may read at a time", n)
	}
	if err := store.Close(); err != nil {
		t.Error(err)
	}
}
