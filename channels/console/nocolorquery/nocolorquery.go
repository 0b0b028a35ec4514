// Package nocolorquery keeps Bubble Tea from querying the terminal's background colour. Bubble Tea does this at every
// program start and waits up to five seconds for terminals that do not respond; the console uses no colour that depends
// on it. Setting an answer prevents the query.
//
// It is imported for its side effect next to Bubble Tea, whose package must not be imported here: of packages ready for
// initialization, Go picks the first by import path, and "familiar" comes before "github.com".
package nocolorquery

import "github.com/charmbracelet/lipgloss"

func init() { lipgloss.SetHasDarkBackground(true) }
