// Package mind has the rules by which a persona weighs evidence, relationships, sessions, moods, skills and growth.
// Every rule is a pure function of a state, an event and a time: no store, no clock, no model. docs/mind.md has the
// numbers in one table.
package mind
