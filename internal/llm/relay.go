package llm

import (
	"context"
	"errors"
	"strings"
	"sync"
)

// errClosed stops a provider that still streams after its call returned.
var errClosed = errors.New("the caller no longer waits for the answer")

// relay passes streamed pieces on and stores them. A nil relay passes nothing.
type relay struct {
	show func(string)

	mu     sync.Mutex
	closed bool
	said   strings.Builder
}

// take is langchaingo's streaming callback. Some providers call it from another goroutine.
func (r *relay) take(_ context.Context, piece []byte) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return errClosed
	}
	if len(piece) > 0 {
		r.said.Write(piece)
		r.show(string(piece))
	}
	return nil
}

// close stops passing pieces on.
func (r *relay) close() {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
}

// text returns everything passed on so far.
func (r *relay) text() string {
	if r == nil {
		return ""
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.said.String()
}
