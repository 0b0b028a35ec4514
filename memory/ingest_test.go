package memory_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"familiar/memory"
	"familiar/memory/entry"
	"familiar/memory/memorytest"
	"familiar/memory/model"
	"familiar/memory/transfer"
)

const guide = `# Guide

A boat needs care.

## Sails

Dry the sails before they are stowed. A wet sail grows mould.

## Engine

- change the oil every 100 hours
- look at the belt

` + "```sh\nboatctl start --engine main\n```\n"

func lore(name, text string) transfer.Document {
	return transfer.Document{
		Persona: "helper", Audience: model.Audience{Kind: model.World}, Name: name, Text: text, Markdown: true,
	}
}

func ingest(t *testing.T, s *memory.Store, d transfer.Document) transfer.IngestResult {
	t.Helper()
	done, err := s.Transfer.Ingest(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	return done
}

func TestIngestedPassagesAreRecalledWithTheirPlace(t *testing.T) {
	s := memorytest.Open(t)
	if got := ingest(t, s, lore("guide.md", guide)); got != (transfer.IngestResult{Passages: 3, Added: 3}) {
		t.Errorf("ingested %+v", got)
	}
	n := notebook(t, s, memory.Owner{Person: "ann"})
	for query, want := range map[string]string{
		"what about a wet sail":                  "guide.md › Guide › Sails:\nDry the sails before they are stowed. A wet sail grows mould.",
		"how do I start the engine with boatctl": "guide.md › Guide › Engine:\n- change the oil every 100 hours\n- look at the belt\n\n```sh\nboatctl start --engine main\n```",
	} {
		if got, _, _ := strings.Cut(rankState(t, n, query), "|"); got != want {
			t.Errorf("%s: got %q, want %q", query, got, want)
		}
		text, err := n.Context(t.Context(), query, 300)
		place, _, _ := strings.Cut(want, "\n")
		if err != nil || !strings.Contains(text, place) {
			t.Errorf("%s: the context %q, %v, does not name %s", query, text, err, place)
		}
	}
}

// TestIngestingAgainAddsOnlyWhatChanged ingests several versions of a document.
func TestIngestingAgainAddsOnlyWhatChanged(t *testing.T) {
	s := memorytest.Open(t)
	ingest(t, s, lore("guide.md", guide))
	before := exported(t, s, transfer.ExportOptions{})
	if got := ingest(t, s, lore("guide.md", guide)); got != (transfer.IngestResult{Passages: 3}) {
		t.Errorf("the same again: %+v", got)
	}
	if after := exported(t, s, transfer.ExportOptions{}); after != before {
		t.Error("the same again:", difference(before, after))
	}

	changed := strings.Replace(guide, "A wet sail grows mould.", "Mould is the end of a sail.", 1)
	if got := ingest(t, s, lore("guide.md", changed)); got != (transfer.IngestResult{Passages: 3, Replaced: 1}) {
		t.Errorf("a changed section: %+v", got)
	}
	n := notebook(t, s, memory.Owner{})
	if got := rankState(t, n, "sail mould"); strings.Contains(got, "wet sail") || !strings.Contains(got, "the end of a sail") {
		t.Errorf("recalled %s", got)
	}

	shorter, _, _ := strings.Cut(changed, "## Engine")
	if got := ingest(t, s, lore("guide.md", shorter+"## Anchor\n\nUse the heavy one.\n")); got != (transfer.IngestResult{Passages: 3, Added: 1, Dropped: 1}) {
		t.Errorf("a section gone and one come: %+v", got)
	}
	if got := rankState(t, n, "boatctl engine oil"); strings.Contains(got, "oil") {
		t.Errorf("recalled what is no longer there: %s", got)
	}
	all, err := s.Entries.ListMemories(t.Context(), entry.MemoryFilter{Text: "guide.md"})
	if err != nil || len(all) != 5 {
		t.Errorf("%d passages are on record, %v; want every version", len(all), err)
	}
	if got := ingest(t, s, lore("guide.md", guide)); got.Added != 1 || got.Replaced != 1 || got.Dropped != 1 {
		t.Errorf("back to the first reading: %+v", got)
	}
}

func TestDocumentsKeepToTheirAudience(t *testing.T) {
	s := memorytest.Open(t)
	ann, bob := notebook(t, s, memory.Owner{Person: "ann"}), notebook(t, s, memory.Owner{Person: "bob"})
	private := lore("guide.md", "# Sails\n\nAnn's sail is red.")
	private.Audience = ann.Audience()
	ingest(t, s, private)
	ingest(t, s, lore("guide.md", guide)) // another document of the same name
	if got := rankState(t, ann, "the sail"); !strings.Contains(got, "red") || !strings.Contains(got, "mould") {
		t.Errorf("ann hears %s", got)
	}
	if got := rankState(t, bob, "the sail"); strings.Contains(got, "red") || !strings.Contains(got, "mould") {
		t.Errorf("bob hears %s", got)
	}
}

// TestForgettingAPassageLeavesNothing checks the table of passages.
func TestForgettingAPassageLeavesNothing(t *testing.T) {
	w := newTown(t)
	d := lore("guide.md", "# Zqsailqz\n\nDry it.")
	d.Tags = []string{"zqtagqz"}
	ingest(t, w.Store, d)
	all, err := w.Entries.ListMemories(t.Context(), entry.MemoryFilter{})
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	if m, err := w.Entries.Memory(t.Context(), all[0].ID); err != nil || fmt.Sprint(m.Entities, m.Tags) != "[zqsailqz] [zqtagqz]" {
		t.Errorf("its waypoints are %v and its tags %v, %v", m.Entities, m.Tags, err)
	}
	if _, err := w.Eraser.Forget(t.Context(), all[0].ID); err != nil {
		t.Fatal(err)
	}
	if left := strings.ToLower(contents(t, w)); strings.Contains(left, "zq") || strings.Contains(left, "guide") {
		t.Errorf("left: %s", left)
	}
}

func TestIngestRefusals(t *testing.T) {
	s := memorytest.Open(t)
	for want, d := range map[string]transfer.Document{
		"a document needs a name":        lore("", "x"),
		"the document is not UTF-8 text": lore("a.md", "\xff\xfe"),
		"not UTF-8 text":                 lore("a.md", "a\x00b"),
		"no text to remember":            lore("a.md", "# Only\n\n## Headings\n"),
		"needs a persona":                {Name: "a.md", Text: "x", Audience: model.Audience{Kind: model.World}},
	} {
		if _, err := s.Transfer.Ingest(t.Context(), d); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "ingest") {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	nobody := lore("a.md", "x")
	nobody.Audience = model.Audience{Kind: model.Private, Ref: 99}
	if _, err := s.Transfer.Ingest(t.Context(), nobody); err == nil || errors.Is(err, memory.ErrNotFound) {
		t.Errorf("for nobody: %v", err)
	}
}

func BenchmarkIngest(b *testing.B) {
	var text strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&text, "## Section %d\n\nThe boat number %d is kept in harbour %d. It is dry.\n\n", i, i, i%7)
	}
	b.Run("new", func(b *testing.B) {
		for b.Loop() {
			s := memorytest.Open(b)
			if _, err := s.Transfer.Ingest(b.Context(), lore("boats.md", text.String())); err != nil {
				b.Fatal(err)
			}
		}
	})
	s := memorytest.Open(b)
	b.Run("again", func(b *testing.B) {
		for b.Loop() {
			if _, err := s.Transfer.Ingest(b.Context(), lore("boats.md", text.String())); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// TestIngestTagsAreNoNames ingests a document with a tag, and again with another. Each time all passages get the tag,
// known ones too, and no passage is linked to texts that merely contain the word.
func TestIngestTagsAreNoNames(t *testing.T) {
	s := memorytest.Open(t)
	d := lore("guide.md", guide)
	d.Tags = []string{"Sea Side"}
	ingest(t, s, d)
	d.Tags = []string{"care"}
	if got := ingest(t, s, d); got != (transfer.IngestResult{Passages: 3}) {
		t.Errorf("again %+v", got)
	}
	for _, tag := range []string{"sea side", "care"} {
		if got, err := s.Entries.ListMemories(t.Context(), entry.MemoryFilter{Tag: tag}); err != nil || len(got) != 3 {
			t.Errorf("%d memories are tagged %q, %v", len(got), tag, err)
		}
	}
	for id := range int64(3) {
		if m, err := s.Entries.Memory(t.Context(), id+1); err != nil || fmt.Sprint(m.Tags) != "[care sea-side]" || strings.Contains(fmt.Sprint(m.Entities), "sea") {
			t.Errorf("passage %d: tags %q, entities %q, %v", id+1, m.Tags, m.Entities, err)
		}
	}
}
