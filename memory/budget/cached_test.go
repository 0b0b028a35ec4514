package budget

// P13: what a provider reads from its cache has a price of its own, and the ledger keeps how much it was.

import (
	"testing"

	"familiar/memory/internal/dbtest"
)

func TestP13CachedTokensHaveTheirOwnPrice(t *testing.T) {
	const day = "2026-01-05"
	used := Used{Requests: 1, In: 1000, Out: 10, CacheRead: 600, CacheWritten: 300}
	for name, c := range map[string]struct {
		price Price
		want  Money
	}{
		"with prices":    {Price{In: 1000, Out: 5000, CacheRead: 100, CacheWritten: 1250}, 100*1000 + 600*100 + 300*1250 + 10*5000},
		"without prices": {Price{In: 1000, Out: 5000}, 1000*1000 + 10*5000},
		"unknown":        {Price{}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			s := New(dbtest.Open(t))
			r := Reservation{Day: day, Persona: "mira", PersonID: 1, Job: Talk, Model: "m", In: 1200, Out: 100, Price: c.price}
			if err := s.Reserve(t.Context(), r); err != nil {
				t.Fatal(err)
			}
			if err := s.Settle(t.Context(), r, used); err != nil {
				t.Fatal(err)
			}
			spent, err := s.Spent(t.Context(), day, day)
			if err != nil || len(spent) != 1 || spent[0].Cost != c.want || spent[0].In != 1000 || spent[0].CacheRead != 600 || spent[0].CacheWritten != 300 {
				t.Errorf("spent %+v, %v, want %d", spent, err, c.want)
			}
		})
	}
}
