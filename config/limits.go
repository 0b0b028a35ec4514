package config

import (
	"errors"
	"fmt"
	"math"
	"strconv"
)

// Limits limit the use of models per day and per calendar month of Timezone, for each person, for each
// room and for everybody together. The latter count the jobs too. Of several limits the first that is reached holds.
type Limits struct {
	TokensPerPersonPerDay    TokenLimit  `yaml:"tokens_per_person_per_day"`
	TokensPerPersonPerMonth  TokenLimit  `yaml:"tokens_per_person_per_month"`
	TokensPerRoomPerDay      TokenLimit  `yaml:"tokens_per_room_per_day"`
	TokensPerRoomPerMonth    TokenLimit  `yaml:"tokens_per_room_per_month"`
	TokensPerDay             TokenLimit  `yaml:"tokens_per_day"`
	TokensPerMonth           TokenLimit  `yaml:"tokens_per_month"`
	DollarsPerPersonPerDay   DollarLimit `yaml:"dollars_per_person_per_day"`
	DollarsPerPersonPerMonth DollarLimit `yaml:"dollars_per_person_per_month"`
	DollarsPerRoomPerDay     DollarLimit `yaml:"dollars_per_room_per_day"`
	DollarsPerRoomPerMonth   DollarLimit `yaml:"dollars_per_room_per_month"`
	DollarsPerDay            DollarLimit `yaml:"dollars_per_day"`
	DollarsPerMonth          DollarLimit `yaml:"dollars_per_month"`
	// AnswersPerRoomPerMinute is how often one room is answered in a minute, 0–1000; 0 is no limit.
	AnswersPerRoomPerMinute int `yaml:"answers_per_room_per_minute"`
}

// TokenLimit is a number of tokens, 0–1,000,000,000. 0 is no limit, "never" (NeverTokens) allows no model at all.
type TokenLimit int

// DollarLimit is an amount in US dollars, 0–1,000,000. 0 is no limit, "never" (NeverDollars) allows no model at all.
type DollarLimit float64

// never is how a limit that allows nothing is written.
const never = "never"

// The limits that allow nothing.
const (
	NeverTokens  TokenLimit  = math.MinInt
	NeverDollars DollarLimit = -math.MaxFloat64
)

// UnmarshalText parses a whole number or never.
func (l *TokenLimit) UnmarshalText(text []byte) error {
	if string(text) == never {
		*l = NeverTokens
		return nil
	}
	n, err := strconv.ParseInt(string(text), 0, 64)
	if err != nil || TokenLimit(n) == NeverTokens {
		return errors.New("takes a whole number, 0 for no limit, or never")
	}
	*l = TokenLimit(n)
	return nil
}

// String returns the limit as it is written.
func (l TokenLimit) String() string {
	if l == NeverTokens {
		return never
	}
	return strconv.Itoa(int(l))
}

// UnmarshalText parses a number or never.
func (l *DollarLimit) UnmarshalText(text []byte) error {
	if string(text) == never {
		*l = NeverDollars
		return nil
	}
	x, err := strconv.ParseFloat(string(text), 64)
	if err != nil || math.IsInf(x, 0) || math.IsNaN(x) || DollarLimit(x) == NeverDollars {
		return errors.New("takes a number, 0 for no limit, or never")
	}
	*l = DollarLimit(x)
	return nil
}

// String returns the limit as it is written.
func (l DollarLimit) String() string {
	if l == NeverDollars {
		return never
	}
	return strconv.FormatFloat(float64(l), 'g', -1, 64)
}

// validate reports limits out of range, and limits in dollars that no model counts towards.
func (c *Config) validateLimits() {
	l := c.Limits
	const mostTokens, mostDollars, mostAnswers = 1_000_000_000, 1_000_000, 1000
	for key, limit := range map[string]TokenLimit{
		"tokens_per_person_per_day": l.TokensPerPersonPerDay, "tokens_per_person_per_month": l.TokensPerPersonPerMonth,
		"tokens_per_room_per_day": l.TokensPerRoomPerDay, "tokens_per_room_per_month": l.TokensPerRoomPerMonth,
		"tokens_per_day": l.TokensPerDay, "tokens_per_month": l.TokensPerMonth,
	} {
		if limit != NeverTokens && (limit < 0 || limit > mostTokens) {
			c.doc.Problemf("limits."+key, "is %v: use 0 to %d, or never", limit, mostTokens)
		}
	}
	inDollars := false
	for key, limit := range map[string]DollarLimit{
		"dollars_per_person_per_day": l.DollarsPerPersonPerDay, "dollars_per_person_per_month": l.DollarsPerPersonPerMonth,
		"dollars_per_room_per_day": l.DollarsPerRoomPerDay, "dollars_per_room_per_month": l.DollarsPerRoomPerMonth,
		"dollars_per_day": l.DollarsPerDay, "dollars_per_month": l.DollarsPerMonth,
	} {
		inDollars = inDollars || limit > 0
		if limit != NeverDollars && (limit < 0 || limit > mostDollars) {
			c.doc.Problemf("limits."+key, "is %v: use 0 to %d, or never", limit, mostDollars)
		}
	}
	if l.AnswersPerRoomPerMinute < 0 || l.AnswersPerRoomPerMinute > mostAnswers {
		c.doc.Problemf("limits.answers_per_room_per_minute", "is %d: use 0 to %d", l.AnswersPerRoomPerMinute, mostAnswers)
	}
	if inDollars {
		c.warnOfUnknownPrices()
	}
}

// warnOfUnknownPrices warns about models that limits in dollars do not bound.
func (c *Config) warnOfUnknownPrices() {
	c.eachModel(func(path string, m *ModelSettings) {
		if m.Provider != NoModel && m.Provider != Ollama && m.PriceIn == 0 && m.PriceOut == 0 {
			c.Warnings = append(c.Warnings, fmt.Sprintf("%s has no price_in and price_out, so limits in dollars do not count what %s uses", path, m.Model))
		}
	})
}
