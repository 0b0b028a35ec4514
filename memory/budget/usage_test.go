package budget

import (
	"errors"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"familiar/memory/internal/dbtest"

	"familiar/memory/internal/db"
)

func TestReserveStopsAtTheCaps(t *testing.T) {
	const day = "2026-01-05"
	s := New(dbtest.Open(t))
	for i, tc := range []struct {
		r    Reservation
		says string // empty: granted
	}{
		{Reservation{Day: day, Persona: "mira", PersonID: 1, Tokens: 600, PersonCap: 1000, GlobalCap: 1500}, ""},
		{
			Reservation{Day: day, Persona: "mira", PersonID: 1, Tokens: 401, PersonCap: 1000, GlobalCap: 1500},
			"400 of this person's 1000 are left",
		},
		{Reservation{Day: day, Persona: "otto", PersonID: 1, Tokens: 401, PersonCap: 1000}, "400 of this person's"},
		{Reservation{Day: day, Persona: "mira", PersonID: 1, Tokens: 400, PersonCap: 1000, GlobalCap: 1500}, ""},
		{
			Reservation{Day: day, Persona: "otto", PersonID: 2, Tokens: 501, PersonCap: 1000, GlobalCap: 1500},
			"500 of everybody's 1500 are left",
		},
		{Reservation{Day: day, Persona: "mira", PersonID: 2, Tokens: 9000}, ""}, // no caps
		{Reservation{Day: day, Persona: "mira", Tokens: 1, GlobalCap: 1500}, "0 of everybody's"},
		{Reservation{Day: "2026-01-07", Persona: "mira", Tokens: 5000, PersonCap: 1000, GlobalCap: 6000}, ""}, // its own work
		{Reservation{Day: "2026-01-07", Persona: "mira", Tokens: 1001, PersonCap: 1000, GlobalCap: 6000}, "1000 of everybody's"},
		{Reservation{Day: "2026-01-06", Persona: "mira", PersonID: 1, Tokens: 1000, PersonCap: 1000, GlobalCap: 1500}, ""},
	} {
		err := s.Reserve(t.Context(), tc.r)
		if tc.says == "" && err != nil {
			t.Errorf("reservation %d: %v", i, err)
		}
		if tc.says != "" && (!errors.Is(err, ErrCapReached) || !strings.Contains(err.Error(), tc.says)) {
			t.Errorf("reservation %d: got %v, want %q", i, err, tc.says)
		}
	}
	used, err := s.UsageOn(t.Context(), day, "mira")
	want := []Usage{{PersonID: 1, Tokens: 1000, Calls: 2}, {PersonID: 2, Tokens: 9000, Calls: 1}}
	if err != nil || !reflect.DeepEqual(used, want) {
		t.Errorf("used %v, %v, want %v", used, err, want)
	}
}

func TestConcurrentReservationsNeverExceedTheCap(t *testing.T) {
	s := New(dbtest.Open(t))
	r := Reservation{Day: "2026-01-05", Persona: "mira", PersonID: 1, Tokens: 10, PersonCap: 100, GlobalCap: 1000}
	var granted atomic.Int64
	var wg sync.WaitGroup
	for range 40 {
		wg.Go(func() {
			switch err := s.Reserve(t.Context(), r); {
			case err == nil:
				granted.Add(1)
			case !errors.Is(err, ErrCapReached):
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if granted.Load() != 10 {
		t.Errorf("%d reservations of 10 were granted under a cap of 100", granted.Load())
	}
}

func TestSettle(t *testing.T) {
	s := New(dbtest.Open(t))
	r := Reservation{Day: "2026-01-05", Persona: "mira", PersonID: 1, Tokens: 500}
	if err := s.Settle(t.Context(), r, 100); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("settled what was never reserved: %v", err)
	}
	for _, actual := range []int{120, 0, 700} { // less, a failed call, more
		if err := errors.Join(s.Reserve(t.Context(), r), s.Settle(t.Context(), r, actual)); err != nil {
			t.Fatal(err)
		}
	}
	used, err := s.UsageOn(t.Context(), r.Day, "mira")
	if err != nil || !reflect.DeepEqual(used, []Usage{{PersonID: 1, Tokens: 820, Calls: 3}}) {
		t.Errorf("used %v, %v, want 820 tokens in 3 calls", used, err)
	}
	r.Tokens = -1
	if err := s.Reserve(t.Context(), r); err == nil {
		t.Error("negative tokens were reserved")
	}
	if err := s.Settle(t.Context(), r, -1); err == nil {
		t.Error("negative tokens were settled")
	}
}
