package card

import (
	"time"

	"familiar/memory/model"
)

// Card is a persona as its operator defines it: the constitution, which always wins over what the persona grew.
type Card struct {
	// Key is the persona's short name in files, tables and on the command line; see ValidKey.
	Key         string
	Name        string
	Description string
	Traits      []Trait
	Values      []string
	Voice       string
	Boundaries  []string
	// Greetings are openings in the persona's own words; {name} stands for how the person is called.
	Greetings []string
	// Examples show how the persona talks.
	Examples []Example
	// Sectors multiply a sector's score in recall, 1 where missing, 0–5.
	Sectors map[model.Sector]float64
	// Rates are how fast sectors of its memory fade, the usual rate where missing.
	Rates model.Rates
	// Zone is the persona's timezone, nil when it has none of its own. Language is a BCP 47 tag, "en" when none is given.
	Zone     *time.Location
	Language string
	// WithoutFacts says that facts about the world ("the author of Dune is Frank Herbert") are neither read nor followed.
	WithoutFacts bool
}

// maxKey is the longest key, in bytes: it is a file name, a column in every table and something people type.
const maxKey = 40

// ValidKey reports whether key can name a persona: 1–40 of a–z, 0–9 and -, not beginning with -.
func ValidKey(key string) bool {
	if key == "" || len(key) > maxKey || key[0] == '-' {
		return false
	}
	for _, r := range key {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' {
			return false
		}
	}
	return true
}

// Trait is one trait of character.
type Trait struct {
	Name string
	// Strength is 0–1.
	Strength float64
}

// Example is one exchange in the persona's manner.
type Example struct {
	Person  string
	Persona string
}
