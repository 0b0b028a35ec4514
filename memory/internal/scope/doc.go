// Package scope says who may hear what: the visibility of a room, and how far each scope has changed, by which caches know
// whether they still hold.
package scope
