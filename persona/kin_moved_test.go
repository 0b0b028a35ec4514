package persona_test

import (
	"strings"
	"testing"
)

// TestEachPersonIsInOnePlace: statements about a sister and about Eva concern one person, and the latest one holds, in
// any wording of the statement and the question.
func TestEachPersonIsInOnePlace(t *testing.T) {
	for _, told := range [][]string{
		{"My sister is called Eva", "Eva lives in Oslo", "My sister has moved to Riga"},
		{"My sister is called Eva", "My sister lives in Oslo", "Eva moved to Riga"},
		{"My sister lives in Oslo", "My sister is called Eva", "Eva lives in Riga now"},
	} {
		s := play(t, nil)
		for _, line := range told {
			s.say("ann", line)
		}
		for _, asked := range []string{"Where does my sister live?", "Where does Eva live?"} {
			if said := s.say("ann", asked); !strings.Contains(said, "Riga") || strings.Contains(said, "Oslo") {
				t.Errorf("%q, then %q: %q", told, asked, said)
			}
		}
	}
	s := play(t, nil)
	for _, line := range []string{"My sister is called Eva", "My sister is called Ida", "Eva lives in Oslo", "My friend Ida lives in Riga"} {
		s.say("ann", line)
	}
	if said := s.say("ann", "Where does Eva live?"); !strings.Contains(said, "Oslo") {
		t.Errorf("somebody else's move is taken for hers: %q", said)
	}
}
