// Package card is the character of a persona: its file, the built-in cards, and its growth.
package card
