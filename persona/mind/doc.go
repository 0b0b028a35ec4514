// Package mind holds the rules by which a persona weighs what it was told, what it has with a person, what a session
// meant, how it feels, what it can do and what it grows into. Every rule is a pure function of a state, an event and a
// moment: no store, no clock, no model. docs/mind.md has the numbers in one table.
package mind
