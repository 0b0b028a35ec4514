// Package mind holds the rules by which a persona weighs what it was told, what it has with a person and what a
// session meant. Every rule is a pure function of a state, an event and a moment: no store, no clock, no model.
package mind
