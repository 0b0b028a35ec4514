package scene

import "testing"

// TestFactsAreLeftUnreadWithoutAnAnalysis reads an older line that states a fact about the world and has no stored analysis.
func TestFactsAreLeftUnreadWithoutAnAnalysis(t *testing.T) {
	line := Line{Text: "The author of Dune is Frank Herbert."}
	if claims := line.Analysis().Claims; len(claims) != 1 {
		t.Errorf("with facts %+v", claims)
	}
	line.WithoutFacts = true
	if claims := line.Analysis().Claims; len(claims) != 0 {
		t.Errorf("without facts %+v", claims)
	}
}
