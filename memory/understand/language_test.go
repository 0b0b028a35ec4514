package understand

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"familiar/memory/lexical"
)

// TestReadEveryLanguage parses every language that recall reads, and an unknown one. No claim is required.
func TestReadEveryLanguage(t *testing.T) {
	texts := []string{"Saluton, mi nomiĝas Ana kaj mi loĝas en Oslo ekde 2019.", "Тәңір жарылқасын, 2023-05-07!", "ຂ້ອຍຊື່ ອາໂນ", "\u0301"}
	for _, l := range lexical.Languages()[1:] {
		talk, err := os.ReadFile(filepath.Join("..", "lexical", "testdata", "talk", l.Tag()+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, strings.Split(string(talk), "\n")...)
	}
	for _, text := range texts {
		for _, c := range Analyze(Utterance{Text: text, At: at0}).Claims {
			if !strings.Contains(text, c.Value) {
				t.Errorf("%q: %+v is not what it says", text, c)
			}
		}
	}
}
