package lifecycle

import (
	"strings"
	"testing"

	"familiar/memory/entry"
	"familiar/memory/internal/db"
	"familiar/memory/internal/dbtest"
	"familiar/memory/model"
)

func TestEmbeddedForm(t *testing.T) {
	long := strings.Repeat("eleven char ", 10)
	for name, c := range map[string]struct {
		task EmbeddingTask
		want string
	}{
		"lore":             {EmbeddingTask{Text: "The well is deep"}, "The well is deep"},
		"the first line":   {EmbeddingTask{Text: "I got a dog", Speaker: "Ann"}, "Ann: I got a dog"},
		"an answer":        {EmbeddingTask{Text: "In May", Speaker: "Ann", Before: "When do you leave?"}, "When do you leave?\nAnn: In May"},
		"after a long one": {EmbeddingTask{Text: "Yes", Speaker: "Bo", Before: long}, "eleven char eleven char eleven char eleven char eleven char\nBo: Yes"},
		"after one word":   {EmbeddingTask{Text: "Yes", Before: strings.Repeat("é", 100)}, strings.Repeat("é", gistRunes) + "\nYes"},
		"after nothing":    {EmbeddingTask{Text: "Yes", Speaker: "Bo", Before: " \n"}, "Bo: Yes"},
	} {
		if got := c.task.Input(); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestNewFormReembeds: vectors of another form than the present one are made anew, although the model is the same.
func TestNewFormReembeds(t *testing.T) {
	s := New(dbtest.Open(t), nil)
	entries := entry.New(s.db)
	if err := entries.UseEmbedder(t.Context(), "m"); err != nil {
		t.Fatal(err)
	}
	lore, err := entries.Remember(t.Context(), entry.NewMemory{
		Persona: "mira", Audience: model.Audience{Kind: model.World}, Origin: model.OriginOperator, Sector: model.Semantic, Text: "The well is deep", Salience: 0.5,
	})
	if err != nil {
		t.Fatal(err)
	}
	waiting := func() int {
		if err := entries.UseEmbedder(t.Context(), "m"); err != nil {
			t.Fatal(err)
		}
		tasks, err := s.EmbeddingBacklog(t.Context(), 9)
		if err != nil {
			t.Fatal(err)
		}
		return len(tasks)
	}
	done := []EmbeddingResult{{EmbeddingTask: EmbeddingTask{MemoryID: lore.ID, Text: "The well is deep"}, Vector: []float32{1, 2}}}
	if kept, err := s.SaveVectors(t.Context(), "m", done); err != nil || kept.Vectors != 1 || waiting() != 0 {
		t.Fatalf("%+v, %v", kept, err)
	}
	if err := s.db.Write(t.Context(), "go back to the form before", func(tx *db.Tx) error {
		_, err := tx.Exec(`UPDATE embedder SET form = form - 1`)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if n := waiting(); n != 1 {
		t.Errorf("%d memories wait", n)
	}
}
