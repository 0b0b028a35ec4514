// Package plain is the voice that needs no language model: it speaks from templates and from what is remembered. Start in
// assemble.go, which puts the parts of a reply in order.
package plain
