package model_test

import (
	"testing"
	"time"

	"familiar/internal/tokens"
	"familiar/memory/model"
)

// TestALinesTokensAreThoseOfItsText checks that a line has as many tokens as what String writes.
func TestALinesTokensAreThoseOfItsText(t *testing.T) {
	for _, at := range []time.Time{{}, time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC), time.Date(12026, 11, 25, 19, 30, 1, 2, time.FixedZone("", 3600))} {
		for _, author := range []string{"", "Ann", "안나"} {
			for _, text := range []string{"", "good morning", "我的狗叫雷克斯", "\xff?"} {
				l := model.SnippetLine{At: at, Author: author, Text: text}
				if got, want := l.Tokens(), tokens.Estimate(l.String()); got != want {
					t.Errorf("%q has %d tokens, want %d", l, got, want)
				}
			}
		}
	}
}
