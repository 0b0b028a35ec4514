package main

import (
	"testing"

	"familiar/internal/lazyregexp"
)

// TestEveryExpressionCompiles finds the mistakes that would show only when somebody says what the expression is for.
func TestEveryExpressionCompiles(t *testing.T) {
	t.Parallel()
	if n, err := lazyregexp.Check(); n < 50 || err != nil {
		t.Errorf("of %d expressions: %v", n, err)
	}
}
