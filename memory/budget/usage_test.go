package budget

// B1: caps hold per person and for everybody, by day and by month, in tokens or money. The ledger keeps what each job and
// model used. A failed call is in no cap, but in the report.

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

// tokenCaps are daily caps in tokens.
func tokenCaps(person, everybody int) Caps {
	return Caps{PersonDay: Amount{Tokens: person}, Day: Amount{Tokens: everybody}}
}

func TestReserveStopsAtTheCaps(t *testing.T) {
	const day = "2026-01-05"
	s := New(dbtest.Open(t))
	for i, tc := range []struct {
		r    Reservation
		says string // empty: granted
	}{
		{Reservation{Day: day, Persona: "mira", PersonID: 1, In: 600, Caps: tokenCaps(1000, 1500)}, ""},
		{
			Reservation{Day: day, Persona: "mira", PersonID: 1, In: 401, Caps: tokenCaps(1000, 1500)},
			"400 of this person's 1000 are left on 2026-01-05",
		},
		{Reservation{Day: day, Persona: "otto", PersonID: 1, In: 401, Caps: tokenCaps(1000, 0)}, "400 of this person's"},
		{Reservation{Day: day, Persona: "mira", PersonID: 1, In: 300, Out: 100, Caps: tokenCaps(1000, 1500)}, ""},
		{
			Reservation{Day: day, Persona: "otto", PersonID: 2, In: 501, Caps: tokenCaps(1000, 1500)},
			"500 of everybody's 1500 are left",
		},
		{Reservation{Day: day, Persona: "mira", PersonID: 2, In: 9000}, ""}, // no caps
		{Reservation{Day: day, Persona: "mira", In: 1, Caps: tokenCaps(0, 1500)}, "0 of everybody's"},
		{Reservation{Day: "2026-01-07", Persona: "mira", In: 5000, Caps: tokenCaps(1000, 6000)}, ""}, // its own work
		{Reservation{Day: "2026-01-07", Persona: "mira", In: 1001, Caps: tokenCaps(1000, 6000)}, "1000 of everybody's"},
		{Reservation{Day: "2026-01-06", Persona: "mira", PersonID: 1, In: 1000, Caps: tokenCaps(1000, 1500)}, ""},
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

func TestB1CapsByMonthInMoneyAndNever(t *testing.T) {
	s := New(dbtest.Open(t))
	price := PerMillion(1, 2) // a thousand tokens of answers are 0.2 cents
	use := func(day string, person int64, out int, caps Caps) error {
		r := Reservation{Day: day, Persona: "mira", PersonID: person, Job: Talk, Model: "m", Out: out, Price: price, Caps: caps}
		if err := s.Reserve(t.Context(), r); err != nil {
			return err
		}
		return s.Settle(t.Context(), r, Used{Requests: 1, Out: out})
	}
	for i, tc := range []struct {
		day    string
		person int64
		out    int
		caps   Caps
		says   string
	}{
		{"2026-01-30", 1, 5000, Caps{}, ""},
		{"2026-01-31", 1, 5000, Caps{PersonMonth: Amount{Tokens: 10_000}}, ""},
		{"2026-01-31", 1, 1, Caps{PersonMonth: Amount{Tokens: 10_000}}, "0 of this person's 10000 are left in 2026-01"},
		{"2026-02-01", 1, 10_000, Caps{PersonMonth: Amount{Tokens: 10_000}}, ""},
		{"2026-01-31", 2, 1, Caps{PersonMonth: Amount{Tokens: 10_000}}, ""},
		{"2026-01-31", 2, 1, Caps{Month: Amount{Tokens: 10_001}}, "0 of everybody's 10001 are left in 2026-01"},
		{"2026-02-01", 1, 1, Caps{PersonDay: Amount{Cost: Dollars(0.02)}}, "$0.00 of this person's $0.02 are left on 2026-02-01"},
		{"2026-02-01", 1, 10_001, Caps{Day: Amount{Cost: Dollars(0.04)}}, "$0.02 of everybody's $0.04 are left on 2026-02-01"},
		{"2026-02-01", 1, 10_000, Caps{Day: Amount{Cost: Dollars(0.04)}, Month: Amount{Tokens: 20_000}}, ""},
		{"2026-02-02", 1, 0, Caps{PersonDay: Amount{Tokens: Never}}, `this person's is "never"`},
		{"2026-02-02", 0, 100, Caps{PersonDay: Amount{Tokens: Never}}, ""},
		{"2026-02-02", 0, 0, Caps{Month: Amount{Cost: Never}}, `everybody's is "never"`},
	} {
		err := use(tc.day, tc.person, tc.out, tc.caps)
		if tc.says == "" && err != nil {
			t.Errorf("call %d: %v", i, err)
		}
		if tc.says != "" && (!errors.Is(err, ErrCapReached) || !strings.Contains(err.Error(), tc.says)) {
			t.Errorf("call %d: got %v, want %q", i, err, tc.says)
		}
	}
	standing, err := s.Standing(t.Context(), Caps{PersonDay: Amount{Tokens: 30_000, Cost: Dollars(1)}, Month: Amount{Cost: Never}}, "2026-02-01", 1, 0)
	want := []CapUse{
		{Personal: true, Used: 20_000, Cap: 30_000},
		{Personal: true, InMoney: true, Used: 40_000_000, Cap: 1_000_000_000},
		{Monthly: true, InMoney: true, Used: 40_200_000, Cap: Never},
	}
	if err != nil || !reflect.DeepEqual(standing, want) {
		t.Errorf("standing %+v, %v, want %+v", standing, err, want)
	}
}

func TestB1ARunningCallFromYesterdayBlocksNoMonth(t *testing.T) {
	s := New(dbtest.Open(t))
	caps := Caps{Month: Amount{Tokens: 100}}
	if err := s.Reserve(t.Context(), Reservation{Day: "2026-01-05", Persona: "mira", In: 100, Caps: caps}); err != nil {
		t.Fatal(err)
	}
	if err := s.Reserve(t.Context(), Reservation{Day: "2026-01-05", Persona: "mira", In: 1, Caps: caps}); !errors.Is(err, ErrCapReached) {
		t.Errorf("a second call of the day: %v", err)
	}
	if err := s.Reserve(t.Context(), Reservation{Day: "2026-01-06", Persona: "mira", In: 100, Caps: caps}); err != nil {
		t.Errorf("what was never settled blocks the rest of the month: %v", err)
	}
}

func TestConcurrentReservationsNeverExceedTheCap(t *testing.T) {
	s := New(dbtest.Open(t))
	r := Reservation{Day: "2026-01-05", Persona: "mira", PersonID: 1, In: 10, Caps: tokenCaps(100, 1000)}
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
	r := Reservation{Day: "2026-01-05", Persona: "mira", PersonID: 1, In: 500}
	if err := s.Settle(t.Context(), r, Used{Requests: 1, In: 100}); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("settled what was never reserved: %v", err)
	}
	for _, actual := range []int{120, 0, 700} { // less, nothing, more
		if err := errors.Join(s.Reserve(t.Context(), r), s.Settle(t.Context(), r, Used{Requests: 1, In: actual})); err != nil {
			t.Fatal(err)
		}
	}
	used, err := s.UsageOn(t.Context(), r.Day, "mira")
	if err != nil || !reflect.DeepEqual(used, []Usage{{PersonID: 1, Tokens: 820, Calls: 3}}) {
		t.Errorf("used %v, %v, want 820 tokens in 3 calls", used, err)
	}
	if err := s.Settle(t.Context(), r, Used{In: -1}); err == nil {
		t.Error("negative tokens were settled")
	}
	r.In = -1
	if err := s.Reserve(t.Context(), r); err == nil {
		t.Error("negative tokens were reserved")
	}
}

func TestB1AFailedCallIsInNoCapButInTheReport(t *testing.T) {
	s := New(dbtest.Open(t))
	r := Reservation{
		Day: "2026-01-05", Persona: "mira", Job: "dream", Model: "m", In: 900, Out: 100, Price: PerMillion(1, 10), Caps: Caps{Day: Amount{Tokens: 1000, Cost: Dollars(0.0019)}},
	}
	for range 5 {
		if err := errors.Join(s.Reserve(t.Context(), r), s.Settle(t.Context(), r, Used{Requests: 3, FailedIn: 900, FailedOut: 50})); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(s.Reserve(t.Context(), r), s.Settle(t.Context(), r, Used{Requests: 1, In: 800, Out: 100})); err != nil {
		t.Fatal(err)
	}
	spent, err := s.Spent(t.Context(), "2026-01-01", "2026-01-31")
	want := []Spending{{
		Persona: "mira", Job: "dream", Model: "m", Requests: 16, In: 800, Out: 100, Cost: 1_800_000,
		FailedIn: 4500, FailedOut: 250, FailedCost: 7_000_000,
	}}
	if err != nil || !reflect.DeepEqual(spent, want) {
		t.Errorf("spent %+v, %v, want %+v", spent, err, want)
	}
}

func TestB1SomebodyIsToldOncePerPeriod(t *testing.T) {
	d := dbtest.Open(t)
	s := New(d)
	if err := d.Write(t.Context(), "meet somebody", func(tx *db.Tx) error {
		_, err := tx.Exec(`INSERT INTO people (id, name, created_at) VALUES (1, 'Ann', 0)`)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct {
		kind, period string
		first        bool
	}{
		{"low day", "2026-01-05", true},
		{"low day", "2026-01-05", false},
		{"out day", "2026-01-05", true},
		{"low day", "2026-01-06", true},
		{"low month", "2026-01", true},
		{"low month", "2026-01", false},
	} {
		told, err := s.Noticed(t.Context(), 1, c.kind, c.period)
		first, failed := s.Notice(t.Context(), 1, c.kind, c.period)
		if err != nil || failed != nil || told == c.first || first != c.first {
			t.Errorf("%d: told %v, first %v, %v, %v", i, told, first, err, failed)
		}
	}
}
