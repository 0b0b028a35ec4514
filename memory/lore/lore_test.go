package lore_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"familiar/memory"
	"familiar/memory/entry"
	"familiar/memory/lore"
	"familiar/memory/memorytest"
	"familiar/memory/model"
)

// known returns the texts that came from others, by their entries.
func known(t *testing.T, s *memory.Store) map[string]string {
	t.Helper()
	all, err := s.Entries.ListMemories(t.Context(), entry.MemoryFilter{Persona: "nell", Kind: model.Lore, Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, m := range all {
		if m.Audience.Kind != model.World || m.Instruction || m.Pinned || !m.ForgetAt.IsZero() {
			t.Errorf("memory %+v", m)
		}
		o, err := s.Lore.Origin(t.Context(), m.ID)
		if err != nil {
			t.Fatal(err)
		}
		texts[o.Entry] = m.Text
	}
	return texts
}

func file(n int) lore.Import {
	return lore.Import{
		Persona: "nell", Key: "key", Signer: "ann", Source: "mira", SourceName: "Mira", Digest: fmt.Sprint(n), Content: fmt.Sprint(n),
		Signed: time.Date(2026, 1, n+1, 0, 0, 0, 0, time.UTC),
	}
}

func itemsOf(texts map[string]string) (items []lore.Item) {
	for id, text := range texts {
		items = append(items, lore.Item{Entry: id, Text: text, Keys: []string{"bar"}})
	}
	return items
}

// TestImportsAreLikeVersions imports random files and takes some back, and compares with what the files say.
func TestImportsAreLikeVersions(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	s := memorytest.Open(t)
	var holds []int // the files that hold, by number
	files := map[int]map[string]string{}
	imports := map[int]int64{}
	for n := range 60 {
		if len(holds) > 0 && random.IntN(3) == 0 {
			last := holds[len(holds)-1]
			holds = holds[:len(holds)-1]
			_, err := s.Lore.Revert(t.Context(), imports[last], func(i lore.Import) ([]lore.Item, error) {
				var number int
				_, err := fmt.Sscan(i.Content, &number)
				return itemsOf(files[number]), err
			})
			if err != nil {
				t.Fatal(err)
			}
		} else {
			texts := map[string]string{}
			for range random.IntN(8) {
				texts[fmt.Sprint("e", random.IntN(6))] = fmt.Sprint("Text ", random.IntN(3))
			}
			files[n], holds = texts, append(holds, n)
			before := known(t, s)
			preview, err := s.Lore.Import(t.Context(), file(n), itemsOf(texts), true, false)
			if err != nil || preview.Import != 0 || !maps.Equal(known(t, s), before) {
				t.Fatalf("a preview: %+v, %v", preview, err)
			}
			done, err := s.Lore.Import(t.Context(), file(n), itemsOf(texts), false, false)
			if err != nil || len(done.Added) != len(preview.Added) || len(done.Changed) != len(preview.Changed) || len(done.Removed) != len(preview.Removed) || done.Same != preview.Same {
				t.Fatalf("file %d: %+v, previewed %+v, %v", n, done, preview, err)
			}
			imports[n] = done.Import
			again, err := s.Lore.Import(t.Context(), file(n), itemsOf(texts), false, false)
			if err != nil || again.Import != 0 || !again.Nothing() {
				t.Fatalf("file %d again: %+v, %v", n, again, err)
			}
		}
		want := map[string]string{}
		if len(holds) > 0 {
			want = files[holds[len(holds)-1]]
		}
		if got := known(t, s); !maps.Equal(got, want) {
			t.Fatalf("after step %d: %v, want %v", n, got, want)
		}
	}
}

func TestAnOlderFileIsRefused(t *testing.T) {
	s := memorytest.Open(t)
	one, two := itemsOf(map[string]string{"a": "One."}), itemsOf(map[string]string{"a": "Two."})
	for _, step := range []struct {
		n      int
		items  []lore.Item
		anyway bool
		want   error
		holds  string
	}{{2, two, false, nil, "Two."}, {1, one, false, lore.ErrOlder, "Two."}, {1, one, true, nil, "One."}} {
		_, err := s.Lore.Import(t.Context(), file(step.n), step.items, false, step.anyway)
		if !errors.Is(err, step.want) || known(t, s)["a"] != step.holds {
			t.Errorf("file %d, %v: %v, %v", step.n, step.anyway, err, known(t, s))
		}
	}
	other := file(0)
	other.Key = "another"
	if done, err := s.Lore.Import(t.Context(), other, one, false, false); err != nil || len(done.Added) != 1 {
		t.Errorf("another signer: %+v, %v", done, err)
	}
	same := file(1)
	same.Digest = "other"
	if _, err := s.Lore.Import(t.Context(), same, two, false, false); !errors.Is(err, lore.ErrOlder) {
		t.Errorf("another file of the same moment: %v", err)
	}
}

func TestWhatWasForgottenStaysForgotten(t *testing.T) {
	s := memorytest.Open(t)
	texts := map[string]string{"a": "One.", "b": "Two."}
	if _, err := s.Lore.Import(t.Context(), file(1), itemsOf(texts), false, false); err != nil {
		t.Fatal(err)
	}
	all, err := s.Entries.ListMemories(t.Context(), entry.MemoryFilter{Persona: "nell", Text: "One."})
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	if _, err := s.Eraser.Forget(t.Context(), all[0].ID); err != nil {
		t.Fatal(err)
	}
	texts["c"] = "Three."
	if _, err := s.Lore.Import(t.Context(), file(2), itemsOf(texts), false, false); err != nil {
		t.Fatal(err)
	}
	if got := slices.Sorted(maps.Keys(known(t, s))); !slices.Equal(got, []string{"b", "c"}) {
		t.Errorf("known: %v", got)
	}
	texts["a"] = "Another one."
	if _, err := s.Lore.Import(t.Context(), file(3), itemsOf(texts), false, false); err != nil || known(t, s)["a"] != "Another one." {
		t.Errorf("changed: %v, %v", known(t, s), err)
	}
}

// TestS15SecretsInLoreAreRedacted imports a key.
func TestS15SecretsInLoreAreRedacted(t *testing.T) {
	s := memorytest.Open(t)
	secret := "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH"
	for n := range 2 {
		done, err := s.Lore.Import(t.Context(), file(n), itemsOf(map[string]string{"a": "The key is " + secret + "."}), false, false)
		if err != nil || strings.Contains(known(t, s)["a"], secret) || n == 1 && !done.Nothing() {
			t.Errorf("%d: %+v, %v, %v", n, done, known(t, s), err)
		}
	}
}

func TestTrust(t *testing.T) {
	s := memorytest.Open(t)
	if err := errors.Join(s.Lore.Trust(t.Context(), "k1", "ann"), s.Lore.Trust(t.Context(), "k2", "bob"), s.Lore.Trust(t.Context(), "k1", "Ann")); err != nil {
		t.Fatal(err)
	}
	if err := s.Lore.Trust(t.Context(), "k3", "bob"); !errors.Is(err, lore.ErrTaken) {
		t.Errorf("a name twice: %v", err)
	}
	if gone, err := s.Lore.Distrust(t.Context(), "k2"); err != nil || gone.Name != "bob" {
		t.Errorf("%+v, %v", gone, err)
	}
	if _, err := s.Lore.Distrust(t.Context(), "bob"); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("removed twice: %v", err)
	}
	if all, err := s.Lore.Signers(t.Context()); err != nil || len(all) != 1 || all[0].Name != "Ann" {
		t.Errorf("%+v, %v", all, err)
	}
}
