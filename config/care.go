package config

import (
	"strconv"
	"strings"

	"familiar/internal/strictyaml"
)

// Care configures whom people in danger are told to reach.
type Care struct {
	// Country is the country of people whose own is not known by their timezone: two letters of ISO 3166, "" for none.
	Country string `yaml:"country"`
	// Contacts replace the built-in ones of a country.
	Contacts Contacts `yaml:"contacts"`
}

// Contacts are lines of text by country.
type Contacts struct{ strictyaml.Map[[]string] }

// String returns the contacts as YAML.
func (c Contacts) String() string {
	var all []string
	for _, country := range c.Map {
		lines := make([]string, len(country.Value))
		for i, line := range country.Value {
			lines[i] = strconv.Quote(line)
		}
		all = append(all, country.Name+": ["+strings.Join(lines, ", ")+"]")
	}
	return "{" + strings.Join(all, ", ") + "}"
}

// MarshalYAML returns the contacts as YAML.
func (c Contacts) MarshalYAML() ([]byte, error) { return []byte(c.String()), nil }

// ByCountry returns the lines by country.
func (c Contacts) ByCountry() map[string][]string {
	all := make(map[string][]string, len(c.Map))
	for _, country := range c.Map {
		all[country.Name] = country.Value
	}
	return all
}

// isCountry reports whether a country is written as in ISO 3166.
func isCountry(code string) bool {
	return len(code) == 2 && strings.Trim(code, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// validateCare reports countries and lines that cannot be meant.
func (c *Config) validateCare() {
	if c.Care.Country != "" && !isCountry(c.Care.Country) {
		c.doc.Problemf("care.country", "is %q: write two capital letters, such as DE", c.Care.Country)
	}
	for _, country := range c.Care.Contacts.Map {
		key := "care.contacts." + country.Name
		switch {
		case !isCountry(country.Name):
			c.doc.Problemf(key, "%q is no country: write two capital letters, such as DE", country.Name)
		case len(country.Value) == 0:
			c.doc.Problemf(key, "has no lines: write [\"Emergency: 112\"], or leave it out for the built-in ones")
		}
		for _, line := range country.Value {
			if strings.TrimSpace(line) == "" || strings.ContainsAny(line, "\r\n") {
				c.doc.Problemf(key, "each is one line of text")
			}
		}
	}
}
