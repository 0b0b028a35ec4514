// Package session finds the running session of a room, ends idle sessions and stores what each leaves, compacts long
// ones, and reads ended ones again with a model.
package session
