package concept_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"familiar/memory/concept"
	"familiar/memory/wordvec"
)

func vectorOf(t *testing.T, tag, word string) wordvec.Word {
	t.Helper()
	l := concept.For(tag)
	return l.Vector(word, l.Stem(word))
}

func TestWordsHaveTheVectorOfTheirEnglishWord(t *testing.T) {
	for _, c := range []struct{ tag, word, english string }{
		{"en", "dog", "dog"},
		{"de", "hund", "dog"},
		{"de", "hunde", "dog"},
		{"de", "schwägerin", "sister-in-law"},
		{"de", "kindergeburtstag", "birthday"},
		{"es", "perros", "dog"},
		{"es", "miedo", "fear"},
		{"es", "dentista", "dentist"},
		{"fr", "chiens", "dog"},
		{"fr", "sœur", "sister"},
		{"fr", "soeur", "sister"},
	} {
		want := wordvec.Find(c.english)
		if got := vectorOf(t, c.tag, c.word); want != 0 && got != want {
			t.Errorf("%s %q does not have the vector of %q", c.tag, c.word, c.english)
		}
	}
	if vectorOf(t, "de", "xyzzyk") != 0 {
		t.Error("an unknown word has a vector")
	}
}

func TestWordListsAreWellFormed(t *testing.T) {
	files, err := filepath.Glob("english/*.txt")
	if err != nil || len(files) != 3 {
		t.Fatalf("word lists %v, %v", files, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lines, without, seen := 0, 0, map[string]bool{}
		for line := range strings.Lines(string(data)) {
			words, meaning, ok := strings.Cut(strings.TrimSpace(line), ": ")
			if !ok || strings.ContainsAny(meaning, " ,:") {
				t.Errorf("%s: %q is not “words: English word”", file, line)
				continue
			}
			for w := range strings.SplitSeq(words, ", ") {
				if w == "" || strings.Contains(w, " ") || seen[w] {
					t.Errorf("%s: %q is empty, several words or listed twice", file, w)
				}
				seen[w] = true
			}
			if lines++; wordvec.Find(meaning[strings.LastIndex(meaning, "-")+1:]) == 0 {
				without++
			}
		}
		if lines < 3000 || without > lines/10 {
			t.Errorf("%s: %d of %d English words have no vector", file, without, lines)
		}
	}
}
