package command

import (
	"context"
	"testing"

	"familiar/channels"
	"familiar/memory/memorytest"
)

// counting is a state store that counts how often its keys are read, and calls during after each read.
type counting struct {
	channels.StateStore
	reads  int
	during func()
}

func (c *counting) Keys(ctx context.Context, prefix string) ([]string, error) {
	c.reads++
	keys, err := c.StateStore.Keys(ctx, prefix)
	if c.during != nil {
		c.during()
	}
	return keys, err
}

// TestS12WhatWaitsForAYesIsNotLost: what an earlier start proposed is found, and what is proposed while the store is asked.
func TestS12WhatWaitsForAYesIsNotLost(t *testing.T) {
	store := memorytest.Open(t)
	check := func(p *Proposals, want bool) {
		t.Helper()
		if none, err := p.none(t.Context()); err != nil || none != want {
			t.Errorf("nothing waits: %v, %v", none, err)
		}
	}
	put := func(p *Proposals, key string) {
		t.Helper()
		if err := p.Put(t.Context(), key, "{}"); err != nil {
			t.Fatal(err)
		}
	}
	put(NewProposals(store.Log), "1/1")
	p := NewProposals(store.Log)
	counted := &counting{StateStore: p.StateStore}
	p.StateStore = counted
	check(p, false)
	if err := p.Delete(t.Context(), "1/1"); err != nil {
		t.Fatal(err)
	}
	for range 5 {
		check(p, true)
	}
	if counted.reads != 2 {
		t.Errorf("the keys were read %d times", counted.reads)
	}
	put(p, "2/1")
	check(p, false)
	if err := p.Delete(t.Context(), "2/1"); err != nil {
		t.Fatal(err)
	}
	counted.during = func() { put(p, "3/1") }
	check(p, true)
	counted.during = nil
	check(p, false)
}
