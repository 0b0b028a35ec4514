package main

import (
	"testing"

	"familiar/internal/lazyregexp"
)

// TestEveryExpressionCompiles finds mistakes that would otherwise show only when an expression is first used.
func TestEveryExpressionCompiles(t *testing.T) {
	t.Parallel()
	if n, err := lazyregexp.Check(); n < 50 || err != nil {
		t.Errorf("of %d expressions: %v", n, err)
	}
}
