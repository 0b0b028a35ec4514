package card

import (
	"time"

	"familiar/memory/model"
)

// Card is a persona as its operator defines it. It always takes precedence over growth.
type Card struct {
	// Key is the persona's short name in files, tables and commands; see ValidKey.
	Key         string
	Name        string
	Description string
	Traits      []Trait
	Values      []string
	Voice       string
	Boundaries  []string
	// Greetings are openings in the persona's own words. {name} stands for the person's form of address.
	Greetings []string
	// Interests are what the persona likes to read about, in the words that are sent to a search engine.
	Interests []string
	// Examples show how the persona talks.
	Examples []Example
	// Sectors are the factors of sectors in recall, 0–5, 1 if missing.
	Sectors map[model.Sector]float64
	// Rates are the decay rates of sectors, the default if missing.
	Rates model.Rates
	// Zone is the persona's timezone, nil if it has none. Language is a BCP 47 tag, "en" by default.
	Zone     *time.Location
	Language string
	// WithoutFacts turns off facts about the world ("the author of Dune is Frank Herbert"): they are neither read nor
	// followed.
	WithoutFacts bool
	// Adult marks a persona for adults: it talks only where the operator allows that.
	Adult bool
	// Sheet is what a character card adds, zero for most personas.
	Sheet Sheet

	// filled reports that no text has placeholders any more.
	filled bool
}

// maxKey is the longest key, in bytes: it is a file name, a database column and typed by people.
const maxKey = 40

// maxCard is the maximum size of a persona file in bytes.
const maxCard = 1 << 20

// ValidKey reports whether key can name a persona: 1–40 characters of a–z, 0–9 and -, not starting with -.
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

// Trait is a character trait.
type Trait struct {
	Name string
	// Strength is 0–1.
	Strength float64
}

// Example is an exchange in the persona's manner.
type Example struct {
	Person  string
	Persona string
}
