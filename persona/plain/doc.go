// Package plain is the voice that needs no language model. It speaks from templates and memories. Start in assemble.go,
// which orders the parts of a reply.
package plain
