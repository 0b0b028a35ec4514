package bench

import (
	"testing"
	"time"

	"familiar/persona"
)

// TestABurstInAThousandRoomsIsKeptInOrder has everybody write at once beside a room that takes nothing.
func TestABurstInAThousandRoomsIsKeptInOrder(t *testing.T) {
	rooms := 1000
	if testing.Short() {
		rooms = 100
	}
	card, err := persona.LoadCard("", "nell")
	if err != nil {
		t.Fatal(err)
	}
	settings := persona.Settings{
		SessionGap: 30 * time.Minute, GreetingGap: 4 * time.Hour, RecallBudget: 1000, RecentMessages: 30, Zone: time.UTC,
	}
	r, err := Burst(t.Context(), card, persona.NewPlain(), settings, rooms, 10)
	if err != nil {
		t.Fatal(err)
	}
	if r.Lost+r.Doubled+r.Disordered+r.Repeated != 0 {
		t.Errorf("%+v", r)
	}
	t.Logf("%+v", r)
}
