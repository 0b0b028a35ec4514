package channels

import (
	"slices"
	"testing"
)

// TestA14TheStateOfADividedChannelIsItsWorst follows two parts through a start, a lost connection and the end of both.
func TestA14TheStateOfADividedChannelIsItsWorst(t *testing.T) {
	var reported []State
	p := NewPartStates(func(s State) {
		if len(reported) == 0 || reported[len(reported)-1] != s {
			reported = append(reported, s)
		}
	})
	connected, limited := State{Phase: Connected, Account: "mira"}, State{Phase: Connected, Problem: "reads mentions only", Account: "mira"}
	p.Set(0, State{Phase: Connecting})
	p.Set(1, State{Phase: Connecting})
	p.Set(0, State{Phase: Backfilling, Account: "mira"})
	p.Set(0, connected)
	p.Set(1, State{Phase: Backfilling})
	p.Set(1, limited)
	p.Set(0, State{Phase: Transient, Problem: "lost"})
	if !p.Reachable() {
		t.Error("the network is reached over part 1")
	}
	p.Set(1, connected)
	p.End(0)
	p.End(1)
	if !p.Reachable() {
		t.Error("nothing is known of the network")
	}
	p.Set(0, connected)
	p.Set(1, State{Phase: Refused, Problem: "the token"})
	if p.Reachable() {
		t.Error("the network refuses")
	}
	p.Set(0, State{Phase: Connecting})
	p.End(1)
	want := []State{
		{Phase: Connecting},
		{Phase: Connecting, Account: "mira"},
		{Phase: Backfilling, Account: "mira"},
		limited,
		{Phase: Transient, Problem: "lost", Account: "mira"},
		connected,
		{Phase: Standby},
		connected,

		{Phase: Refused, Problem: "the token", Account: "mira"},
	}
	if !slices.Equal(reported, want) {
		t.Errorf("reported\n%+v, want\n%+v", reported, want)
	}
}
