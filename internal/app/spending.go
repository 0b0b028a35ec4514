package app

import (
	"familiar/config"
	"familiar/memory/budget"
)

// CapsOf returns the configured limits as the ledger checks them.
func CapsOf(l config.Limits) budget.Caps {
	return budget.Caps{
		PersonDay:   amount(l.TokensPerPersonPerDay, l.DollarsPerPersonPerDay),
		PersonMonth: amount(l.TokensPerPersonPerMonth, l.DollarsPerPersonPerMonth),
		Day:         amount(l.TokensPerDay, l.DollarsPerDay),
		Month:       amount(l.TokensPerMonth, l.DollarsPerMonth),
	}
}

func amount(tokens config.TokenLimit, dollars config.DollarLimit) budget.Amount {
	a := budget.Amount{Tokens: int(tokens), Cost: budget.Dollars(float64(dollars))}
	if tokens == config.NeverTokens {
		a.Tokens = budget.Never
	}
	if dollars == config.NeverDollars {
		a.Cost = budget.Never
	}
	return a
}

// PriceOf returns the configured price of a model.
func PriceOf(m config.ModelSettings) budget.Price { return budget.PerMillion(m.PriceIn, m.PriceOut) }
