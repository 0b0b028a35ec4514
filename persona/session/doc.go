// Package session finds the running session of a room, ends idle ones with what each leaves, compacts long ones, and
// reads ended ones again with a model.
package session
