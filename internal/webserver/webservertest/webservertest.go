// Package webservertest serves in tests.
package webservertest

import (
	"context"
	"testing"

	"familiar/internal/webserver"
)

// Serve answers until the test ends. The test fails if the server does not end well.
func Serve(t testing.TB, server *webserver.Server) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- server.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}
