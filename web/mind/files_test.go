package mind_test

import (
	"os"
	"testing"

	"familiar/memory"
	"familiar/memory/entry"
	"familiar/memory/model"
)

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "mind")
	if err != nil {
		panic(err)
	}
	livedDir = dir
	code := m.Run()
	_ = os.RemoveAll(dir) // what is left is in the temporary directory
	os.Exit(code)
}

func memories(t testing.TB, store *memory.Store, kind model.Kind) []model.Memory {
	t.Helper()
	all, err := store.Entries.ListMemories(t.Context(), entry.MemoryFilter{Persona: "tess", Kind: kind, Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
