// Package scope defines who may hear what: the visibility of a room, and the change counters of each scope, by which
// caches find out whether they are still valid.
package scope
