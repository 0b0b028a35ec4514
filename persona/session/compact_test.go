package session

import (
	"strings"
	"testing"
	"time"

	"familiar/memory/model"
	"familiar/persona/card"
)

// TestAnEpisodeRatesFactsOnlyIfTheCardReadsThem makes an episode of messages without a stored analysis. It has room for one
// sentence: a fact about the world counts more than the other, unless the persona does not read such facts.
func TestAnEpisodeRatesFactsOnlyIfTheCardReadsThem(t *testing.T) {
	at := time.Date(2026, time.January, 5, 9, 0, 0, 0, time.UTC)
	part := []model.Message{
		{ID: 1, PersonID: 1, Name: "Ann", At: at, Text: "The author of Dune is Frank Herbert."},
		{ID: 2, PersonID: 1, Name: "Ann", At: at, Text: "Someone painted eleven small boats beside that quiet northern harbour wall yesterday."},
	}
	for _, without := range []bool{false, true} {
		k := &Manager{Card: &card.Card{Name: "Tess", WithoutFacts: without}}
		told := k.episode(part).Text
		if strings.Contains(told, "Dune") == without || strings.Contains(told, "boats") != without {
			t.Errorf("without facts %v, it tells %q", without, told)
		}
	}
}
