package budget

// S16: caps bound rooms too.

import (
	"errors"
	"strings"
	"testing"

	"familiar/memory/internal/dbtest"
)

func TestS16CapsBoundEachRoom(t *testing.T) {
	const day = "2026-01-05"
	for name, c := range map[string]struct {
		caps Caps
		want string
	}{
		"a day":      {Caps{RoomDay: Amount{Tokens: 100}}, "40 of this room's 100 are left on 2026-01-05"},
		"a month":    {Caps{RoomMonth: Amount{Tokens: 100}}, "40 of this room's 100 are left in 2026-01"},
		"in dollars": {Caps{RoomDay: Amount{Cost: Dollars(1)}}, "$0.40 of this room's $1.00 are left on 2026-01-05"},
		"never":      {Caps{RoomDay: Amount{Tokens: Never}}, `this room's is "never"`},
	} {
		t.Run(name, func(t *testing.T) {
			s := New(dbtest.Open(t))
			ask := func(person, room int64) error {
				return s.Reserve(t.Context(), Reservation{Day: day, Persona: "mira", PersonID: person, RoomID: room, Job: Talk, Model: "m", In: 60, Price: Price{In: Dollars(0.01)}, Caps: c.caps})
			}
			first := ask(1, 7)
			if name != "never" && first != nil {
				t.Fatal(first)
			}
			err := ask(2, 7) // somebody else in the same room
			var reached *CapError
			if !errors.As(err, &reached) || !reached.Roomwide || !strings.Contains(err.Error(), c.want) {
				t.Errorf("the second call gives %v, want %q", err, c.want)
			}
			if err := ask(1, 0); err != nil {
				t.Errorf("a call for no room gives %v", err)
			}
			if err := ask(1, 8); name != "never" && err != nil {
				t.Errorf("a call in another room gives %v", err)
			}
		})
	}
}
