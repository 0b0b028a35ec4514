package budget

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"familiar/memory/internal/db"
)

// ErrCapReached reports that a call would exceed a cap. The error around it is a *CapError.
var ErrCapReached = errors.New("a cap on the use of models is reached")

// Money is an amount in nanodollars (US).
type Money int64

// Dollars returns an amount given in dollars.
func Dollars(d float64) Money { return Money(math.Round(d * 1e9)) }

// Dollars returns the amount in dollars.
func (m Money) Dollars() float64 { return float64(m) / 1e9 }

// Price is what one token of a prompt and of an answer costs, 0 if that is unknown, and what those of a prompt cost that
// the provider reads from its cache or writes there, 0 for In.
type Price struct{ In, Out, CacheRead, CacheWritten Money }

// PerMillion returns the price of a model that costs so many dollars for a million tokens of prompts and of answers.
func PerMillion(in, out float64) Price { return Price{In: Dollars(in / 1e6), Out: Dollars(out / 1e6)} }

// Of returns what a call costs.
func (p Price) Of(in, out int) Money { return p.In*Money(in) + p.Out*Money(out) }

// Charge returns what the answer of a call costs whose prompt may partly have been in the provider's cache.
func (p Price) Charge(u Used) Money {
	return p.Of(u.In-u.CacheRead-u.CacheWritten, u.Out) + cmp.Or(p.CacheRead, p.In)*Money(u.CacheRead) + cmp.Or(p.CacheWritten, p.In)*Money(u.CacheWritten)
}

// Never is the cap that allows nothing at all.
const Never = -1

// Amount is a cap in tokens (prompts and answers together) and one in money: whichever is reached first. For each, 0 is
// no cap and Never allows nothing.
type Amount struct {
	Tokens int
	Cost   Money
}

// Caps bound what may be used in a calendar day and in a calendar month. Those of a person hold over all personas and
// do not apply to the personas' own work, those of a room count what is answered in it. The others count everything.
type Caps struct{ PersonDay, PersonMonth, RoomDay, RoomMonth, Day, Month Amount }

// CapUse is how much of one cap is used.
type CapUse struct {
	// Personal reports that it is the cap of one person, Roomwide that it is that of one room, Monthly that it bounds a
	// month, InMoney that Used and Cap are nanodollars rather than tokens.
	Personal, Roomwide, Monthly, InMoney bool
	// Used contains what running calls reserved. Cap may be Never.
	Used, Cap int64
}

// Left returns what is left of the cap.
func (u CapUse) Left() int64 { return max(0, u.Cap-u.Used) }

// Format formats an amount of the cap's unit.
func (u CapUse) Format(amount int64) string {
	if u.InMoney {
		return fmt.Sprintf("$%.2f", Money(amount).Dollars())
	}
	return fmt.Sprint(amount)
}

// CapError is ErrCapReached with the cap.
type CapError struct {
	CapUse
	// Period is the day or the month that the cap bounds: 2026-01-31 or 2026-01.
	Period string
}

// Error names the cap and what is left of it.
func (e *CapError) Error() string {
	whose := "everybody's"
	switch {
	case e.Personal:
		whose = "this person's"
	case e.Roomwide:
		whose = "this room's"
	}
	if e.Cap == Never {
		return fmt.Sprintf("%v: %s is \"never\" (limits)", ErrCapReached, whose)
	}
	preposition := "on"
	if e.Monthly {
		preposition = "in"
	}
	return fmt.Sprintf("%v: %s of %s %s are left %s %s", ErrCapReached, e.Format(e.Left()), whose, e.Format(e.Cap), preposition, e.Period)
}

// Unwrap returns ErrCapReached.
func (e *CapError) Unwrap() error { return ErrCapReached }

// monthOf returns the month of a day: 2026-01 of 2026-01-31.
func monthOf(day string) string { return day[:len("2006-01")] }

// usesOf returns the caps that apply to a person in a room, with what is used of them on day and in its month. Person 0 is
// the personas' own work, room 0 no room.
func usesOf(tx *db.Tx, caps Caps, day string, person, room int64) (all []CapUse, err error) {
	for _, c := range []struct {
		day, month Amount
		column     string // whose usage counts, "" for everybody's
		id         int64
	}{
		{caps.PersonDay, caps.PersonMonth, "person_id", person},
		{caps.RoomDay, caps.RoomMonth, "room_id", room},
		{caps.Day, caps.Month, "", 0},
	} {
		if c.day == (Amount{}) && c.month == (Amount{}) || c.column != "" && c.id == 0 {
			continue
		}
		today, inMonth, err := usedOf(tx, day, c.month != (Amount{}), c.column, c.id)
		if err != nil {
			return nil, err
		}
		use := CapUse{Personal: c.column == "person_id", Roomwide: c.column == "room_id"}
		all = use.appendTo(all, today, c.day)
		use.Monthly = true
		all = use.appendTo(all, inMonth, c.month)
	}
	return all, nil
}

// spent is what is used and reserved.
type spent struct{ tokens, cost int64 }

// appendTo appends the uses of a cap in tokens and in money, as far as there is one.
func (u CapUse) appendTo(all []CapUse, s spent, limit Amount) []CapUse {
	if u.Used, u.Cap = s.tokens, int64(limit.Tokens); u.Cap != 0 {
		all = append(all, u)
	}
	if u.InMoney, u.Used, u.Cap = true, s.cost, int64(limit.Cost); u.Cap != 0 {
		all = append(all, u)
	}
	return all
}

// usedOf returns what is used and reserved on day, and in its month if that is wanted, by everybody or where a column has a value.
func usedOf(tx *db.Tx, day string, monthly bool, column string, id int64) (today, inMonth spent, err error) {
	query := `SELECT COALESCE(SUM(CASE day WHEN ?1 THEN tokens_in + tokens_out + reserved END), 0), COALESCE(SUM(CASE day WHEN ?1 THEN cost + reserved_cost END), 0),
		COALESCE(SUM(tokens_in + tokens_out + CASE day WHEN ?1 THEN reserved ELSE 0 END), 0), COALESCE(SUM(cost + CASE day WHEN ?1 THEN reserved_cost ELSE 0 END), 0)
		FROM usage WHERE day BETWEEN ?2 AND ?3`
	args := []any{day, day, day}
	if monthly {
		args[1], args[2] = monthOf(day)+"-01", monthOf(day)+"-31"
	}
	if column != "" {
		query, args = query+` AND `+column+` = ?4`, append(args, id)
	}
	err = tx.QueryRow(query, args...).Scan(&today.tokens, &today.cost, &inMonth.tokens, &inMonth.cost)
	return today, inMonth, err
}

// checkCaps fails with a *CapError if a reservation exceeds a cap.
func checkCaps(tx *db.Tx, r Reservation) error {
	uses, err := usesOf(tx, r.Caps, r.Day, r.PersonID, r.RoomID)
	if err != nil {
		return err
	}
	for _, u := range uses {
		asked := int64(r.In + r.Out)
		if u.InMoney {
			asked = int64(r.cost())
		}
		if u.Cap == Never || u.Used+asked > u.Cap {
			period := r.Day
			if u.Monthly {
				period = monthOf(r.Day)
			}
			return &CapError{u, period}
		}
	}
	return nil
}
