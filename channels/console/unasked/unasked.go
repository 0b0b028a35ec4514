// Package unasked keeps the terminal from being asked for its background colour. Bubble Tea asks when the program
// starts, whatever it was started for, and waits up to five seconds for terminals that do not answer; the console
// uses no colour that depends on it. Being asked is prevented by having an answer.
//
// It works by being imported for its effect next to Bubble Tea, whose package must not be imported here: of packages
// that are ready to be initialised, Go takes the one that comes first by import path, and "familiar" comes before
// "github.com".
package unasked

import "github.com/charmbracelet/lipgloss"

func init() { lipgloss.SetHasDarkBackground(true) }
