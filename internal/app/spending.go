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
		RoomDay:     amount(l.TokensPerRoomPerDay, l.DollarsPerRoomPerDay),
		RoomMonth:   amount(l.TokensPerRoomPerMonth, l.DollarsPerRoomPerMonth),
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

// What Anthropic asks for tokens that it reads from its cache and writes there, as a share of the others' price.
const (
	anthropicRead    = 0.1
	anthropicWritten = 1.25
)

// PriceOf returns the configured price of a model. What other providers than Anthropic read from their caches costs as much
// as the rest of a prompt unless its price is configured.
func PriceOf(m config.ModelSettings) budget.Price {
	price := budget.PerMillion(m.PriceIn, m.PriceOut)
	if m.Provider == config.Anthropic {
		price.CacheRead, price.CacheWritten = budget.PerMillion(m.PriceIn*anthropicRead, 0).In, budget.PerMillion(m.PriceIn*anthropicWritten, 0).In
	}
	if m.PriceCached > 0 {
		price.CacheRead = budget.PerMillion(m.PriceCached, 0).In
	}
	return price
}
