package recall

import (
	"testing"

	"familiar/memory/internal/scope"
	"familiar/memory/model"
)

func TestDefaultBudgetFollowsTheMachine(t *testing.T) {
	for memory, want := range map[int64]int64{0: 192 << 20, 512 << 20: 64 << 20, 4 << 30: 256 << 20, 64 << 30: 512 << 20} {
		if got := budgetFor(memory); got != want {
			t.Errorf("with %d bytes: got %d, want %d", memory, got, want)
		}
	}
}

// TestLargeScopesShareTheBudget uses two scopes in turn, each of which could take all of it.
func TestLargeScopesShareTheBudget(t *testing.T) {
	const budget = 800
	var c indexCache
	get := func(n int64) *scopeIndex {
		return c.get(scope.Key{Persona: "mira", Audience: model.Audience{Kind: model.InRoom, Ref: n}})
	}
	one := get(1)
	if got := c.room(one, budget); got != 600 {
		t.Errorf("alone: room %d, want 600", got)
	}
	c.enforceBudget(one, 590, budget)
	two := get(2)
	if got := c.room(two, budget); got != 300 {
		t.Errorf("beside a large one: room %d, want 300", got)
	}
	c.enforceBudget(two, 290, budget)
	if c.scopes[one.key] != nil {
		t.Error("both stay, though they exceed the budget")
	}
	one = get(1)
	if got := c.room(one, budget); got != 510 {
		t.Errorf("again: room %d, want 510", got)
	}
	c.enforceBudget(one, 300, budget)
	if c.scopes[two.key] == nil || c.total != 590 {
		t.Errorf("two that fit do not both stay: %d bytes", c.total)
	}
	for n := range int64(5) {
		c.enforceBudget(get(10+n), 20, budget)
	}
	if got := c.room(get(1), budget); got != 410 || c.total != 690 {
		t.Errorf("beside small ones: room %d of %d", got, c.total)
	}
}

func TestRowCachesGoBeforeIndexes(t *testing.T) {
	var c indexCache
	get := func(n int64) *scopeIndex {
		return c.get(scope.Key{Persona: "mira", Audience: model.Audience{Kind: model.InRoom, Ref: n}})
	}
	one, rows := get(1), new(rowCache)
	rows.addLine(&nearbyLine{SnippetLine: model.SnippetLine{MessageID: 1, Text: "hello"}})
	c.noteRows(one, rows)
	c.enforceBudget(one, 500+rows.size(), 1000)
	c.enforceBudget(get(2), 500, 1000)
	if c.scopes[one.key] != one || rows.size() != 0 || c.total != 1000 {
		t.Errorf("%d bytes are left, %d of them rows", c.total, rows.size())
	}
}
