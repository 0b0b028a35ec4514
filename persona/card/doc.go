// Package card is the character of a persona: its file, the cards that come with the program, and the traits that grew.
package card
