// The requirements that these tests are named after:
//
// C1: people in danger are recognized by rules alone, in every language that recall reads: who may harm themselves, who is
// harmed by others, who has nothing to eat or nowhere to stay. Figures of speech, stories, accidents and denials are not
// taken for danger. What is said then names whom to reach, by country.
package care

import (
	_ "embed"
	"strings"
	"testing"
)

//go:embed testdata/said.txt
var saidFile string

// TestC1RulesReadDanger reads what people say in every language.
func TestC1RulesReadDanger(t *testing.T) {
	for line := range strings.Lines(saidFile) {
		want, said, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok {
			continue
		}
		if want == "none" {
			want = ""
		}
		if got := Read(said); string(got.Danger) != want {
			t.Errorf("%q: %+v, want %q", said, got, want)
		}
	}
}
