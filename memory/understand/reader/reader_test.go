package reader

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"familiar/internal/torture"
	"familiar/memory/understand/sentences"
)

// authors returns the labelled messages that the weights are fitted to.
func authors(t *testing.T) (all []Labelled) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "sentences", "train", "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatal("no labelled messages", err)
	}
	slices.Sort(files)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		messages, err := sentences.Parse(string(text))
		if err != nil {
			t.Fatal(file, err)
		}
		all = append(all, Labelled{English: strings.HasPrefix(filepath.Base(file), "en"), Messages: messages})
	}
	return all
}

// TestWeightsFitTheCode checks that the weights belong to the features: the messages that they were fitted to are read
// well. It says nothing about other messages; see familiar-lab reader score.
func TestWeightsFitTheCode(t *testing.T) {
	for _, a := range authors(t) {
		s := Judge(Read, a.Messages[:len(a.Messages)/4], 0.6)
		if s.Total.Marked < 20 {
			continue
		}
		if p, r := s.Total.Precision(), s.Total.Recall(); p < 0.8 || r < 0.3 {
			t.Errorf("messages like %q: precision %.2f, recall %.2f; run make reader", a.Messages[0].Text, p, r)
		}
	}
}

// TestWeightsAreWhatTheMessagesGive fits the reader anew, which takes minutes.
func TestWeightsAreWhatTheMessagesGive(t *testing.T) {
	if !torture.On() {
		t.Skip("set FAMILIAR_TORTURE to fit the reader anew")
	}
	if !bytes.Equal(Fit(authors(t)), []byte(embedded)) {
		t.Error("weights.bin is stale: run make reader")
	}
}

func TestWeightsAreSmall(t *testing.T) {
	if len(embedded) > 2<<20 {
		t.Errorf("%d bytes of weights, want at most 2 MiB", len(embedded))
	}
}

func TestSmallFitIsRepeatable(t *testing.T) {
	few := authors(t)[:3]
	for i := range few {
		few[i].Messages = few[i].Messages[:60]
	}
	first := Fit(few)
	if !bytes.Equal(first, Fit(few)) {
		t.Error("the same messages give other weights")
	}
	if _, err := Load(first); err != nil {
		t.Error(err)
	}
}

func TestLoadRejectsOtherFiles(t *testing.T) {
	for _, file := range []string{"", "reader 1", "reader 1\xff\xff\xff\x7f" + strings.Repeat("x", 200), strings.Repeat("no weights ", 20)} {
		if _, err := Load([]byte(file)); err == nil {
			t.Errorf("%q is loaded", file)
		}
	}
}

// TestReadAnything checks that bounds are those of the text, whatever it is.
func TestReadAnything(t *testing.T) {
	for _, said := range []string{
		"", " \n", "...", "\xff\xfe", "I'm", "'s", "👍🏽", "l'", strings.Repeat("my dog Rex ", 400), strings.Repeat("?!", 500), "Ich wohne in Köln, 明子です",
	} {
		for _, r := range Read(said) {
			if r.Start < 0 || r.End > len(said) || r.Start >= r.End || r.Sure < 0 || r.Sure > 1 || !slices.Contains(sentences.Classes, r.Class) {
				t.Errorf("%q: %+v", said, r)
			}
			for _, f := range r.Facts {
				if f.Start < r.Start || f.End > r.End || f.Start >= f.End || f.SubjectStart > f.SubjectEnd || f.SubjectEnd > len(said) {
					t.Errorf("%q: %+v", said, f)
				}
			}
		}
	}
}

func BenchmarkRead(b *testing.B) {
	Read("loads the lexicon")
	b.ReportAllocs()
	for b.Loop() {
		Read("my sister Ana just moved from Leeds to Porto and works as a vet there")
	}
}
